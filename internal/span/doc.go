// Package span measures how far a text is made of the characters of a class and of escapes (RFC 1738 2.2, RFC 3986 2.1). It is
// what reading a URL spends most of its time on; docs/internals/decisions/0011 says why it is written twice.
package span
