package tree

import "bytes"

// maxPage is the maximum size of a page that is kept in memory for WalkOptions.Page, in bytes.
const maxPage = 16 << 20

// copiedPage is a copy of the bytes of a listing.
type copiedPage struct {
	bytes   bytes.Buffer
	tooLong bool // and not kept
}

// Reset forgets what a server has sent before another one is asked.
func (p *copiedPage) Reset() {
	p.tooLong = false
	p.bytes.Reset()
}

// Write implements io.Writer.
func (p *copiedPage) Write(b []byte) (int, error) {
	if p.tooLong = p.tooLong || p.bytes.Len()+len(b) > maxPage; p.tooLong {
		p.bytes = bytes.Buffer{}
	} else {
		p.bytes.Write(b)
	}
	return len(b), nil
}
