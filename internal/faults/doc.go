// Package faults stands between a client and a server and breaks what passes: connections that are cut, reset, stall or
// crawl after so many octets, and ftp dialogues (RFC 959) in which the server lies, floods, or hangs up at any command. The
// server behind it may be a test server or a real one; ftp data connections (RFC 2428, 959) are led through it as well.
package faults
