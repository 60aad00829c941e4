package find

import (
	"strings"

	"locator/internal/octet"
)

// maxLine is how much text before a wrapper is looked at to learn the marks of quoting and comment
// at the beginning of its line.
const maxLine = 256

// maxLeader is the length of the longest mark, in bytes.
const maxLeader = 8

// leader has the marks that the lines of a wrapper may begin with: those of the line in which it
// begins.
type leader struct {
	known  bool
	line   string // what precedes the wrapper in its line
	quotes string // the marks of quoting that it begins with
}

// quoteMarks begin the lines of quoted mail and news.
const quoteMarks = ">|:}"

// lineStart skips blanks, marks of quoting ("> ", ">>", "JD> ") and marks of comment ("# ", "// ",
// " * ") at the beginning of the line at i. A mark of comment is followed by a blank or the end of
// the line. It returns a negative offset if the end of the marks is undecided.
func (w *wrapper[T]) lineStart(i int) int {
	if !w.leader.known {
		w.readLeader()
	}
	quotes := w.leader.quotes
	for {
		if i = w.skipBlanks(i); i >= w.limit {
			return i
		}
		if !w.need(i) {
			return -1
		}
		if n := strings.IndexByte(quotes, w.text[i]); n >= 0 {
			i++
			quotes = quotes[n+1:]
			continue
		}
		end := i
		for end-i <= maxLeader && w.need(end) && !is(w.text[end], spaceClass) {
			end++
		}
		if w.more {
			return -1
		}
		if end == i || end-i > maxLeader || !w.leader.has(string(w.text[i:end])) {
			return i
		}
		i = end
	}
}

// readLeader reads the line in which the wrapper begins.
func (w *wrapper[T]) readLeader() {
	w.leader.known = true
	begin := max(0, w.open-maxLine)
	line := string(w.text[begin:w.open])
	i := strings.LastIndexAny(line, "\n\r\f\v")
	if i < 0 && (begin > 0 || !w.first) {
		return // the line is longer
	}
	w.leader.line = line[i+1:]
	var marks []byte
	for i++; i < len(line); i++ {
		switch {
		case strings.IndexByte(quoteMarks, line[i]) >= 0:
			marks = append(marks, line[i])
		case line[i] != ' ' && line[i] != '\t':
			i = len(line)
		}
	}
	w.leader.quotes = string(marks)
}

// has reports whether token is a mark that the first line has, too. A comment that begins with "/*"
// goes on with "*".
func (l *leader) has(token string) bool {
	if !isMark(token) {
		return false
	}
	onlyMarks := true // so far: a word before ">" is a mark only there, not in "<a file>"
	for field := range strings.FieldsSeq(l.line) {
		if field == token && (onlyMarks || !isInitials(token)) || token == "*" && strings.HasPrefix(field, "/*") {
			return true
		}
		onlyMarks = onlyMarks && (isMark(field) || strings.Trim(field, quoteMarks) == "")
	}
	return false
}

// isInitials reports whether token is a mark of quoting with the initials of the author.
func isInitials(token string) bool {
	n := len(token)
	return n > 1 && token[n-1] == '>' && octet.IsScheme(token[:n-1])
}

// isMark reports whether token may be a mark of quoting or comment: punctuation, initials before
// ">", or a word that begins comments.
func isMark(token string) bool {
	return isInitials(token) || strings.EqualFold(token, "rem") || token == "dnl" || strings.Trim(token, "#/*;|%!:.\\'~=+}-") == ""
}
