// Package waisserver is a small WAIS server (RFC 1625). It serves databases with a full-text index
// over files in memory or in a folder. It answers as freeWAIS-sf 2.2.10 does, except where that
// crashes or is of less use.
//
// [Start] serves a folder. [Handler] is the server without a listener. Package waistest is a server
// with faults for the tests of clients.
package waisserver
