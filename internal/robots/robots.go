package robots

import (
	"strings"
)

// Rules are what one server asks of one robot. The zero value allows all.
type Rules struct{ list []rule }

type rule struct {
	allow   bool
	pieces  []string // what stands between the stars, normal form
	open    bool     // whatever follows is matched, too
	longest int      // octets of the pattern, by which the most specific rule is found
}

// For reads a robots.txt and gives the rules of the groups for the robot with that product token, or where there are none of
// those for all (RFC 9309 2.2.1). What cannot be read is passed over (2.2.4).
func For(token, text string) Rules {
	var own, others Rules
	named := false // a group for this robot was there, be it empty
	var mine, all, ruled bool
	text = strings.TrimPrefix(text, "\uFEFF")
	for line := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == '\n' || r == '\r' }) {
		line, _, _ = strings.Cut(line, "#")
		key, value, ok := strings.Cut(line, ":")
		if !ok {
			continue
		}
		value = strings.TrimSpace(value)
		switch strings.ToLower(strings.TrimSpace(key)) {
		case "user-agent":
			if ruled { // a rule ended the group before
				mine, all, ruled = false, false, false
			}
			switch agent := product(value); {
			case value == "*":
				all = true
			case agent != "" && strings.EqualFold(agent, token):
				mine, named = true, true
			}
		case "allow", "disallow":
			ruled = true
			if value == "" { // an empty path matches nothing
				continue
			}
			r := newRule(strings.EqualFold(strings.TrimSpace(key), "allow"), value)
			if mine {
				own.list = append(own.list, r)
			}
			if all {
				others.list = append(others.list, r)
			}
		}
	}
	if named {
		return own
	}
	return others
}

// product cuts a user agent to its product token: "locator/1.0" is locator.
func product(agent string) string {
	end := strings.IndexFunc(agent, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r == '_' || r == '-')
	})
	if end < 0 {
		return agent
	}
	return agent[:end]
}

// newRule reads a path pattern: "*" is anything, "$" at the end is the end (RFC 9309 2.2.3).
func newRule(allow bool, pattern string) rule {
	if pattern[0] != '/' && pattern[0] != '*' {
		pattern = "/" + pattern // QUIRK: people leave it out, and mean it
	}
	r := rule{allow: allow, open: true, longest: len(pattern)}
	if rest, ok := strings.CutSuffix(pattern, "$"); ok {
		pattern, r.open = rest, false
	}
	for piece := range strings.SplitSeq(pattern, "*") {
		r.pieces = append(r.pieces, normal(piece, "$"))
	}
	return r
}

// Allowed reports whether a path, with its search if it has one, may be read: the longest pattern that matches it
// decides, and of two that are equally long the one that allows.
func (r Rules) Allowed(path string) bool {
	if path == "/robots.txt" {
		return true
	}
	path = normal(path, "*$")
	best := rule{allow: true}
	for _, x := range r.list {
		if (x.longest > best.longest || x.longest == best.longest && x.allow) && x.matches(path) {
			best = x
		}
	}
	return best.allow
}

// matches holds a path against the pattern: the first piece is its beginning, each of the others is looked for behind
// the one before.
func (r rule) matches(path string) bool {
	rest, ok := strings.CutPrefix(path, r.pieces[0])
	for i, piece := range r.pieces[1:] {
		if !ok {
			return false
		}
		if !r.open && i == len(r.pieces)-2 { // the last has to stand at the end
			return strings.HasSuffix(rest, piece)
		}
		_, rest, ok = strings.Cut(rest, piece)
	}
	return ok && (r.open || rest == "")
}

const upperHex = "0123456789ABCDEF"

// normal spells a path in one way (RFC 9309 2.2.2): escapes of unreserved characters are undone, octets that are none of
// ASCII's printable ones are escaped, and so are those in also, which mean something in a pattern.
func normal(s, also string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		c, escaped := s[i], s[i] == '%' // one that begins no escape is a character as others are
		if escaped && i+2 < len(s) {
			if h, l := unhex(s[i+1]), unhex(s[i+2]); h >= 0 && l >= 0 {
				c = byte(h<<4 | l)
				i += 2
			}
		}
		if escaped && !unreserved(c) || c <= ' ' || c >= 0x7F || strings.IndexByte(also, c) >= 0 {
			b.Write([]byte{'%', upperHex[c>>4], upperHex[c&15]})
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

func unhex(c byte) int { return strings.IndexByte(upperHex, upper(c)) }

func upper(c byte) byte {
	if 'a' <= c && c <= 'z' {
		return c - 'a' + 'A'
	}
	return c
}

// unreserved follows RFC 3986 2.3.
func unreserved(c byte) bool {
	return 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' || strings.IndexByte("-._~", c) >= 0
}
