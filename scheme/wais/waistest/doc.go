// Package waistest is a small WAIS server (RFC 1625). It serves databases with a full-text index over files in memory or in a folder, and
// listens on loopback for tests and demonstrations. It misbehaves on request. It mirrors package wais, and answers as freeWAIS-sf 2.2.10
// does, except where that crashes or is of less use: see [Original].
//
// [Handler] is the server without a listener, and [Folder] a database of the files in a folder.
package waistest
