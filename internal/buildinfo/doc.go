// Package buildinfo says what a program was built from: its version and revision, and the modules
// that are linked into it.
package buildinfo
