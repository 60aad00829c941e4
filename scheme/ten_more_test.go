package scheme_test

import (
	"context"
	"errors"
	"io"
	"net"
	"time"

	"locator/scheme"
	"locator/scheme/form"
	"locator/scheme/message"
	"locator/scheme/session"
)

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
	_ scheme.Filler    = gopherSketch{}
	_ session.Session  = terminal{}
)
