package gateway

import (
	"html/template"
	"iter"
	"math"
	"net/mail"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"locator/internal/held"
	"locator/internal/present"
	"locator/internal/safename"
	"locator/internal/units"
	"locator/scheme"
	"locator/scheme/message"
)

// pageMessages is how many messages a page of threads has.
const pageMessages = 500

// The options of the page of a list of messages: it has the messages before that number, in the list of that name.
const (
	optBefore = "before"
	optOf     = "of"
)

// newest returns how many of the newest entries are asked for, where a listing has an order of time: those of a page, or as many as can
// be sorted and filtered, and one more to see that there are more.
func (x *exchange) newest() int {
	if x.place.opts.Get("sort") != "" || strings.TrimSpace(x.place.opts.Get("filter")) != "" {
		return maxSorted + 1
	}
	return pageMessages
}

// before returns the position that the page is before.
func (x *exchange) before() (p message.Position) {
	n, err := strconv.ParseInt(x.place.opts.Get(optBefore), 10, 64)
	if err != nil || n < 1 || n == math.MaxInt64 {
		return p
	}
	return message.Position{List: x.place.opts.Get(optOf), Number: n}
}

// firstEntry returns the first entry of a listing, which can still be ranged over. The caller must call stop.
func firstEntry(res *scheme.Resource) (first scheme.Entry, stop func()) {
	next, stop := iter.Pull2(res.Entries)
	first, err, ok := next()
	res.Entries = func(yield func(scheme.Entry, error) bool) {
		for e, err := first, err; ok; e, err, ok = next() {
			if !yield(e, err) {
				return
			}
		}
	}
	return first, stop
}

// isMessage reports whether an entry is a mail or an article.
func isMessage(e scheme.Entry) bool {
	return e.Kind == scheme.KindObject && isMessageType(e.Attr.Type) && e.Attr.ID != ""
}

// threadsData is the page of a list of messages.
type threadsData struct {
	URL     string
	Filter  string
	Sort    string
	Sorts   []choice
	Write   template.URL // of the page on which an article is written; "" if none can be
	Older   template.URL
	Newest  template.URL // of the first page, if this one is older
	Threads []thread
}

// choice is an option of a list to choose from.
type choice struct {
	Value, Text string
	Here        bool
}

// thread is a message and the answers to it.
type thread struct {
	Subject string
	Date    string // of the newest
	Count   int
	Rows    []messageRow
}

// messageRow is a message in a list.
type messageRow struct {
	Subject string
	Path    template.URL // "" for a line of the list that could not be read
	From    string
	Date    string
	Size    string
	ID      string
	Depth   int
}

// messageSorts are the orders of a list of messages.
var messageSorts = []struct{ name, text string }{{"", "threads"}, {"date", "newest first"}, {"name", "subject"}, {"from", "author"}, {"size", "size"}}

// Bounds of what a row of a list shows, in bytes, and of the levels of answers.
const (
	maxSubject = 300
	maxAuthor  = 100
	maxDepth   = 10
)

// messages serves a list of messages: a page of threads, the one with the newest message first, or the messages in an order.
func (x *exchange) messages(res *scheme.Resource) {
	opts := x.place.opts
	data := &threadsData{URL: shown(x.u).Text(), Filter: strings.TrimSpace(opts.Get("filter")), Sort: opts.Get("sort"), Write: x.writePath(res.URL)}
	for _, s := range messageSorts {
		data.Sorts = append(data.Sorts, choice{s.name, s.text, s.name == data.Sort})
	}
	if opts.Has(optBefore) {
		data.Newest = pathOf(viewPage, x.u)
	}
	page := x.newPage(titleOf(res.URL), res.URL, data)
	page.Notes = append(page.Notes, res.Notes...)
	x.share(res)
	if data.Sort != "" || data.Filter != "" {
		o := x.g.begin(x.w, x.r, 200, page)
		defer o.Close()
		x.g.render(o, "messages", page)
		rows := &rows{x: x, out: o, messages: true}
		rows.sorted(res, data.Sort, data.Filter)
		end := rows.summary()
		x.g.render(o, "messages-end", &threadsEnd{Flat: true, Count: units.Count(rows.n, "message"), Error: end.Error, Cut: end.Cut})
		x.end(o, res, -1)
		return
	}
	list, end := x.messagePage(res)
	data.Threads = threadsOf(x, list)
	if n := len(list); n > 0 && n >= pageMessages {
		if last := list[n-1].Position; last.Number > 1 {
			data.Older = pathWith(x.u, url.Values{optBefore: {strconv.FormatInt(last.Number, 10)}, optOf: {last.List}})
		}
	}
	if end.Count = units.Count(len(list), "message") + " in " + units.Count(len(data.Threads), "thread"); data.Older != "" {
		end.Cut = "This page has " + units.Count(len(list), "message") + ". There are older ones."
	}
	page.Notes = append(page.Notes, x.takeNotes()...)
	o := x.g.begin(x.w, x.r, 200, page)
	defer o.Close()
	x.g.render(o, "messages", page)
	x.g.render(o, "messages-end", end)
	x.g.render(o, "pager", data)
	x.end(o, res, -1)
}

// threadsEnd is the part of a list of messages after its rows.
type threadsEnd struct {
	Flat  bool
	Count string
	Error string
	Cut   string
}

// messagePage returns the messages of a page, as far as they fit in memory.
func (x *exchange) messagePage(res *scheme.Resource) (list []scheme.Entry, end *threadsEnd) {
	end = &threadsEnd{}
	left := held.Budget(maxSortedMemory)
	for e, err := range res.Entries {
		switch {
		case err != nil:
			x.spoil()
			end.Error = present.Bare(err).Error()
			return list, end
		case !left.Take(held.Entry(&e)):
			end.Error = "the texts of its rows are longer than " + units.Size(maxSortedMemory)
			return list, end
		}
		if list = append(list, e); len(list) == pageMessages {
			break
		}
	}
	return list, end
}

// threadsOf returns the threads of messages. A thread stands where its first message in the list does.
func threadsOf(x *exchange, list []scheme.Entry) []thread {
	var all []thread
	var begins []int // the place of each thread
	for at, depth := range present.ThreadOrder(list) {
		r := x.messageRow(list[at])
		r.Depth = min(depth, maxDepth)
		if depth == 0 {
			all, begins = append(all, thread{Subject: r.Subject, Date: r.Date}), append(begins, at)
		}
		last := len(all) - 1
		t := &all[last]
		t.Count++
		t.Rows = append(t.Rows, r)
		if at < begins[last] {
			begins[last], t.Date = at, r.Date
		}
	}
	order := make([]int, len(all))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return begins[a] - begins[b] })
	sorted := make([]thread, 0, len(all))
	for _, i := range order {
		sorted = append(sorted, all[i])
	}
	return sorted
}

// messageRow returns the row of a message.
func (x *exchange) messageRow(e scheme.Entry) messageRow {
	r := messageRow{Subject: shorten(e.Name, maxSubject), Date: present.Time(e.Attr), ID: shorten(e.Attr.ID, maxSubject)}
	r.From = e.Attr.From
	if a, err := mail.ParseAddress(r.From); err == nil && a.Name != "" {
		r.From = a.Name
	}
	r.From = shorten(r.From, maxAuthor)
	if !e.URL.IsZero() {
		r.Path = pathOf(viewPage, e.PlainURL())
	}
	if n, ok := e.Attr.Size.Get(); ok {
		r.Size = units.Size(n)
	}
	return r
}

// shorten returns a text from a server as one line of at most n bytes.
func shorten(s string, n int) string {
	if len(s) > n {
		s = safename.Shorten(s, n) + "..."
	}
	return line(s)
}
