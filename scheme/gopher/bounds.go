package gopher

import "locator/scheme"

// Bounds of what the reader of a menu holds in memory at once, where Limits has none (P6). What exceeds the first two is
// left out, and a note says so.
const (
	maxMirrors    = 64       // of an item
	maxAlternates = 64       // views of an item, in a listing
	maxQuestions  = 1000     // of a form
	detailBudget  = 64 << 20 // bytes of all the details that a server gives for the items of one menu
)

// Estimates of memory, in bytes, with the allocator's overhead.
const (
	attributeCost = 64  // a scheme.Attribute beside its texts
	entryCost     = 512 // a scheme.Entry beside its texts: itself, its place in a map with the key, its URL
)

// memoryOf estimates how much memory an entry needs, in bytes.
func memoryOf(e scheme.Entry) int {
	n := entryCost + len(e.Name) + 2*len(e.URL.Text()) + len(e.Attr.Type)
	for _, a := range e.Attr.More {
		n += attributeCost + len(a.Block) + len(a.Name) + len(a.Value)
	}
	for _, x := range e.Alternates {
		n += memoryOf(x)
	}
	return n
}
