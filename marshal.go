package locator

import (
	"database/sql/driver"
	"errors"
	"fmt"
	"log/slog"
)

// A URL has two forms. String, Format, GoString and LogValue show it and mask the password. Text, AppendText, MarshalText,
// MarshalBinary and Value are for storing and sending and return the whole text; a masked URL would locate nothing. So JSON
// contains the password: log the URL itself with package slog, not a struct or a slice that contains one.

// MarshalText returns the whole text, with password and fragment; nothing for the zero URL. It implements encoding.TextMarshaler, which
// JSON, XML and maps with URLs as keys use. It never fails.
func (u URL) MarshalText() ([]byte, error) { return u.AppendText(nil) }

// AppendText appends what [URL.MarshalText] returns. It implements encoding.TextAppender and never fails.
func (u URL) AppendText(b []byte) ([]byte, error) { return append(b, u.text...), nil }

// UnmarshalText parses a URL with [Current]; an empty text is the zero URL. The error is a *[SyntaxError], whose text names the
// beginning of the malformed one without its password, and u is unchanged then.
// Use [Unwrap] first for input such as "<URL:...>".
//
// A URL that Current parsed comes back the same. A URL that [RFC1738] parsed comes back [Equal], or is an error if Current has a rule for
// its scheme and RFC 1738 does not, as for https, and the text does not meet it.
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

// MarshalBinary is MarshalText for package gob. It implements encoding.BinaryMarshaler and never fails.
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

// Value returns the whole text as a string for a database, and nil (NULL) for the zero URL. It implements driver.Valuer and never
// fails.
func (u URL) Value() (driver.Value, error) {
	if u.IsZero() {
		return nil, nil
	}
	return u.text, nil
}

// Scan parses a database value like [URL.UnmarshalText]: a string, bytes, or NULL for the zero URL. It implements sql.Scanner.
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
