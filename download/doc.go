// Package download brings resources into files, whole or not at all.
//
// What comes is written to NAME.part, with NAME.part.state beside it, and renamed when all of it is there. After a cut
// the part is continued: the peer is asked for the rest and a little of what is there already, and where that or the
// validators differ (RFC 9110 8.8, RFC 3659 3 and 4) the resource has changed, and the transfer starts again. A part is
// locked, so that no two transfers write to it. A [Queue] runs many transfers at once with a bound for each host.
package download
