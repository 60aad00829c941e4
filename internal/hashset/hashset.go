// Package hashset keeps sets of strings as hashes, which take less memory than the strings.
package hashset

import "hash/maphash"

// Set is a set of strings. Two of a million strings are taken for the same with a chance below 1 to 10^7.
type Set struct {
	seed   maphash.Seed
	hashes map[uint64]struct{}
}

// New returns an empty set.
func New() *Set { return &Set{seed: maphash.MakeSeed(), hashes: make(map[uint64]struct{})} }

// Add adds s.
func (x *Set) Add(s string) { x.hashes[maphash.String(x.seed, s)] = struct{}{} }

// Has reports whether s was added.
func (x *Set) Has(s string) bool {
	_, ok := x.hashes[maphash.String(x.seed, s)]
	return ok
}

// Len returns the number of strings.
func (x *Set) Len() int { return len(x.hashes) }
