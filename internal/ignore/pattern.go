package ignore

import (
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// rule is one line of a file of patterns.
type rule struct {
	include bool // "!": what matches is not ignored
	folders bool // "/" at the end: only folders match
	path    bool // the pattern has a slash: the path below the folder of the file matches, otherwise the last name alone
	test    func(string) bool
}

// parseRules returns the rules in a file, in its order. It reports false if there are more than
// most.
func parseRules(text string, most int) (rules []rule, ok bool) {
	for line := range strings.Lines(strings.TrimPrefix(text, "\ufeff")) {
		line = strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r")
		if r, ok := parseRule(trimSpaces(line)); ok {
			if rules = append(rules, r); len(rules) > most {
				return nil, false
			}
		}
	}
	return rules, true
}

// trimSpaces drops the spaces at the end of a line, but one that follows a backslash.
func trimSpaces(line string) string {
	short := strings.TrimRight(line, " ")
	if short == line {
		return line
	}
	if backslashes := len(short) - len(strings.TrimRight(short, `\`)); backslashes%2 == 1 {
		return short + " "
	}
	return short
}

// parseRule parses a line. It returns false for a comment, an empty line and a pattern that matches
// nothing.
func parseRule(line string) (r rule, ok bool) {
	if strings.HasPrefix(line, "#") {
		return r, false
	}
	line, r.include = strings.CutPrefix(line, "!")
	line, r.folders = strings.CutSuffix(line, "/")
	r.path = strings.Contains(line, "/")
	line = strings.TrimPrefix(line, "/")
	if line == "" {
		return r, false
	}
	r.test, ok = compile(line)
	return r, ok
}

// compile returns the test of a pattern. Those that most files consist of need no matching: a name,
// and "*" before the end of one.
func compile(pattern string) (func(string) bool, bool) {
	const special = `*?[\`
	if !strings.ContainsAny(pattern, special) {
		return func(name string) bool { return name == pattern }, true
	}
	if end := pattern[1:]; pattern[0] == '*' && !strings.ContainsAny(end, special+"/") {
		return func(name string) bool { return strings.HasSuffix(name, end) && !strings.Contains(name, "/") }, true
	}
	glob, ok := translate(pattern)
	if !ok || !doublestar.ValidatePattern(glob) {
		return nil, false
	}
	return func(name string) bool { return doublestar.MatchUnvalidated(glob, name) }, true
}

// translate returns the pattern of doublestar for one of git. Braces have no meaning to git, "]"
// may be the first character of a class, which may hold names of classes, and "a/**" does not match
// a.
func translate(pattern string) (string, bool) {
	var b strings.Builder
	for i := 0; i < len(pattern); {
		switch c := pattern[i]; c {
		case '\\':
			if i+1 == len(pattern) {
				return "", false
			}
			b.WriteString(pattern[i : i+2])
			i += 2
		case '[':
			n, ok := translateClass(&b, pattern[i:])
			if !ok {
				return "", false
			}
			i += n
		case '{', '}':
			b.WriteByte('\\')
			fallthrough
		default:
			b.WriteByte(c)
			i++
		}
	}
	glob := b.String()
	if glob == "**" || strings.HasSuffix(glob, "/**") {
		glob += "/*"
	}
	return glob, true
}

// classes are the characters of the named classes but the slash, as the inside of a class of
// doublestar.
var classes = map[string]string{
	"alnum": "a-zA-Z0-9", "alpha": "a-zA-Z", "blank": " \t", "cntrl": "\x01-\x1f\x7f", "digit": "0-9", "graph": `\!-.0-~`, "lower": "a-z",
	"print": " -.0-~", "punct": `\!-.:-@\[-` + "`{-~", "space": "\t-\r ", "upper": "A-Z", "xdigit": "0-9a-fA-F",
}

// translateClass appends the class that a pattern begins with, and returns its length.
func translateClass(b *strings.Builder, pattern string) (n int, ok bool) {
	b.WriteByte('[')
	n = 1
	if n < len(pattern) && (pattern[n] == '!' || pattern[n] == '^') {
		b.WriteString("^/") // no class matches a slash
		n++
	}
	for first := n; n < len(pattern); {
		c := pattern[n]
		if c == ']' && n > first {
			b.WriteByte(']')
			return n + 1, true
		}
		if rest, named := strings.CutPrefix(pattern[n:], "[:"); named {
			name, _, closed := strings.Cut(rest, ":]")
			if chars := classes[name]; closed && chars != "" {
				b.WriteString(chars)
				n += len("[:") + len(name) + len(":]")
				continue
			}
			if closed {
				return 0, false
			}
		}
		if c == '-' && n > first && n+1 < len(pattern) && pattern[n+1] != ']' { // a range
			b.WriteByte('-')
			n++
			continue
		}
		if c == '\\' {
			if n++; n == len(pattern) {
				return 0, false
			}
			c = pattern[n]
		}
		if c < 0x80 {
			b.WriteByte('\\')
		}
		b.WriteByte(c)
		n++
	}
	return 0, false
}
