package find

import (
	"bytes"
	"strings"

	"locator"
	"locator/internal/octet"
	"locator/internal/span"
)

// wrapped decides whether a URL in a wrapper begins with the "<" at open. The text after "URL:"
// begins at from.
func (s *scanner[T]) wrapped(open, from int) bool {
	w := wrapper[T]{scanner: s, open: open, limit: open + s.MaxWrapper, blanks: true, blankLines: 1}
	w.read(from)
	if s.more {
		return false
	}
	if w.tooLong && s.unclosed(open, from, w.limit) {
		s.found.TooLong = true
		return true
	}
	i := strings.IndexByte(w.url, ':')
	if w.end < 0 || i <= 0 || !octet.IsScheme(w.url[:i]) || i == len(w.url)-1 && !isURL(w.url) {
		return false
	}
	s.set(open, w.end, Wrapped, w.url, strings.IndexByte(w.url, '#'))
	s.found.Alternatives = w.alternatives()
	return true
}

// unclosed decides whether a wrapper that is too long begins with a URL, which the first white
// space ends.
func (s *scanner[T]) unclosed(open, from, limit int) bool {
	for from < limit && is(s.text[from], spaceClass) {
		from++
	}
	i := from
	for i < limit && is(s.text[i], nameClass) {
		i++
	}
	return i < limit && s.text[i] == ':' && i > from && s.bare(open, from, i, max(lookup(s.text[from:i]), slashed), Wrapped)
}

// isURL reports whether text is a URL.
func isURL(text string) bool {
	_, n, err := locator.Current.Prefix(text)
	return err == nil && n == len(text)
}

// angled decides whether a URL between angle brackets begins with the "<" at open. Its scheme
// begins at from and ends at the colon.
func (s *scanner[T]) angled(open, from, colon int, k kind) bool {
	if from > open+1 && !strings.ContainsAny(string(s.text[open:from]), "\r\n") {
		return false
	}
	w := wrapper[T]{scanner: s, open: open, limit: open + s.MaxWrapper}
	if w.read(from); s.more || w.end < 0 {
		return false
	}
	if !isURL(w.url) {
		return false
	}
	if k == unknown {
		k = slashed
	}
	if !plausible(w.url, colon-from, k) {
		return false
	}
	s.set(open, w.end, Angled, w.url, strings.IndexByte(w.url, '#'))
	s.found.Alternatives = w.alternatives()
	return true
}

// wrapper reads the text between angle brackets.
type wrapper[T source] struct {
	*scanner[T]
	open       int    // offset of the "<"
	limit      int    // where the wrapper is too long
	blanks     bool   // white space is allowed within a line
	blankLines int    // how many lines without text are allowed between two with text
	url        string // without white space
	end        int    // after the ">"; negative if there is none
	tooLong    bool   // there is none within the limit
	hyphens    []int  // offsets in url of hyphens at the ends of lines
	leader     leader
	noFooter   int // end of the last line that page found not to be a footer
}

// read reads the text from offset i to the ">".
func (w *wrapper[T]) read(i int) {
	w.end = -1
	var joined []byte
	begin := i
	for {
		i = w.stop(i)
		switch {
		case i >= w.limit:
			w.tooLong = true
			return
		case !w.need(i):
			return
		case w.text[i] == '>':
			if w.end = i + 1; joined == nil {
				w.url = w.string(begin, i)
			} else {
				w.url = string(append(joined, w.text[begin:i]...))
			}
			return
		case !is(w.text[i], spaceClass): // "<", a quotation mark, or a control character
			return
		}
		joined = append(joined, w.text[begin:i]...)
		next, lines := w.space(i)
		if next < 0 {
			return
		}
		if n := len(joined); lines && n > 0 && joined[n-1] == '-' {
			w.hyphens = append(w.hyphens, n-1)
		} else if lines {
			joined = bytes.TrimSuffix(joined, []byte(softHyphen))
		}
		i, begin = next, next
	}
}

// unstopped are the characters of ASCII that do not stop a wrapper.
var unstopped = span.NewSet(func(c byte) bool { return !is(c, stopClass) })

// stop returns the offset of the first byte of stopClass from i on, at most that of the limit or of
// the end of the text.
func (w *wrapper[T]) stop(i int) int {
	end := min(len(w.text), w.limit)
	for ; i < end; i++ {
		if i += w.unstopped(w.text[i:end]); i == end || is(w.text[i], stopClass) {
			break
		}
	}
	return i
}

// softHyphen is the hyphen that only typesetters write.
const softHyphen = "\u00AD"

// space skips the white space at i with what does not belong to the text of the lines: marks of
// quoting and comment, and page breaks. It returns where the text goes on, and whether a line
// ended. The offset is negative if this is not a wrapper, or undecided.
func (w *wrapper[T]) space(i int) (next int, lines bool) {
	i = w.skipBlanks(i)
	if !w.need(i) {
		return -1, false
	}
	if !is(w.text[i], breakClass) {
		if !w.blanks && w.text[i] != '>' {
			return -1, false
		}
		return i, false
	}
	allowed, blankLines := w.blankLines, -1
	for w.need(i) {
		if i >= w.limit {
			return i, true // read finds it too long
		}
		if !is(w.text[i], breakClass) {
			if blankLines > allowed {
				return -1, true
			}
			return i, true
		}
		if page := w.page(i); page < 0 {
			return -1, true
		} else if page > i {
			if i, allowed = page, w.limit; !w.need(i) { // the text ends with the page
				return -1, true
			}
		}
		if i = w.newline(i); i < 0 {
			return -1, true
		}
		if i = w.lineStart(i); i < 0 {
			return -1, true
		}
		blankLines++
	}
	return -1, true
}

// newline skips the line break at i. The result is negative if it is undecided.
func (w *wrapper[T]) newline(i int) int {
	if w.text[i] != '\r' {
		return i + 1
	}
	if w.need(i+1) && w.text[i+1] == '\n' {
		return i + 2
	}
	if w.more {
		return -1
	}
	return i + 1
}

// skipBlanks skips blanks and tabs.
func (w *wrapper[T]) skipBlanks(i int) int {
	for i < min(len(w.text), w.limit) && (w.text[i] == ' ' || w.text[i] == '\t') {
		i++
	}
	return i
}

// maxHyphens is for how many hyphens all readings are returned.
const maxHyphens = 4

// alternatives returns the readings without some of the hyphens at the ends of lines.
func (w *wrapper[T]) alternatives() []string {
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

// without returns url without the hyphens of a set of bits; -1 means the set of all.
func without(url string, hyphens []int, set int) string {
	var b strings.Builder
	begin := 0
	for n, i := range hyphens {
		if set < 0 || set>>n&1 != 0 {
			b.WriteString(url[begin:i])
			begin = i + 1
		}
	}
	return b.String() + url[begin:]
}
