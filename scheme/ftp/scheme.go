package ftp

import (
	"context"
	"io"

	"locator"
	"locator/scheme"
)

// Scheme accesses ftp URLs. It holds no state: idle connections are in the pool of the client
// (Env.Keep).
type Scheme struct{ implicit bool }

// New returns the scheme ftp.
func New() Scheme { return Scheme{} }

// NewTLS returns the scheme ftps: ftp over TLS from the first byte on, for control and data
// connections, by default on port
// 990. No RFC defines it (RFC 4217 switches to TLS within ftp); servers and clients implement it. Nothing is sent in clear text,
// whatever Env.TLSMode is, and the entries of its listings are ftps URLs.
func NewTLS() Scheme { return Scheme{implicit: true} }

var (
	_ scheme.Scheme     = Scheme{}
	_ scheme.Lister     = Scheme{}
	_ scheme.Attributer = Scheme{}
	_ scheme.Digester   = Scheme{}
	_ scheme.Updater    = Scheme{}
	_ scheme.Replacer   = Scheme{}
	_ scheme.Resumer    = Scheme{}
	_ scheme.Remover    = Scheme{}
	_ scheme.Renamer    = Scheme{}
	_ scheme.Maker      = Scheme{}
	_ scheme.Explainer  = Scheme{}
)

// Syntax returns the syntax of RFC 1738 3.2. An ftps URL has the same parts.
func (s Scheme) Syntax() *locator.Syntax {
	return locator.SyntaxOf((&locator.FTP{Secure: s.implicit}).Scheme())
}

// Options implements [scheme.OptionUser].
func (Scheme) Options() []string {
	return []string{"tls"}
}

// options are the options of all operations.
type options struct {
	scheme.AccessOptions
	max  int       // entries at most; 0 means all
	copy io.Writer // receives the bytes of a listing; nil means none
}

// Access follows RFC 1738 3.2.2: the directories in order, then NLST for ";type=d", else TYPE and
// RETR. The result is a KindListing if the name is missing, empty, or turns out to be a directory,
// else a KindObject.
func (Scheme) Access(ctx context.Context, env *scheme.Env, r scheme.Request, o scheme.AccessOptions) (*scheme.Resource, error) {
	w := options{AccessOptions: o}
	p, err := newPlace(r, w)
	if err != nil {
		return nil, err
	}
	p.options = &w
	return withSession(ctx, env, p, false, func(s *session) (*scheme.Resource, error) {
		switch p.op {
		case names:
			return s.nameList(w)
		case list:
			return s.list(w)
		}
		return s.retrieve(w)
	})
}

// Update appends to a file (APPE). Without a name it stores a new file under a name that the server
// chooses (STOU).
func (Scheme) Update(ctx context.Context, env *scheme.Env, r scheme.Request, b scheme.Body, o scheme.WriteOptions) (*scheme.Resource, error) {
	return upload(ctx, env, r, b, o, true)
}

// Replace stores a file: under a temporary name which is then renamed if the server allows that,
// else directly (STOR). Without a name it stores a new file under a name that the server chooses
// (STOU).
func (Scheme) Replace(ctx context.Context, env *scheme.Env, r scheme.Request, b scheme.Body, o scheme.WriteOptions) (*scheme.Resource, error) {
	return upload(ctx, env, r, b, o, false)
}
