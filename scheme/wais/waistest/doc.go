// Package waistest is the server of package waisserver with faults, for the tests of clients and
// for demonstrations. It listens on loopback, and misbehaves on request; [Original] answers as
// freeWAIS-sf 2.2.10 does also where that crashes or is of less use.
package waistest
