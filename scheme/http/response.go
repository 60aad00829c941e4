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

// response is a server's response. Its body has not been read from the connection.
type response struct {
	*nethttp.Response
	x      *session
	ctx    context.Context
	link   *conn
	fields []scheme.Attribute // in the server's order
	read   int64              // bytes of the body read so far
	end    sync.Once          // of finish
	once   sync.Once          // of release
	free   func(reuse bool)
	unbind func() bool
}

func newResponse(ctx context.Context, x *session, l *conn, res *nethttp.Response, release func(bool)) *response {
	a := &response{Response: res, x: x, ctx: ctx, link: l, free: release}
	l.conn.barren.begin(res.Uncompressed)
	if res.TLS == nil {
		res.TLS = l.tls
	}
	switch {
	case l.tap != nil && x.own:
	case l.tap != nil:
		a.fields = fields(l.tap.received().head)
	default:
		// Over HTTP/2 net/http preserves the order only among fields of the same name.
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

// release returns the connection to the pool, or closes it. Only the first call has an effect.
func (a *response) release(reuse bool) {
	a.once.Do(func() { a.free(reuse) })
}

// finish releases the connection, for reuse if it is still usable. Only the first call has an
// effect: after it, the connection may have a response of another request.
func (a *response) finish() {
	a.end.Do(func() {
		a.link.conn.barren.begin(false)
		reuse := (a.x.up == nil || a.x.up.complete()) && a.link.idle()
		a.unbind()
		a.release(reuse && a.ctx.Err() == nil)
	})
}

// close closes the body and the connection.
func (a *response) close() {
	a.Body.Close()
	a.unbind()
	a.release(false)
}

// smallBody is the size up to which an unwanted body is read in order to reuse the connection.
const smallBody = 16 << 10

// discard closes the body, and reuses the connection if the body is small. The body of a 101 is the
// connection itself, whose end may never come.
func (a *response) discard() {
	if a.ContentLength >= 0 && a.ContentLength <= smallBody && a.StatusCode != nethttp.StatusSwitchingProtocols {
		io.CopyN(io.Discard, a.Body, smallBody) // a failed read makes the connection unusable
	}
	a.Body.Close()
	a.finish()
}

// success reports whether the status means success, or comes with a page that represents the
// resource (300).
func (a *response) success() bool {
	return a.StatusCode/100 == 2 || a.StatusCode == nethttp.StatusMultipleChoices
}

// object returns the resource of a successful GET.
func (a *response) object() (*scheme.Resource, error) {
	res := &scheme.Resource{URL: a.x.r.URL, Kind: scheme.KindObject, Attr: a.attr(), Status: a.code()}
	res.Fresh, res.NoStore = a.freshness()
	switch want := a.x.o.Range; {
	case a.StatusCode == nethttp.StatusPartialContent:
		part, total, err := a.part()
		if err != nil {
			a.close()
			return nil, err
		}
		res.Range, res.Attr.Size, res.Attr.Ranges = part, total, true
	case !want.IsZero():
		res.Notes = append(res.Notes, "the server ignored the range and sends the whole body")
	}
	if coding := a.Header.Get("Content-Encoding"); coding != "" && !strings.EqualFold(coding, "identity") && !a.Uncompressed && !isCompressed(res.URL) {
		res.Notes = append(res.Notes, "the server sends it compressed (Content-Encoding: "+quoteText(coding)+"), and its bytes are kept")
	}
	b := &body{a: a}
	if a.StatusCode == nethttp.StatusPartialContent {
		b.size = scheme.Known(res.Range.Length)
	}
	res.Body = b
	return res, nil
}

// part checks the Content-Range of a 206 against the request (RFC 9110 15.3.7).
func (a *response) part() (part scheme.Range, total scheme.Count, err error) {
	want := a.x.o.Range
	field := a.Header.Get("Content-Range")
	first, last, total, ok := contentRange(field)
	switch {
	case want.IsZero():
		err = a.protocolError("partial content, but no range was requested")
	case !ok:
		err = a.protocolError("partial content with an invalid range (Content-Range: %s)", quoteText(field))
	case first != want.Offset || want.Length > 0 && last-first >= want.Length:
		err = a.protocolError("partial content other than the requested range (Content-Range: %s)", quoteText(field))
	case a.ContentLength >= 0 && a.ContentLength != last-first+1:
		err = a.protocolError("partial content of %d bytes for Content-Range: %s", a.ContentLength, quoteText(field))
	}
	return scheme.Range{Offset: first, Length: last - first + 1}, total, err
}

// contentRange parses "bytes first-last/total", where total may be "*" (RFC 9110 14.4).
func contentRange(field string) (first, last int64, total scheme.Count, ok bool) {
	unit, rest, _ := strings.Cut(strings.TrimSpace(field), " ")
	part, size, slash := strings.Cut(strings.TrimSpace(rest), "/")
	from, to, dash := strings.Cut(part, "-")
	first, ok1 := parseSize(from)
	last, ok2 := parseSize(to)
	ok = strings.EqualFold(unit, "bytes") && slash && dash && ok1 && ok2 && last >= first
	if n, known := parseSize(size); known {
		total = scheme.Known(n)
		ok = ok && last < n
	} else {
		ok = ok && size == "*"
	}
	return first, last, total, ok
}

// parseSize parses a number of bytes, which must be all digits.
func parseSize(s string) (int64, bool) {
	if s == "" || strings.Trim(s, "0123456789") != "" {
		return 0, false
	}
	n, err := strconv.ParseInt(s, 10, 64)
	return n, err == nil
}

// rangeNotSatisfiable handles a 416. If the body is as long as the requested offset, it returns the
// empty rest of it, else an error.
func (a *response) rangeNotSatisfiable() (*scheme.Resource, error) {
	want := a.x.o.Range
	if want.IsZero() {
		return nil, a.protocolError("range refused, but none was requested")
	}
	_, size, _ := strings.Cut(a.Header.Get("Content-Range"), "/")
	n, ok := parseSize(strings.TrimSpace(size))
	if ok && n == want.Offset {
		attr := scheme.Attr{Size: scheme.Known(n), Ranges: true, More: a.fields}
		return &scheme.Resource{URL: a.x.r.URL, Kind: scheme.KindObject, Attr: attr, Range: want, Body: nethttp.NoBody}, nil
	}
	if ok {
		return nil, scheme.Replied(scheme.CodeUsage, a.statusLine(), "the body has %d bytes, fewer than the requested offset %d", n, want.Offset)
	}
	return nil, scheme.Replied(scheme.CodeUsage, a.statusLine(), "the body is shorter than the requested offset %d", want.Offset)
}

// attr returns the attributes in the header fields.
func (a *response) attr() scheme.Attr {
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

// maxQuoted is how many bytes of a server's text an error quotes.
const maxQuoted = 200

// quoteText escapes and shortens text of a server for an error.
func quoteText(s string) string { return wire.Excerpt(s, maxQuoted) }

// code returns the status code as text.
func (a *response) code() string { return strconv.Itoa(a.StatusCode) }

func (a *response) statusLine() string { return quoteText(a.Status) }

// protocolError returns an error for a response that violates the protocol.
func (a *response) protocolError(format string, args ...any) error {
	return scheme.Replied(scheme.CodeProtocol, a.statusLine(), "invalid response: %s", fmt.Sprintf(format, args...))
}

// body is the body of a response. It releases the connection at the end of the body.
type body struct {
	a    *response
	size scheme.Count // the number of bytes that Content-Range announces
}

// unframed reports whether only the end of the connection ends the body: it has neither a length
// nor chunks (RFC 9112 6.3). A body that the connection cuts looks complete then.
func unframed(r io.Reader) bool {
	b, ok := r.(*body)
	return ok && b.a.ProtoMajor == 1 && b.a.ContentLength < 0 && len(b.a.TransferEncoding) == 0 && !b.a.Uncompressed
}

func (b *body) Read(p []byte) (int, error) {
	n, err := b.a.Body.Read(p)
	b.a.read += int64(n)
	b.a.link.conn.barren.decompressed(n)
	switch size, ok := b.size.Get(); {
	case !ok:
	case b.a.read > size:
		n -= int(b.a.read - size)
		b.a.read = size
		err = scheme.Fail(scheme.CodeProtocol, "the server sent more than the %d bytes of its Content-Range", size)
	case err == io.EOF && b.a.read < size:
		err = io.ErrUnexpectedEOF
	}
	switch err {
	case nil:
	case io.EOF:
		b.a.finish()
	default:
		err = b.a.bodyError(err)
		b.a.unbind()
		b.a.release(false)
	}
	return n, err
}

// Close may be called before the end of the body, and more than once.
func (b *body) Close() error {
	b.a.Body.Close()
	b.a.finish()
	return nil
}
