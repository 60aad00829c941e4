package locator

import (
	"strings"

	"locator/internal/octet"
	"locator/internal/schemename"
)

// This file finds what may be a password in a text. Where a URL stands within another one, its delimiters may be escaped: ":" as "%3A", or
// as "%253A" if it stands within two.

// mayHoldLogin reports whether s has an "@", perhaps escaped.
func mayHoldLogin(s string) bool {
	return strings.IndexByte(s, '@') >= 0 || strings.IndexByte(s, '%') >= 0 && strings.Contains(s, "40")
}

// delimiter returns the character at s[i] with its escapes undone, and the number of bytes that it takes there.
func delimiter(s string, i int) (c byte, n int) {
	c, n = s[i], 1
	for c == '%' && i+n+1 < len(s) && octet.IsHex(s[i+n]) && octet.IsHex(s[i+n+1]) {
		c = octet.Hex(s[i+n])<<4 | octet.Hex(s[i+n+1])
		n += 2
	}
	return c, n
}

// isBracket reports whether an IP literal begins at i.
func isBracket(s string, i int) bool {
	if i == len(s) {
		return false
	}
	c, _ := delimiter(s, i)
	return c == '['
}

// isSlash reports whether c begins an authority. Browsers take a backslash for a slash.
func isSlash(c byte) bool { return c == '/' || c == '\\' }

// nextSlashes returns where the first "//" or "\\" from i on begins, -1 if there is none. It reads no further than that: a text may have
// many.
func nextSlashes(s string, i int) int {
	last, before := -1, byte(0)
	for i < len(s) {
		c, n := delimiter(s, i)
		switch {
		case !isSlash(c):
			last = -1
		case last >= 0 && c == before:
			return last
		default:
			last, before = i, c
		}
		i += n
	}
	return -1
}

// finalAt returns where the last "@" of s begins, -1 if there is none.
func finalAt(s string) int {
	last := strings.LastIndexByte(s, '@')
	if strings.IndexByte(s, '%') < 0 {
		return last
	}
	for i := last + 1; i < len(s); {
		c, n := delimiter(s, i)
		if c == '@' {
			last = i
		}
		i += n
	}
	return last
}

// eachPassword calls yield with the start and end of everything that Redacted masks, in order. A span within the path or the search
// contains none of the delimiters of the URL itself, which it still needs, nor the "@" of a message-id, nor the type of an ftp URL.
func (u URL) eachPassword(yield func(begin, end int) bool) {
	stops := "/?#;=&"
	if u.grammar() == newsGrammar {
		stops += "@"
	}
	pieces := func(begin, end int) bool {
		for begin < end {
			n := strings.IndexAny(u.text[begin:end], stops)
			if n < 0 {
				n = end - begin
			}
			if n > 0 && !u.isFTPType(begin, begin+n) && !yield(begin, begin+n) {
				return false
			}
			begin += n + 1
		}
		return true
	}
	from := int(u.colon) + 1
	switch {
	case u.HasHost():
		from = int(u.hostEnd)
		if pw, _ := u.Password(); pw != "" && !yield(int(u.userEnd)+1, int(u.host)-1) {
			return
		}
	case u.grammar() == mailtoGrammar:
		end, ok := addressSpans(u.text, from, func(begin, end int) bool {
			if hash := int(u.end); begin <= hash && hash < end { // the "#" stays
				return (begin == hash || yield(begin, hash)) && (hash+1 == end || yield(hash+1, end))
			}
			return yield(begin, end)
		})
		if !ok {
			return
		}
		from = end
	case u.scheme == otherScheme:
		begin, end, ok := userSpan(u.text, from)
		if ok && !pieces(begin, end) {
			return
		} else if ok {
			from = end
		}
	case u.grammar() == otherGrammar && u.row().Shape == ShapeServer: // without "//"
		nestedSpans(u.text, from, pieces)
		return
	}
	nestedSpans(u.text, nextSlashes(u.text, from), pieces)
}

// isFTPType reports whether a piece of the text is the name or the value of the type of an ftp URL, the only thing that may follow a ";" there.
func (u URL) isFTPType(begin, end int) bool {
	const name = ";type="
	if u.grammar() != ftpGrammar {
		return false
	}
	before := func(name string) bool {
		return begin >= len(name) && octet.Lower(u.text[begin-len(name):begin]) == name
	}
	return before(";") && octet.Lower(u.text[begin:end]) == "type" || before(name) && end == begin+1
}

// eachPassword calls yield with the start and end of everything that Redact masks, in order.
func eachPassword(s string, yield func(begin, end int) bool) {
	inner, cut := Unwrap(s)
	name, _, colon := strings.Cut(inner, ":")
	i := cut + len(name) + 1
	if !colon {
		nestedSpans(s, nextSlashes(s, 0), yield)
		return
	}
	switch row := schemes.row(schemes.find(name)); {
	case row.Name == "":
		begin, end, ok := userSpan(s, i)
		if ok && !yield(begin, end) {
			return
		} else if ok {
			nestedSpans(s, nextSlashes(s, end), yield)
			return
		}
		i = nextSlashes(s, 0)
	case row.grammar == mailtoGrammar:
		end, ok := addressSpans(s, i, yield)
		if !ok {
			return
		}
		i = nextSlashes(s, end)
	case row.Shape == ShapeAddress, row.Shape == ShapeGroup && !strings.HasPrefix(s[i:], "//"): // an "@" belongs to an address
		i = nextSlashes(s, i)
	}
	nestedSpans(s, i, yield)
}

// userSpan finds the password of a login without a scheme, as in "user:password@host/", where i is behind the colon. A name that is a
// scheme in use is no user.
func userSpan(s string, i int) (begin, end int, ok bool) {
	name, _ := Unwrap(s[:i-1])
	if schemename.InUse(name) || IsExperimental(name) || strings.ContainsAny(name, "/\\ ") || nextSlashes(name, 0) >= 0 || strings.HasPrefix(s[i:], "//") || strings.HasPrefix(s[i:], " ") {
		return 0, 0, false
	}
	if _, reserved := IsReserved(name); reserved {
		return 0, 0, false
	}
	authority, _, _ := strings.Cut(s[i:], "/")
	at := finalAt(authority)
	if inner := nextSlashes(authority, 0); at <= 0 || inner >= 0 && inner < at { // the login of a URL within it
		return 0, 0, false
	}
	return i, i + at, true
}

// addressSpans yields the passwords in the addresses of a mailto URL, which begin at i: what stands between the first colon and the last "@"
// of an address. Only a quoted address has a colon before its "@"; one behind the name of a group is followed by a blank. end is where the
// addresses end, or i if a URL may stand there. ok is false if yield wants no more.
func addressSpans(s string, i int, yield func(begin, end int) bool) (end int, ok bool) {
	end = len(s)
	if search := strings.IndexByte(s[i:], '?'); search >= 0 && strings.IndexByte(s[i+search:], '=') >= 0 {
		end = i + search
	}
	if slashes := nextSlashes(s, i); slashes >= 0 && slashes < end {
		return i, true
	}
	colon, at, first := -1, -1, byte(0) // first is that of the address
	for next := i; next <= end; {
		c, n := byte(','), 1
		if next < end {
			c, n = delimiter(s, next)
		}
		switch {
		case c == ',' && (colon < 0 || at >= 0 || next == end):
			if at > colon && colon >= 0 && first != '"' && s[colon] != ' ' && !strings.HasPrefix(s[colon:], "%20") && !yield(colon, at) {
				return end, false
			}
			colon, at, first = -1, -1, 0
		case c == ':' && colon < 0 && at < 0:
			colon = next + n
		case c == '@':
			at = next
		}
		if first == 0 && c != ',' {
			first = c
		}
		next += n
	}
	return end, true
}

// nestedSpans yields the passwords of all logins that follow slashes. The first one is at i, where the slashes may be missing; i may be -1.
func nestedSpans(s string, i int, yield func(begin, end int) bool) {
	for last, outer := finalAt(s), nextSlashes(s, 0); i >= 0 && i < last; {
		begin, end, next, more := loginSpan(s, i, last, outer >= 0 && i > outer)
		if end > 0 && !yield(begin, end) {
			return
		}
		if i = next; !more {
			i = nextSlashes(s, next)
		}
	}
}

// loginSpan finds the password of a login at i, where any number of slashes or backslashes may stand. User and password extend to the
// last "@" before the next "/", or beyond it if what follows the colon is no port. last is the last "@" of the text. In a query, where
// inner is true, a "&" that follows an "@" ends them, too. end is 0 if there is no password. next is where to continue: with more at once,
// else at the next "//".
func loginSpan(s string, i, last int, inner bool) (begin, end, next int, more bool) {
	level := 1 // bytes of the escaped slash: the slash that ends the authority is escaped no more often
	for i < len(s) {
		c, n := delimiter(s, i)
		if !isSlash(c) {
			break
		}
		i, level = i+n, max(level, n)
	}
	colon, at := -1, -1
	slash := false
	for next = i; next < len(s); {
		c, n := delimiter(s, next)
		if slash = c == '/' && n <= level; slash || inner && at >= 0 && s[next] == '&' {
			break
		}
		switch {
		case c == '@':
			at = next
		case c == ':' && colon < 0:
			colon, begin = next, next+n
			if port := portEnd(s, s[i:next], begin); port > 0 { // the rest may be another login
				return 0, 0, port, true
			}
		}
		next += n
	}
	if isBracket(s, i) && (at < 0 || strings.IndexByte(s[i:at], ']') >= 0) || colon < 0 || at >= 0 && colon > at {
		return 0, 0, next, false // an IPv6 literal, which has no "@", a port, or neither
	}
	if port := s[begin:next]; at < 0 && slash && (port == "" || strings.Trim(port, "0123456789") != "") {
		at = last
	}
	if at <= begin {
		return 0, 0, next, false
	}
	return begin, at, max(next, at), false
}

// portEnd returns where a port at i ends that is no password, 0 if there is none: a number of a port before a byte that cannot stand in a
// password as it is, either behind an address, or before "@". So an error can show why "http://127.0.0.1:80\@evil/" is no URL.
func portEnd(s, host string, i int) int {
	const maxDigits = 5
	end := i
	for end < len(s) && '0' <= s[end] && s[end] <= '9' {
		end++
	}
	odd := end
	for odd < len(s) && s[odd] < 0x80 && strings.IndexByte("/@%:", s[odd]) < 0 && currentTable[s[odd]]&userClass == 0 {
		odd++
	}
	if end == i || end > i+maxDigits || odd == end {
		return 0
	}
	if isAddress := strings.Trim(host, "0123456789.") == "" || strings.EqualFold(host, "localhost"); isAddress || odd < len(s) && s[odd] == '@' {
		return end
	}
	return 0
}
