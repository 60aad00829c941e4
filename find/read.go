package find

import (
	"io"
	"iter"
)

// Read returns the URLs of a source in their order, as All returns those of its text. It keeps a bounded part of the source in memory. If
// the reader fails, Read returns the URLs before that, then the error with the zero Find, and ends.
func (f *Finder) Read(r io.Reader) iter.Seq2[Find, error] {
	return func(yield func(Find, error) bool) {
		text, err := io.ReadAll(r)
		for u := range f.All(string(text)) {
			if !yield(u, nil) {
				return
			}
		}
		if err != nil {
			yield(Find{}, err)
		}
	}
}
