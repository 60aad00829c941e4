package repair

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"locator/internal/octet"
)

// backslashes: http:\\h\file, file:///C:\file, and "\%", which is TeX for "%". One that may belong
// to a login or a selector stays.
func (r *repairer) backslashes() (list []edit) {
	scheme, _, _ := r.layout()
	part := len(scheme) + 1
	if scheme == "" || strings.IndexByte(r.text, '\\') < part {
		return nil
	}
	begin := part
	for begin < min(part+3, len(r.text)) && (r.text[begin] == '/' || r.text[begin] == '\\') {
		begin++
	}
	authorityEnd := begin + indexOrEnd(r.text[begin:], `/?#\`)
	if end := begin + indexOrEnd(r.text[begin:], "/?#"); strings.IndexByte(r.text[min(authorityEnd, end):end], '@') >= 0 {
		return nil // parsers disagree on what the host is
	}
	if authorityEnd+1 < len(r.text) && r.text[authorityEnd] == '\\' && strings.IndexByte(".-_:[", r.text[authorityEnd+1]) >= 0 {
		return nil // of an expression or a man page, within a host: a slash would follow another one
	}
	syntax := syntaxOf(scheme)
	paths := syntax.Hierarchical
	pathEnd := begin + indexOrEnd(r.text[begin:], "?#")
	for i := part; i < len(r.text); i++ {
		if r.text[i] != '\\' {
			continue
		}
		const why = "a URL has slashes, not backslashes"
		lead := strings.HasPrefix(r.text[part:], `\\`)
		switch {
		case i < begin:
			list = append(list, edit{begin: i, end: i + 1, now: "/", why: why})
		case syntax.Family != "file" && i > authorityEnd && i+1 < len(r.text) && strings.IndexByte("%#&_~$", r.text[i+1]) >= 0:
			list = append(list, edit{begin: i, end: i + 1, why: `the "\" before "` + r.text[i+1:i+2] + `" comes from TeX`, minor: true})
		case i < pathEnd && (paths || lead) && strings.HasPrefix(r.text[i:], `\/`):
			list = append(list, edit{begin: i, end: i + 1, why: whyJSON, minor: !lead && syntax.Family != "file"})
		case i < pathEnd && (paths || lead):
			list = append(list, edit{begin: i, end: i + 1, now: "/", why: why, minor: !lead && syntax.Family != "file"})
		}
	}
	return list
}

const whyJSON = `"\/" is a slash in JSON`

// escapedSlashes: http:\/\/h\/a, as in JSON, and those of full width.
func (r *repairer) escapedSlashes() (list []edit) {
	name, rest, ok := strings.Cut(r.text, ":")
	if wide, after, isWide := strings.Cut(r.text, "\uFF1A"); isWide && !strings.Contains(wide, ":") {
		list = append(list, edit{begin: len(wide), end: len(wide) + len("\uFF1A"), now: ":", why: "a \":\" of full width stands for that of ASCII"})
		name, rest, ok = wide, after, true
	}
	begin := len(r.text) - len(rest)
	slash, why := `\/`, whyJSON
	if strings.HasPrefix(rest, "\uFF0F") {
		slash, why = "\uFF0F", "a slash of full width stands for that of ASCII"
	}
	switch {
	case !ok || !isKnown(octet.Lower(name)):
		return nil
	case !strings.HasPrefix(rest, slash+slash) || slash == `\/` && strings.Count(rest, `\`) != strings.Count(rest, slash):
		return list
	}
	for i := begin; i < len(r.text); i++ {
		if strings.HasPrefix(r.text[i:], slash) {
			list = append(list, edit{begin: i, end: i + len(slash), now: "/", why: why})
			i += len(slash) - 1
		}
	}
	return list
}

// entities: http://h/?a=b&amp;c=d, after the authority.
func (r *repairer) entities() (list []edit) {
	_, _, rest := r.layout()
	for i := rest; i < len(r.text); i++ {
		if r.text[i] != '&' {
			continue
		}
		const longest = 10
		name, _, ok := strings.Cut(r.text[i+1:min(len(r.text), i+longest)], ";")
		c := entity(name)
		if !ok || c == 0 {
			continue
		}
		end := i + len(name) + 2
		list = append(list, edit{begin: i, end: end, now: r.written(c), why: `"` + r.text[i:end] + `" is a character in HTML`, minor: c != '&'})
		i = end - 1
	}
	return list
}

// entity returns the character with a name in HTML, 0 if there is none.
func entity(name string) rune {
	digits, ok := strings.CutPrefix(name, "#")
	if !ok {
		return map[string]rune{"amp": '&', "quot": '"', "lt": '<', "gt": '>', "apos": '\''}[name]
	}
	base := 10
	if digits != "" && digits[0]|0x20 == 'x' {
		base, digits = 16, digits[1:]
	}
	n, err := strconv.ParseUint(digits, base, 21)
	if c := rune(n); err == nil && c > ' ' && c != 0x7F && utf8.ValidRune(c) {
		return c
	}
	return 0
}

// written returns a character that stands for itself, as the syntax allows it in a path.
func (r *repairer) written(c rune) string {
	s := string(c)
	if _, ok := try(r.p, "http://h/"+s); ok && strings.IndexByte("/?#", s[0]) < 0 {
		return s
	}
	return escaped(s)
}

// escaped returns the escapes of all bytes.
func escaped(s string) string {
	b := make([]byte, 0, 3*len(s))
	for i := range len(s) {
		b = octet.AppendEscape(b, s[i])
	}
	return string(b)
}

// behind: http://h/x>, http://h/x”. and other punctuation behind a URL. What a URL may contain goes
// only with what it may not.
func (r *repairer) behind() []edit {
	_, _, rest := r.layout()
	const soft = ".,;:!?')…"
	end, begin := len(r.text), len(r.text)
	open := strings.Count(r.text[rest:], "[") - strings.Count(r.text[rest:], "]")
	braces := strings.Count(r.text[rest:], "{") - strings.Count(r.text[rest:], "}")
	for end > rest {
		c, n := utf8.DecodeLastRuneInString(r.text[rest:end])
		switch {
		case c == ']' && open < 0:
			open++
			begin = end - n
		case c == '}' && braces < 0:
			braces++
			begin = end - n
		case c == '>' || strings.ContainsRune(quotes, c) && (c < utf8.RuneSelf || !r.current()):
			begin = end - n
		case !strings.ContainsRune(soft, c):
			n = 0
		}
		if n == 0 {
			break
		}
		end -= n
	}
	if begin == len(r.text) {
		return nil
	}
	return []edit{{begin: begin, end: len(r.text), why: "punctuation behind a URL is not part of it"}}
}

// characters escapes what the syntax does not allow after the authority.
func (r *repairer) characters() (list []edit) {
	scheme, authority, rest := r.layout()
	syntax := syntaxOf(scheme)
	if authority < 0 && syntax.Name == "" && !isOther(scheme) || scheme == "" {
		return nil // prose
	}
	query, fragment := false, false
	for i := rest; i < len(r.text); {
		c, n := utf8.DecodeRuneInString(r.text[i:])
		_, isEscape := octet.At(r.text, i)
		allowed := false
		switch {
		case c < ' ' || c == 0x7F, c == ' ' && authority < 0 && !query && (syntax.Family != "file" || r.text[rest] != '/'):
			return nil // no character that anybody means in a URL
		case c == '%':
			allowed = isEscape
		case c == '#':
			allowed = r.current() && !fragment
			fragment = fragment || allowed
		case c == ';' && syntax.Family == "ftp":
			allowed = strings.HasPrefix(r.text[i:], typeMark)
		default:
			allowed = r.allows(r.text[i:i+n], query && !fragment, syntax.Family == "http")
			query = query || c == '?'
		}
		if !allowed {
			shown, escape := octet.Character(r.text, i)
			if c == '%' {
				shown = `"%" without two hexadecimal digits`
			} else if n > 1 {
				escape = escaped(r.text[i : i+n])
			}
			list = append(list, edit{begin: i, end: i + n, now: escape, why: shown + " is written " + escape, minor: true})
		}
		i += n
	}
	return list
}

// allows reports whether the syntax has a character, in a query or elsewhere, in URLs of http or of
// other schemes.
func (r *repairer) allows(c string, query, http bool) bool {
	before := "x:"
	switch {
	case octet.IsAlphanumeric(c[0]):
		return true
	case query && r.current():
		before = "x:?"
	case query && http: // RFC 1738 has fewer characters there
		before = "http://h/?"
	}
	_, ok := try(r.p, before+c)
	return ok
}
