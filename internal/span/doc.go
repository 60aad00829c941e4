// Package span measures the longest prefix of a text that consists of the characters of a class and
// of escapes (RFC 1738 2.2, RFC 3986 2.1). Parsing a URL spends most of its time there;
// docs/internals/decisions/0011 explains why there are two implementations.
package span
