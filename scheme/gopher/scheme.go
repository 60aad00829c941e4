package gopher

import (
	"context"
	"errors"
	"io"
	"time"

	"locator"
	"locator/scheme"
	"locator/scheme/form"
	"locator/scheme/internal/charsets"
)

// Scheme is gopher. It holds no state: every exchange is a connection of its own, as the protocol
// has it.
type Scheme struct {
	grace  time.Duration // see defaultGrace
	secure bool
}

var (
	_ scheme.Scheme        = Scheme{}
	_ scheme.Lister        = Scheme{}
	_ scheme.Attributer    = Scheme{}
	_ scheme.Updater       = Scheme{}
	_ scheme.Submitter     = Scheme{}
	_ scheme.FileNamer     = Scheme{}
	_ scheme.Explainer     = Scheme{}
	_ scheme.RobotsChecker = Scheme{}
)

// New returns the scheme gopher.
func New() Scheme { return Scheme{} }

// NewTLS returns the scheme gophers: gopher over TLS, by default on the same port. No RFC defines
// it; servers and clients of today do. A server that does not speak TLS is an error and never asked
// in the clear, and links in its menus to itself are gophers, too.
func NewTLS() Scheme { return Scheme{secure: true} }

// Syntax returns the syntax of gopher URLs (RFC 1738 3.4). A gophers URL has the same parts.
func (s Scheme) Syntax() *locator.Syntax {
	if s.secure {
		return locator.SyntaxOf(schemeNameTLS)
	}
	return locator.SyntaxOf(schemeName)
}

// Options implements [scheme.OptionUser].
func (Scheme) Options() []string {
	return []string{"decode", "reply"}
}

// options are what the caller of any operation wants.
type options struct {
	scheme.AccessOptions
	max  int       // entries at most; 0 means all
	hop  bool      // a server led to the URL
	copy io.Writer // receives the bytes of a menu; nil means none
}

// Access reads what the URL locates: a menu is a Listing, a search without words a Query, an item
// with an electronic form (RFC 1738 3.4.5) a Form, everything else an Object; an item of another
// protocol or one that has moved is a Referral. A filled form (RFC 1738 3.4.9) is sent, and Notes
// say so, unless a server led to the URL. Access ignores Detail.
func (s Scheme) Access(ctx context.Context, env *scheme.Env, r scheme.Request, o scheme.AccessOptions) (*scheme.Resource, error) {
	o.Detail = false
	res, err := s.access(ctx, env, r.URL, options{AccessOptions: o, hop: r.From != nil})
	return result(r.URL, res, err)
}

// result notes where a resource was read. An item that has moved is a referral.
func result(u locator.URL, res *scheme.Resource, err error) (*scheme.Resource, error) {
	if moved, ok := errors.AsType[*movedError](err); ok {
		res, err = moved.res, nil
	}
	if err == nil {
		res.URL = u
	}
	return res, err
}

// prepare returns the request of a URL, and what the server says about itself if the caller wants
// it.
func (s Scheme) prepare(ctx context.Context, env *scheme.Env, u locator.URL, r options) (q place, known caps, err error) {
	if q, err = newPlace(u); err != nil {
		return q, known, err
	}
	if q.chars.Wish, err = charsets.Named(r.Accept.Charset); err != nil {
		return q, known, err
	}
	known, err = s.askCaps(ctx, env, r, q)
	q.chars.Server = known.charset
	return q, known, err
}

// access is Access with the options of any operation.
func (s Scheme) access(ctx context.Context, env *scheme.Env, u locator.URL, r options) (*scheme.Resource, error) {
	q, known, err := s.prepare(ctx, env, u, r)
	if err != nil {
		return nil, err
	}
	res, err := s.accessAt(ctx, env, r, q)
	if err == nil {
		res.Attr.More = append(res.Attr.More, known.keys...)
	}
	return res, err
}

func (s Scheme) accessAt(ctx context.Context, env *scheme.Env, r options, q place) (*scheme.Resource, error) {
	if q.wantsWords() && r.Query.IsSet() {
		q = q.withWords(r.Query.Or(""))
	}
	switch kind := typeOf(q.typ).kind; {
	case kind == scheme.KindSession:
		return q.refer()
	case kind == scheme.KindNote, q.typ == typeNameServer:
		return nil, q.unsupported()
	case q.wantsWords():
		return &scheme.Resource{Kind: scheme.KindQuery, Attr: scheme.Attr{Type: typeOf(q.typ).media},
			Form: &form.Form{Fields: []form.Field{{Name: queryField, Kind: form.Text}}}}, nil
	case q.plus.verb == '?', q.plus.block != nil && (r.hop || r.NoSubmit):
		return s.formResource(ctx, env, q)
	}
	q, notes, err := s.chooseView(ctx, env, r, q)
	if err != nil {
		return nil, err
	}
	known, more, err := s.details(ctx, env, r, q)
	if err != nil {
		return nil, err
	}
	if q.plus.block != nil {
		more = append(more, "the filled form was sent")
	}
	a, err := s.fetch(ctx, env, q)
	if err != nil {
		return nil, err
	}
	a.known, a.notes = known, append(append(notes, more...), a.notes...)
	return a.resource(r)
}

// refer leads to the protocol of a session.
func (q place) refer() (*scheme.Resource, error) {
	e, ok := q.session()
	if !ok {
		return nil, scheme.Fail(scheme.CodeUnsupported, "the item names a session whose host or login name no URL can hold")
	}
	return &scheme.Resource{Kind: scheme.KindReferral, Next: []scheme.Entry{e}, Hop: scheme.HopReferral}, nil
}

// chooseView asks for the views of an item whose URL leaves the choice open ("+"), where the caller
// has wishes, and takes the one that meets them best (RFC 1738 3.4.8).
func (s Scheme) chooseView(ctx context.Context, env *scheme.Env, r options, q place) (place, []string, error) {
	open := q.plus.verb == '+' && q.plus.arg == "" && q.plus.block == nil && q.typ != '7'
	if !open || len(r.Accept.Types) == 0 && len(r.Accept.Languages) == 0 {
		return q, nil, nil
	}
	rec, ok, err := s.record(ctx, env, q)
	if err != nil || !ok {
		return q, nil, err
	}
	v, ok := choose(rec.views(), r.Accept)
	if !ok {
		return q, []string{"no view of the item meets the wishes: the server's favourite is given"}, nil
	}
	q.plus.arg = v.name()
	return q, []string{"view " + q.chars.text(v.name())}, nil
}
