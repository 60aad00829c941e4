// Package check finds out whether many URLs still lead to something, and remembers what it found
// (RFC 1738 section 6).
//
// A Checker judges one URL. Run judges all URLs of a Run of a Store, politely: few connections to a
// host at once, a pause between two requests, and none before the time that a server asks for.
// NewMemory keeps a run in memory; package check/store keeps it on disk, for one machine or many.
// Package check/report writes the results.
package check
