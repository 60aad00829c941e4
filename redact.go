package locator

import (
	"fmt"
	"io"
	"iter"
	"locator/internal/passwords"
	"strings"
)

// mask is shown for a password. It is made of URL characters, so that a masked URL still parses.
const mask = "****"

// Redacted returns the text with **** for the password, and for the passwords of URLs within the
// URL, such as that of a page in an archive or in a query, escaped or not. Errors, logs and traces
// must use this form. An empty password stays empty. In an unknown scheme, all that looks like a
// login is masked, even if RFC 1738 sees no host there. The result is a URL. The masked password of
// the URL itself changes no other part; of a URL within it, more than the password may be masked.
func (u URL) Redacted() string {
	return maskSpans(u.text, u.PasswordSpans())
}

// PasswordSpans yields the start and end in the text of everything that Redacted masks, in order:
// the password of the URL, and those of URLs within it.
func (u URL) PasswordSpans() iter.Seq2[int, int] {
	return func(yield func(begin, end int) bool) {
		if passwords.MayBeIn(u.text) {
			u.eachPassword(yield)
		}
	}
}

// String returns [URL.Redacted].
func (u URL) String() string { return u.Redacted() }

// GoString returns the redacted URL in Go syntax, for %#v.
func (u URL) GoString() string { return fmt.Sprintf("locator.URL{%q}", u.Redacted()) }

// Format prints the redacted URL for every verb. It cannot redact a URL in an unexported field of a
// struct that is printed whole, nor with a mistaken %p or %w, because package fmt calls no methods
// there.
func (u URL) Format(f fmt.State, verb rune) { formatRedacted(f, verb, u.Redacted(), u.GoString()) }

// formatRedacted prints text for the verbs of strings, and goText for %#v and all other verbs.
func formatRedacted(f fmt.State, verb rune, text, goText string) {
	switch verb {
	case 'v':
		if f.Flag('#') {
			io.WriteString(f, goText)
			return
		}
		fmt.Fprintf(f, fmt.FormatString(f, 's'), text)
	case 's', 'q', 'x', 'X':
		fmt.Fprintf(f, fmt.FormatString(f, verb), text)
	default:
		fmt.Fprintf(f, "%%!%c(%s)", verb, goText)
	}
}

// Redact masks what may be a password in a text that need not be a URL, for messages about
// malformed input: what stands between a colon and an "@" after "//", or after the colon of the
// scheme if the "//" was forgotten. Delimiters may be escaped. It masks too much rather than too
// little. For a parsed URL, [URL.Redacted] masks the password exactly.
func Redact(s string) string { return maskSpans(s, PasswordSpans(s)) }

// PasswordSpans yields the start and end in a text of everything that [Redact] masks, in order.
func PasswordSpans(s string) iter.Seq2[int, int] {
	return func(yield func(begin, end int) bool) {
		if passwords.MayBeIn(s) {
			eachPassword(s, yield)
		}
	}
}

// maskSpans returns s with **** for the spans, which are in order.
func maskSpans(s string, spans iter.Seq2[int, int]) string {
	var b strings.Builder
	done := 0
	for begin, end := range spans {
		b.WriteString(s[done:begin])
		b.WriteString(mask)
		done = end
	}
	if done == 0 {
		return s
	}
	b.WriteString(s[done:])
	return b.String()
}
