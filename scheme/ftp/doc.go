// Package ftp accesses ftp URLs (RFC 1738 3.2): files, directories, their attributes, uploads, and
// changes: removing, renaming, making directories.
//
// Every part of a URL is sent as the command that RFC 1738 3.2.2 names, and in that order: one CWD
// per segment, TYPE, then RETR; ";type=d" is NLST. [Scheme.Steps] shows those commands without a
// network.
//
// [NewTLS] is the scheme ftps, which no RFC defines.
//
// RFCs: 1738 (3.2), 959 (the protocol), 1123 (4.1, its corrections), 2228 and 4217 (TLS), 2389
// (FEAT, OPTS), 2428 (EPSV), 2640 (UTF-8 names), 3659 (MLSD, MLST, SIZE, MDTM, REST).
package ftp
