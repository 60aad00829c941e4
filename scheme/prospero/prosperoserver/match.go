package prosperoserver

import (
	"fmt"
	"regexp"
	"strings"
)

// maxPattern is the length of a pattern, in bytes. The time of a match is linear in the lengths of
// pattern and name.
const maxPattern = 64

// matcher returns the function that reports whether a link has a name of a request: that name
// itself, with "*" and "?" for any characters, or a regular expression in parentheses. exact is
// true if only the name itself can match. It fails for an expression that cannot be used.
func matcher(name string) (match func(string) bool, exact bool, err error) {
	same := func(s string) bool { return s == name }
	expression, ok := strings.CutPrefix(name, "(")
	expression, closed := strings.CutSuffix(expression, ")")
	switch {
	case ok && closed:
		expression, err = translate(expression)
	case strings.ContainsAny(name, "*?"):
		expression = wildcards(name)
	default:
		return same, true, nil
	}
	if err == nil && len(name) > maxPattern {
		err = fmt.Errorf("it has more than %d bytes", maxPattern)
	}
	if err != nil {
		return nil, false, err
	}
	re, err := regexp.Compile("(?s)" + expression)
	if err != nil {
		return nil, false, err
	}
	return func(s string) bool { return same(s) || re.MatchString(runes(s)) }, false, nil
}

// runes returns a text with a character for each byte, so that an expression matches bytes.
func runes(s string) string {
	r := make([]rune, len(s))
	for i := range len(s) {
		r[i] = rune(s[i])
	}
	return string(r)
}

// wildcards returns the expression for a name with "*" and "?".
func wildcards(name string) string {
	var b strings.Builder
	for i := range len(name) {
		switch name[i] {
		case '*':
			b.WriteString(".*")
		case '?':
			b.WriteString(".")
		default:
			b.WriteString(literal(name[i]))
		}
	}
	return `\A` + b.String() + `\z`
}

func literal(c byte) string { return fmt.Sprintf(`\x{%02x}`, c) }

// translate returns the Go form of an expression in the form of ed, which the server of 1994 had:
// the characters + ? { } | ( ) are ordinary, and \( \) group. The name may match anywhere. Back
// references, and a star behind a group, have no linear form or no meaning there: they are errors.
func translate(in string) (string, error) {
	var b strings.Builder
	open, atom := 0, false // atom: a star can follow
	for i := 0; i < len(in); i++ {
		c, was := in[i], atom
		atom = true
		switch {
		case c == '^' && i == 0:
			b.WriteString(`\A`)
			atom = false
		case c == '$' && i == len(in)-1:
			b.WriteString(`\z`)
		case c == '.':
			b.WriteString(".")
		case c == '*' && was:
			b.WriteString("*")
			atom = false
		case c == '[':
			class, n, err := class(in[i+1:])
			if err != nil {
				return "", err
			}
			b.WriteString(class)
			i += n
		case c == '\\' && i+1 < len(in):
			i++
			switch c := in[i]; {
			case c == '(':
				open++
				b.WriteString("(")
				atom = false
			case c == ')' && open > 0:
				open--
				b.WriteString(")")
				atom = false
			case c == ')', '1' <= c && c <= '9':
				return "", fmt.Errorf(`\%c cannot be used`, c)
			default:
				b.WriteString(literal(c))
			}
		default:
			b.WriteString(literal(c))
		}
	}
	if open > 0 {
		return "", fmt.Errorf(`\( is not closed`)
	}
	return b.String(), nil
}

// class returns the Go form of a class of characters, whose text follows "[", and the length of
// that text.
func class(in string) (out string, n int, err error) {
	var b strings.Builder
	b.WriteString("[")
	if strings.HasPrefix(in, "^") {
		b.WriteString("^")
		n++
	}
	for begin := n; n < len(in); n++ {
		c := in[n]
		if c == ']' && n > begin {
			return b.String() + "]", n + 1, nil
		}
		b.WriteString(literal(c))
		if n+2 < len(in) && in[n+1] == '-' && in[n+2] != ']' {
			if in[n+2] < c {
				return "", 0, fmt.Errorf("the range %c-%c is empty", c, in[n+2])
			}
			b.WriteString("-" + literal(in[n+2]))
			n += 2
		}
	}
	return "", 0, fmt.Errorf("[ is not closed")
}
