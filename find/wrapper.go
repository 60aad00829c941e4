package find

import "strings"

// wrapped decides whether a URL in a wrapper begins with the "<" at open. The text after "URL:" begins at from.
func (s *scanner) wrapped(open, from int) bool {
	w := wrapper{scanner: s, open: open, blanks: true}
	if w.read(from); s.more {
		return false
	}
	if w.end < 0 {
		if !w.tooLong || !s.prefixed(open+1, from) {
			return false
		}
		s.match.begin, s.match.form, s.match.tooLong = open, Wrapped, true
		return true
	}
	if i := strings.IndexByte(w.url, ':'); i <= 0 || i == len(w.url)-1 || !isName(w.url[:i]) {
		return false
	}
	s.match = match{begin: open, end: w.end, form: Wrapped, url: w.url, alternatives: w.alternatives()}
	return true
}

// isName reports whether name may be that of a scheme.
func isName(name string) bool {
	for i := range len(name) {
		if !isNameByte(name[i]) {
			return false
		}
	}
	return isAlpha(name[0])
}

// angled decides whether a URL between angle brackets begins with the "<" at open. Its scheme begins at from and ends at the colon.
func (s *scanner) angled(open, from, colon int, kind scheme) bool {
	if !isAlpha(s.text[from]) || kind == unknown && !s.slashes(colon+1) {
		return false
	}
	w := wrapper{scanner: s, open: open}
	w.read(from)
	if s.more || w.end < 0 || longest(w.url) < len(w.url) || !plausible(w.url, colon-from, kind) {
		return false
	}
	s.match = match{begin: open, end: w.end, form: Angled, url: w.url, alternatives: w.alternatives()}
	return true
}

// wrapper reads what stands between angle brackets.
type wrapper struct {
	*scanner
	open    int    // offset of the "<"
	blanks  bool   // white space may stand within a line
	url     string // without white space
	hyphens []int  // offsets in url of hyphens at the ends of lines
	end     int    // after the ">"; negative if there is none
	tooLong bool   // there is none within the limit
}

// read reads the text from offset i to the ">".
func (w *wrapper) read(i int) {
	w.end = -1
	var b strings.Builder
	begin := i
	for {
		if i-w.open >= w.MaxWrapper {
			w.tooLong = true
			return
		}
		if !w.need(i) {
			return
		}
		switch c := w.text[i]; {
		case c == '>':
			w.url = w.text[begin:i]
			if b.Len() > 0 {
				b.WriteString(w.url)
				w.url = b.String()
			}
			w.end = i + 1
			return
		case isSpace(c):
			b.WriteString(w.text[begin:i])
			if i = w.space(i, b.String()); i < 0 {
				return
			}
			begin = i
		case c == '<', c == '"', c < ' ', c == 0x7F:
			return
		default:
			i++
		}
	}
}

// space skips the white space at i, with all that does not belong to the text of the lines, and returns the offset after it. url is
// what stands before it. It returns a negative offset if the white space ends the wrapper.
func (w *wrapper) space(i int, url string) int {
	lines := 0
	for w.need(i) && isSpace(w.text[i]) {
		if w.text[i] == '\n' || w.text[i] == '\r' && !strings.HasPrefix(w.text[i:], "\r\n") {
			lines++
		}
		i++
	}
	if !w.need(i) {
		return -1
	}
	if lines == 0 {
		if !w.blanks && w.text[i] != '>' {
			return -1
		}
		return i
	}
	if strings.HasSuffix(url, "-") {
		w.hyphens = append(w.hyphens, len(url)-1)
	}
	return i
}

// maxHyphens is for how many hyphens all readings are returned.
const maxHyphens = 4

// alternatives returns the readings without some of the hyphens at the ends of lines.
func (w *wrapper) alternatives() []string {
	if len(w.hyphens) == 0 {
		return nil
	}
	if len(w.hyphens) > maxHyphens {
		return []string{without(w.url, w.hyphens, -1)}
	}
	var list []string
	for set := 1; set < 1<<len(w.hyphens); set++ {
		list = append(list, without(w.url, w.hyphens, set))
	}
	return list
}

// without returns url without the hyphens of a set of bits.
func without(url string, hyphens []int, set int) string {
	var b strings.Builder
	begin := 0
	for n, i := range hyphens {
		if set>>n&1 != 0 {
			b.WriteString(url[begin:i])
			begin = i + 1
		}
	}
	return b.String() + url[begin:]
}
