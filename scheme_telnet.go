package locator

import (
	"fmt"
	"log/slog"
)

const telnetProductions = `
telneturl      = "telnet://" login [ "/" ]
`

// telnetCurrent is RFC 4248 2.
const telnetCurrent = `
telneturl      = "telnet://" authority [ "/" ]
`

// Telnet is the view of a telnet or telnets URL (RFC 1738 3.8). User and password are a hint for
// people; they are not sent.
type Telnet struct {
	Secure bool // telnets: telnet over TLS (an extension)
	Login
}

// String returns the redacted URL that Build writes, or its error.
func (v Telnet) String() string { return viewString(&v) }

// Format prints String for every verb, so that a password is never shown.
func (v Telnet) Format(f fmt.State, verb rune) { formatView(f, verb, &v) }

// MarshalText returns the whole URL that [Build] writes, with the password; nothing for the zero
// view. JSON uses it. The error is that of Build.
func (v Telnet) MarshalText() ([]byte, error) { return viewText(&v) }

// UnmarshalText reads what MarshalText writes. It fails like [URL.UnmarshalText], or if the URL has
// another view.
func (v *Telnet) UnmarshalText(text []byte) error { return unmarshalView(v, text) }

// LogValue returns the redacted URL for package slog.
func (v Telnet) LogValue() slog.Value { return logView(&v) }

// telnet parses what follows the colon of telnet or telnets.
func (r *reader) telnet(i int) int {
	const rule = "telneturl"
	if i = r.slashes(i, rule); i < 0 {
		return -1
	}
	if i = r.login(i); i < 0 || i == len(r.s) {
		return r.noPath(i)
	}
	if i++; i < len(r.s) {
		return r.fail(i, rule, "the end of the URL", `end after the host, or after the "/" that follows it`)
	}
	return r.path(i)
}

func (*Telnet) of(u URL) View {
	d := u.decoder()
	return &Telnet{Secure: u.row().TLS, Login: u.login(&d)}
}

func (*Telnet) parts(u URL) []Part { return []Part{} }

// Scheme returns "telnet", or "telnets" if Secure is set.
func (v *Telnet) Scheme() string { return schemes.name(telnetGrammar, v.Secure) }

func (v *Telnet) build(b *builder) {
	b.login(v.Login)
	b.text("/")
}

// commandParts: a telnet login is never sent, but a person may copy it.
func (v *Telnet) commandParts(look lookFunc) { v.Login.commandParts(look) }
