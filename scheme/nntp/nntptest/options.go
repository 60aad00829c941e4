package nntptest

import (
	"crypto/tls"
	"time"
)

// An Option makes the server behave like another one.
type Option func(*behavior)

// behavior holds the differences between servers.
type behavior struct {
	news       bool // URL returns news URLs with message-ids
	old        bool // RFC 977: no CAPABILITIES
	modeReader bool
	without    map[string]bool // commands that it does not have
	login      bool
	loginFor   map[string]bool // commands that need a login
	sasl       bool            // only SASL PLAIN
	closed     bool            // no login until TLS, and no reading until a login
	tls        *tls.Config
	implicit   bool
	replies    map[string]string // by verb
	posted     *string           // the reply to an article; nil means the true one
	hangup     map[string]bool   // by verb
	endless    map[string]string // what repeats after a reply, by verb
	articles   []posting
	sparse     int64
	noRanges   bool
	cut        int // the connection is closed after so many articles
}

type posting struct {
	group, text string
	came        time.Time // zero means the start of the server
}

// News makes URL return news URLs: groups, and articles by message-id.
func News() Option { return func(b *behavior) { b.news = true } }

// Old makes the server one of RFC 977 and 2980: no CAPABILITIES, OVER and HDR, but XOVER and XHDR.
func Old() Option {
	return func(b *behavior) { b.old = true; Without("CAPABILITIES", "OVER", "HDR")(b) }
}

// ModeReader makes the server answer 401 to the commands for readers until MODE READER, as innd of
// INN 2.7.1 does.
func ModeReader() Option { return func(b *behavior) { b.modeReader = true } }

// Without removes commands.
func Without(verbs ...string) Option {
	return func(b *behavior) {
		for _, v := range verbs {
			b.without[v] = true
		}
	}
}

// Login makes the server answer 480 until the login of [Alice]. Until then, it does not say that it
// has OVER and HDR.
func Login() Option { return func(b *behavior) { b.login = true } }

// LoginFor makes the server answer 480 to these commands until the login of [Alice].
func LoginFor(verbs ...string) Option {
	return func(b *behavior) {
		b.loginFor = make(map[string]bool)
		for _, v := range verbs {
			b.loginFor[v] = true
		}
	}
}

// SASL makes the server accept logins by SASL PLAIN only.
func SASL() Option { return func(b *behavior) { b.sasl = true } }

// TLS offers STARTTLS (RFC 4642).
func TLS(c *tls.Config) Option { return func(b *behavior) { b.tls = c } }

// OnlyTLS makes the server answer 483 to logins and to the commands for readers until STARTTLS.
func OnlyTLS(c *tls.Config) Option { return func(b *behavior) { b.tls, b.closed = c, true } }

// ImplicitTLS makes it a server of nntps and snews: TLS from the first byte.
func ImplicitTLS(c *tls.Config) Option { return func(b *behavior) { b.tls, b.implicit = c, true } }

// Reply makes the server answer a command with these bytes, whatever its arguments. The verb "" is
// the greeting; it may have the first argument, as in "LIST ACTIVE".
func Reply(verb, bytes string) Option { return func(b *behavior) { b.replies[verb] = bytes } }

// Endless makes the server answer a command with these bytes, and repeat piece until the connection
// ends. The verb "" is the greeting.
func Endless(verb, bytes, piece string) Option {
	return func(b *behavior) { b.replies[verb], b.endless[verb], b.hangup[verb] = bytes, piece, true }
}

// Article adds an article to a group. Its lines end with CR LF.
func Article(group, text string) Option {
	return func(b *behavior) { b.articles = append(b.articles, posting{group: group, text: text}) }
}

// ArticleAt is like [Article] for an article that came at that time, as NEWNEWS reports.
func ArticleAt(group, text string, came time.Time) Option {
	return func(b *behavior) { b.articles = append(b.articles, posting{group, text, came}) }
}

// CutAfter makes the server close each connection in the middle of the article after n others.
func CutAfter(n int) Option { return func(b *behavior) { b.cut = n } }

// Sparse numbers the articles of a group n apart.
func Sparse(n int64) Option { return func(b *behavior) { b.sparse = n } }

// Hangup makes the server close the connection after a [Reply] to the verb.
func Hangup(verb string) Option { return func(b *behavior) { b.hangup[verb] = true } }

// NoRanges makes LISTGROUP take its range for a part of the name, as leafnode 1.12.0 does.
func NoRanges() Option { return func(b *behavior) { b.noRanges = true } }
