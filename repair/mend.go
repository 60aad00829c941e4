package repair

import (
	"strings"
	"unicode"

	"locator"
	"locator/internal/hostname"
	"locator/internal/octet"
)

// Each method of a repairer here and in characters.go returns the edits of one mend.

const (
	whySpace    = "white space around a URL is not part of it"
	whyAngles   = "angle brackets around a URL are not part of it"
	whyQuotes   = "quotation marks around a URL are not part of it"
	whyBrackets = "brackets around a URL are not part of it"
	quotes      = "\"`“”„‟‘’‚‛«»‹›"
)

// around: " http://h/", <URL:http://h/>, “http://h/”, [text](http://h/).
func (r *repairer) around() (list []edit) {
	begin, end := 0, len(r.text)
	var behind []edit
	for {
		left, right, why := wrapping(r.text[begin:end])
		if left+right == 0 {
			break
		}
		if left > 0 {
			list = append(list, edit{begin: begin, end: begin + left, why: why})
		}
		begin += left
		if right > 0 {
			behind = append(behind, edit{begin: end - right, end: end, why: why})
		}
		end -= right
	}
	for i := len(behind) - 1; i >= 0; i-- {
		list = append(list, behind[i])
	}
	return list
}

// wrapping returns how many bytes at both ends of a text surround a URL.
func wrapping(s string) (left, right int, why string) {
	trimmed := func(cut func(rune) bool) bool {
		left = len(s) - len(strings.TrimLeftFunc(s, cut))
		right = len(s) - left - len(strings.TrimRightFunc(s[left:], cut))
		return left+right > 0
	}
	if trimmed(func(c rune) bool { return unicode.IsSpace(c) || c == '\uFEFF' || c == '\u200B' }) {
		return left, right, whySpace
	}
	if i := strings.LastIndexByte(s, '<'); i > 0 && s[0] == '`' && strings.HasSuffix(strings.TrimRight(s, "_"), ">`") {
		return i + 1, len(s) - strings.LastIndexByte(s, '>'), "this is a link in reStructuredText"
	}
	for _, around := range [...]struct{ begin, end, why string }{{`\"`, `\"`, whyQuotes}, {"&lt;", "&gt;", whyAngles}} {
		if strings.HasPrefix(s, around.begin) && strings.HasSuffix(s[len(around.begin):], around.end) {
			return len(around.begin), len(around.end), around.why
		}
	}
	if trimmed(func(c rune) bool { return strings.ContainsRune(quotes, c) }) {
		return left, right, whyQuotes
	}
	inner, cut := locator.Unwrap(s)
	switch {
	case len(s) < 2:
	case cut > 0 && s[0] == '<':
		return cut, 1, whyAngles
	case cut > 0:
		return cut, 0, `"URL:" before a URL is not part of it`
	case s[0] == '<' && s[len(s)-1] == '>':
		return 1, 1, whyAngles
	case s[0] == '<':
		return 1, 0, whyAngles
	case s[len(s)-1] == '>' && !strings.Contains(inner, "<"):
		return 0, 1, whyAngles
	case s[0] == '\'' && s[len(s)-1] == '\'':
		return 1, 1, whyQuotes
	case s[0] == '[' && s[len(s)-1] == ')' && strings.Contains(s, "]("):
		return strings.Index(s, "](") + 2, 1, "this is a link in Markdown"
	case s[0] == '(' && s[len(s)-1] == ')', s[0] == '[' && s[len(s)-1] == ']' && strings.Contains(s, "://"), s[0] == '{' && s[len(s)-1] == '}':
		return 1, 1, whyBrackets
	case s[0] == '(' && !strings.Contains(s, ")"):
		return 1, 0, whyBrackets
	}
	return 0, 0, ""
}

// spaces: http: //h/, mailto: a@b.example.
func (r *repairer) spaces() (list []edit) {
	scheme, _, rest := r.layout()
	if scheme == "" {
		return nil
	}
	if syntaxOf(scheme).Family == "mailto" {
		to := strings.TrimLeft(r.text[rest:], " ")
		if begin := len(r.text) - len(to); begin > rest && strings.Contains(to, "@") && !strings.Contains(to[:indexOrEnd(to, "?")], " ") {
			return []edit{{begin: rest, end: begin, why: "a space before an address is not part of a URL"}}
		}
		return nil
	}
	begin := len(scheme) + 1
	end := begin
	for end < len(r.text) && (r.text[end] == ' ' || r.text[end] == '/') {
		end++
	}
	if !strings.Contains(r.text[:end], "//") {
		return nil
	}
	for i := begin; i < end; i++ {
		if r.text[i] == ' ' {
			list = append(list, edit{begin: i, end: i + 1, why: "a space before a host is not part of a URL"})
		}
	}
	return list
}

// folded: a URL that is broken over several lines (RFC 1738 appendix), but not within a host: the
// next line may be something else.
func (r *repairer) folded() (list []edit) {
	_, authority, rest := r.layout()
	if authority < 0 { // the text before the fields may name a host
		rest += indexOrEnd(r.text[rest:], "?")
	}
	const breaks = "\t\r\n\v\f"
	for i := strings.IndexAny(r.text, breaks); i >= 0 && i < len(r.text); {
		begin, end := i, i
		for begin > 0 && r.text[begin-1] == ' ' {
			begin--
		}
		for end < len(r.text) && strings.IndexByte(" "+breaks, r.text[end]) >= 0 {
			end++
		}
		if begin < rest {
			return nil
		}
		tab := strings.Trim(r.text[begin:end], "\t") == ""
		list = append(list, edit{begin: begin, end: end, why: "a line break in a URL is not part of it", minor: tab})
		i = end + indexOrEnd(r.text[end:], breaks)
	}
	return list
}

// scheme: www.x.org, http//h/, http ://h/, http[:]//h/, h**p://h/.
func (r *repairer) scheme() []edit {
	scheme, _, _ := r.layout()
	name, _, slashes := strings.Cut(r.text, "//")
	begun := octet.Lower(name)
	bare := strings.TrimRight(begun, " :[]")
	marks := begun[len(bare):]
	switch {
	case slashes && (bare == "h**p" || bare == "h**ps"):
		return []edit{{begin: 1, end: 3, now: "tt", why: `"` + bare + `" stands for "http"`}}
	case slashes && (isKnown(bare) || isDefanged(bare)) && (marks == "[:]" || strings.Contains(marks, " :") || strings.Contains(marks, "::")):
		return []edit{{begin: len(bare), end: len(name), now: ":", why: `a ":" follows the scheme`}}
	case scheme != "":
	case slashes && isKnown(begun):
		return []edit{{begin: len(name), end: len(name), now: ":", why: `the ":" after the scheme is missing`}}
	case slashes && strings.HasSuffix(begun, ";") && isKnown(begun[:len(name)-1]):
		return []edit{{begin: len(name) - 1, end: len(name), now: ":", why: `a ":" follows the scheme`}}
	}
	for _, known := range [...][2]string{{"www.", "http://"}, {"ftp.", "ftp://"}} {
		host := r.text[:indexOrEnd(r.text, ":/?#")]
		if scheme == "" && strings.HasPrefix(octet.Lower(host), known[0]) && strings.Count(host, ".") > 1 && looksLikeHost(host) {
			return []edit{{now: known[1], why: "the scheme is missing"}}
		}
	}
	return nil
}

// misread returns the edits of a text that may be a URL, but not the one that was meant:
// https://https://h/, hxxp://h/, http://h(.)example/, http://h/?a&amp;b.
func misread(text string) []edit {
	if i := secondScheme(text); i > 0 {
		return []edit{{end: i, why: "a URL has one scheme"}}
	}
	if name, _, ok := strings.Cut(text, ":"); ok && isDefanged(name) {
		return []edit{{begin: 1, end: 3, now: "tt", why: `"hxxp" stands for "http"`}}
	}
	if _, login, host, after := authorityOf(text); host != "" && strings.Contains(host, "(") {
		if list := defanged(text, len(text)-len(after)-len(host), len(text)-len(after)); login == "" && list != nil {
			return list
		}
	}
	query, _, _ := strings.Cut(text, "#")
	if begin := strings.IndexByte(query, '?'); begin >= 0 {
		if i := strings.Index(query[begin:], "&amp;"); i >= 0 {
			return []edit{{begin: begin + i, end: begin + i + len("&amp;"), now: "&", why: `"&amp;" is a character in HTML`}}
		}
	}
	return nil
}

// defanged returns the edits for the dots of a host, from begin to end of a text, that were written
// so that nobody follows the link.
func defanged(text string, begin, end int) (list []edit) {
	for i := begin; i < end; i++ {
		for _, dot := range [...]string{"[.]", "(.)", "[dot]", "(dot)"} {
			if i+len(dot) <= end && strings.EqualFold(text[i:i+len(dot)], dot) {
				list = append(list, edit{begin: i, end: i + len(dot), now: ".", why: `"` + dot + `" in a host stands for "."`})
				i += len(dot) - 1
				break
			}
		}
	}
	return list
}

// isDefanged reports whether a scheme is one that people write so that nobody follows the link.
func isDefanged(name string) bool {
	return strings.EqualFold(name, "hxxp") || strings.EqualFold(name, "hxxps")
}

// secondScheme returns the offset of the last URL of those that follow each other at the beginning,
// as in http://ftp://h/; 0 if there is one only.
func secondScheme(text string) (at int) {
	begins := func(name string) bool { return isKnown(octet.Lower(name)) || isDefanged(name) }
	for {
		outer, rest, _ := strings.Cut(text[at:], "://")
		inner, _, ok := strings.Cut(rest, "://")
		if !ok || !begins(outer) || !begins(inner) {
			return at
		}
		at += len(outer) + len("://")
	}
}

// looksLikeHost reports whether a text is a host that is not a plain word.
func looksLikeHost(s string) bool {
	host := octet.Lower(s)
	u, ok := try(locator.RFC1738, "http://"+host)
	return ok && u.Host() == host && (host == "localhost" || strings.Contains(host, "."))
}

// slashes: http:/h.example/, http:h.example/, http:///h.example/, and file:/c|/x.
func (r *repairer) slashes() (list []edit) {
	scheme, _, _ := r.layout()
	syntax := syntaxOf(scheme)
	if syntax.Name == "" || syntax.Shape == locator.ShapeAddress || syntax.Shape == locator.ShapeGroup || syntax.Rule == "otherurl" {
		return nil
	}
	begin := len(scheme) + 1
	end := begin
	for end < len(r.text) && r.text[end] == '/' {
		end++
	}
	const why = `"//" follows the scheme and its colon`
	if syntax.Family == "file" {
		if end+1 < len(r.text) && r.text[end+1] == '|' && octet.IsLetter(r.text[end]) {
			list = []edit{{begin: end + 1, end: end + 2, now: ":", why: `"|" after a drive letter stands for ":"`}}
		}
		switch {
		case r.current():
		case end == begin+1:
			list = append([]edit{{begin: begin, end: begin, now: "//", why: why}}, list...)
		case isDrive(r.text[begin:]) || list != nil && end == begin:
			list = append([]edit{{begin: begin, end: begin, now: "///", why: why}}, list...)
		}
		return list
	}
	backslash := end == begin && strings.HasPrefix(r.text[end:], `\`) // http:\host
	if backslash {
		end++
	}
	host := r.text[end : end+indexOrEnd(r.text[end:], ":/?#@\\")]
	switch {
	case end == begin+2 || !looksLikeHost(host):
		return nil
	case backslash:
		return []edit{{begin: begin, end: end, now: "//", why: why}}
	case end < begin+2:
		return []edit{{begin: end, end: end, now: "//"[end-begin:], why: why}}
	}
	return []edit{{begin: begin + 2, end: end, why: why}}
}

// messageID: news:<id@host>.
func (r *repairer) messageID() (list []edit) {
	scheme, _, rest := r.layout()
	if s := syntaxOf(scheme); s.Family != "news" || s.Shape != locator.ShapeGroup {
		return nil
	}
	const why = "angle brackets around a message-id are not part of it"
	begin := strings.IndexByte(r.text[rest:], '<') + rest
	if begin < rest {
		return nil
	}
	list = append(list, edit{begin: begin, end: begin + 1, why: why})
	if last := len(r.text) - 1; last > begin && r.text[last] == '>' {
		list = append(list, edit{begin: last, end: last + 1, why: why})
	}
	return list
}

// host: http://[::1/, http://::1]/, http://::1/, and hosts whose dots were written [.] or [dot].
func (r *repairer) host() (list []edit) {
	_, begin, end := r.layout()
	if begin < 0 {
		return nil
	}
	begin += strings.LastIndexByte(r.text[begin:end], '@') + 1
	host := r.text[begin:end]
	if list = defanged(r.text, begin, end); list != nil {
		return list
	}
	left, right := strings.HasPrefix(host, "["), strings.Contains(host, "]")
	switch {
	case left && !right:
		end = begin + 1
		for end < begin+len(host) && strings.IndexByte("0123456789abcdefABCDEF:.", r.text[end]) >= 0 {
			end++
		}
		return []edit{{begin: end, end: end, now: "]", why: `the "]" after an IPv6 address is missing`}}
	case right && !strings.Contains(host, "["):
		return []edit{{begin: begin, end: begin, now: "[", why: `the "[" before an IPv6 address is missing`}}
	case strings.Count(host, ":") < 2 || strings.ContainsAny(host, "[]"):
		return nil
	}
	// An address that begins with "v" is one of the future.
	if _, ok := try(locator.Current, "http://["+host+"]"); !ok || host[0]|0x20 == 'v' {
		return nil
	}
	const why = "an IPv6 address needs brackets"
	return []edit{{begin: begin, end: begin, now: "[", why: why}, {begin: end, end: end, now: "]", why: why}}
}

// query: http://h?x, where RFC 1738 requires a "/" first.
func (r *repairer) query() []edit {
	scheme, authority, rest := r.layout()
	if r.current() || authority < 0 || syntaxOf(scheme).Family != "http" || rest == len(r.text) || r.text[rest] != '?' {
		return nil
	}
	return []edit{{begin: rest, end: rest, now: "/", why: `a "/" comes before the "?"`, minor: true}}
}

// fragment: http://h/#top, where RFC 1738 has no fragment.
func (r *repairer) fragment() []edit {
	_, _, rest := r.layout()
	i := strings.IndexByte(r.text[rest:], '#')
	if r.current() || i < 0 {
		return nil
	}
	return []edit{{begin: rest + i, end: len(r.text), why: "a fragment is not part of a URL", minor: true}}
}

// typeMark begins the typecode of an ftp URL.
const typeMark = ";type="

// typecode: ftp://h/x;TYPE=a.
func (r *repairer) typecode() []edit {
	scheme, _, rest := r.layout()
	i := strings.LastIndexByte(r.text[rest:], ';') + rest
	if syntaxOf(scheme).Family != "ftp" || i < rest || len(r.text) != i+len(typeMark)+1 {
		return nil
	}
	mark := r.text[i : i+len(typeMark)]
	if mark == typeMark || octet.Lower(mark) != typeMark {
		return nil
	}
	return []edit{{begin: i, end: i + len(mark), now: typeMark, why: `";type=" is in lower case`}}
}

// international: http://bücher.example/, where RFC 1738 requires ASCII.
func (r *repairer) international() []edit {
	u, ok := try(locator.Current, r.text)
	_, begin, end := r.layout()
	if !ok || octet.IsASCII(u.Host()) || begin < 0 {
		return nil
	}
	ascii, err := hostname.ToASCII(u.Host())
	if err != nil {
		return nil
	}
	begin += strings.LastIndexByte(r.text[begin:end], '@') + 1
	return []edit{{begin: begin, end: begin + len(u.Host()), now: ascii, why: "a host is written in ASCII"}}
}
