package gateway

import (
	"bytes"
	"cmp"
	"html/template"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"locator"
	"locator/client"
	"locator/internal/mediatype"
	"locator/internal/present"
	"locator/internal/units"
	"locator/scheme"
)

// The most that is kept of a listing to sort or filter it.
const (
	maxSorted       = 100_000 // rows
	maxSortedMemory = 32 << 20
	rowMemory       = 64 // bytes of a row besides its texts
)

// listingData is the part of a listing before its rows.
type listingData struct {
	Table  bool // columns; otherwise the layout of a menu
	Sort   string
	Filter string
	Sorts  []link
	URL    string
	Views  []link
}

// link is a link of a page.
type link struct {
	Text string
	Path template.URL
	Here bool
}

// row is an entry of a listing.
type row struct {
	Name   string
	Path   template.URL // "" for a note
	Word   string       // what it is
	Icon   string
	Size   string
	Date   string
	From   string
	Target string
	More   []link       // other representations and copies
	Info   template.URL // the path of a page of its attributes, which the server has not sent with the listing
	About  string       // abstract
	Table  bool
	Unread bool // a line of the listing that could not be read
	Key    string
	Indent string
	Search string // the URL of a search, which has a box; "" if there is none
}

// sorts are the orders of a listing.
var sorts = []struct{ name, text string }{{"", "as sent"}, {"name", "name"}, {"size", "size"}, {"date", "date"}}

// listing serves a listing. Rows are sent as they arrive, in the server's order; a sorted or filtered page is made of what fits in memory.
func (x *exchange) listing(res *scheme.Resource) {
	if x.r.Method == http.MethodHead {
		ownHeader(x.w.Header())
		return
	}
	first, stop := firstEntry(res)
	defer stop()
	if isMessage(first) || (first.Unread || first.Name == "") && x.isGroup(res) {
		x.messages(res)
		return
	}
	opts := x.place.opts
	order, filter := opts.Get("sort"), strings.TrimSpace(opts.Get("filter"))
	data := &listingData{Table: x.isTable(res), Sort: order, Filter: filter, URL: shown(x.u).Text()}
	for _, s := range sorts {
		q := url.Values{}
		for n, v := range opts {
			q[n] = v
		}
		if q.Set("sort", s.name); s.name == "" {
			q.Del("sort")
		}
		data.Sorts = append(data.Sorts, link{s.text, pathWith(x.u, q), s.name == order})
	}
	page := x.newPage(titleOf(res.URL), res.URL, data)
	page.Notes = append(page.Notes, res.Notes...)
	x.share(res)
	o := x.g.begin(x.w, x.r, http.StatusOK, page)
	defer o.Close()
	x.g.render(o, "listing", page)
	rows := &rows{x: x, out: o, table: data.Table}
	if order == "" && filter == "" {
		rows.stream(res)
	} else {
		rows.sorted(res, order, filter)
	}
	x.g.render(o, "listing-end", rows.summary())
	x.readme(o, res, rows.readme)
	x.end(o, res, -1)
}

// isTable reports whether a listing is shown in columns: names of files are, the texts of a menu are not.
func (x *exchange) isTable(res *scheme.Resource) bool { return res.URL.Hierarchical() }

// titleOf returns the title of the page of u.
func titleOf(u locator.URL) string { return line(shown(u).Readable()) }

// rows writes the rows of a listing.
type rows struct {
	x        *exchange
	out      *output
	table    bool
	messages bool // they are messages
	n        int
	err      error
	cut      bool // there is more than is sorted
	readme   locator.URL
}

func (t *rows) stream(res *scheme.Resource) {
	for e, err := range res.Entries {
		if err != nil {
			t.err = err
			t.x.spoil()
			return
		}
		if t.put(e) != nil {
			return // the client has gone
		}
	}
}

// blockRows is the number of rows in an element. The style sheet lets a browser leave out the layout of those outside the window.
const blockRows = 200

// block begins another element if the last one has enough rows.
func (t *rows) block(n int) {
	if n == 0 || n%blockRows != 0 {
		return
	}
	name := "menu-block"
	switch {
	case t.messages:
		name = "messages-block"
	case t.table:
		name = "table-block"
	}
	t.x.g.render(t.out, name, nil)
}

func (t *rows) put(e scheme.Entry) error {
	t.block(t.n)
	return t.write(t.out, e)
}

// write writes the row of an entry.
func (t *rows) write(w io.Writer, e scheme.Entry) error {
	t.n++
	if t.messages {
		return t.x.g.render(w, "message-row", t.x.messageRow(e))
	}
	if t.readme.IsZero() && e.Kind == scheme.KindObject && isReadme(e.Name) {
		t.readme = e.URL
	}
	r := t.x.rowOf(e, t.table)
	if e.Kind == scheme.KindQuery && !t.table {
		r.Search = shown(e.URL).Text()
	}
	return t.x.g.render(w, "row", r)
}

// sortedRow is a row and what it is sorted by. It takes less memory than its entry.
type sortedRow struct {
	text   string
	number int64
	html   string
}

// sortedRowOf returns the row of an entry, which comes after those with smaller texts and numbers in the order.
func (t *rows) sortedRowOf(e scheme.Entry, order string, buf *bytes.Buffer) sortedRow {
	buf.Reset()
	t.write(buf, e) // the buffer takes all
	r := sortedRow{html: buf.String()}
	switch order {
	case "name":
		r.text = strings.ToLower(e.Name)
	case "from":
		r.text = strings.ToLower(e.Attr.From)
	case "size":
		r.number = -e.Attr.Size.Or(-1) // largest first
	case "date":
		r.number = -e.Attr.Modified.Unix() // newest first
	}
	return r
}

// sorted writes the rows that match a filter, in an order.
func (t *rows) sorted(res *scheme.Resource, order, filter string) {
	var list []sortedRow
	var buf bytes.Buffer
	memory, read := 0, 0
	for e, err := range res.Entries {
		if err != nil {
			t.err = err
			t.x.spoil()
			break
		}
		if read++; read > maxSorted {
			t.cut = true
			break
		}
		if filter != "" && !containsFold(e.Name, filter) && !containsFold(e.Attr.From, filter) {
			continue
		}
		r := t.sortedRowOf(e, order, &buf)
		if memory += rowMemory + len(r.text) + len(r.html); memory > maxSortedMemory {
			t.cut = true
			t.n--
			break
		}
		list = append(list, r)
	}
	slices.SortStableFunc(list, func(a, b sortedRow) int {
		return cmp.Or(cmp.Compare(a.text, b.text), cmp.Compare(a.number, b.number))
	})
	for i, r := range list {
		t.block(i)
		if _, err := io.WriteString(t.out, r.html); err != nil {
			return // the client has gone
		}
	}
}

func containsFold(s, part string) bool {
	return strings.Contains(strings.ToLower(s), strings.ToLower(part))
}

// rowsEnd is the part of a listing after its rows.
type rowsEnd struct {
	Count string
	Table bool
	Error string
	Cut   string
}

func (t *rows) summary() rowsEnd {
	end := rowsEnd{Count: units.Count(t.n, "entry"), Table: t.table}
	if t.n != 1 {
		end.Count = strings.Replace(end.Count, "entrys", "entries", 1)
	}
	if t.err != nil {
		end.Error = present.Bare(t.err).Error()
	}
	if t.cut {
		end.Cut = "The listing is longer. A sorted or filtered page is made of its first " + units.Count(maxSorted, "row") + " or " + units.Size(maxSortedMemory) + "."
	}
	return end
}

// rowOf returns the row of an entry.
func (x *exchange) rowOf(e scheme.Entry, table bool) row {
	r := row{Name: line(e.Name), Table: table, Unread: e.Unread, Date: present.Time(e.Attr), From: line(e.Attr.From), Target: line(e.Target), About: lines(e.Attr.Abstract)}
	if e.URL.IsZero() {
		return r
	}
	r.Path = pathOf(viewPage, e.PlainURL())
	r.Icon, r.Word = kindWord(e)
	if e.URL != e.PlainURL() { // the server has attributes, views and forms of it
		r.Info = pathWith(e.URL, url.Values{optInfo: {"1"}})
	}
	r.Key = e.Attr.ID
	if n, ok := e.Attr.Size.Get(); ok && e.Kind != scheme.KindListing {
		r.Size = units.Size(n)
	}
	for _, a := range e.Alternates {
		r.More = append(r.More, link{Text: cmp.Or(line(a.Attr.Type), line(a.Name)), Path: pathOf(viewPage, a.URL)})
	}
	for _, m := range e.Mirrors {
		r.More = append(r.More, link{Text: "copy: " + line(shown(m.URL).Text()), Path: pathOf(viewPage, m.URL)})
	}
	if table && e.Kind == scheme.KindListing && !strings.HasSuffix(r.Name, "/") {
		r.Name += "/"
	}
	return r
}

// kindWord returns the icon of an entry, which the style sheet has, and the word for those who do not see it.
func kindWord(e scheme.Entry) (icon, word string) {
	switch e.Kind {
	case scheme.KindListing:
		return "listing", "folder"
	case scheme.KindQuery:
		return "query", "search"
	case scheme.KindForm:
		return "form", "form"
	case scheme.KindSession:
		return "session", "session"
	case scheme.KindDraft:
		return "draft", "message to write"
	case scheme.KindObject:
		switch top, _, _ := strings.Cut(cmp.Or(e.Attr.Type, mediatype.ByName(e.Name)), "/"); top {
		case "image":
			return "image", "image"
		case "audio":
			return "audio", "sound"
		case "video":
			return "video", "film"
		case "message":
			return "message", "message"
		}
		return "object", "file"
	}
	return "link", "link"
}

// isReadme reports whether a file describes its folder.
func isReadme(name string) bool {
	base, ext, _ := strings.Cut(strings.ToLower(name), ".")
	return (base == "readme" || base == "00-index" || base == "index") && (ext == "" || ext == "txt" || ext == "md") && name != "index"
}

// maxReadme is how much of a README is shown, in bytes.
const maxReadme = 64 << 10

// readme shows the README of a folder below its listing.
func (x *exchange) readme(o *output, list *scheme.Resource, u locator.URL) {
	if u.IsZero() || !list.URL.Hierarchical() || x.place.opts.Has("filter") {
		return
	}
	r := x.request()
	r.URL, r.From, r.Within = u, client.HopTo(list), x.g.policy.within(u)
	res, err := x.g.client.Access(x.r.Context(), r, &scheme.AccessOptions{Type: 'i', NoSubmit: true, NoSession: true})
	if err != nil {
		x.spoil()
		return // it is an extra
	}
	defer res.Close()
	if res.NoStore {
		x.spoil()
	}
	if res.Kind == scheme.KindObject {
		x.g.render(o, "readme", link{Text: titleOf(u), Path: pathOf(viewPage, u)})
		if _, err := x.text(o, res, maxReadme); err != nil {
			x.spoil()
		}
		x.g.render(o, "readme-end", nil)
	}
}
