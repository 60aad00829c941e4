package http

import (
	"cmp"
	"context"
	"errors"
	"io"
	nethttp "net/http"
	"slices"
	"strings"
	"time"

	"golang.org/x/net/html"

	"locator"
	"locator/internal/hashset"
	"locator/scheme"
)

// maxToken is the maximum length of a tag, text or script in an index, in bytes.
const maxToken = 1 << 20

// index yields the links of a page that lead below its folder, with the dates and sizes next to
// them.
//
// QUIRK: no RFC defines the index page of a folder. Supported are those of nginx, Apache (plain,
// fancy, and as a table), lighttpd, caddy, mini_httpd, micro_httpd, webfs, merecat and IIS, and any
// other page with relative links. env has the limits and the clock. yield gets plain if the row of
// the entry does not distinguish a folder from a file.
//
// unframed says that only the end of the connection ends the page. If it may be cut then, the last
// entry is a note that is marked as unread.
func index(res *scheme.Resource, unframed bool, env *scheme.Env, most int, yield func(e scheme.Entry, err error, plain bool) bool) {
	if !isHTML(res.Attr.Type) {
		yield(scheme.Entry{}, scheme.Fail(scheme.CodeUnsupported, "a resource of type %s cannot be listed; it is not an HTML page", cmp.Or(quoteText(res.Attr.Type), "unknown")), false)
		return
	}
	limits := env.Limits
	z := html.NewTokenizer(nethttp.MaxBytesReader(nil, res.Body, limits.Listing))
	z.SetMaxBuf(maxToken)
	folder := decodedSegments(res.URL)
	folder = folder[:len(folder)-1]
	x := &indexReader{page: res.URL, base: res.URL, folder: folder, longest: limits.Line, now: env.Clock.Now(),
		seen: hashset.New()}
	for n := 0; ; {
		e, err := x.next(z)
		switch {
		case err == io.EOF && unframed && x.mayBeCut(n):
			yield(scheme.Entry{Name: "the page may be cut: it has no length and no end", Kind: scheme.KindNote, Unread: true}, nil, false)
			return
		case err == io.EOF:
			if err := x.summary.partial(); err != nil {
				yield(scheme.Entry{}, err, false)
			}
			return
		case errors.As(err, new(*nethttp.MaxBytesError)):
			err = scheme.Fail(scheme.CodeBroken, "the index exceeds the limit of %d bytes", limits.Listing)
		case errors.Is(err, html.ErrBufferExceeded):
			err = scheme.Fail(scheme.CodeBroken, "the index contains a tag or text longer than %d bytes", maxToken)
		case err == nil && n == limits.Entries:
			err = scheme.Fail(scheme.CodeBroken, "the index exceeds the limit of %d entries", limits.Entries)
		}
		if err != nil {
			yield(scheme.Entry{}, err, false)
			return
		}
		n++
		if !yield(e, nil, x.plain) || n == most {
			return
		}
	}
}

func isHTML(mediaType string) bool {
	t, _, _ := strings.Cut(mediaType, ";")
	t = strings.ToLower(strings.TrimSpace(t))
	return t == "text/html" || t == "application/xhtml+xml"
}

// indexReader parses an index page.
type indexReader struct {
	page    locator.URL
	base    locator.URL   // base URL of links: the page, or the href of <base>
	folder  []string      // decoded segments of the page's folder
	longest int           // longer links are ignored, in bytes
	seen    *hashset.Set  // the links so far
	now     time.Time     // for dates without a year
	pending *scheme.Entry // the entry whose row is being read
	summary summary
	row     rowReader
	iis     bool // the page is by IIS
	plain   bool // the entry of the last next is from a row in the form of mini_httpd
	inLink  bool
	opened  bool // the page has a start tag of a frame
	closed  bool // the page has an end tag of a frame
	end     error
}

// frames are the elements around the entries of an index page.
var frames = []string{"html", "body", "pre", "table", "ul"}

// mayBeCut reports whether a page of n entries has no end: it opens a frame and closes none, or
// holds nothing at all. A fragment of HTML without frames does not mark its end.
func (x *indexReader) mayBeCut(n int) bool { return !x.closed && (x.opened || n == 0) }

// next returns the next entry. An entry is complete when the next link begins. At the end of the
// page it returns io.EOF.
func (x *indexReader) next(z *html.Tokenizer) (scheme.Entry, error) {
	for x.end == nil {
		switch z.Next() {
		case html.ErrorToken:
			x.end = z.Err()
			if e, ok := x.take(); ok && x.end == io.EOF {
				return e, nil
			}
		case html.StartTagToken, html.SelfClosingTagToken:
			if e, ok := x.tag(z); ok {
				return e, nil
			}
		case html.EndTagToken:
			name, _ := z.TagName()
			x.closed = x.closed || slices.Contains(frames, string(name))
			switch string(name) {
			case "span":
				x.summary.end()
			case "a":
				x.inLink = false
			case "td", "th":
				x.text(" ")
				x.row.endCell()
			}
		case html.TextToken:
			x.text(string(z.Text()))
		}
	}
	return scheme.Entry{}, x.end
}

// text adds the text of a token to the row.
func (x *indexReader) text(s string) {
	x.summary.add(s)
	if !x.inLink {
		x.row.text(s, x.pending != nil)
	}
}

// tag handles a start tag. ok reports that it completes the entry done.
func (x *indexReader) tag(z *html.Tokenizer) (done scheme.Entry, ok bool) {
	name, more := z.TagName()
	kind := string(name)
	x.opened = x.opened || slices.Contains(frames, kind)
	if kind != "a" && kind != "base" {
		switch {
		case !more:
		case x.pending != nil:
			x.row.tag(kind, z)
		case kind == "span":
			x.summary.begin(z)
		}
		return done, false
	}
	for more {
		var key, value []byte
		if key, value, more = z.TagAttr(); string(key) != "href" {
			continue
		}
		if len(value) > x.longest {
			return done, false
		}
		u, err := resolve(x.base, string(value))
		switch {
		case err != nil:
			return done, false
		case kind == "base":
			x.base = u
			return done, false
		}
		x.inLink = true
		e, below := x.entry(u)
		if below && x.pending != nil && x.pending.URL == e.URL {
			return done, false // the icon and the name of one row
		}
		line := x.row.line.String() // of this link, not of the one before
		done, ok = x.take()
		if below && !x.seen.Has(e.URL.Text()) {
			if x.seen.Len() == 0 {
				_, x.iis = parseIIS(line)
			}
			x.seen.Add(e.URL.Text())
			x.pending = &e
			x.row.before, x.row.iis = line, x.iis
		}
		return done, ok
	}
	return done, false
}

// take returns the pending entry with the date and size of its row.
func (x *indexReader) take() (e scheme.Entry, ok bool) {
	if x.pending == nil {
		return e, false
	}
	e = *x.pending
	e.Attr, x.plain = x.row.attr(x.now)
	if e.Kind == scheme.KindListing {
		e.Attr.Size = scheme.Count{}
	}
	x.pending = nil
	x.row = rowReader{}
	return e, true
}

// entry returns the entry for a link. below is false if the link leads out of the page's folder.
func (x *indexReader) entry(u locator.URL) (e scheme.Entry, below bool) {
	u = u.WithoutFragment()
	mine, ok1 := x.page.PortNumber()
	its, ok2 := u.PortNumber()
	if u.Scheme() != x.page.Scheme() || !strings.EqualFold(u.Host(), x.page.Host()) || mine != its || !ok1 || !ok2 {
		return e, false
	}
	segments := decodedSegments(u)
	n := len(x.folder)
	if len(segments) <= n || !slices.Equal(segments[:n], x.folder) {
		return e, false
	}
	rest := segments[n:]
	e = scheme.Entry{URL: u, Kind: scheme.KindObject}
	if last := len(rest) - 1; rest[last] == "" {
		if _, sorted := u.Search(); sorted { // a sort order of the folder, not another folder
			return e, false
		}
		rest, e.Kind = rest[:last], scheme.KindListing
	}
	e.Name = strings.Join(rest, "/")
	return e, e.Name != ""
}

// decodedSegments returns the decoded segments of the path.
func decodedSegments(u locator.URL) []string {
	path, _ := u.Path()
	segments := strings.Split(path, "/")
	for i, s := range segments {
		segments[i] = locator.Decode(s)
	}
	return segments
}

// List returns the entries of a folder: the links of its HTML index page that lead below it, or the objects that a gateway sends to
// those who accept mediaObjects. If the
// page does not distinguish folders from files, as with mini_httpd, the entries that may be folders
// come last, after a HEAD for each.
func (s Scheme) List(ctx context.Context, env *scheme.Env, r scheme.Request, o scheme.ListOptions) (*scheme.Resource, error) {
	res, err := s.Access(ctx, env, r, scheme.AccessOptions{Accept: o.Accept})
	if err != nil || res.Kind == scheme.KindReferral {
		return res, err
	}
	page := *res
	if o.Copy != nil {
		page.Body = io.NopCloser(io.TeeReader(res.Body, o.Copy)) // res is closed
	}
	return &scheme.Resource{
		URL: res.URL, Kind: scheme.KindListing, Attr: res.Attr, Status: res.Status, Notes: res.Notes, Closer: res, Fresh: res.Fresh, NoStore: res.NoStore,
		Entries: func(yield func(scheme.Entry, error) bool) {
			defer res.Close()
			if isObjects(page.Attr.Type) && slices.Contains(o.Accept.Types, mediaObjects) { // others are no entries
				objects(&page, unframed(res.Body), env, o.Max, yield)
				return
			}
			f := &folders{yield: yield, ask: func(u locator.URL) (*scheme.Resource, error) {
				asked := r
				asked.URL = u
				return s.Attributes(ctx, env, asked, scheme.AttributesOptions{})
			}}
			index(&page, unframed(res.Body), env, o.Max, f.add)
			res.Close()
			f.finish(ctx)
		},
	}, nil
}
