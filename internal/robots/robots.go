package robots

import (
	"strings"

	"locator/internal/octet"
)

// Rules are the rules of one server for one robot. The zero value allows everything.
type Rules struct{ list []rule }

type rule struct {
	allow   bool
	pieces  []string // the parts between the stars, normalized
	open    bool     // the pattern does not end in "$"
	longest int      // bytes of the pattern; the longest match decides
}

// For parses a robots.txt and returns the rules of the groups for the robot with a product token,
// or those for all robots if there are none (RFC 9309 2.2.1). It skips lines that it cannot parse
// (2.2.4).
func For(token, text string) Rules {
	var own, others Rules
	named := false // there is a group for this robot, perhaps an empty one
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
			if ruled { // a rule ends the list of user agents
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

// product returns the product token of a user agent: "locator" for "locator/1.0".
func product(agent string) string {
	end := strings.IndexFunc(agent, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r == '_' || r == '-')
	})
	if end < 0 {
		return agent
	}
	return agent[:end]
}

// newRule parses a path pattern: "*" matches any text, and "$" at the end matches the end of the
// path (RFC 9309 2.2.3).
func newRule(allow bool, pattern string) rule {
	if pattern[0] != '/' && pattern[0] != '*' {
		pattern = "/" + pattern // QUIRK: some files omit the leading slash
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

// Allowed reports whether the robot may read a path, with its query if it has one. The longest
// pattern that matches decides, and Allow wins over Disallow of the same length.
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

// matches reports whether the pattern matches a path: the path begins with the first piece, and
// each other piece follows the one before it.
func (r rule) matches(path string) bool {
	rest, ok := strings.CutPrefix(path, r.pieces[0])
	for i, piece := range r.pieces[1:] {
		if !ok {
			return false
		}
		if !r.open && i == len(r.pieces)-2 { // the path must end with the last piece
			return strings.HasSuffix(rest, piece)
		}
		_, rest, ok = strings.Cut(rest, piece)
	}
	return ok && (r.open || rest == "")
}

// normal returns a path in its normal form (RFC 9309 2.2.2): it decodes escapes of unreserved
// characters, and escapes bytes that are not printable ASCII and those in also, which have a
// meaning in patterns.
func normal(s, also string) string {
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		c, escaped := s[i], s[i] == '%' // "%" without two digits is an ordinary character
		if decoded, ok := octet.At(s, i); ok {
			c = decoded
			i += 2
		}
		if escaped && !unreserved(c) || c <= ' ' || c >= 0x7F || strings.IndexByte(also, c) >= 0 {
			b = octet.AppendEscape(b, c)
		} else {
			b = append(b, c)
		}
	}
	return string(b)
}

// unreserved reports whether c is an unreserved character (RFC 3986 2.3).
func unreserved(c byte) bool { return octet.IsAlphanumeric(c) || strings.IndexByte("-._~", c) >= 0 }
