package locator

// This file has the two forms of a URL, and the bytes of it that would split a command.
//
// String, Format, GoString and LogValue show a URL and mask the password. Text, AppendText,
// MarshalText, MarshalBinary and Value are for storing and sending and return the whole text; a
// masked URL would locate nothing. So JSON contains the password: log the URL itself with package
// slog, not a struct or a slice that contains one.

import (
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"iter"
	"log/slog"
	"strings"

	"locator/internal/octet"
	"locator/internal/passwords"
	"locator/internal/schemename"
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
// malformed input: the text between a colon and an "@" after "//", or after the colon of the scheme
// if the "//" was forgotten. Delimiters may be escaped. It masks too much rather than too little.
// For a parsed URL, [URL.Redacted] masks the password exactly.
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

// eachPassword calls yield with the start and end of everything that Redacted masks, in order. A
// span within the path or the search contains none of the delimiters of the URL itself, which it
// still needs, nor the "@" of a message-id, nor the type of an ftp URL.
func (u URL) eachPassword(yield func(begin, end int) bool) {
	stops := "/?#;=&"
	if u.grammar() == newsGrammar {
		stops += "@"
	}
	pieces := func(begin, end int) bool {
		for begin < end {
			n := strings.IndexAny(u.text[begin:end], stops)
			if n < 0 {
				n = end - begin
			}
			if n > 0 && !u.isFTPType(begin, begin+n) && !yield(begin, begin+n) {
				return false
			}
			begin += n + 1
		}
		return true
	}
	from := int(u.colon) + 1
	switch {
	case u.HasHost():
		from = int(u.hostEnd)
		if pw, _ := u.Password(); pw != "" && !yield(int(u.userEnd)+1, int(u.host)-1) {
			return
		}
	case u.grammar() == mailtoGrammar:
		end, ok := passwords.Addresses(u.text, from, func(begin, end int) bool {
			if hash := int(u.end); begin <= hash && hash < end { // the "#" stays
				return (begin == hash || yield(begin, hash)) && (hash+1 == end || yield(hash+1, end))
			}
			return yield(begin, end)
		})
		if !ok {
			return
		}
		from = end
	case u.scheme == otherScheme:
		begin, end, ok := userSpan(u.text, from)
		if ok && !pieces(begin, end) {
			return
		} else if ok {
			from = end
		}
	case u.grammar() == otherGrammar && u.row().Shape == ShapeServer: // without "//"
		passwords.Nested(u.text, from, pieces)
		return
	}
	passwords.Nested(u.text, passwords.NextSlashes(u.text, from), pieces)
}

// isFTPType reports whether a piece of the text is the name or the value of the type of an ftp URL,
// the only thing that may follow a ";" there.
func (u URL) isFTPType(begin, end int) bool {
	const name = ";type="
	if u.grammar() != ftpGrammar {
		return false
	}
	before := func(name string) bool {
		return begin >= len(name) && octet.Lower(u.text[begin-len(name):begin]) == name
	}
	return before(";") && octet.Lower(u.text[begin:end]) == "type" || before(name) && end == begin+1
}

// eachPassword calls yield with the start and end of everything that Redact masks, in order.
func eachPassword(s string, yield func(begin, end int) bool) {
	inner, cut := Unwrap(s)
	name, _, colon := strings.Cut(inner, ":")
	i := cut + len(name) + 1
	if !colon {
		passwords.Nested(s, passwords.NextSlashes(s, 0), yield)
		return
	}
	switch row := schemes.row(schemes.find(name)); {
	case row.Name == "":
		begin, end, ok := userSpan(s, i)
		if ok && !yield(begin, end) {
			return
		} else if ok {
			passwords.Nested(s, passwords.NextSlashes(s, end), yield)
			return
		}
		i = passwords.NextSlashes(s, 0)
	case row.grammar == mailtoGrammar:
		end, ok := passwords.Addresses(s, i, yield)
		if !ok {
			return
		}
		i = passwords.NextSlashes(s, end)
	case row.Shape == ShapeAddress, row.Shape == ShapeGroup && !strings.HasPrefix(s[i:], "//"): // an "@" belongs to an address
		i = passwords.NextSlashes(s, i)
	}
	passwords.Nested(s, i, yield)
}

// userSpan finds the password of a login without a scheme, as in "user:password@host/", where i is
// behind the colon. A name that is a scheme in use is not a user.
func userSpan(s string, i int) (begin, end int, ok bool) {
	name, _ := Unwrap(s[:i-1])
	if _, reserved := IsReserved(name); reserved || schemename.InUse(name) || IsExperimental(name) {
		return 0, 0, false
	}
	return passwords.User(s, name, i)
}

// UnsafeOctets returns the encoded bytes of a URL that would end or split a command if they were
// sent decoded (RFC 1738 6): CR, LF and NUL, and blanks and TABs where they separate the fields of
// the protocol. It yields the name of the part, as in "name" or "selector", and the first such byte
// in it. It yields nothing for parts that are sent as they are written, such as the path of http,
// nor for a filled Gopher+ form ([Gopher.Form]), which its sender writes anew.
func UnsafeOctets(v View) iter.Seq2[string, byte] {
	return func(yield func(part string, octet byte) bool) {
		if v == nil {
			return
		}
		more := true
		v.commandParts(func(part, text, stops string) {
			if i := strings.IndexAny(text, stops); i >= 0 && more {
				more = yield(part, text[i])
			}
		})
	}
}

// MayBeUnsafe reports whether [UnsafeOctets] may yield anything for the view of u, or u may have a
// filled form ([Gopher.Form]). It decodes nothing.
func (u URL) MayBeUnsafe() bool {
	part := u.SchemePart()
	for i := range len(part) {
		c, escaped := octet.At(part, i)
		if !escaped {
			c = part[i] // only mailto, which has no host, has such a byte unescaped: the colon
		}
		if strings.IndexByte(delimiters, c) >= 0 && (escaped || !u.HasHost()) {
			return true
		}
	}
	return false
}

// delimiters are all bytes that a call of a lookFunc names.
const delimiters = lineEnds + "\t :"

// lookFunc is called with the name of a part, its decoded text, and the bytes that a command must
// not contain.
type lookFunc func(part, text, stops string)

// lineEnds end a line in every protocol.
const lineEnds = "\r\n\x00"

func (l Login) commandParts(look lookFunc) {
	look("user", l.User.Or(""), lineEnds)
	look("password", l.Password.Or(""), lineEnds)
}

// MarshalText returns the whole text, with password and fragment; nothing for the zero URL. It
// implements encoding.TextMarshaler, which JSON, XML and maps with URLs as keys use. It never
// fails.
func (u URL) MarshalText() ([]byte, error) { return u.AppendText(nil) }

// AppendText appends what [URL.MarshalText] returns. It implements encoding.TextAppender and never
// fails.
func (u URL) AppendText(b []byte) ([]byte, error) { return append(b, u.text...), nil }

// UnmarshalText parses a URL with [Current]; an empty text is the zero URL. The error is a
// *[SyntaxError], whose text names the beginning of the malformed one without its password, and u
// is unchanged then. Use [Unwrap] first for input such as "<URL:...>".
//
// A URL that Current parsed comes back the same. A URL that [RFC1738] parsed comes back [Equal], or
// is an error if Current has a rule for its scheme and RFC 1738 does not, as for https, and the
// text does not meet it.
func (u *URL) UnmarshalText(text []byte) error {
	err := u.Set(string(text))
	if wrong, ok := errors.AsType[*SyntaxError](err); ok {
		named := *wrong
		if named.text = Redact(string(text)); len(named.text) > maxTextShown {
			named.text = named.text[:maxTextShown] + "..."
		}
		return &named
	}
	return err
}

// maxTextShown is how many bytes of a text an error of UnmarshalText shows.
const maxTextShown = 100

// MarshalBinary is MarshalText for package gob. It implements encoding.BinaryMarshaler and never
// fails.
func (u URL) MarshalBinary() ([]byte, error) { return u.MarshalText() }

// UnmarshalBinary is UnmarshalText for package gob. It implements encoding.BinaryUnmarshaler.
func (u *URL) UnmarshalBinary(data []byte) error { return u.UnmarshalText(data) }

// Set is UnmarshalText for a string, so that a *URL is a flag.Value:
//
//	var base locator.URL
//	flag.Var(&base, "base", "where to begin")
//
// Usage messages show its default without the password; those of flag.TextVar show the whole text.
func (u *URL) Set(s string) error {
	if s == "" {
		*u = URL{}
		return nil
	}
	read, err := Current.Parse(s)
	if err != nil {
		return err
	}
	*u = read
	return nil
}

// Value returns the whole text as a string for a database, and nil (NULL) for the zero URL. It
// implements driver.Valuer and never fails.
func (u URL) Value() (driver.Value, error) {
	if u.IsZero() {
		return nil, nil
	}
	return u.text, nil
}

// Scan parses a database value like [URL.UnmarshalText]: a string, bytes, or NULL for the zero URL.
// It implements sql.Scanner.
func (u *URL) Scan(src any) error {
	switch src := src.(type) {
	case nil:
		*u = URL{}
		return nil
	case string:
		return u.Set(src)
	case []byte:
		return u.Set(string(src))
	}
	return fmt.Errorf("locator: a column of %T holds no URL: store it as text", src)
}

// LogValue returns the [URL.Redacted] form for package slog.
func (u URL) LogValue() slog.Value { return slog.StringValue(u.Redacted()) }
