package gateway

import (
	"bytes"
	"io"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/microcosm-cc/bluemonday"
	"golang.org/x/net/html"

	"locator"
	"locator/internal/mediatype"
	"locator/scheme"
	"locator/wire"
)

// optDocument is the option of a page that shows a document of HTML as one, and not its source.
const optDocument = "html"

// Bounds of a document that is shown as one.
const (
	maxDocument       = 2 << 20 // bytes that are read
	maxDocumentHTML   = 8 << 20 // bytes of the page; links become longer
	maxDocumentDepth  = 200     // elements in elements
	maxDocumentImages = 50
	maxDocumentLink   = 8 << 10 // bytes of an attribute
)

// documentPrefix begins the ids of a document, so that none is one of the page.
const documentPrefix = "doc-"

// documentPolicy returns what is left of a document: texts, lists, tables, links and images. Their URLs are not judged here:
// documentWriter writes paths of the gateway only.
func documentPolicy() *bluemonday.Policy {
	p := bluemonday.NewPolicy()
	p.AllowElements(documentElements...)
	number := regexp.MustCompile(`^[0-9]{1,4}$`)
	p.AllowAttrs("href").OnElements("base")
	p.AllowAttrs("src").OnElements("frame", "iframe")
	p.AllowNoAttrs().OnElements("base", "frame", "iframe", "a", "img")
	p.AllowAttrs("href", "name").OnElements("a")
	p.AllowAttrs("src", "alt").OnElements("img")
	p.AllowAttrs("width", "height").Matching(number).OnElements("img")
	p.AllowAttrs("colspan", "rowspan").Matching(number).OnElements("td", "th")
	p.AllowAttrs("start", "value").Matching(number).OnElements("ol", "li")
	p.AllowAttrs("dir").Matching(bluemonday.Direction).Globally()
	p.AllowAttrs("id", "title").Globally()
	p.AllowElementsContent("frameset", "object") // there is neither, but what stands in their place
	return p
}

// documentElements are the elements that a page may have besides links, images and frames. Section is not among them: it is the
// element around the document, which only the page ends.
var documentElements = strings.Fields("abbr acronym address b big blockquote br caption cite code dd del dfn dir div dl dt em h1 h2 h3 h4 h5 h6 hr i ins " +
	"kbd li menu ol p pre q s samp small strike strong sub sup table tbody td tfoot th thead tr tt u ul var wbr")

// document writes a document of HTML as a part of the page. cut reports that it is longer than what is shown. It returns how many bytes
// were read and the error of reading.
func (x *exchange) document(o *output, res *scheme.Resource) (n int64, cut bool, err error) {
	count := &counter{r: res.Body}
	body := wire.Text(decode(io.LimitReader(count, maxDocument+1), res.Attr.Type, x.settings.Charset))
	failed := &failing{r: body}
	var clean bytes.Buffer
	if bad := documentPolicy().SanitizeReaderToWriter(failed, &clean); bad != nil && failed.err == nil {
		failed.err = bad
	}
	d := &documentWriter{x: x, out: o, at: res.URL, base: res.URL}
	d.write(&clean)
	return count.n, d.full || count.n > maxDocument, failed.err
}

// failing keeps the error of a reader, which then only ends.
type failing struct {
	r   io.Reader
	err error
}

func (f *failing) Read(p []byte) (int, error) {
	n, err := f.r.Read(p)
	if err != nil && err != io.EOF {
		f.err, err = err, io.EOF
	}
	return n, err
}

// documentWriter writes what the policy left of a document: each element is ended within the document, and each link leads to a page of
// the gateway.
type documentWriter struct {
	x      *exchange
	out    io.Writer
	at     locator.URL // of the document
	base   locator.URL // of its links
	based  bool        // by the document; only the first <base> counts
	open   []string
	images int
	n      int
	full   bool
}

func (d *documentWriter) write(r io.Reader) {
	z := html.NewTokenizer(r)
	for z.Next() != html.ErrorToken && !d.full {
		switch t := z.Token(); t.Type {
		case html.TextToken:
			if !d.in("iframe") {
				d.text(t.Data)
			}
		case html.StartTagToken, html.SelfClosingTagToken:
			d.start(t)
		case html.EndTagToken:
			d.end(t.Data)
		}
	}
	d.endTo(0)
}

// put writes HTML, unless there is too much.
func (d *documentWriter) put(s string) {
	if d.n += len(s); d.n > maxDocumentHTML {
		d.full = true
		return
	}
	write(d.out, s)
}

func (d *documentWriter) text(s string) { d.put(html.EscapeString(clean(s))) }

// clean returns a text without control characters, which references such as "&#27;" make.
func clean(s string) string {
	if strings.ContainsFunc(s, func(c rune) bool { return c < ' ' && c != '\n' && c != '\t' || c > '~' }) {
		return lines(s)
	}
	return s
}

// start writes the begin of an element.
func (d *documentWriter) start(t html.Token) {
	attr := make(map[string]string)
	for _, a := range t.Attr {
		if _, ok := attr[a.Key]; !ok && len(a.Val) <= maxDocumentLink {
			attr[a.Key] = a.Val
		}
	}
	switch t.Data {
	case "base":
		if u, ok := d.resolve(attr["href"]); ok && !d.based && attr["href"] != "" {
			d.base, d.based = u, true
		}
	case "img":
		d.image(attr)
	case "frame", "iframe":
		d.frame(attr["src"])
		if t.Data == "iframe" && t.Type == html.StartTagToken {
			d.open = append(d.open, "iframe") // its text is for those who have no frames
		}
	case "a":
		d.link(attr)
	case "br", "hr", "wbr":
		d.implied(t.Data)
		d.put("<" + t.Data + ">")
	default:
		if !slices.Contains(documentElements, t.Data) {
			return
		}
		d.implied(t.Data)
		d.begin(t.Data, d.attributes(t.Data, attr))
	}
}

// begin writes a start tag with attributes that are escaped. Elements that are too deep are left out, but not what is in them.
func (d *documentWriter) begin(name, attributes string) {
	if len(d.open) < maxDocumentDepth {
		d.open = append(d.open, name)
		d.put("<" + name + attributes + ">")
	}
}

// attributes returns the attributes of an element but those of links and images.
func (d *documentWriter) attributes(name string, attr map[string]string) string {
	var b strings.Builder
	add := func(key, value string) { b.WriteString(" " + key + `="` + html.EscapeString(line(value)) + `"`) }
	if id := attr["id"]; id != "" {
		add("id", documentPrefix+id)
	} else if id := attr["name"]; id != "" && name == "a" {
		add("id", documentPrefix+id)
	}
	for _, key := range []string{"title", "dir"} {
		if value := attr[key]; value != "" {
			add(key, value)
		}
	}
	for _, key := range []string{"colspan", "rowspan", "start", "value"} {
		if value, ok := attr[key]; ok && len(value) <= 3 {
			add(key, value)
		}
	}
	return b.String()
}

// link writes the begin of a link, or of an element that others link to.
func (d *documentWriter) link(attr map[string]string) {
	if d.in("a") {
		return
	}
	more := d.attributes("a", attr)
	if href, ok := attr["href"]; ok {
		if path := d.path(href); path != "" {
			more = ` href="` + html.EscapeString(path) + `"` + more
		}
	}
	d.begin("a", more)
}

// path returns the path for a link of the document; "" if it leads nowhere.
func (d *documentWriter) path(href string) string {
	u, ok := d.resolve(href)
	if !ok {
		return ""
	}
	_, fragment, _ := strings.Cut(href, "#")
	fragment = strings.TrimRight(fragment, " \t\r\n")
	if locator.Equal(u, d.at.WithoutFragment()) && fragment != "" {
		return "#" + documentPrefix + fragment
	}
	if name, ok := u.Path(); ok && u.Hierarchical() {
		if t := mediatype.ByName(name); t == "" || isHTML(t) { // it may be a document, too
			path := string(pathWith(u, url.Values{optDocument: {"1"}}))
			if fragment != "" {
				path += "#" + documentPrefix + fragment
			}
			return path
		}
	}
	return string(pathOf(viewPage, u))
}

// resolve returns the URL of a link. Those of schemes that the gateway does not have are none, such as javascript and data.
func (d *documentWriter) resolve(href string) (u locator.URL, ok bool) {
	href = strings.NewReplacer("\t", "", "\n", "", "\r", "").Replace(href) // as browsers do
	href = strings.TrimFunc(href, func(c rune) bool { return c <= ' ' })
	u, err := d.base.Resolve(href)
	if err != nil {
		return u, false
	}
	if u, err = d.x.g.client.Parse(u.WithoutFragment().Text()); err != nil {
		return u, false
	}
	_, ok = d.x.g.opt.Client.Registry.Lookup(u.Scheme())
	return u, ok
}

// image writes an image of the same server, or a link to one of another server: whoever reads a document does not access other servers
// without a click.
func (d *documentWriter) image(attr map[string]string) {
	alt, hasAlt := attr["alt"]
	alt = strings.TrimSpace(alt)
	u, ok := d.resolve(attr["src"])
	if ok && attr["src"] != "" && upstream(u) == upstream(d.at) && d.images < maxDocumentImages {
		d.images++
		more := ""
		for _, key := range []string{"width", "height"} {
			if n, err := strconv.Atoi(attr[key]); err == nil && n > 0 && n < 10_000 {
				more += " " + key + `="` + strconv.Itoa(n) + `"`
			}
		}
		d.put(`<img src="` + html.EscapeString(string(d.x.contentPath(viewRaw, u))) + `" alt="` + html.EscapeString(line(alt)) + `" loading="lazy"` + more + ">")
		return
	}
	switch {
	case hasAlt && alt == "": // it says nothing
	case ok && !d.in("a"):
		d.put(`<a href="` + html.EscapeString(string(pathOf(viewPage, u))) + `">[image] ` + html.EscapeString(line(alt)) + "</a>")
	default:
		d.text("[image] " + line(alt))
	}
}

// frame writes a link to what a frame shows.
func (d *documentWriter) frame(src string) {
	if path := d.path(src); src != "" && path != "" && !d.in("a") {
		d.put(`<p><a href="` + html.EscapeString(path) + `">[frame] ` + html.EscapeString(line(src)) + "</a></p>")
	}
}

func (d *documentWriter) in(name string) bool { return slices.Contains(d.open, name) }

// end ends an element that is open. An end tag in a cell does not end what is around the table.
func (d *documentWriter) end(name string) {
	for i, open := range slices.Backward(d.open) {
		if open == name {
			d.endTo(i)
			return
		}
		if isCell(open) && !isTable(name) {
			return
		}
	}
}

// endTo ends the elements that are open from i on.
func (d *documentWriter) endTo(i int) {
	for _, name := range slices.Backward(d.open[i:]) {
		if name != "iframe" {
			write(d.out, "</"+name+">") // even if there is too much
		}
	}
	d.open = d.open[:i]
}

// implied ends what the begin of an element ends, since its end tag may be missing.
func (d *documentWriter) implied(name string) {
	var ends, stops []string
	switch name {
	case "li":
		ends, stops = []string{"li"}, []string{"ul", "ol", "dir", "menu"}
	case "dt", "dd":
		ends, stops = []string{"dt", "dd"}, []string{"dl"}
	case "td", "th":
		ends, stops = []string{"td", "th", "caption"}, []string{"tr", "table"}
	case "tr":
		ends, stops = []string{"tr", "caption"}, []string{"table"}
	case "thead", "tbody", "tfoot":
		ends, stops = []string{"thead", "tbody", "tfoot", "caption"}, []string{"table"}
	case "address", "blockquote", "dir", "div", "dl", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "menu", "ol", "p", "pre", "table", "ul":
		ends = []string{"p"}
	}
	if ends == nil {
		return
	}
	for i, open := range slices.Backward(d.open) {
		if slices.Contains(ends, open) {
			d.endTo(i)
			return
		}
		if slices.Contains(stops, open) || isCell(open) && !isTable(name) {
			return
		}
	}
}

func isCell(name string) bool {
	return name == "td" || name == "th" || name == "caption" || name == "table"
}

func isTable(name string) bool {
	switch name {
	case "table", "caption", "thead", "tbody", "tfoot", "tr", "td", "th":
		return true
	}
	return false
}
