package locator

import "strings"

// GopherItems writes the URLs of many items of one gopher server (RFC 1738 3.4.1), as a menu has them. It gives what
// [Build] gives, faster: host and port are checked once. The texts lie together in blocks of some kilobytes, each of
// which is kept as long as a URL of it is. It is not safe for concurrent use.
type GopherItems struct {
	base  URL             // up to the "/" behind host and port
	text  []byte          // the URL that is being written
	block strings.Builder // the texts of URLs; never grown, for texts that were given lie in it
}

// gopherBlock is the size of a block, in octets.
const gopherBlock = 4 << 10

// NewGopherItems makes a writer for the items of a server. The error is that of [Build].
func NewGopherItems(server Hostport) (*GopherItems, error) {
	u, err := Build(&Gopher{Hostport: server})
	if err != nil {
		return nil, err
	}
	return &GopherItems{base: u}, nil
}

// URL is the URL of the item with that type and selector, behind them an empty search and the Gopher+ string where plus
// is not empty (RFC 1738 3.4.3). ok is false where the selector holds a tab, which ends it (RFC 1738 3.4.1).
func (g *GopherItems) URL(gtype byte, selector, plus string) (u URL, ok bool) {
	begin := g.block.Len()
	// Most selectors need no escape. A "%" begins one in a URL and none in a selector.
	if strictTable[gtype]&xcharClass != 0 && strictSets.of(xcharClass).Length(selector) == len(selector) &&
		strings.IndexByte(selector, '%') < 0 {
		n := len(g.base.text) + 1 + len(selector)
		if plus != "" {
			n += len(gopherTab+gopherTab) + 3*len(plus)
		}
		if g.block.Cap()-begin < n {
			begin = g.next(n)
		}
		g.block.WriteString(g.base.text)
		g.block.WriteByte(gtype)
		g.block.WriteString(selector)
		switch plus {
		case "":
		case "+":
			g.block.WriteString(gopherTab + gopherTab + "+")
		default:
			g.text = appendXchar(append(g.text[:0], gopherTab+gopherTab...), plus)
			g.block.Write(g.text)
		}
		return g.written(begin), true
	}
	if strings.IndexByte(selector, '\t') >= 0 {
		return URL{}, false
	}
	b := append(g.text[:0], g.base.text...)
	b = appendXchar(b, string([]byte{gtype}))
	b = appendXchar(b, selector)
	if plus != "" {
		b = append(b, gopherTab+gopherTab...)
		b = appendXchar(b, plus)
	}
	g.text = b
	if g.block.Cap()-begin < len(b) {
		begin = g.next(len(b))
	}
	g.block.Write(b)
	return g.written(begin), true
}

// next begins a block that has room for n octets.
func (g *GopherItems) next(n int) (begin int) {
	g.block = strings.Builder{}
	g.block.Grow(max(n, gopherBlock))
	return 0
}

// written is the URL whose text was written to the block from begin on.
func (g *GopherItems) written(begin int) URL {
	u := g.base
	u.text = g.block.String()[begin:]
	u.pathEnd = uint32(len(u.text))
	u.end = u.pathEnd
	return u
}

// appendXchar appends octets: xchar as they are, others as escapes.
func appendXchar(b []byte, s string) []byte {
	t, done := strictTable, 0
	for i := range len(s) {
		if t[s[i]]&xcharClass == 0 {
			b = appendEscape(append(b, s[done:i]...), s[i])
			done = i + 1
		}
	}
	return append(b, s[done:]...)
}
