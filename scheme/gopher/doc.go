// Package gopher accesses gopher URLs: menus, texts, binaries and searches of RFC 1436, and the
// items, attributes, views and electronic forms of Gopher+ (the Gopher+ document of July 1993).
//
// RFCs: 1738 section 3.4 and 4266 (the URL and what is sent for it); 1436 (the protocol, item
// types, menus, the end mark). The captures that QUIRK comments cite are in
// internal/capture/testdata/gopher.
//
// Gopher over TLS is the scheme gophers, which no RFC defines: see [NewTLS].
//
// # The end of a body
//
// A server may end a text with a line that is a single dot and double the first dot of other lines
// (RFC 1436 3.2), do one of the two, or neither. Package gopher looks for evidence in the text, in
// bounded memory: see textdecoder.go. A binary goes to the end of the connection, so only an error
// of the connection shows that it is incomplete. The counts of Gopher+ (+N) are checked.
//
// # caps.txt
//
// caps.txt, in which a server describes itself, is requested only if Request.Site is set: `attr
// --details` and `list --details` of the command line set it, get does not. It is read at most once
// per operation and kept with the idle connections of the client, at most as long as it says. It
// names the charset of text that is not UTF-8 and gives attributes. It never makes an access fail.
//
// # Decisions
//
//   - The URL of an item that a menu marks "+" is that of its default view (RFC 1738 3.4.4), "%09%09+". An item marked "?"
//     has "%09%09?", and Access returns the form.
//   - Types 8 and T have no gopher request. Access returns a Referral to the telnet or tn3270 URL. Types i and 3 are lines
//     of a menu and cannot be accessed.
//   - A type 2 item is a CSO name server, which speaks Ph (RFC 2378) and not gopher. It cannot be accessed.
//   - A filled form (RFC 1738 3.4.9) is sent only if the user gave the URL. If a server gave it, or if it is listed, the form
//     is only filled in and shown.
//   - If the URL has no Gopher+ string, Attributes checks that the item exists and returns only its media type.
//   - A menu entry has at most 64 mirrors and 64 alternates, a form at most 1,000 questions, and the details of a menu's
//     items at most 64 MiB in memory. In a listing the rest is left out, and a note says so; such a form is an error.
package gopher
