package scheme_test

import (
	"context"
	"errors"
	"io"
	"iter"
	"net"
	"os"
	"strings"
	"time"

	"locator"
	"locator/scheme"
	"locator/scheme/form"
	"locator/scheme/message"
	"locator/scheme/session"
)

// The sketches in this file and ten_more_test.go are minimal implementations of the ten schemes of
// RFC 1738. They use no network. [TestTenSchemes] checks their results against the rules of
// [scheme.Resource]. If a change of the contract breaks a scheme, it does not compile here.

type sketch string

func (s sketch) Syntax() *locator.Syntax { return &locator.Syntax{Name: string(s)} }

// listing returns a listing of the entries.
func listing(r scheme.Request, list ...scheme.Entry) (*scheme.Resource, error) {
	return &scheme.Resource{URL: r.URL, Kind: scheme.KindListing, Entries: entries(list...)}, nil
}

// entries returns the sequence of the entries.
func entries(list ...scheme.Entry) iter.Seq2[scheme.Entry, error] {
	return func(yield func(scheme.Entry, error) bool) {
		for _, e := range list {
			if !yield(e, nil) {
				return
			}
		}
	}
}

func body(text string) io.ReadCloser { return io.NopCloser(strings.NewReader(text)) }

// dial opens a control connection that is bound to the context.
func dial(ctx context.Context, env *scheme.Env, addr string) (net.Conn, error) {
	c, err := env.Dial(ctx, scheme.Dial{Purpose: scheme.ForControl, Addr: addr})
	if err != nil {
		return nil, err // the client converts it
	}
	scheme.Bind(ctx, c)
	return c, nil
}

// ftpSketch: a pooled control connection, data connections to the same server, logins, types,
// updates (RFC 1738 3.2).
type ftpSketch struct{ sketch }

type ftpControl struct{ net.Conn }

func (s ftpSketch) Access(ctx context.Context, env *scheme.Env, r scheme.Request, o scheme.AccessOptions) (*scheme.Resource, error) {
	user, password, ok, err := env.Login(ctx, scheme.LoginRequest{Scheme: "ftp", Host: "h", Port: 21, NonInteractive: env.TLSMode == scheme.TLSOff})
	if err != nil {
		return nil, scheme.Fail(scheme.CodeLoginNeeded, "no login: %w", err)
	}
	if !ok {
		user, password = "anonymous", env.Mail
	}
	key := "h:21 " + user
	c, reused, release, err := env.Keep(ctx, key, func(ctx context.Context) (scheme.Kept, error) {
		conn, err := env.Dial(ctx, scheme.Dial{Purpose: scheme.ForControl, Addr: "h:21"})
		return ftpControl{conn}, err
	})
	if err != nil {
		return nil, err
	}
	env.Trace.OnNote("reused " + strings.Repeat("x", len(password)) + map[bool]string{true: "!"}[reused])
	unbind := scheme.Bind(ctx, c)
	control := c.(ftpControl)
	data, err := env.Dial(ctx, scheme.Dial{Purpose: scheme.ForData, Control: control.Conn, Addr: ":40000"})
	if err != nil {
		release(false)
		return nil, err
	}
	defer data.Close()
	defer func() { release(unbind()) }()
	if o.Raw != 0 || o.Type == 'd' {
		return &scheme.Resource{URL: r.URL, Kind: scheme.KindObject, Body: body("a\r\nb\r\n")}, nil
	}
	return &scheme.Resource{URL: r.URL, Kind: scheme.KindObject, Body: body("text"), Range: o.Range,
		Attr:  scheme.Attr{Size: scheme.Known(4), Modified: env.Clock.Now(), Ranges: true},
		Notes: []string{"the server refused an empty CWD"}}, nil
}

func (s ftpSketch) List(ctx context.Context, env *scheme.Env, r scheme.Request, o scheme.ListOptions) (*scheme.Resource, error) {
	return &scheme.Resource{URL: r.URL, Kind: scheme.KindListing, Entries: func(yield func(scheme.Entry, error) bool) {
		c, err := dial(ctx, env, "h:21")
		if err != nil {
			yield(scheme.Entry{}, err)
			return
		}
		defer c.Close()
		if o.Copy != nil {
			io.WriteString(o.Copy, "drwxr-xr-x 2 root root 0 Dec 1 1994 sub\r\n")
		}
		yield(scheme.Entry{Name: "sub", Kind: scheme.KindListing, Attr: scheme.Attr{Mode: 0o755, Owner: "root", Precision: 24 * time.Hour}}, nil)
	}}, nil
}

func (s ftpSketch) Attributes(_ context.Context, _ *scheme.Env, r scheme.Request, _ scheme.AttributesOptions) (*scheme.Resource, error) {
	return &scheme.Resource{URL: r.URL, Kind: scheme.KindObject, Attr: scheme.Attr{Size: scheme.Known(4), Ranges: true}, Status: "213"}, nil
}

func (s ftpSketch) Replace(_ context.Context, _ *scheme.Env, r scheme.Request, b scheme.Body, o scheme.WriteOptions) (*scheme.Resource, error) {
	n, err := io.Copy(io.Discard, b)
	if err != nil {
		return nil, scheme.Fail(scheme.CodeBroken, "part of the file may be left behind: %w", err)
	}
	if size, ok := b.Size.Get(); ok && n != size {
		return nil, scheme.Fail(scheme.CodeLocal, "%d bytes were announced, and there were %d", size, n)
	}
	if err := b.Pass(); err != nil {
		return nil, err
	}
	return &scheme.Resource{URL: r.URL, Kind: scheme.KindObject, Body: body("")}, nil
}

func (s ftpSketch) Update(ctx context.Context, env *scheme.Env, r scheme.Request, b scheme.Body, o scheme.WriteOptions) (*scheme.Resource, error) {
	return s.Replace(ctx, env, r, b, o) // APPE; STOU returns a Resource with another URL
}

func (s ftpSketch) Remove(context.Context, *scheme.Env, scheme.Request) error { return nil }

func (s ftpSketch) Rename(_ context.Context, _ *scheme.Env, _ scheme.Request, to locator.URL) error {
	if to.IsZero() {
		return scheme.Fail(scheme.CodeUsage, "no name")
	}
	return nil
}

func (s ftpSketch) MakeDir(context.Context, *scheme.Env, scheme.Request) error { return nil }

// httpSketch: redirects, conditions, ranges, realms (RFC 1738 3.3).
type httpSketch struct{ sketch }

func (s httpSketch) Access(ctx context.Context, env *scheme.Env, r scheme.Request, o scheme.AccessOptions) (*scheme.Resource, error) {
	c, err := env.Dial(ctx, scheme.Dial{Purpose: scheme.ForControl, Addr: "h:80"})
	if err != nil {
		return nil, err
	}
	defer c.Close()
	if _, _, ok, err := env.Login(ctx, scheme.LoginRequest{Scheme: "http", Realm: "staff", Attempt: 0}); err != nil || !ok && o.Detail {
		return nil, scheme.Replied(scheme.CodeLoginNeeded, "401 Unauthorized", "the server asks for a login to %q", "staff")
	}
	switch {
	case o.If.NoneMatch != "":
		return &scheme.Resource{URL: r.URL, Kind: scheme.KindObject, NotModified: true, Attr: scheme.Attr{ETag: o.If.NoneMatch}}, nil
	case r.From != nil && r.From.Kind == scheme.HopRedirect && r.From.N >= env.Limits.Hops:
		return nil, scheme.Fail(scheme.CodeProtocol, "more than %d redirects", env.Limits.Hops)
	case o.Query.IsSet(): // simulates a 301
		return &scheme.Resource{URL: r.URL, Kind: scheme.KindReferral, Permanent: true, Hop: scheme.HopRedirect, Status: "301", Next: []scheme.Entry{{Kind: scheme.KindUnknown}}}, nil
	}
	return &scheme.Resource{URL: r.URL, Kind: scheme.KindObject, Body: body(""), Range: o.Range,
		Attr: scheme.Attr{Type: "text/html", ETag: `"1"`, More: []scheme.Attribute{{Name: "Set-Cookie", Value: "a=b"}, {Name: "Set-Cookie", Value: "c=d"}}}}, nil
}

func (s httpSketch) Attributes(_ context.Context, _ *scheme.Env, r scheme.Request, _ scheme.AttributesOptions) (*scheme.Resource, error) {
	return &scheme.Resource{URL: r.URL, Kind: scheme.KindObject, Attr: scheme.Attr{Type: "text/html"}, Status: "200"}, nil
}

func (s httpSketch) Update(_ context.Context, _ *scheme.Env, r scheme.Request, b scheme.Body, o scheme.WriteOptions) (*scheme.Resource, error) {
	return &scheme.Resource{URL: r.URL, Kind: scheme.KindObject, Body: body(b.Type)}, nil
}

func (s httpSketch) Replace(_ context.Context, _ *scheme.Env, r scheme.Request, _ scheme.Body, o scheme.WriteOptions) (*scheme.Resource, error) {
	return &scheme.Resource{URL: r.URL, Kind: scheme.KindObject, Body: body("")}, nil
}

// fileSettings are the settings that file alone uses.
type fileSettings struct{ hosts []string }

// fileSketch: local files only (RFC 1738 3.10).
type fileSketch struct{ sketch }

func (s fileSketch) Access(ctx context.Context, env *scheme.Env, r scheme.Request, o scheme.AccessOptions) (*scheme.Resource, error) {
	for _, name := range scheme.Setting[fileSettings](env).hosts {
		if name == "other.dom" {
			return nil, scheme.Fail(scheme.CodeRefused, "the file is on the host %q, not here", name)
		}
	}
	if o.Query.Or("") == "confined" {
		root, err := os.OpenRoot("/srv")
		if err != nil {
			return nil, scheme.Fail(scheme.CodeLocal, "%w", err)
		}
		return nil, root.Close()
	}
	return s.List(ctx, env, r, scheme.ListOptions{})
}

func (s fileSketch) List(_ context.Context, _ *scheme.Env, r scheme.Request, o scheme.ListOptions) (*scheme.Resource, error) {
	return listing(r, scheme.Entry{Name: "caf\xe9.txt", URL: r.URL, Kind: scheme.KindObject, Attr: scheme.Attr{Modified: time.Unix(0, 0)}})
}

func (s fileSketch) Attributes(_ context.Context, _ *scheme.Env, r scheme.Request, _ scheme.AttributesOptions) (*scheme.Resource, error) {
	return &scheme.Resource{URL: r.URL, Kind: scheme.KindObject, Attr: scheme.Attr{Size: scheme.Known(0)}}, nil
}

func (s fileSketch) Update(_ context.Context, _ *scheme.Env, r scheme.Request, _ scheme.Body, o scheme.WriteOptions) (*scheme.Resource, error) {
	return &scheme.Resource{URL: r.URL, Kind: scheme.KindObject, Body: body("")}, nil
}

func (s fileSketch) Replace(_ context.Context, _ *scheme.Env, r scheme.Request, _ scheme.Body, o scheme.WriteOptions) (*scheme.Resource, error) {
	if !o.CreateDirs {
		return nil, scheme.Fail(scheme.CodeNotFound, "there is no such folder")
	}
	return &scheme.Resource{URL: r.URL, Kind: scheme.KindObject, Body: body("")}, nil
}

// gopherSketch: menus with alternates, searches, Gopher+ forms and attributes (RFC 1738 3.4).
type gopherSketch struct{ sketch }

func (s gopherSketch) Access(ctx context.Context, env *scheme.Env, r scheme.Request, o scheme.AccessOptions) (*scheme.Resource, error) {
	c, err := dial(ctx, env, "h:70")
	if err != nil {
		return nil, err
	}
	defer c.Close()
	switch {
	case o.Query.IsSet():
		return s.List(ctx, env, r, scheme.ListOptions{Query: o.Query})
	case o.Detail:
		return &scheme.Resource{URL: r.URL, Kind: scheme.KindForm, Form: &form.Form{State: s, Fields: []form.Field{
			{Name: "Your name:", Kind: form.Text, Default: "nobody"},
			{Name: "Password:", Kind: form.Secret},
			{Name: "Comments:", Kind: form.Lines},
			{Name: "Colour:", Kind: form.Choice, Options: []string{"red", "green"}},
			{Name: "Agree?", Kind: form.Switch, Default: "0"},
			{Name: "Picture:", Kind: form.File},
			{Name: "Thank you", Kind: form.Note},
		}}}, nil
	}
	return &scheme.Resource{URL: r.URL, Kind: scheme.KindQuery, Form: &form.Form{Fields: []form.Field{{Name: "Words:"}}}}, nil
}

func (s gopherSketch) List(_ context.Context, _ *scheme.Env, r scheme.Request, o scheme.ListOptions) (*scheme.Resource, error) {
	return listing(r,
		scheme.Entry{Name: "an information line", Kind: scheme.KindNote},
		scheme.Entry{Name: "A document", URL: r.URL, Kind: scheme.KindObject, Attr: scheme.Attr{Score: scheme.Known(99)},
			Alternates: []scheme.Entry{{Name: "PostScript", URL: r.URL, Kind: scheme.KindObject, Attr: scheme.Attr{Type: "application/postscript"}}},
			Mirrors:    []scheme.Entry{{Name: "A document", URL: r.URL, Kind: scheme.KindObject}}},
		scheme.Entry{Name: "A telnet session", URL: r.URL, Kind: scheme.KindSession},
	)
}

func (s gopherSketch) Attributes(_ context.Context, _ *scheme.Env, r scheme.Request, _ scheme.AttributesOptions) (*scheme.Resource, error) {
	return &scheme.Resource{URL: r.URL, Kind: scheme.KindObject, Attr: scheme.Attr{Admin: "root <root@h>", Abstract: "Line one"}}, nil
}

func (s gopherSketch) Fill(r scheme.Request, f *form.Form, answers []form.Answer) (locator.URL, bool) {
	for i, field := range f.Fields {
		if field.Kind == form.Secret && i < len(answers) && answers[i].Value != "" {
			return locator.URL{}, false // a URL must not contain a secret
		}
	}
	return r.URL, true
}

func (s gopherSketch) Submit(_ context.Context, _ *scheme.Env, r scheme.Request, o scheme.SubmitOptions) (*scheme.Resource, error) {
	for _, answer := range o.Answers {
		if answer.File != nil {
			if _, err := io.Copy(io.Discard, answer.File); err != nil {
				return nil, scheme.Fail(scheme.CodeLocal, "the answer to %q: %w", answer.Name, err)
			}
		}
	}
	return &scheme.Resource{URL: r.URL, Kind: scheme.KindObject, Body: body("thanks")}, nil
}

// mailtoSketch: Access returns a draft, and only Update sends it (RFC 1738 3.5).
type mailtoSketch struct{ sketch }

func (s mailtoSketch) Access(_ context.Context, _ *scheme.Env, r scheme.Request, o scheme.AccessOptions) (*scheme.Resource, error) {
	return &scheme.Resource{URL: r.URL, Kind: scheme.KindDraft, Draft: &message.Draft{
		To:     []string{"alice@host.dom"},
		Header: []message.Field{{Name: "Subject", Value: "hello"}},
		Body:   "text\n",
	}}, nil
}

// Attributes are the domain's mail exchangers.
func (s mailtoSketch) Attributes(ctx context.Context, env *scheme.Env, r scheme.Request, _ scheme.AttributesOptions) (*scheme.Resource, error) {
	list, err := env.MX(ctx, "host.dom")
	if err != nil {
		return nil, err
	}
	res := &scheme.Resource{URL: r.URL, Kind: scheme.KindDraft}
	for _, mx := range list {
		res.Attr.More = append(res.Attr.More, scheme.Attribute{Name: "MX", Value: mx.Host})
	}
	return res, nil
}

func (s mailtoSketch) Update(ctx context.Context, env *scheme.Env, r scheme.Request, b scheme.Body, o scheme.WriteOptions) (*scheme.Resource, error) {
	servers := env.Servers
	if len(servers) == 0 {
		return nil, scheme.Fail(scheme.CodeLocal, "no mail server is configured; name one with --smtp")
	}
	c, err := dial(ctx, env, servers[0].Host())
	if err != nil {
		return nil, err
	}
	defer c.Close()
	if env.TLSMode >= scheme.TLSTry {
		if c, err = env.Dial(ctx, scheme.Dial{TLS: servers[0].Host(), Over: c}); err != nil {
			return nil, scheme.Fail(scheme.CodeRefused, "the mail server's certificate: %w", err)
		}
	}
	if _, err := io.Copy(c, b); err != nil {
		return nil, scheme.Fail(scheme.CodeBroken, "the mail was not sent: %w", err)
	}
	if err := b.Pass(); err != nil {
		return nil, err
	}
	return &scheme.Resource{URL: r.URL, Kind: scheme.KindDraft, Draft: &message.Draft{}, Receipt: &scheme.Receipt{
		ID: "<id@host.dom>", Reply: "250 queued", Accepted: []string{"alice@host.dom"}, At: env.Clock.Now(),
		Refused: []scheme.Refusal{{Recipient: "bob@host.dom", Reply: "550 no such user"}},
	}}, nil
}

// newsSketch serves news and nntp: groups list articles, "*" lists groups (RFC 1738 3.6, 3.7).
type newsSketch struct{ sketch }

func (s newsSketch) Access(ctx context.Context, env *scheme.Env, r scheme.Request, o scheme.AccessOptions) (*scheme.Resource, error) {
	if s.sketch == "news" && len(env.Servers) == 0 {
		return nil, scheme.Fail(scheme.CodeLocal, "no news server is configured; set NNTPSERVER or --news-server")
	}
	if o.Detail {
		return &scheme.Resource{URL: r.URL, Kind: scheme.KindObject, Attr: scheme.Attr{Type: "message/rfc822", Lines: scheme.Known(3)},
			Body: body("Subject: hello\n\ntext\n")}, nil
	}
	return s.List(ctx, env, r, scheme.ListOptions{Query: o.Query})
}

func (s newsSketch) List(_ context.Context, _ *scheme.Env, r scheme.Request, o scheme.ListOptions) (*scheme.Resource, error) {
	return listing(r, scheme.Entry{Name: "hello", URL: r.URL, Kind: scheme.KindObject, Attr: scheme.Attr{
		Size: scheme.Known(500), Lines: scheme.Known(3), Modified: time.Unix(0, 0),
		More: []scheme.Attribute{{Block: "OVER", Name: "From", Value: "alice@host.dom"}, {Block: "OVER", Name: "References", Value: "<a@b>"}},
	}}, scheme.Entry{Name: "local.test", URL: r.URL, Kind: scheme.KindListing})
}

func (s newsSketch) Update(_ context.Context, _ *scheme.Env, r scheme.Request, _ scheme.Body, o scheme.WriteOptions) (*scheme.Resource, error) {
	return &scheme.Resource{URL: r.URL, Kind: scheme.KindObject, Body: body("<id@host.dom>")}, nil
}

// telnetSketch: a session; user and password are advice (RFC 1738 3.8).
type telnetSketch struct{ sketch }

type terminal struct {
	net.Conn
	kind string
	mode chan session.Mode
}

func (t terminal) Resize(width, height int) error {
	if width <= 0 || height <= 0 {
		return scheme.Fail(scheme.CodeUsage, "a window of %d by %d characters", width, height)
	}
	return nil
}
func (t terminal) Advice() []string           { return []string{"log in as guest", "terminal type " + t.kind} }
func (t terminal) Secret() (string, bool)     { return "guest", true }
func (t terminal) Modes() <-chan session.Mode { return t.mode }
func (t terminal) CloseWrite() error          { return errors.ErrUnsupported }
func (t terminal) Send(s session.Signal) error {
	_, err := t.Write([]byte{255, 243 + byte(s)})
	return err
}

func (s telnetSketch) Access(ctx context.Context, env *scheme.Env, r scheme.Request, o scheme.AccessOptions) (*scheme.Resource, error) {
	c, err := env.Dial(ctx, scheme.Dial{Purpose: scheme.ForControl, Addr: "h:23", Interactive: true})
	if err != nil {
		return nil, err
	}
	scheme.Bind(ctx, c)
	mode := make(chan session.Mode, 1)
	mode <- session.Mode{RemoteEcho: true, LineMode: false}
	return &scheme.Resource{URL: r.URL, Kind: scheme.KindSession, Session: terminal{c, o.Terminal.Type, mode}}, nil
}

// waisSketch: a database is a query, its answers are scored (RFC 1738 3.9).
type waisSketch struct{ sketch }

func (s waisSketch) Access(ctx context.Context, env *scheme.Env, r scheme.Request, o scheme.AccessOptions) (*scheme.Resource, error) {
	c, err := dial(ctx, env, "h:210")
	if err != nil {
		return nil, err
	}
	defer c.Close()
	if o.Query.IsSet() {
		return s.List(ctx, env, r, scheme.ListOptions{Query: o.Query})
	}
	return &scheme.Resource{URL: r.URL, Kind: scheme.KindQuery, Form: &form.Form{Fields: []form.Field{{Name: "Search for:"}}}}, nil
}

func (s waisSketch) List(_ context.Context, env *scheme.Env, r scheme.Request, o scheme.ListOptions) (*scheme.Resource, error) {
	list := []scheme.Entry{
		{Name: "best", URL: r.URL, Kind: scheme.KindObject, Attr: scheme.Attr{Score: scheme.Known(1000), Lines: scheme.Known(9), Type: "text/plain"},
			Alternates: []scheme.Entry{{Name: "GIF", URL: r.URL, Kind: scheme.KindObject}}},
		{Name: "second", URL: r.URL, Kind: scheme.KindObject, Attr: scheme.Attr{Score: scheme.Known(1)}},
	}
	most := env.Limits.Entries
	if o.Max > 0 {
		most = min(most, o.Max)
	}
	return listing(r, list[:min(most, len(list))]...)
}

// prosperoSketch: datagrams; an object is a link to other access methods (RFC 1738 3.11).
type prosperoSketch struct{ sketch }

func (s prosperoSketch) Access(ctx context.Context, env *scheme.Env, r scheme.Request, o scheme.AccessOptions) (*scheme.Resource, error) {
	c, err := env.Dial(ctx, scheme.Dial{Purpose: scheme.ForControl, Network: "udp", Addr: "h:1525"})
	if err != nil {
		return nil, err
	}
	defer c.Close()
	// Each datagram has its own timeout, shorter than Limits.Idle, after which it is sent again.
	if err := c.SetReadDeadline(env.Clock.Now().Add(4 * time.Second)); err != nil {
		return nil, err
	}
	if r.From != nil && r.From.FromPublic && r.From.Kind == scheme.HopReferral {
		return nil, scheme.Fail(scheme.CodeRefused, "a referral from a public host")
	}
	return &scheme.Resource{URL: r.URL, Kind: scheme.KindReferral,
		Attr: scheme.Attr{More: []scheme.Attribute{{Block: "ACCESS-METHOD", Name: "AFTP", Value: "INTERNET-D HOST.DOM ASCII /pub/x BINARY"}}},
		Next: []scheme.Entry{{Name: "best", URL: r.URL, Kind: scheme.KindUnknown}, {Name: "a method that we do not have", Kind: scheme.KindNote}}}, nil
}

func (s prosperoSketch) List(_ context.Context, env *scheme.Env, r scheme.Request, o scheme.ListOptions) (*scheme.Resource, error) {
	return &scheme.Resource{URL: r.URL, Kind: scheme.KindListing, Entries: func(yield func(scheme.Entry, error) bool) {
		if !yield(scheme.Entry{Name: "link", URL: r.URL, Kind: scheme.KindUnknown, Mirrors: []scheme.Entry{{URL: r.URL}}}, nil) {
			return
		}
		yield(scheme.Entry{}, scheme.Fail(scheme.CodeBroken, "the listing passed %d entries: %w", env.Limits.Entries, errors.ErrUnsupported))
	}}, nil
}

func (s prosperoSketch) Attributes(_ context.Context, _ *scheme.Env, r scheme.Request, _ scheme.AttributesOptions) (*scheme.Resource, error) {
	return &scheme.Resource{URL: r.URL, Kind: scheme.KindReferral, Hop: scheme.HopReferral}, nil
}

// ten are the sketches in the order of RFC 1738 section 3.
func ten() []scheme.Scheme {
	return []scheme.Scheme{
		ftpSketch{"ftp"}, httpSketch{"http"}, gopherSketch{"gopher"}, mailtoSketch{"mailto"}, newsSketch{"news"},
		newsSketch{"nntp"}, telnetSketch{"telnet"}, waisSketch{"wais"}, fileSketch{"file"}, prosperoSketch{"prospero"},
	}
}

var (
	_ scheme.Remover   = ftpSketch{}
	_ scheme.Renamer   = ftpSketch{}
	_ scheme.Maker     = ftpSketch{}
	_ scheme.Submitter = gopherSketch{}
	_ session.Session  = terminal{}
)
