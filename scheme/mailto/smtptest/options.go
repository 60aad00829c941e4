package smtptest

import (
	"crypto/tls"
	"time"
)

// An Option makes the server behave like another one.
type Option func(*behavior)

// behavior holds the differences between servers.
type behavior struct {
	tls      *tls.Config
	implicit bool
	inject   string // sent with the reply to STARTTLS, unencrypted
	login    bool   // mail needs a login
	auth     string // mechanisms; "" means no AUTH
	authTLS  bool   // AUTH only over TLS
	needTLS  bool   // mail needs TLS
	without  map[string]bool
	size     int
	replies  map[string]string // by verb; "" is the greeting, "." the reply to a message
	refused  map[string]string // replies by recipient
	closed   bool              // no other recipients than those of Known
	known    map[string]bool
	hangup   map[string]bool
	resetAt  map[string]bool
	delays   map[string]time.Duration
	early    string // sent when the first line of a message has arrived
}

// TLS offers STARTTLS.
func TLS(config *tls.Config) Option { return func(b *behavior) { b.tls = config } }

// ImplicitTLS uses TLS from the first byte.
func ImplicitTLS(config *tls.Config) Option {
	return func(b *behavior) { b.tls, b.implicit = config, true }
}

// NeedTLS refuses mail with 530 until STARTTLS.
func NeedTLS() Option { return func(b *behavior) { b.needTLS = true } }

// Inject sends text behind the reply to STARTTLS, unencrypted, as a third party on the way could.
func Inject(text string) Option { return func(b *behavior) { b.inject = text } }

// Login refuses mail with 530 until a login, by the mechanisms, such as "PLAIN LOGIN".
func Login(mechanisms string) Option {
	return func(b *behavior) { b.login, b.auth = true, mechanisms }
}

// Auth offers a login that is not required.
func Auth(mechanisms string) Option { return func(b *behavior) { b.auth = mechanisms } }

// AuthOverTLS offers logins over TLS only.
func AuthOverTLS() Option { return func(b *behavior) { b.authTLS = true } }

// Without removes extensions.
func Without(keywords ...string) Option {
	return func(b *behavior) {
		for _, k := range keywords {
			b.without[k] = true
		}
	}
}

// Size limits the size of a message, in bytes.
func Size(n int) Option { return func(b *behavior) { b.size = n } }

// Reply answers a command with text, which includes its line ends. The verb "" is the greeting, "."
// the reply to a message.
func Reply(verb, text string) Option { return func(b *behavior) { b.replies[verb] = text } }

// Refuse refuses a recipient with a reply.
func Refuse(recipient, reply string) Option {
	return func(b *behavior) { b.refused[recipient] = reply }
}

// Known refuses all recipients but these.
func Known(recipients ...string) Option {
	return func(b *behavior) {
		b.closed = true
		for _, r := range recipients {
			b.known[r] = true
		}
	}
}

// Delay waits before it answers a command.
func Delay(verb string, d time.Duration) Option { return func(b *behavior) { b.delays[verb] = d } }

// Early sends text when the first line of a message has arrived, and hangs up at the end of the
// message.
func Early(text string) Option { return func(b *behavior) { b.early = text } }

// Hangup closes the connection after the reply to a command, if Reply has one, else in place of it.
func Hangup(verb string) Option { return func(b *behavior) { b.hangup[verb] = true } }

// Reset resets the connection in place of the reply to a command.
func Reset(verb string) Option { return func(b *behavior) { b.resetAt[verb] = true } }
