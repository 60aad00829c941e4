// Package gophertest is a small gopher server on loopback: menus, texts, binaries and searches (RFC 1436), and the items,
// attributes, views and forms of Gopher+. It serves files from memory, and a folder with gophermaps: see [Dir]. It can take
// on the manners of the servers that were measured, and misbehave on order.
//
// It is a server by the book first: what a test needs beyond that is an [Option] or a fault. Files are held in memory
// while they are sent.
package gophertest
