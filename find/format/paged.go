package format

import (
	"bytes"
	"strings"
)

// maxHeld bounds the lines that may turn out to be the end of a page.
const maxHeld = 16 << 10

// readPaged finds in text with pages as RFCs have it (RFC 2223 3): it leaves out the blank lines,
// the footer, the form feed, the header and the blank lines between the text of two pages.
func readPaged(s *scanner) error {
	to := s.text()
	p := pagedReader{to: to}
	for l := range s.lines() {
		p.line(l)
	}
	p.release()
	to.close()
	return nil
}

// pagedReader removes page breaks.
type pagedReader struct {
	to     sink
	held   held      // blank lines and a footer, which a page break may follow
	footer bool      // they have one
	state  pageState // of the page
}

type pageState uint8

const (
	inText    pageState = iota
	pageTop             // after a form feed
	afterHead           // after the header
)

func (p *pagedReader) line(l line) {
	before, after, ok := bytes.Cut(l.text, []byte{'\f'})
	if !ok {
		p.plain(l)
		return
	}
	rest := line{text: after, at: l.at + int64(len(before)) + 1, begin: true}
	if l.text = before; len(before) > 0 {
		p.plain(l)
	}
	p.breaks(pageTop)
	if len(after) > 0 {
		p.line(rest)
	}
}

// plain reads a line without a form feed.
func (p *pagedReader) plain(l line) {
	switch {
	case p.state != inText && l.isBlank():
		return
	case p.state == pageTop && isPageHeader(l):
		p.state = afterHead
		return
	case p.footer && isPageHeader(l) && bytes.HasPrefix(l.text, []byte("RFC ")): // the form feed was lost
		p.breaks(afterHead)
		return
	}
	p.state = inText
	isFooter := isPageFooter(l)
	if (isFooter || l.isBlank()) && len(p.held.text)+len(l.text) <= maxHeld {
		p.held.add(l.at, l.text...)
		p.footer = p.footer || isFooter
		return
	}
	p.release()
	l.writeTo(p.to)
}

// breaks leaves out the lines that a page break follows.
func (p *pagedReader) breaks(state pageState) {
	p.held.drop()
	p.footer, p.state = false, state
}

// release passes on the lines that no page break follows.
func (p *pagedReader) release() {
	p.held.release(p.to)
	p.footer = false
}

// isPageFooter reports whether a line ends a page, as in "Berners-Lee, Masinter & McCahill
// [Page 2]".
func isPageFooter(l line) bool {
	text := bytes.TrimRight(l.text, " \t\r\n")
	text, ok := bytes.CutSuffix(text, []byte("]"))
	if !l.begin || !ok || len(text) > 200 {
		return false
	}
	number := bytes.TrimRight(text, "0123456789ivxlc")
	return len(number) < len(text) && bytes.HasSuffix(bytes.ToLower(number), []byte("[page "))
}

// isPageHeader reports whether a line begins a page, as in "RFC 1738        Uniform Resource
// Locators (URL)       December 1994": two or three columns, or only a few words that begin with
// RFC.
func isPageHeader(l line) bool {
	text := strings.TrimSpace(string(l.text))
	if !l.begin || len(text) > 200 || strings.ContainsAny(text, "<>") || strings.Contains(text, "://") {
		return false
	}
	return strings.HasPrefix(text, "RFC ") || strings.Contains(text, "   ")
}
