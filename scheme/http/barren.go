package http

import (
	"sync/atomic"

	"locator/scheme"
)

// maxBarren bounds how many compressed bytes may come that decompress to nothing, in a row. It is
// more than net/http reads ahead.
const maxBarren = 16 << 20

// barren counts the bytes of a compressed body since the last decompressed byte. Empty blocks are
// not progress, and no limit of the decompressed size ends them.
type barren struct {
	on atomic.Bool
	n  atomic.Int64
}

// begin starts to count if compressed is true.
func (b *barren) begin(compressed bool) {
	b.n.Store(0)
	b.on.Store(compressed)
}

// received counts n bytes. It returns an error if they are too many.
func (b *barren) received(n int) error {
	if b.on.Load() && b.n.Add(int64(n)) > maxBarren {
		return scheme.Fail(scheme.CodeProtocol, "%d bytes of compressed data contain nothing", maxBarren)
	}
	return nil
}

// decompressed counts decompressed bytes.
func (b *barren) decompressed(n int) {
	if n > 0 {
		b.n.Store(0)
	}
}
