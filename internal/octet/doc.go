// Package octet works on single bytes of URLs: escapes (RFC 1738 2.2), classes, case and their
// names in messages.
package octet
