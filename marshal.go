package locator

import (
	"database/sql/driver"
	"fmt"
	"log/slog"
)

// A URL has two forms. What is shown to anyone, String, Format, GoString and LogValue, masks the password. What a program
// stores or sends on, Text, AppendText, MarshalText, MarshalBinary and Value, is the whole text, password included; a
// masked one would be no locator any more. So a URL in JSON is whole: in a log, give the URL itself to package slog, not a
// struct or a slice that holds one.

// MarshalText is the whole text, with password and fragment; nothing for the zero URL. It serves JSON, XML and maps with
// URLs for keys. It follows encoding.TextMarshaler and gives no error.
func (u URL) MarshalText() ([]byte, error) { return u.AppendText(nil) }

// AppendText appends what [URL.MarshalText] gives. It follows encoding.TextAppender and gives no error.
func (u URL) AppendText(b []byte) ([]byte, error) { return append(b, u.text...), nil }

// UnmarshalText reads a URL by [Current]; no text is the zero URL. The error is a *[SyntaxError], and u is then as before.
// Other input, as "<URL:...>", is for [Unwrap] first.
//
// What Current read comes back the same. What [RFC1738] read comes back [Equal], and an error only where Current has a
// rule for a scheme that RFC 1738 has none for, as for https, and the text does not meet it.
func (u *URL) UnmarshalText(text []byte) error { return u.Set(string(text)) }

// MarshalBinary is MarshalText for package gob. It follows encoding.BinaryMarshaler and gives no error.
func (u URL) MarshalBinary() ([]byte, error) { return u.MarshalText() }

// UnmarshalBinary is UnmarshalText for package gob. It follows encoding.BinaryUnmarshaler.
func (u *URL) UnmarshalBinary(data []byte) error { return u.UnmarshalText(data) }

// Set is UnmarshalText for a string, so that a *URL is a flag.Value:
//
//	var base locator.URL
//	flag.Var(&base, "base", "where to begin")
//
// Usage messages show its default by String, without password; those of flag.TextVar show the whole text.
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

// Value is the whole text as a string for a database, and NULL for the zero URL. It follows driver.Valuer of
// database/sql/driver and gives no error.
func (u URL) Value() (driver.Value, error) {
	if u.IsZero() {
		return nil, nil
	}
	return u.text, nil
}

// Scan takes what a database holds, as [URL.UnmarshalText] does: a string, octets, or NULL for the zero URL. It follows
// sql.Scanner.
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

// LogValue is the [URL.Redacted] form for package slog.
func (u URL) LogValue() slog.Value { return slog.StringValue(u.Redacted()) }
