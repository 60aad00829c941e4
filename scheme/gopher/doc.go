// Package gopher gives access to gopher URLs: menus, texts, binaries and searches of RFC 1436, and the items,
// attributes, views and electronic forms of Gopher+ (the Gopher+ document of July 1993).
//
// RFCs: 1738 section 3.4 and 4266 (the URL and what is sent for it); 1436 (the protocol, item types, menus, the end
// mark); 2378 (CSO name servers). The numbers of captures in comments that begin with QUIRK are those of testdata/captures/gopher.
//
// The same over TLS is the scheme gophers, which no RFC has: see [NewTLS].
//
// # The end of a body
//
// A server may end a text with a line that is a single dot and double the first dot of other lines (RFC 1436 3.2), or
// do one of these, or neither. Package gopher decides by evidence, in a stream and in bounded memory: see dots.go.
// What is binary ends where the connection does, so that one that broke off can only be told by an error of the
// connection. The counts of Gopher+ (+N) are checked.
//
// # caps.txt
//
// caps.txt, in which a server describes itself, is requested only if Request.Site is set: `attr --details` and `list
// --details` of the command line set it, get does not. It is read at most once per operation and kept with the idle
// connections of the client, at most as long as it says. It names the charset of text that is not UTF-8 and gives
// attributes. It never makes an access fail.
//
// # What is decided here
//
//   - An item that a menu marks "+" has the URL of its default view (RFC 1738 3.4.4), "%09%09+"; one that it marks
//     "?" has "%09%09?", and access to that gives the form.
//   - Types 8 and T name no gopher request: access gives a Referral to the telnet or tn3270 URL; i and 3 are lines of a
//     menu and cannot be accessed.
//   - A type 2 item is a CSO name server: its words are a query by Ph (RFC 2378), whose answer is a text to Access and
//     entries to List; its attributes are what the server tells of itself and of its fields.
//   - A filled form (RFC 1738 3.4.9) is sent only for a URL that a person gave. One that a peer gave, or that is to be
//     listed, is only filled in and shown.
//   - Of an item whose URL has no Gopher+ string, Attributes sees that it is there and gives its media type, nothing
//     else.
//   - A menu entry has at most 64 mirrors and 64 alternates, a form at most 1,000 questions, and the details of a menu's
//     items at most 64 MiB in memory. Of a listing, what exceeds that is left out, and a note says so; such a form is an
//     error.
package gopher
