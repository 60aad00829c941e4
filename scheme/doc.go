// Package scheme defines the interfaces between the client and the protocol packages.
//
// A protocol package implements [Scheme], and an additional interface for each further operation of
// RFC 1738 section 2 that its protocol supports: update, replace, find attributes. It uses the
// network and the file system only through [Env], which the client provides; so no scheme can
// bypass policy, limits, logins and tracing.
package scheme
