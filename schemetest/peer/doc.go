// Package peer has the common parts of the in-process test servers: the tree of files that they
// serve, and the faults that they simulate. It does not import package testing, so programs can use
// the servers, too.
package peer
