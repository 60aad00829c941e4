package http

import (
	"errors"
	"hash/maphash"
	"io"
	"slices"
	"strings"
	"time"

	"golang.org/x/net/html"

	"locator"
	"locator/scheme"
)

// maxToken is the longest tag, text or script that an index may hold, in octets.
const maxToken = 1 << 20

// index reads the links of a page that lead below its folder, with the dates and sizes that stand beside them.
//
// QUIRK: no RFC says how a server writes the index of a folder. Read are nginx's and Apache's (plain, fancy, and as a
// table), and any other page whose links are relative.
func index(res *scheme.Resource, limits scheme.Limits, most int, yield func(scheme.Entry, error) bool) {
	if !isHTML(res.Attr.Type) {
		yield(scheme.Entry{}, scheme.Fail(scheme.CodeUnsupported, "a resource of type %s holds no list of links", orUnknown(show(res.Attr.Type))))
		return
	}
	in := &bounded{r: res.Body, left: limits.Listing, limit: limits.Listing}
	z := html.NewTokenizer(in)
	z.SetMaxBuf(maxToken)
	x := &indexReader{page: res.URL, base: res.URL, folder: folder(res.URL), longest: limits.Line, seed: maphash.MakeSeed(), seen: make(map[uint64]bool)}
	for n := 0; ; {
		e, err := x.next(z)
		switch {
		case err == io.EOF:
			return
		case errors.Is(err, html.ErrBufferExceeded):
			err = scheme.Fail(scheme.CodeBroken, "the index holds a tag or text longer than %d octets", maxToken)
		case err == nil && n == limits.Entries:
			err = scheme.Fail(scheme.CodeBroken, "the index holds more than %d entries, the limit", limits.Entries)
		}
		if err != nil {
			yield(scheme.Entry{}, err)
			return
		}
		n++
		if !yield(e, nil) || n == most {
			return
		}
	}
}

func isHTML(mediaType string) bool {
	t, _, _ := strings.Cut(mediaType, ";")
	t = strings.ToLower(strings.TrimSpace(t))
	return t == "text/html" || t == "application/xhtml+xml"
}

func orUnknown(s string) string {
	if s == "" {
		return "unknown"
	}
	return s
}

// indexReader walks through a page.
type indexReader struct {
	page    locator.URL
	base    locator.URL // what links are relative to: the page, or what <base> says
	folder  []string    // decoded segments of the page's folder
	longest int         // octets of a link that is read
	seed    maphash.Seed
	seen    map[uint64]bool // hashes of the links so far: there may be many
	pending *scheme.Entry   // whose row is being read
	row     strings.Builder
	inLink  bool
	end     error
}

// next gives the next entry: a link is complete when the one after it begins.
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
			switch name, _ := z.TagName(); string(name) {
			case "a":
				x.inLink = false
			case "td", "th":
				x.text(" ")
			}
		case html.TextToken:
			x.text(string(z.Text()))
		}
	}
	return scheme.Entry{}, x.end
}

// maxRow is how much of the text beside a link is read.
const maxRow = 512

func (x *indexReader) text(s string) {
	if x.pending != nil && !x.inLink && x.row.Len() < maxRow {
		x.row.WriteString(s[:min(len(s), maxRow)])
	}
}

// tag looks at a start tag; ok says that the entry before it is complete.
func (x *indexReader) tag(z *html.Tokenizer) (done scheme.Entry, ok bool) {
	name, more := z.TagName()
	kind := string(name)
	if kind != "a" && kind != "base" {
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
		u, err := follow(x.base, string(value))
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
		done, ok = x.take()
		if h := maphash.String(x.seed, e.URL.Text()); below && !x.seen[h] {
			x.seen[h] = true
			x.pending = &e
		}
		return done, ok
	}
	return done, false
}

// take gives the pending entry with what its row says.
func (x *indexReader) take() (e scheme.Entry, ok bool) {
	if x.pending == nil {
		return e, false
	}
	e = *x.pending
	e.Attr.Modified, e.Attr.Size = row(x.row.String())
	if e.Kind == scheme.KindListing {
		e.Attr.Size = scheme.Count{}
	}
	x.pending = nil
	x.row.Reset()
	return e, true
}

// entry makes an entry of a link, if it leads below the page's folder.
func (x *indexReader) entry(u locator.URL) (e scheme.Entry, below bool) {
	u = u.WithoutFragment()
	mine, ok1 := x.page.PortNumber()
	its, ok2 := u.PortNumber()
	if u.Scheme() != x.page.Scheme() || !strings.EqualFold(u.Host(), x.page.Host()) || mine != its || !ok1 || !ok2 {
		return e, false
	}
	path, _ := u.Path()
	segments := decodeAll(strings.Split(path, "/"))
	n := len(x.folder)
	if len(segments) <= n || !slices.Equal(segments[:n], x.folder) {
		return e, false
	}
	rest := segments[n:]
	e = scheme.Entry{URL: u, Kind: scheme.KindObject}
	if last := len(rest) - 1; rest[last] == "" {
		if _, sorted := u.Search(); sorted { // another view of a folder, not another folder
			return e, false
		}
		rest, e.Kind = rest[:last], scheme.KindListing
	}
	e.Name = strings.Join(rest, "/")
	return e, e.Name != ""
}

// folder gives the decoded segments up to the last slash.
func folder(u locator.URL) []string {
	path, _ := u.Path()
	segments := strings.Split(path, "/")
	return decodeAll(segments[:len(segments)-1])
}

func decodeAll(segments []string) []string {
	decoded := make([]string, len(segments))
	for i, s := range segments {
		decoded[i] = locator.Decode(s)
	}
	return decoded
}

// Dates as servers write them, in fields.
var dateLayouts = [...]string{
	"02-Jan-2006", // nginx, Apache before 2.4
	"2006-01-02",  // Apache 2.4
	"2006-Jan-02", // lighttpd
}

// row reads the date and size beside a link. A size that is rounded ("1.2K") is unknown.
//
// QUIRK: servers do not say which zone their dates are in. nginx writes UTC, Apache its own time; UTC is assumed.
func row(text string) (modified time.Time, size scheme.Count) {
	f := strings.Fields(text)
	for i := 0; i+1 < len(f); i++ {
		t, ok := date(f[i], f[i+1])
		if !ok {
			continue
		}
		if i+2 < len(f) {
			if n, ok := octets(f[i+2]); ok {
				size = scheme.Known(n)
			}
		}
		return t, size
	}
	return modified, size
}

func date(day, clock string) (time.Time, bool) {
	for _, layout := range dateLayouts {
		for _, c := range [...]string{"15:04", "15:04:05"} {
			if t, err := time.Parse(layout+" "+c, day+" "+clock); err == nil {
				return t, true
			}
		}
	}
	return time.Time{}, false
}

// bounded ends with an error where a page passes the limit.
type bounded struct {
	r           io.Reader
	left, limit int64
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, scheme.Fail(scheme.CodeBroken, "the index passed the limit of %d octets", b.limit)
	}
	n, err := b.r.Read(p[:min(int64(len(p)), b.left)])
	b.left -= int64(n)
	return n, err
}
