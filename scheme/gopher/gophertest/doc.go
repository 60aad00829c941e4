// Package gophertest is a small gopher server for tests. It listens on loopback and serves menus,
// texts, binaries and searches (RFC 1436), and the items, attributes, views and forms of Gopher+,
// from memory or from a folder with gophermaps (see [Dir]). It follows the specifications unless an
// [Option] makes it behave like another server (see [Behavior]) or a fault makes it misbehave.
//
// Files are held in memory while they are sent.
package gophertest
