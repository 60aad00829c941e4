package gopher

import (
	"context"
	"errors"
	"io"
	"time"

	"locator"
	"locator/scheme"
)

// Scheme is gopher. It holds no state: every exchange is a connection of its own, as the protocol has it.
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
	_ scheme.Filler        = Scheme{}
	_ scheme.FileNamer     = Scheme{}
	_ scheme.Explainer     = Scheme{}
	_ scheme.RobotsChecker = Scheme{}
)

// New returns the scheme gopher.
func New() Scheme { return Scheme{} }

// NewTLS returns the scheme gophers: gopher over TLS, by default on the same port. No RFC has it; servers and clients
// of today do. A server that does not speak TLS is an error and never asked in the clear, and links in its menus to
// itself are gophers, too.
func NewTLS() Scheme { return Scheme{secure: true} }

func (s Scheme) endMarkGrace() time.Duration {
	if s.grace > 0 {
		return s.grace
	}
	return defaultGrace
}

// Syntax is how gopher URLs are written (RFC 1738 3.4). A gophers URL has the same parts.
func (s Scheme) Syntax() *locator.Syntax {
	if s.secure {
		return locator.SyntaxOf(schemeNameTLS)
	}
	return locator.SyntaxOf(schemeName)
}

// wishes are what the caller of any operation wants.
type wishes struct {
	scheme.AccessOptions
	max  int       // entries at most; 0 is all
	hop  bool      // a server led to the URL
	copy io.Writer // receives the bytes of a menu; nil is none
}

// Access reads what the URL locates: a menu is a Listing, a search without words a Query, an item with an electronic
// form (RFC 1738 3.4.5) a Form, everything else an Object; an item of another protocol or one that has moved is a
// Referral. A filled form (RFC 1738 3.4.9) is sent, and Notes say so, unless a server led to the URL. Only List heeds
// Detail.
func (s Scheme) Access(ctx context.Context, env *scheme.Env, r scheme.Request, o scheme.AccessOptions) (*scheme.Resource, error) {
	o.Detail = false
	res, err := s.reach(ctx, env, r.URL, wishes{AccessOptions: o, hop: r.From != nil})
	return readAt(r.URL, res, err)
}

// readAt notes where a resource was read.
func readAt(u locator.URL, res *scheme.Resource, err error) (*scheme.Resource, error) {
	if err == nil {
		res.URL = u
	}
	return res, err
}

// reach is Access with the wishes of any operation.
func (s Scheme) reach(ctx context.Context, env *scheme.Env, u locator.URL, r wishes) (*scheme.Resource, error) {
	q, err := newRequest(u)
	if err != nil {
		return nil, err
	}
	chars, err := newCharset(r.Accept.Charset)
	if err != nil {
		return nil, err
	}
	told, err := s.askCaps(ctx, env, r, q)
	if err != nil {
		return nil, err
	}
	chars = chars.with(told)
	res, err := s.access(ctx, env, r, q, chars)
	if moved, ok := errors.AsType[*movedError](err); ok {
		return moved.res, nil
	}
	if err == nil {
		res.Attr.More = append(res.Attr.More, told.attributes()...)
	}
	return res, err
}

func (s Scheme) access(ctx context.Context, env *scheme.Env, r wishes, q request, chars charset) (*scheme.Resource, error) {
	if q.wantsWords() && r.Query.IsSet() {
		q = q.withWords(r.Query.Or(""))
	}
	switch kind := typeOf(q.typ).kind; {
	case kind == scheme.KindSession:
		return q.refer()
	case kind == scheme.KindNote:
		return nil, q.unsupported()
	case q.wantsWords():
		return q.query(), nil
	case q.typ == typePhonebook:
		return s.searchPhonebook(ctx, env, q, chars)
	case q.plus.verb == '?', q.plus.block != nil && (r.hop || r.NoSubmit):
		return s.formResource(ctx, env, q, chars)
	}
	q, notes, err := s.chooseView(ctx, env, r, q, chars)
	if err != nil {
		return nil, err
	}
	known, more, err := s.details(ctx, env, r, q, chars)
	if err != nil {
		return nil, err
	}
	if q.plus.block != nil {
		more = append(more, "the filled form was sent")
	}
	a, err := s.fetch(ctx, env, q, chars)
	if err != nil {
		return nil, err
	}
	a.known, a.notes = known, append(append(notes, more...), a.notes...)
	return a.resource(r)
}

// refer leads to the protocol of a session.
func (q request) refer() (*scheme.Resource, error) {
	e, ok := q.session()
	if !ok {
		return nil, scheme.Fail(scheme.CodeUnsupported, "the item names a session whose host or login name no URL can hold")
	}
	return &scheme.Resource{Kind: scheme.KindReferral, Next: []scheme.Entry{e}, Hop: scheme.HopReferral}, nil
}

// chooseView asks for the views of an item whose URL leaves the choice open ("+"), where the caller has wishes, and
// takes the one that meets them best (RFC 1738 3.4.8).
func (s Scheme) chooseView(ctx context.Context, env *scheme.Env, r wishes, q request, chars charset) (request, []string, error) {
	open := q.plus.verb == '+' && q.plus.arg == "" && q.plus.block == nil && q.typ != '7'
	if !open || len(r.Accept.Types) == 0 && len(r.Accept.Languages) == 0 {
		return q, nil, nil
	}
	rec, ok, err := s.describe(ctx, env, q, chars)
	if err != nil || !ok {
		return q, nil, err
	}
	v, ok := choose(rec.views(), r.Accept)
	if !ok {
		return q, []string{"no view of the item meets the wishes: the server's favourite is given"}, nil
	}
	q.plus.arg = v.name()
	return q, []string{"view " + chars.text(v.name())}, nil
}

// details asks for the attributes of all items of a menu, where the caller wants them. It is never the only look at
// the menu.
//
// QUIRK: gophernicus answers "$" for its root by one item that is not in the menu (gophernicus, 03).
func (s Scheme) details(ctx context.Context, env *scheme.Env, r wishes, q request, chars charset) (map[item]scheme.Entry, []string, error) {
	if !r.Detail || r.Raw || q.content(false) != givesMenu || q.typ == '7' || q.plus.block != nil {
		return nil, nil, nil
	}
	q.plus = command{verb: '$'}
	q.search = locator.Optional{}
	none := []string{"the server gives no details of its items"}
	a, err := s.fetch(ctx, env, q, chars)
	if _, ok := errors.AsType[*scheme.Error](err); ok {
		return nil, none, nil // the server's own refusal; the menu itself may be there all the same
	}
	if err != nil {
		return nil, nil, err
	}
	defer a.Close()
	if a.plain {
		return nil, none, nil
	}
	known, left := make(map[item]scheme.Entry), detailBudget
	for rec, err := range a.all() {
		if err != nil {
			return nil, nil, err
		}
		e := a.described(rec)
		if left -= memoryOf(e); left < 0 {
			return known, []string{"the details of the items need too much memory: those of the last items are left out"}, nil
		}
		known[rec.item.key()] = e
	}
	return known, nil, nil
}

// describe asks for the attributes of an item. ok is false where the server does not speak Gopher+.
func (s Scheme) describe(ctx context.Context, env *scheme.Env, q request, chars charset) (rec record, ok bool, err error) {
	q.plus = command{verb: '!'}
	a, err := s.fetch(ctx, env, q, chars)
	if err != nil {
		return record{}, false, err
	}
	defer a.Close()
	if a.plain {
		// What the server says of another kind, an error above all, still counts.
		if err := a.noPlus(); !errors.Is(err, errors.ErrUnsupported) {
			return record{}, false, err
		}
		return record{}, false, nil
	}
	_, rec, err = a.readAttributes()
	return rec, err == nil, err
}

// List lists a menu. It never sends a filled form (RFC 1738 3.4.9).
func (s Scheme) List(ctx context.Context, env *scheme.Env, r scheme.Request, o scheme.ListOptions) (*scheme.Resource, error) {
	res, err := s.listing(ctx, env, r.URL, wishes{max: o.Max, copy: o.Copy, hop: r.From != nil, AccessOptions: scheme.AccessOptions{
		Query: o.Query, Accept: o.Accept, Detail: o.Detail, ServerInfo: o.ServerInfo,
	}})
	return readAt(r.URL, res, err)
}

func (s Scheme) listing(ctx context.Context, env *scheme.Env, u locator.URL, r wishes) (*scheme.Resource, error) {
	q, err := newRequest(u)
	if err != nil {
		return nil, err
	}
	if q.wantsWords() && r.Query.IsSet() {
		q = q.withWords(r.Query.Or(""))
	}
	c := q.content(false)
	switch {
	case q.plus.verb == '?', q.plus.block != nil:
		return nil, scheme.Fail(scheme.CodeUsage, "the item is a form: access it and fill it in")
	case q.wantsWords():
		return nil, scheme.Fail(scheme.CodeUsage, "the item is a search: give the words to search for")
	case q.typ == typePhonebook:
		chars, err := newCharset(r.Accept.Charset)
		if err != nil {
			return nil, err
		}
		return s.listPhonebook(ctx, env, r, q, chars)
	case c != givesMenu && c != givesBlocks:
		return nil, scheme.Fail(scheme.CodeUnsupported, "an item of type %c (%s) is no menu", q.typ, typeOf(q.typ).name)
	}
	res, err := s.reach(ctx, env, u, r)
	if err != nil {
		return nil, err
	}
	if res.Kind == scheme.KindListing || res.Kind == scheme.KindReferral {
		return res, nil
	}
	res.Close()
	return nil, scheme.Fail(scheme.CodeProtocol, "the reply is no menu")
}

// Attributes requests the attributes of a Gopher+ item (RFC 1738 3.4.6). For any other item it reads the start of a plain
// reply, to see that the item exists, and returns its media type, which is all that is known. It never sends a search or a
// filled form.
func (s Scheme) Attributes(ctx context.Context, env *scheme.Env, r scheme.Request, o scheme.AttributesOptions) (*scheme.Resource, error) {
	q, err := newRequest(r.URL)
	if err != nil {
		return nil, err
	}
	chars, err := newCharset(o.Accept.Charset)
	if err != nil {
		return nil, err
	}
	told, err := s.askCaps(ctx, env, wishes{AccessOptions: scheme.AccessOptions{ServerInfo: o.ServerInfo}}, q)
	if err != nil {
		return nil, err
	}
	chars = chars.with(told)
	attr, err := s.attributes(ctx, env, q, chars)
	if moved, ok := errors.AsType[*movedError](err); ok {
		return moved.res, nil
	}
	if err != nil {
		return nil, err
	}
	attr.More = append(attr.More, told.attributes()...)
	return &scheme.Resource{URL: r.URL, Kind: q.kind(), Attr: attr}, nil
}

// kind is what access would find, as far as the URL tells.
func (q request) kind() scheme.Kind {
	switch c := q.content(false); {
	case q.plus.verb == '?', q.plus.block != nil:
		return scheme.KindForm
	case q.wantsWords():
		return scheme.KindQuery
	case c == givesMenu, c == givesBlocks:
		return scheme.KindListing
	}
	return scheme.KindObject
}

func (s Scheme) attributes(ctx context.Context, env *scheme.Env, q request, chars charset) (scheme.Attr, error) {
	attr := scheme.Attr{Type: mediaOf(q.typ, q.selector, nil)}
	switch t := typeOf(q.typ); {
	case t.kind == scheme.KindSession || t.kind == scheme.KindNote:
		return scheme.Attr{}, scheme.Fail(scheme.CodeUnsupported, "an item of type %c (%s) has no attributes", q.typ, t.name)
	case q.typ == typePhonebook:
		return s.describePhonebook(ctx, env, q, chars)
	case !q.plus.set() && q.wantsWords():
		return attr, nil
	case !q.plus.set():
		return s.probe(ctx, env, q, chars)
	}
	rec, ok, err := s.describe(ctx, env, q, chars)
	if err != nil || !ok {
		return attr, err
	}
	media := attr.Type
	if attr = rec.attr(chars); attr.Type == "" {
		attr.Type = media
	}
	if q.plus.verb == '+' && q.plus.arg != "" {
		attr.Type, attr.Size = q.viewType(), scheme.Count{}
		for _, v := range rec.views() {
			if v.name() == q.plus.arg || v.media() == q.viewType() && v.language == "" {
				attr.Size = v.octets()
			}
		}
	}
	return attr, nil
}

// probe reads the start of a reply and no more.
func (s Scheme) probe(ctx context.Context, env *scheme.Env, q request, chars charset) (scheme.Attr, error) {
	a, err := s.fetch(ctx, env, q, chars)
	if err != nil {
		return scheme.Attr{}, err
	}
	res, err := a.resource(wishes{})
	if err != nil {
		return scheme.Attr{}, err
	}
	return res.Attr, res.Close()
}

// Update fills in and sends the form of an item (RFC 1738 3.4.5). The body is the file that the form asks for, or the one
// answer that o.Answers leave open.
func (s Scheme) Update(ctx context.Context, env *scheme.Env, r scheme.Request, b scheme.Body, o scheme.WriteOptions) (*scheme.Resource, error) {
	f, err := s.askForm(ctx, env, r.URL, o.Accept)
	if err != nil {
		return nil, err
	}
	if size, ok := b.Size.Get(); ok && b.Reader != nil {
		b.Reader = &sized{r: b.Reader, left: size}
	}
	answers, err := f.withBody(env.Limits, o.Answers, b)
	if err != nil {
		return nil, err
	}
	return s.send(ctx, env, f, answers, b, wishes{AccessOptions: scheme.AccessOptions{Accept: o.Accept}})
}

// askForm asks for the form of the item that u names.
func (s Scheme) askForm(ctx context.Context, env *scheme.Env, u locator.URL, accept scheme.Accept) (*form, error) {
	q, err := newRequest(u)
	if err != nil {
		return nil, err
	}
	chars, err := newCharset(accept.Charset)
	if err != nil {
		return nil, err
	}
	if q.plus.verb != '?' && q.plus.block == nil {
		return nil, scheme.Fail(scheme.CodeUnsupported, "only an item with a form takes a body; the URL of one ends in %%09%%09?")
	}
	return s.form(ctx, env, q, chars)
}

// Submit sends the answers to a search (RFC 1738 3.4.2) or a form (RFC 1738 3.4.5).
func (s Scheme) Submit(ctx context.Context, env *scheme.Env, r scheme.Request, o scheme.SubmitOptions) (*scheme.Resource, error) {
	w := wishes{AccessOptions: scheme.AccessOptions{Accept: o.Accept, Raw: o.Raw}}
	q, err := newRequest(r.URL)
	if err != nil {
		return nil, err
	}
	if q.wantsWords() {
		words, err := queryWords(o.Answers)
		if err != nil {
			return nil, err
		}
		w.Query = locator.Some(words)
		return s.reach(ctx, env, r.URL, w)
	}
	f, ok := stateOf(o.Form)
	if !ok {
		if f, err = s.askForm(ctx, env, r.URL, o.Accept); err != nil {
			return nil, err
		}
	}
	return s.send(ctx, env, f, o.Answers, scheme.Body{}, w)
}

// Fill writes the URL of a search with its words, or of a filled form (RFC 1738 3.4.9).
func (s Scheme) Fill(r scheme.Request, form *scheme.Form, answers []scheme.Answer) (locator.URL, bool) {
	q, err := newRequest(r.URL)
	if err != nil {
		return locator.URL{}, false
	}
	if q.wantsWords() {
		return q.fillQuery(answers)
	}
	f, ok := stateOf(form)
	if !ok {
		return locator.URL{}, false
	}
	return f.fillURL(answers)
}
