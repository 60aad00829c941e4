package mailfmt

import (
	"encoding/base64"
	"net/mail"
	"strings"
	"unicode/utf8"

	"locator/internal/octet"
)

// foldAt is the length of a line at which fields that are made here are folded (RFC 5322 2.1.1,
// RFC 2047 2).
const foldAt = 76

// encoded returns the lines of a field. Those that the user wrote stay as they are if the rules
// allow them.
func (f *field) encoded(r *rules) (string, error) {
	if f.raw != "" && f.fits(r) {
		return f.raw, nil
	}
	k := kinds[strings.ToLower(f.name)].syntax
	var words []string
	switch {
	case k == addresses:
		list, err := f.addresses(r)
		if err != nil {
			return "", err
		}
		if len(list) == 0 { // an empty group
			words = strings.Fields(f.value)
			break
		}
		for i, a := range list {
			w := addressWords(a, len(f.name)+len(": "))
			if i+1 < len(list) {
				w[len(w)-1] += ","
			}
			words = append(words, w...)
		}
	case k == unstructured:
		words = textWords(f.value, f.raw == "", len(f.name)+len(": "))
	default:
		words = split(f.value)
	}
	line, err := fold(f.name, words)
	if err != nil {
		return "", f.refuse("%w", err)
	}
	return line, nil
}

// fits reports whether lines that the user wrote can be sent.
func (f *field) fits(r *rules) bool {
	if !octet.IsASCII(f.raw) || r.news && !strings.HasPrefix(f.raw[len(f.name):], ": ") {
		return false
	}
	for line := range strings.SplitSeq(strings.TrimSuffix(f.raw, "\r\n"), "\r\n") {
		blank := strings.Trim(strings.TrimPrefix(line, f.name+":"), " \t") == ""
		if len(line) > maxLine || r.news && blank { // RFC 5536 2.2
			return false
		}
	}
	return true
}

// addressWords returns an address as words that stay together, the first on a line that has used
// some bytes.
func addressWords(a *mail.Address, used int) []string {
	spec := (&mail.Address{Address: a.Address}).String()
	switch {
	case a.Name == "":
		return []string{strings.Trim(spec, "<>")}
	case octet.IsASCII(a.Name) && !strings.Contains(a.Name, "=?"):
		return append(split(quoteName(a.Name)), spec)
	}
	return append(encodedWords(a.Name, used), spec)
}

// quoteName returns a display name in ASCII (RFC 5322 3.4).
func quoteName(name string) string {
	for word := range strings.SplitSeq(name, " ") {
		if !isDotAtom(word) || strings.Contains(word, ".") {
			return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(name) + `"`
		}
	}
	return name
}

// split splits a value at blanks. A word keeps all blanks before it but one.
func split(value string) []string {
	var words []string
	for value != "" {
		start := len(value) - len(strings.TrimLeft(value, " \t"))
		end := len(value)
		if i := strings.IndexAny(value[start:], " \t"); i >= 0 {
			end = start + i
		}
		words = append(words, value[:end])
		if value = value[end:]; value != "" {
			value = value[1:]
		}
	}
	return words
}

// fold joins the words of a value with blanks, and begins a new line where one gets too long.
func fold(name string, words []string) (string, error) {
	var b strings.Builder
	b.WriteString(name + ":")
	column := b.Len()
	for i, w := range words {
		if i > 0 && column+1+len(w) > foldAt {
			b.WriteString("\r\n")
			column = 0
		}
		b.WriteString(" " + w)
		if column += 1 + len(w); column > maxLine {
			return "", errWord
		}
	}
	b.WriteString("\r\n")
	return b.String(), nil
}

// textWords returns a text as words, with encoded words from the first that needs it to the last.
// literal reports that what looks like an encoded word is not one.
func textWords(text string, literal bool, used int) []string {
	from, to := -1, 0
	for at := 0; at < len(text); {
		end := at + len(text[at:])
		if i := strings.IndexAny(text[at:], " \t"); i >= 0 {
			end = at + i
		}
		if word := text[at:end]; !octet.IsASCII(word) || literal && strings.Contains(word, "=?") {
			if to = end; from < 0 {
				from = at
			}
		}
		at = end + 1
	}
	if from < 0 {
		return split(text)
	}
	var words []string
	if before := strings.TrimRight(text[:from], " \t"); before != "" {
		words, used, from = split(before), 0, len(before)+1
	}
	words = append(words, encodedWords(text[from:to], used)...)
	return append(words, split(text[min(to+1, len(text)):])...)
}

// encodedWords returns a text as encoded words of RFC 2047, the first on a line that has used some
// bytes. Blanks between them do not count.
func encodedWords(text string, used int) []string {
	plain := 0
	for _, c := range []byte(text) {
		if octet.IsAlphanumeric(c) || c == ' ' {
			plain++
		}
	}
	const open, end = "=?utf-8?q?", "?="
	q := plain*2 >= utf8.RuneCountInString(text)
	var words []string
	for len(text) > 0 {
		room := max(foldAt-1-len(open)-len(end)-used, 4*utf8.UTFMax)
		n, length := 0, 0
		for n < len(text) {
			_, size := utf8.DecodeRuneInString(text[n:])
			more := length + qLength(text[n:n+size])
			if !q {
				more = base64.StdEncoding.EncodedLen(n + size)
			}
			if n > 0 && more > room {
				break
			}
			n, length = n+size, more
		}
		if q {
			words = append(words, open+qEncode(text[:n])+end)
		} else {
			words = append(words, "=?utf-8?b?"+base64.StdEncoding.EncodeToString([]byte(text[:n]))+end)
		}
		text, used = text[n:], 0
	}
	return words
}

// qPlain reports whether a byte stands for itself in an encoded word, in names of addresses too
// (RFC 2047 5).
func qPlain(c byte) bool { return octet.IsAlphanumeric(c) || strings.IndexByte("!*+-/", c) >= 0 }

func qLength(s string) int {
	n := 0
	for i := range len(s) {
		if n++; !qPlain(s[i]) && s[i] != ' ' {
			n += 2
		}
	}
	return n
}

func qEncode(s string) string {
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	for i := range len(s) {
		switch c := s[i]; {
		case c == ' ':
			b.WriteByte('_')
		case qPlain(c):
			b.WriteByte(c)
		default:
			b.WriteString("=" + string(hex[c>>4]) + string(hex[c&15]))
		}
	}
	return b.String()
}
