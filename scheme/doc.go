// Package scheme is the contract between the client and the protocol packages.
//
// A protocol package implements [Scheme], and by further interfaces what else its protocol can do, in the words of
// RFC 1738 section 2: access, update, replace, find attributes. It sees the outside world only through [Env], which
// the client fills; so policy, limits, logins and tracing cannot be gone round.
package scheme
