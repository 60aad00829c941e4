// Package gateway serves the resources of every registered scheme to web browsers and other HTTP
// clients (RFC 1738 4).
//
// A [Gateway] is an http.Handler. The path of a page is "/" and then the URL of the resource, as in
// http://127.0.0.1:1738/gopher://host.dom/1/x. Pages of the gateway itself are below "/-/". A
// request whose target is an absolute URL, as clients send it to a proxy, gets the resource itself.
//
// What a server sends is not trusted. It is escaped in pages, and served as a file only in a
// sandbox. Policy decides about each connection, on its resolved address.
//
// RFCs: 1738 section 4 (gateways); 9110, 9111 and 9112 (HTTP); 9457 (problem details); 7617 (logins);
// 6455 (WebSocket).
package gateway
