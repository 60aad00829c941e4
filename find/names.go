package find

import (
	"strings"

	"locator"
)

// scheme says what a URL of a scheme of the table must have to be found outside a wrapper.
type scheme uint8

const (
	unknown   scheme = iota
	urlPrefix        // "URL:"
	slashed          // "//" and a host
	rooted           // "/"
	addressed        // an "@" or a "?"
	grouped          // an "@" or a "."
)

// maxName is the length of the longest name of a scheme that is recognized, in bytes.
const maxName = 32

// names maps each scheme of the table, in lower case, to what its URLs must have. ends are the bytes that the names end with.
type names struct {
	kinds map[string]scheme
	ends  [256]bool
	most  int // length of the longest name
}

var table = newNames()

func newNames() *names {
	n := &names{kinds: map[string]scheme{"url": urlPrefix}}
	for _, s := range locator.Schemes() {
		n.kinds[s.Name] = kindOf(s)
	}
	for name := range n.kinds {
		c := name[len(name)-1]
		n.ends[c], n.ends[strings.ToUpper(string(c))[0]] = true, true
		n.most = max(n.most, len(name))
	}
	return n
}

// kindOf is the one place that tells the schemes apart. A URL without "//" is found only if it is more than a word after a colon.
func kindOf(s *locator.Syntax) scheme {
	switch s.Name {
	case "file":
		return rooted
	case "mailto", "mid", "cid":
		return addressed
	case "news", "snews":
		return grouped
	}
	return slashed
}

// lookup returns the kind of a scheme in either case.
func (n *names) lookup(name string) scheme {
	if len(name) == 0 || len(name) > n.most {
		return unknown
	}
	var lower [maxName]byte
	for i := range len(name) {
		c := name[i]
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		lower[i] = c
	}
	return n.kinds[string(lower[:len(name)])]
}

// isAlnum reports whether c is a letter or digit of ASCII.
func isAlnum(c byte) bool { return isAlpha(c) || '0' <= c && c <= '9' }

func isAlpha(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// isNameByte reports whether c may stand in the name of a scheme.
func isNameByte(c byte) bool { return isAlnum(c) || c == '+' || c == '-' || c == '.' }

// isSpace reports whether c is white space, which a wrapper may contain.
func isSpace(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' }
