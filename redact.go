package locator

import (
	"fmt"
	"io"
	"iter"
	"strings"
)

// mask is shown for a password. It is made of URL characters, so that a masked URL still parses.
const mask = "****"

// Redacted returns the text with **** for the password. Errors, logs and traces must use this form. An empty password stays empty.
// In an unknown scheme, all that looks like a login after "//" is masked, even if RFC 1738 sees no host there. The result is a URL
// with the same parts, except for the password and, in that last case, the host.
func (u URL) Redacted() string {
	if u.scheme == otherScheme && !u.HasHost() {
		begin, end, ok := loginSpan(u.text, int(u.colon)+1)
		if !ok || int(u.end) < end {
			return u.text
		}
		return u.text[:begin] + mask + u.text[end:]
	}
	if pw, ok := u.Password(); !ok || pw == "" {
		return u.text
	}
	return u.text[:u.userEnd+1] + mask + u.text[u.host-1:]
}

// String returns [URL.Redacted].
func (u URL) String() string { return u.Redacted() }

// GoString returns the redacted URL in Go syntax, for %#v.
func (u URL) GoString() string { return fmt.Sprintf("locator.URL{%q}", u.Redacted()) }

// Format prints the redacted URL for every verb. It cannot redact a URL in an unexported field of a struct that is printed whole, nor
// with a mistaken %p or %w, because package fmt calls no methods there.
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

// Redact masks what may be a password in a text that need not be a URL, for messages about malformed input: what stands between a
// colon and an "@" after "//", or after the colon of the scheme if the "//" was forgotten. It masks too much rather than too little.
// For a parsed URL, [URL.Redacted] masks exactly the password.
func Redact(s string) string {
	var b strings.Builder
	done := 0
	for begin, end := range passwordSpans(s) {
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

// passwordSpans yields the start and end of everything that Redact masks.
func passwordSpans(s string) iter.Seq2[int, int] {
	return func(yield func(begin, end int) bool) {
		last := strings.LastIndexByte(s, '@')
		i, more := firstLogin(s)
		for more && i < last {
			begin, end, next := looseSpan(s, i, last)
			if end > 0 && !yield(begin, end) {
				return
			}
			if i = strings.Index(s[next:], "//"); i < 0 {
				return
			}
			i += next
		}
	}
}

// firstLogin returns where the first login of s can begin: after the colon of a scheme that has logins, else at "//".
func firstLogin(s string) (i int, ok bool) {
	inner, cut := Unwrap(s)
	if name, _, colon := strings.Cut(inner, ":"); colon {
		id := schemes.find(name)
		row := schemes.row(id)
		switch i = cut + len(name) + 1; {
		case id < firstScheme:
		case row.logins == noAuthority:
			return 0, false
		case row.grammar == newsGrammar: // without "//" its "@" belongs to a message-id
			return i, strings.HasPrefix(s[i:], "//")
		default:
			return i, true
		}
	}
	i = strings.Index(s, "//")
	return i, i >= 0
}

// loginSpan finds the non-empty password of "//user:password@" at i. User and password extend to the last "@" before the next "/".
func loginSpan(s string, i int) (begin, end int, ok bool) {
	if !strings.HasPrefix(s[i:], "//") {
		return 0, 0, false
	}
	i += 2
	authority, _, _ := strings.Cut(s[i:], "/")
	at := strings.LastIndexByte(authority, '@')
	if at < 0 {
		return 0, 0, false
	}
	colon := strings.IndexByte(authority[:at], ':')
	if colon < 0 || colon+1 == at {
		return 0, 0, false
	}
	return i + colon + 1, i + at, true
}

// looseSpan is loginSpan for malformed text: any number of slashes or backslashes may stand at i, and a raw "/" may stand in the
// password if what follows the colon is no port. last is the last "@" of the text. next is where to continue; end is 0 if there is
// no password.
func looseSpan(s string, i, last int) (begin, end, next int) {
	for i < len(s) && (s[i] == '/' || s[i] == '\\') {
		i++
	}
	authority, _, more := strings.Cut(s[i:], "/")
	next = i + len(authority)
	colon, at := strings.IndexByte(authority, ':'), strings.LastIndexByte(authority, '@')
	if strings.HasPrefix(authority, "[") || colon < 0 || at >= 0 && colon > at {
		return 0, 0, next // an IPv6 literal, a port, or neither
	}
	if port := authority[colon+1:]; at < 0 && more && (port == "" || strings.Trim(port, "0123456789") != "") {
		at = last - i
	}
	if at <= colon+1 {
		return 0, 0, next
	}
	return i + colon + 1, i + at, max(next, i+at)
}
