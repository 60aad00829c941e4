// Package xecho implements an eleventh scheme, x-echo, in its own module. It is the example of
// docs/internals/add-a-scheme.md.
//
// An echo server returns what was stored. A connection carries one request of one line:
//
//	GET name     +size, then size bytes
//	LIST name/   +, then a line "size name" for each file and "- name/" for each folder, and a line "."
//	PUT name     +, then the client sends chunks, each after its length on a line, the last of length 0; then +
//
// In place of "+" the server sends "-missing" or "-busy" and a reason. Lines end with CR LF. A name
// is everything after the host and its "/" in the URL, decoded; a name that ends in "/" is a
// folder.
//
// RFC 1738 section 4 reserves scheme names that begin with "x-" for experiments.
package xecho
