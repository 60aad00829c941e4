// Package armor unwraps files that were wrapped into text for the way: BinHex 4.0 (RFC 1741) and uuencode (POSIX). It
// reads in a stream and holds some kilobytes, whatever the file; what it reads is foreign and may be anything.
package armor
