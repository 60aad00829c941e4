// Package wire is the only way to write a command line to a peer, and the bounded way to read its answers.
//
// A [Line] can only be made by functions that refuse CR, LF and NUL (RFC 1738 section 6), so no text from a URL or
// from a reply can become a command of its own. A [Conn] reads lines of bounded length and shows the dialogue to a
// trace, with secrets masked and everything escaped by [Escape]. [Text] shows the text of a peer on a terminal.
//
// RFCs: 1738 section 6 (delimiters); 854 (lines end with CR LF; the octet IAC); 3207 and 4217 (nothing that came
// before the switch to TLS counts after it).
package wire
