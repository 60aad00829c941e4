package locator

import (
	"fmt"
	"log/slog"
)

// tn3270Current is RFC 6270 2.
const tn3270Current = `
tn3270url      = "tn3270://" authority [ "/" ]
`

// TN3270 is the view of a tn3270 URL (RFC 6270). User and password are a hint for people; they are not sent.
type TN3270 struct {
	Login
}

// String returns the redacted URL that Build writes, or its error.
func (v TN3270) String() string { return viewString(&v) }

// Format prints String for every verb, so that a password is never shown.
func (v TN3270) Format(f fmt.State, verb rune) { formatView(f, verb, &v) }

// MarshalText returns the whole URL that [Build] writes, with the password; nothing for the zero view. JSON uses it. The error is that of Build.
func (v TN3270) MarshalText() ([]byte, error) { return viewText(&v) }

// UnmarshalText reads what MarshalText writes. It fails like [URL.UnmarshalText], or if the URL has another view.
func (v *TN3270) UnmarshalText(text []byte) error { return unmarshalView(v, text) }

// LogValue returns the redacted URL for package slog.
func (v TN3270) LogValue() slog.Value { return logView(&v) }

func (*TN3270) of(u URL) View {
	d := u.decoder()
	return &TN3270{Login: u.login(&d)}
}

func (*TN3270) parts(u URL) []Part { return []Part{textPart("part", Some(u.SchemePart()))} }

// Scheme returns "tn3270".
func (v *TN3270) Scheme() string { return "tn3270" }

func (v *TN3270) build(b *builder) {
	b.login(v.Login)
	b.text("/")
}

func (v *TN3270) commandParts(look lookFunc) { v.Login.commandParts(look) }
