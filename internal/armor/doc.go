// Package armor decodes files that were encoded as text: BinHex 4.0 (RFC 1741), uuencode (POSIX)
// and yEnc. It decodes a stream with a few kilobytes of memory, whatever the size of the file. The
// input is not trusted.
package armor
