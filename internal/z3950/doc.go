// Package z3950 encodes and decodes the messages of WAIS: a packet header of 25 bytes, and an APDU
// in the encoding of Z39.50-1988 with the extensions of WAIS. That encoding is not ASN.1: an
// element is a tag, a length and that many bytes.
//
// A message from outside is untrusted. Lengths are checked against the enclosing element before
// anything is read, unknown elements are skipped, and a [Reader] holds one record at a time.
//
// RFCs: 1625 (WAIS over Z39.50-1988). The captures that the tests decode are in
// internal/capture/testdata/wais.
package z3950
