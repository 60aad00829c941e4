package gateway

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"locator"
	"locator/internal/safename"
	"locator/scheme"
	"locator/wire"
)

// exchange is one request for a resource, and its response.
type exchange struct {
	g        *Gateway
	w        http.ResponseWriter
	r        *http.Request
	place    place
	u        locator.URL
	settings settings
	dialogue dialogue
	flight   *flight // the response, if it may be shared; nil otherwise
	list     string  // the version of the block list when the flight began
	old      *kept   // a response that was kept, about which the server is asked; nil if there is none

	mu    sync.Mutex
	notes []string
}

// maxNotes is how many notes a page shows.
const maxNotes = 20

// note collects what the client says while a body or a listing is read. It may be called by another goroutine.
func (x *exchange) note(text string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if len(x.notes) < maxNotes {
		x.notes = append(x.notes, text)
	}
}

// takeNotes returns the notes since the last call.
func (x *exchange) takeNotes() []string {
	x.mu.Lock()
	defer x.mu.Unlock()
	list := x.notes
	x.notes = nil
	return list
}

// access opens the resource. It neither sends a filled form nor connects to a session, since a link may lead to both.
func (x *exchange) access(o scheme.AccessOptions) (*scheme.Resource, error) {
	o.NoSubmit, o.NoSession = true, true
	if o.If == (scheme.Conditions{}) {
		o.If = x.conditions()
	}
	o.Accept = x.accept()
	if o.Type == 0 {
		o.Type = 'i'
	}
	res, err := x.g.client.Access(x.r.Context(), x.request(), &o)
	if err == nil && res.NotModified && x.old != nil && !x.g.cache.confirms(x.old, res) {
		res.Close()
		x.g.cache.store.drop(x.old)
		x.old, o.If = nil, scheme.Conditions{}
		return x.g.client.Access(x.r.Context(), x.request(), &o)
	}
	return res, err
}

// accept returns what the browser prefers, and the character set that the user has chosen.
func (x *exchange) accept() scheme.Accept {
	return scheme.Accept{Languages: languages(x.r.Header.Get("Accept-Language")), Types: x.place.opts["type"], Charset: x.settings.Charset}
}

// languages returns the tags of an Accept-Language field as they stand there; browsers write the best first.
func languages(field string) (tags []string) {
	for tag := range strings.SplitSeq(field, ",") {
		tag, _, _ = strings.Cut(tag, ";")
		if tag = strings.TrimSpace(tag); tag != "" && tag != "*" && len(tags) < 8 && wire.TextLine(tag) == tag {
			tags = append(tags, tag)
		}
	}
	return tags
}

// page serves the page of the resource by its kind.
func (x *exchange) page() {
	if x.place.opts.Has("list") {
		x.listPage()
		return
	}
	if x.place.opts.Has(optPart) {
		x.part()
		return
	}
	if x.place.opts.Has(optInfo) {
		x.info()
		return
	}
	if x.place.opts.Has(optAnswer) {
		x.search()
		return
	}
	if x.place.opts.Has(optDraft) {
		x.followUp()
		return
	}
	res, err := x.access(scheme.AccessOptions{Detail: x.place.opts.Has("detail"), Newest: x.newest(), Before: x.before()})
	if err != nil {
		x.problem(err)
		return
	}
	defer res.Close()
	if x.unchanged(res) {
		return
	}
	switch res.Kind {
	case scheme.KindListing:
		x.listing(res)
	case scheme.KindObject:
		x.object(res)
	case scheme.KindQuery, scheme.KindForm:
		x.formPage(res, http.StatusOK, nil)
	case scheme.KindSession:
		x.sessionPage(res, false)
	case scheme.KindDraft:
		x.draftPage(res)
	default:
		x.problem(scheme.Fail(scheme.CodeUnsupported, "the gateway has no page for a %s", res.Kind))
	}
}

// listPage serves the entries in a resource that is a listing only to those who read it as one, such as a web page.
func (x *exchange) listPage() {
	res, err := x.g.client.List(x.r.Context(), x.request(), &scheme.ListOptions{Accept: x.accept(), Detail: x.place.opts.Has("detail")})
	if err != nil {
		x.problem(err)
		return
	}
	defer res.Close()
	x.listing(res)
}

// settings are what a user chose for all pages. They are kept in a cookie, so that they need no script.
type settings struct {
	Width   string // of texts, in characters; "" is that of the window
	Charset string // of texts whose server does not say it, or says it wrongly; "" means what the text looks like
	Plain   bool   // texts as they are, without links
}

const settingsCookie = "locator-view"

// widths are the widths of texts that a user can choose, each with a class in the style sheet.
var widths = []string{"", "40", "60", "72", "80", "100", "132"}

// charsets are the character sets that a page offers. Others can be typed.
var charsets = []string{
	"", "utf-8", "windows-1252", "iso-8859-1", "iso-8859-2", "iso-8859-15", "windows-1250", "windows-1251", "koi8-r", "ibm437", "ibm850", "ibm866", "macintosh",
	"shift_jis", "euc-jp", "iso-2022-jp", "gb18030", "big5", "euc-kr",
}

func settingsOf(r *http.Request) settings {
	c, err := r.Cookie(settingsCookie)
	if err != nil {
		return settings{}
	}
	q, err := url.ParseQuery(c.Value)
	if err != nil {
		return settings{}
	}
	return readSettings(q)
}

// readSettings reads settings; what is not one of those that a page offers is left out.
func readSettings(q url.Values) settings {
	s := settings{Plain: q.Get("plain") != ""}
	if w := q.Get("width"); slices.Contains(widths, w) {
		s.Width = w
	}
	if c := q.Get("charset"); slices.Contains(charsets, c) {
		s.Charset = c
	}
	return s
}

func (s settings) encode() string {
	q := url.Values{}
	if s.Width != "" {
		q.Set("width", s.Width)
	}
	if s.Charset != "" {
		q.Set("charset", s.Charset)
	}
	if s.Plain {
		q.Set("plain", "1")
	}
	return q.Encode()
}

// dialogue collects what was sent and received, for the explain panel.
type dialogue struct {
	mu    sync.Mutex
	lines []string
	more  int
	began time.Time
}

const (
	maxDialogue     = 100 // lines
	maxDialogueLine = 400 // bytes
)

func (d *dialogue) add(line string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.lines) == maxDialogue {
		d.more++
		return
	}
	if len(line) > maxDialogueLine {
		line = safename.Shorten(line, maxDialogueLine) + "..."
	}
	d.lines = append(d.lines, line)
}

func (d *dialogue) trace() *scheme.Trace {
	d.mu.Lock()
	if d.began.IsZero() {
		d.began = time.Now()
	}
	d.mu.Unlock()
	return &scheme.Trace{
		Connected: func(c scheme.Connection) {
			d.add("* connected to " + c.Remote + " in " + c.Took.Round(time.Millisecond).String())
		},
		Sent:     func(line string) { d.add("> " + line) },
		Received: func(line string) { d.add("< " + line) },
		Note:     func(text string) { d.add("* " + text) },
	}
}

// text returns the lines and how long it took until now.
func (d *dialogue) text() (lines []string, more int, took time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.began.IsZero() {
		took = time.Since(d.began)
	}
	return slices.Clone(d.lines), d.more, took
}
