package locator

import "strings"

// GopherItems writes the URLs of many items of one gopher server (RFC 1738 3.4.1), as a menu has them. It gives what
// [Build] gives, faster: host and port are checked once. The texts lie together in blocks of some kilobytes, each of
// which is kept as long as a URL of it is. It is not safe for concurrent use.
type GopherItems struct {
	base  URL             // up to host and port
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
	u.text = u.text[:u.portEnd]
	return &GopherItems{base: u}, nil
}

// URL is the URL of the item with that type and selector, behind them an empty search and the Gopher+ string where plus
// is not empty (RFC 1738 3.4.3). ok is false where the selector holds a tab, which ends it (RFC 1738 3.4.1).
func (g *GopherItems) URL(gtype byte, selector, plus string) (u URL, ok bool) {
	most := len(g.base.text) + len("/%00") + 3*(len(selector)+len(plus)) + 2*len(gopherTab)
	if g.block.Cap()-g.block.Len() < most {
		g.block = strings.Builder{}
		g.block.Grow(max(most, gopherBlock))
	}
	begin := g.block.Len()
	g.block.WriteString(g.base.text)
	g.block.WriteByte('/')
	if strictTable[gtype]&xcharClass != 0 {
		g.block.WriteByte(gtype)
	} else {
		g.escape(gtype)
	}
	if !g.escaped(selector, '\t') {
		return URL{}, false
	}
	if plus != "" {
		g.block.WriteString(gopherTab + gopherTab)
		g.escaped(plus, -1)
	}
	u = g.base
	u.text = g.block.String()[begin:]
	u.has |= hasPath
	u.pathEnd = uint32(len(u.text))
	u.end = u.pathEnd
	return u, true
}

// escaped writes octets: xchar as they are, others as escapes. It stops at the octet stop and reports whether it came to
// the end.
func (g *GopherItems) escaped(s string, stop int) bool {
	done := 0
	for i := range len(s) {
		c := s[i]
		if strictTable[c]&xcharClass != 0 {
			continue
		}
		if int(c) == stop {
			return false
		}
		g.block.WriteString(s[done:i])
		g.escape(c)
		done = i + 1
	}
	g.block.WriteString(s[done:])
	return true
}

func (g *GopherItems) escape(c byte) {
	var b [3]byte
	g.block.Write(appendEscape(b[:0], c))
}
