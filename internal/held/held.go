// Package held counts the memory of what a client keeps of a server's replies before it passes it
// on: the rows of a sorted list, the attributes of a menu, the messages of a thread. Limits on
// lines and counts alone do not bound it, since each small string and each element of a list costs
// more than its bytes.
package held

import "locator/scheme"

// Budget is the number of bytes that may still be kept.
type Budget int64

// Take subtracts n bytes. It reports whether they fit. After it has reported false, it always does.
func (b *Budget) Take(n int) bool {
	if *b >= 0 {
		*b -= Budget(n)
	}
	return *b >= 0
}

// Sizes in bytes.
const (
	block     = 16 // the smallest useful allocation, which a short string takes, and the header of a string
	entry     = 600
	attribute = 3 * block
)

// Strings estimates the memory of strings that are kept in a slice, in bytes.
func Strings(list ...string) int {
	n := 0
	for _, s := range list {
		n += block + max(block, len(s))
	}
	return n
}

// Entry estimates the memory of an entry with all that it refers to, in bytes.
func Entry(e *scheme.Entry) int {
	a := &e.Attr
	n := entry + 2*(len(e.URL.Text())+len(e.Plain.Text())) // a URL is kept as written and may be kept decoded
	n += Strings(e.Name, e.Target, a.Type, a.ETag, a.Owner, a.Group, a.Admin, a.Abstract, a.From, a.ID)
	n += Strings(a.References...) + block*(cap(a.References)-len(a.References))
	for _, m := range a.More {
		n += attribute + Strings(m.Name, m.Value) + len(m.Block)
	}
	for _, list := range [][]scheme.Entry{e.Alternates, e.Mirrors} {
		for i := range list {
			n += Entry(&list[i])
		}
	}
	return n
}
