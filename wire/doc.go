// Package wire writes command lines to servers and reads their replies.
//
// A [Line] can only be created by functions that refuse CR, LF and NUL (RFC 1738 section 6), so
// text from a URL or a reply cannot inject a command. A [Conn] reads lines of limited length and
// reports sent and received lines to a trace, with secrets masked and escaped by [Escape].
// [TLSClient] makes TLS connections whose end is the one that the server meant. [Text] filters text
// from a server for a terminal.
//
// RFCs: 1738 section 6 (delimiters); 854 (lines end with CR LF; IAC); 3207 and 4217 (after the
// switch to TLS no unencrypted data counts); 8446 6.1 (close_notify).
package wire
