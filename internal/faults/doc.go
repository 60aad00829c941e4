// Package faults is a proxy for tests that causes faults between a client and a server: connections
// that are closed, reset, stall or slow down after a number of bytes, and ftp dialogues (RFC 959)
// in which the server sends wrong or excessive replies or closes the connection at any command. The
// server may be a test server or a real one. The proxy relays ftp data connections (RFC 959, 2428)
// too.
package faults
