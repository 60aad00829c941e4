package gopher

import (
	"context"
	"errors"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"

	"locator/scheme"
	"locator/wire"
)

// A type 2 item is a CSO name server, a phone book: its protocol is Ph (RFC 2378). The selector means nothing to it. A
// query is what a person would type behind "query": values or field=value, and "return" with the fields that are wanted.

// phPort is where name servers listen (RFC 2378 2).
const phPort = 105

// phonebook is a dialogue with a name server.
type phonebook struct {
	*peer
	env   *scheme.Env
	chars charset
	left  int64 // octets that may still come
}

// openPhonebook connects, and sends the first command.
func (s Scheme) openPhonebook(ctx context.Context, env *scheme.Env, q request, chars charset, first wire.Line) (*phonebook, error) {
	p, err := s.connect(ctx, env, q.place)
	if err != nil {
		return nil, err
	}
	b := &phonebook{peer: p, env: env, chars: chars, left: env.Limits.Listing}
	if err := b.send(first); err != nil {
		p.Close()
		return nil, err
	}
	return b, nil
}

// phQuery is the command for the words of a search.
func (q request) phQuery() (wire.Line, error) {
	line, err := wire.Command("query", "search", q.search.Or(""))
	if err != nil {
		return line, refused(err)
	}
	return line, nil
}

func (b *phonebook) send(l wire.Line) error {
	b.env.Trace.OnSent(l.String())
	if err := b.wire.Send(l); err != nil {
		return b.failed(err)
	}
	return nil
}

// phLine is a line of a reply: "-200:1:  alias: s-dorner", "200:Ok." (RFC 2378 3). Of a line that ends a reply, text is
// all behind the code.
type phLine struct {
	code  int
	last  bool // it ends the reply
	index int  // of the entry, 0 where there is none
	name  string
	text  string
}

// parsePH reads a line; false where it is none of Ph.
func parsePH(line string) (l phLine, ok bool) {
	rest, more := strings.CutPrefix(line, "-")
	digits, rest, ok := strings.Cut(rest, ":")
	code, err := strconv.ParseUint(strings.TrimSpace(digits), 10, 16)
	if !ok || err != nil || code < 100 || code > 999 {
		return l, false
	}
	l.code, l.last, l.text = int(code), !more && code >= 200, rest
	if !more {
		return l, true
	}
	number, after, ok := strings.Cut(rest, ":")
	n, err := strconv.ParseUint(strings.TrimSpace(number), 10, 31)
	if !ok || err != nil {
		return l, true
	}
	l.index, l.text = int(n), after
	if name, value, ok := strings.Cut(after, ":"); ok {
		l.name, l.text = strings.TrimSpace(name), value
	}
	return l, true
}

// read gives the next line of a reply.
func (b *phonebook) read() (phLine, error) {
	line, err := b.wire.ReadLineWithin(&b.left)
	switch {
	case err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF):
		return phLine{}, scheme.Fail(scheme.CodeBroken, "the name server closed the connection within its reply: %w", io.ErrUnexpectedEOF)
	case err != nil:
		return phLine{}, b.failed(err)
	}
	l, ok := parsePH(line)
	if !ok {
		return l, scheme.Replied(scheme.CodeProtocol, said(line), "no reply of a CSO name server (RFC 2378)")
	}
	if l.last {
		b.env.Trace.OnReceived(wire.Escape(line))
	}
	return l, nil
}

// phNoMatch is the code of a query that found nothing; phAbsent of a field that an entry does not have.
const (
	phNoMatch = 501
	phAbsent  = 508
)

// phError is the error of a reply that ends in a code of failure (RFC 2378, appendix).
func phError(l phLine) error {
	code, what := scheme.CodeProtocol, "the name server refuses the query"
	switch {
	case l.code < 300 || l.code == phNoMatch:
		return nil
	case l.code/100 == 4, l.code == 520:
		code, what = scheme.CodeUnavailable, "the name server cannot answer now"
	case l.code == 502:
		code, what = scheme.CodeUsage, "the query fits too many entries; say more in it"
	case l.code == 503, l.code == 504, l.code == 506, l.code == 516, l.code == 522:
		code, what = scheme.CodeLoginNeeded, "the name server tells that only to who has a login, which no URL can hold"
	case l.code == 507, l.code == 512, l.code == 515, l.code == 599:
		code, what = scheme.CodeUsage, "the name server does not understand the query; use words, or field=value with the fields that attr shows"
	case l.code == 514, l.code == 598:
		code, what = scheme.CodeUnsupported, "the name server does not know the command"
	}
	return scheme.Replied(code, said(l.text), "%s", what)
}

// phEntry is an entry of the phone book: fields in the order of the reply. A value of more lines holds LF.
type phEntry struct{ fields []scheme.Attribute }

// phName is the field by which an entry is called.
const phName = "name"

func (e *phEntry) title() string {
	i := max(0, slices.IndexFunc(e.fields, func(f scheme.Attribute) bool { return strings.EqualFold(f.Name, phName) }))
	if i == len(e.fields) {
		return ""
	}
	title, _, _ := strings.Cut(e.fields[i].Value, "\n")
	return title
}

// text is the entry as a person reads it, a field a line; further lines of a field are indented.
func (e *phEntry) text() string {
	var b strings.Builder
	for _, f := range e.fields {
		b.WriteString(f.Name + ": " + strings.ReplaceAll(f.Value, "\n", "\n  ") + "\n")
	}
	return b.String()
}

// entries reads the entries of a reply to a query. It closes the dialogue.
func (b *phonebook) entries() iter.Seq2[phEntry, error] {
	return func(yield func(phEntry, error) bool) {
		defer b.Close()
		var e phEntry
		index, count, size := 0, 0, 0
		for {
			before := b.left
			l, err := b.read()
			if err == nil && l.last {
				err = phError(l)
			}
			if err != nil {
				if len(e.fields) == 0 || yield(e, nil) {
					yield(phEntry{}, err)
				}
				return
			}
			if (l.last || l.index != index) && len(e.fields) > 0 {
				if count++; count > b.env.Limits.Entries {
					yield(phEntry{}, scheme.Fail(scheme.CodeBroken, "the reply passed the limit of %d entries", b.env.Limits.Entries))
					return
				}
				if !yield(e, nil) {
					return
				}
				e, size = phEntry{}, 0
			}
			if l.last {
				b.quit()
				return
			}
			index = l.index
			if size += int(before - b.left); size > b.env.Limits.Header {
				yield(phEntry{}, scheme.Fail(scheme.CodeBroken, "an entry passed the limit of %d octets", b.env.Limits.Header))
				return
			}
			e.add(l, b.chars)
		}
	}
}

// add adds a line to the entry. What the server does not tell (-503, -508) is no field.
func (e *phEntry) add(l phLine, chars charset) {
	value := chars.text(strings.TrimSpace(l.text))
	n := len(e.fields)
	switch {
	case l.index == 0 || l.code >= 300:
	case l.name == "" && n > 0:
		e.fields[n-1].Value += "\n" + value
	default:
		e.fields = append(e.fields, scheme.Attribute{Name: chars.text(l.name), Value: value})
	}
}

// quit says goodbye, which the server need not answer any more.
func (b *phonebook) quit() {
	if line, err := wire.Bare("quit"); err == nil {
		b.send(line)
	}
}

// searchPhonebook sends the words of a query. The answer is a text; List gives its entries.
func (s Scheme) searchPhonebook(ctx context.Context, env *scheme.Env, r scheme.Request, q request, chars charset) (*scheme.Resource, error) {
	line, err := q.phQuery()
	if err != nil {
		return nil, err
	}
	b, err := s.openPhonebook(ctx, env, q, chars, line)
	if err != nil {
		return nil, err
	}
	next, stop := iter.Pull2(b.entries())
	text := &phText{next: next, stop: func() { stop(); b.Close() }}
	// The first entry shows whether there is one: an error is told before a body begins.
	if err := text.fill(); err != nil && err != io.EOF {
		text.Close()
		return nil, err
	}
	res := &scheme.Resource{Kind: scheme.KindObject, Body: text, Attr: scheme.Attr{Type: mediaText + "; charset=utf-8"}}
	if len(text.rest) == 0 {
		res.Notes = []string{"the name server found nothing"}
	}
	return res, nil
}

// phText is the answer to a query as a text, an empty line between two entries.
type phText struct {
	next  func() (phEntry, error, bool)
	stop  func()
	rest  string
	begun bool
	err   error
}

func (t *phText) fill() error {
	for t.err == nil && t.rest == "" {
		e, err, ok := t.next()
		switch {
		case !ok:
			t.err = io.EOF
		case err != nil:
			t.err = err
		default:
			if t.begun {
				t.rest = "\n"
			}
			t.rest += e.text()
			t.begun = true
		}
	}
	if t.rest != "" {
		return nil
	}
	return t.err
}

// Read follows io.Reader.
func (t *phText) Read(p []byte) (int, error) {
	if err := t.fill(); err != nil {
		return 0, err
	}
	n := copy(p, t.rest)
	t.rest = t.rest[n:]
	return n, nil
}

// Close ends the dialogue.
func (t *phText) Close() error {
	t.stop()
	if t.err == nil {
		t.err, t.rest = io.ErrClosedPipe, ""
	}
	return nil
}

// listPhonebook lists the entries that a query finds: each a note with its fields as attributes.
func (s Scheme) listPhonebook(ctx context.Context, env *scheme.Env, r scheme.Request, q request, chars charset) (*scheme.Resource, error) {
	line, err := q.phQuery()
	if err != nil {
		return nil, err
	}
	b, err := s.openPhonebook(ctx, env, q, chars, line)
	if err != nil {
		return nil, err
	}
	return &scheme.Resource{Kind: scheme.KindListing, Closer: b, Entries: func(yield func(scheme.Entry, error) bool) {
		n := 0
		for e, err := range b.entries() {
			if err != nil {
				yield(scheme.Entry{}, err)
				return
			}
			if n++; !yield(scheme.Entry{Name: e.title(), Kind: scheme.KindNote, Attr: scheme.Attr{More: e.fields}}, nil) || n == r.Max {
				return
			}
		}
	}}, nil
}

// The commands that tell of the name server itself, and the blocks of attributes that their replies become.
const (
	phSite   = "siteinfo"
	phFields = "fields"
)

// describePhonebook asks a name server who keeps it and which fields it has (RFC 2378 3.9, 3.5).
func (s Scheme) describePhonebook(ctx context.Context, env *scheme.Env, q request, chars charset) (scheme.Attr, error) {
	attr := scheme.Attr{Type: mediaText}
	var b *phonebook
	for _, command := range [...]string{phSite, phFields} {
		line, err := wire.Bare(command)
		if err != nil {
			return attr, err
		}
		if b == nil {
			b, err = s.openPhonebook(ctx, env, q, chars, line)
			if err == nil {
				b.left = int64(env.Limits.Header)
				defer b.Close()
			}
		} else {
			err = b.send(line)
		}
		if err != nil {
			return attr, err
		}
		for {
			l, err := b.read()
			if err != nil {
				return attr, err
			}
			if l.last {
				break // a server that does not know the command says so, and nothing else is lost
			}
			if l.index > 0 && l.code < 300 {
				attr.More = append(attr.More, scheme.Attribute{Block: command, Name: chars.text(l.name), Value: chars.text(strings.TrimSpace(l.text))})
			}
		}
	}
	b.quit()
	return attr, nil
}
