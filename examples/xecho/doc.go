// Package xecho is an eleventh scheme, x-echo, in a module of its own: the example of docs/internals/add-a-scheme.md.
//
// An echo server gives back what was put there. A connection carries one request, a line:
//
//	GET name     +octets, and so many octets
//	LIST name/   +, then a line "octets name" for each file and "- name/" for each folder, and a line "."
//	PUT name     +, then the client sends chunks, each after its length on a line, the last of length 0; then +
//
// In the place of "+" the server says "-missing" or "-busy", and why. Lines end with CR LF. A name is all that follows
// the host and its "/" in the URL, decoded; at its end a "/" makes it a folder's.
//
// RFC 1738 section 4 keeps scheme names that begin with "x-" free for experiments.
package xecho
