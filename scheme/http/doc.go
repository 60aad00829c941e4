// Package http accesses http and https URLs (RFC 1738 3.3): GET, HEAD, PUT, POST and DELETE, over
// HTTP/1.1 and HTTP/2.
//
// Path and search are sent exactly as written in the URL: nothing is escaped again, and dot
// segments and double slashes are kept. A redirect is returned as a Referral, which the client
// follows if its policy allows it. A login is sent only after the server has asked for one. Cookies
// are not supported.
//
// RFCs: 1738 3.3; 9110 (semantics), 9112 (HTTP/1.1), 9113 (HTTP/2), the last two by net/http; 7617
// (Basic logins); 3986 5.2 (the target of a redirect, the links of an index).
package http
