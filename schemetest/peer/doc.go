// Package peer is what the in-process servers share: the small tree that they all serve, and the ways in which they
// misbehave on order. It needs no testing package, so that a program may start the servers, too.
package peer
