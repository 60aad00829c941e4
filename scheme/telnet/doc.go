// Package telnet accesses telnet URLs: interactive sessions over the telnet protocol. The result of
// an access is a Session.
//
// RFCs: 1738 section 3.8 and 4248 (the URL; its user and password are advice for a person and are
// never sent); 854 (the stream of data and commands); 855 and 1143 (negotiation of options); 856
// (BINARY), 857 (ECHO), 858 (SUPPRESS-GO-AHEAD), 1073 (NAWS), 1091 (TERMINAL-TYPE), 1572
// (NEW-ENVIRON), 2066 (CHARSET).
//
// Telnet over TLS is the scheme telnets, which no RFC defines: see [NewTLS].
//
// # Options
//
// The client never begins a negotiation, so that a URL with the port of another service reaches it
// without an octet that the caller did not write. It agrees to the options of the list above, and
// refuses all others, such as LINEMODE, AUTHENTICATION, ENCRYPT, TERMINAL-SPEED and
// X-DISPLAY-LOCATION. NEW-ENVIRON is agreed to, and empty: no user name goes out.
//
// # Data
//
// Read returns the output of the server without commands: IAC IAC is one byte, and CR NUL is CR.
// Write sends LF and CR LF as the end of a line, CR LF, and a CR alone, the Return key, as CR NUL.
// An end of a line must not be split between two writes. While an end sends in BINARY, its bytes
// are not changed, except that IAC is doubled. AccessOptions.Accept.Charset decodes the output to
// UTF-8 and encodes the input.
//
// # Bounds
//
// A subnegotiation has at most 4 KiB. A server may cause 256 replies, and then ten more each
// second. At most 64 KiB of replies wait for a server that does not read; they never block Read.
// Beyond that Read ends with an error of CodeProtocol, after the data that came before.
package telnet
