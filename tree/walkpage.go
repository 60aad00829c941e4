package tree

import (
	"bytes"

	"locator/scheme"
)

// maxPage is the maximum size of a page that is kept in memory for WalkOptions.Page, in bytes.
const maxPage = 16 << 20

// copiedPage is a copy of the bytes of a listing.
type copiedPage struct {
	at      *scheme.Resource
	bytes   bytes.Buffer
	tooLong bool // and not kept
}

// began forgets what another server has sent before.
func (p *copiedPage) began(res *scheme.Resource) {
	p.at, p.tooLong = res, false
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
