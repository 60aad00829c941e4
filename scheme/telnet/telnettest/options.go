package telnettest

import "crypto/tls"

// Option configures a server.
type Option func(*behavior)

// behavior is how a server deviates from the usual one.
type behavior struct {
	greeting  string
	asks      [][2]byte
	character bool
	login     bool
	tls       *tls.Config
}

// Greeting replaces the first data that the server sends. It is sent as it is: an octet 255 in it
// is a command.
func Greeting(octets string) Option { return func(b *behavior) { b.greeting = octets } }

// Ask makes the server begin with a request, such as DO (253) and NAWS (31). It may be given more
// than once.
func Ask(command, option byte) Option {
	return func(b *behavior) { b.asks = append(b.asks, [2]byte{command, option}) }
}

// Character makes the server echo (RFC 857) and suppress Go Ahead (RFC 858): it gets each character
// as it is typed.
func Character() Option { return func(b *behavior) { b.character = true } }

// Login makes the server ask for a name and a password first, which it does not echo. It accepts
// any.
func Login() Option { return func(b *behavior) { b.login = true } }

// TLS makes the server use TLS from the first byte.
func TLS(config *tls.Config) Option { return func(b *behavior) { b.tls = config } }
