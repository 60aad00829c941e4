package http

import (
	"context"
	"fmt"
	"io"
	"mime"
	nethttp "net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"locator"
	"locator/scheme"
	"locator/wire"
)

// answer is a server's answer, its body still on the connection.
type answer struct {
	*nethttp.Response
	x      *exchange
	ctx    context.Context
	link   *link
	fields []scheme.Attribute // in the server's order
	read   int64              // octets of the body so far
	once   sync.Once
	free   func(reuse bool)
	unbind func() bool
}

func newAnswer(ctx context.Context, x *exchange, l *link, res *nethttp.Response, release func(bool)) *answer {
	a := &answer{Response: res, x: x, ctx: ctx, link: l, free: release}
	if l.tap != nil {
		a.fields = fields(l.tap.lines())
	} else {
		// Over HTTP/2 net/http keeps the order only among fields of one name.
		x.env.Trace.OnReceived(wire.Escape(res.Proto + " " + res.Status))
		for name, values := range res.Header {
			for _, v := range values {
				a.fields = append(a.fields, scheme.Attribute{Name: name, Value: locator.Redact(v)})
			}
		}
		slices.SortStableFunc(a.fields, func(a, b scheme.Attribute) int { return strings.Compare(a.Name, b.Name) })
		for _, f := range a.fields {
			x.env.Trace.OnReceived(wire.Escape(f.Name + ": " + f.Value))
		}
	}
	a.unbind = context.AfterFunc(ctx, func() { a.release(false) })
	return a
}

// release gives the connection back, once.
func (a *answer) release(reuse bool) {
	a.once.Do(func() {
		a.link.rest()
		a.free(reuse)
	})
}

// done gives the connection back for further use, if it can be used.
func (a *answer) done() {
	a.unbind()
	a.release(a.ctx.Err() == nil && a.link.idle())
}

// close ends the answer and its connection.
func (a *answer) close() {
	a.Body.Close()
	a.unbind()
	a.release(false)
}

// smallBody is the most that is read of a body that nobody wants, to keep the connection.
const smallBody = 16 << 10

// discard ends the answer, and keeps the connection where its body is small.
func (a *answer) discard() {
	if a.ContentLength >= 0 && a.ContentLength <= smallBody {
		io.CopyN(io.Discard, a.Body, smallBody) // an error shows in the connection
	}
	a.Body.Close()
	a.done()
}

// fine reports whether the server did what it was asked, or at least gave a body that stands for the resource.
func (a *answer) fine() bool {
	return a.StatusCode/100 == 2 || a.StatusCode == nethttp.StatusMultipleChoices
}

// object is the resource of a GET.
func (a *answer) object() (*scheme.Resource, error) {
	res := &scheme.Resource{URL: a.x.r.URL, Kind: scheme.KindObject, Attr: a.attr(), Status: a.code()}
	switch want := a.x.o.Range; {
	case a.StatusCode == nethttp.StatusPartialContent:
		part, total, err := a.part()
		if err != nil {
			a.close()
			return nil, err
		}
		res.Range, res.Attr.Size, res.Attr.Ranges = part, total, true
	case !want.IsZero():
		res.Notes = append(res.Notes, "the server sends the whole body, not the part that was asked for")
	}
	res.Body = &body{a: a}
	return res, nil
}

// part checks what a 206 brings (RFC 9110 15.3.7).
func (a *answer) part() (part scheme.Range, total scheme.Count, err error) {
	want := a.x.o.Range
	field := a.Header.Get("Content-Range")
	first, last, total, ok := contentRange(field)
	switch {
	case want.IsZero():
		err = a.nonsense("it sends a part of the body, which nobody asked for")
	case !ok:
		err = a.nonsense("it sends a part of the body and does not say which (Content-Range: %s)", show(field))
	case first != want.Offset || want.Length > 0 && last-first >= want.Length:
		err = a.nonsense("it sends another part of the body than was asked for (Content-Range: %s)", show(field))
	case a.ContentLength >= 0 && a.ContentLength != last-first+1:
		err = a.nonsense("it sends %d octets as Content-Range: %s", a.ContentLength, show(field))
	}
	return scheme.Range{Offset: first, Length: last - first + 1}, total, err
}

// contentRange reads "bytes first-last/total", where total may be "*" (RFC 9110 14.4).
func contentRange(field string) (first, last int64, total scheme.Count, ok bool) {
	unit, rest, _ := strings.Cut(strings.TrimSpace(field), " ")
	part, size, slash := strings.Cut(strings.TrimSpace(rest), "/")
	from, to, dash := strings.Cut(part, "-")
	first, ok1 := octets(from)
	last, ok2 := octets(to)
	ok = strings.EqualFold(unit, "bytes") && slash && dash && ok1 && ok2 && last >= first
	if n, known := octets(size); known {
		total = scheme.Known(n)
		ok = ok && last < n
	} else {
		ok = ok && size == "*"
	}
	return first, last, total, ok
}

// octets reads a number of octets: digits only.
func octets(s string) (int64, bool) {
	if s == "" || strings.Trim(s, "0123456789") != "" {
		return 0, false
	}
	n, err := strconv.ParseInt(s, 10, 64)
	return n, err == nil
}

// pastEnd is a 416: the empty rest of a body of just that length, or an error.
func (a *answer) pastEnd() (*scheme.Resource, error) {
	want := a.x.o.Range
	if want.IsZero() {
		return nil, a.nonsense("it refuses a range, and none was asked for")
	}
	_, size, _ := strings.Cut(a.Header.Get("Content-Range"), "/")
	n, ok := octets(strings.TrimSpace(size))
	if ok && n == want.Offset {
		attr := scheme.Attr{Size: scheme.Known(n), Ranges: true, More: a.fields}
		return &scheme.Resource{URL: a.x.r.URL, Kind: scheme.KindObject, Attr: attr, Range: want, Body: nethttp.NoBody}, nil
	}
	if ok {
		return nil, scheme.Replied(scheme.CodeUsage, a.statusLine(), "the body has %d octets: none from %d on", n, want.Offset)
	}
	return nil, scheme.Replied(scheme.CodeUsage, a.statusLine(), "the body has no octets from %d on", want.Offset)
}

// attr reads the attributes from the header fields.
func (a *answer) attr() scheme.Attr {
	attr := scheme.Attr{
		ETag:   a.Header.Get("ETag"),
		Ranges: slices.ContainsFunc(strings.Split(a.Header.Get("Accept-Ranges"), ","), isBytes),
		More:   a.fields,
	}
	if t := a.Header.Get("Content-Type"); t != "" {
		if _, _, err := mime.ParseMediaType(t); err == nil {
			attr.Type = t
		}
	}
	if a.ContentLength >= 0 && a.StatusCode != nethttp.StatusNotModified && !a.Uncompressed {
		attr.Size = scheme.Known(a.ContentLength)
	}
	if t, err := nethttp.ParseTime(a.Header.Get("Last-Modified")); err == nil {
		attr.Modified = t.In(time.UTC)
	}
	return attr
}

func isBytes(s string) bool { return strings.EqualFold(strings.TrimSpace(s), "bytes") }

// shown is how much of a peer's text an error shows.
const shown = 200

// show makes a peer's text safe and short.
func show(s string) string {
	if len(s) > shown {
		s = s[:shown] + "..."
	}
	return wire.Escape(s)
}

// code is the status code as text.
func (a *answer) code() string { return strconv.Itoa(a.StatusCode) }

func (a *answer) statusLine() string { return show(a.Status) }

// nonsense is an error about an answer that breaks the protocol.
func (a *answer) nonsense(format string, args ...any) error {
	return scheme.Replied(scheme.CodeProtocol, a.statusLine(), "the server breaks the protocol: %s", fmt.Sprintf(format, args...))
}

// body is the body of an answer. It gives the connection back at its end.
type body struct{ a *answer }

func (b *body) Read(p []byte) (int, error) {
	n, err := b.a.Body.Read(p)
	b.a.read += int64(n)
	switch err {
	case nil:
	case io.EOF:
		b.a.done()
	default:
		err = b.a.broken(err)
		b.a.unbind()
		b.a.release(false)
	}
	return n, err
}

// Close may be called more than once, and in the middle.
func (b *body) Close() error {
	b.a.Body.Close()
	b.a.done()
	return nil
}
