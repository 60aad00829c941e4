// Package http accesses http and https URLs (RFC 1738 3.3): GET, HEAD, PUT and POST, over HTTP/1.1 and HTTP/2.
//
// Path and search go out exactly as the URL writes them: nothing is escaped again, no dot segment and no double slash is
// removed. A redirect is a Referral that the client follows by its policy. A login is sent only after the peer has asked for one.
// There are no cookies and no proxies.
//
// RFCs: 1738 3.3; 9110 (semantics), 9112 (HTTP/1.1), 9113 (HTTP/2), the last two by net/http; 7617 (Basic logins);
// 3986 5.2 (the target of a redirect, the links of an index).
package http
