package locator

import (
	"strings"

	"locator/internal/octet"
	"locator/internal/passwords"
	"locator/internal/schemename"
)

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
		end, ok := passwords.Addresses(u.text, from, func(begin, end int) bool {
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
		passwords.Nested(u.text, from, pieces)
		return
	}
	passwords.Nested(u.text, passwords.NextSlashes(u.text, from), pieces)
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
		passwords.Nested(s, passwords.NextSlashes(s, 0), yield)
		return
	}
	switch row := schemes.row(schemes.find(name)); {
	case row.Name == "":
		begin, end, ok := userSpan(s, i)
		if ok && !yield(begin, end) {
			return
		} else if ok {
			passwords.Nested(s, passwords.NextSlashes(s, end), yield)
			return
		}
		i = passwords.NextSlashes(s, 0)
	case row.grammar == mailtoGrammar:
		end, ok := passwords.Addresses(s, i, yield)
		if !ok {
			return
		}
		i = passwords.NextSlashes(s, end)
	case row.Shape == ShapeAddress, row.Shape == ShapeGroup && !strings.HasPrefix(s[i:], "//"): // an "@" belongs to an address
		i = passwords.NextSlashes(s, i)
	}
	passwords.Nested(s, i, yield)
}

// userSpan finds the password of a login without a scheme, as in "user:password@host/", where i is
// behind the colon. A name that is a scheme in use is no user.
func userSpan(s string, i int) (begin, end int, ok bool) {
	name, _ := Unwrap(s[:i-1])
	if _, reserved := IsReserved(name); reserved || schemename.InUse(name) || IsExperimental(name) {
		return 0, 0, false
	}
	return passwords.User(s, name, i)
}
