package anchor

import (
	"bytes"
	"mime"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"golang.org/x/net/html/charset"

	"locator"
	"locator/internal/mediatype"
)

// A Document is what a fragment points into.
type Document struct {
	Name string // its last segment of the path, decoded; empty if it has none
	Type string // media type; empty means that of the name
	Body []byte

	mu   sync.Mutex
	view *view // nil before the first Find
}

// The answers of Document.Find.
type Answer uint8

const (
	Unknown  Answer = iota // nobody can say: documents of this type, or fragments like this one, are not judged
	Present                // the document has the place
	Absent                 // it does not
	Scripted               // it does not, but a script makes its content
)

// kind is how a document is read.
type kind uint8

const (
	otherKind kind = iota
	htmlKind
	markdownKind
	textKind
)

// Find reports whether the document has the place that a fragment, given as written, names. An id
// may be spelt in the fragment as it is, or with escapes. The document is read once; its fields must
// not be changed afterwards. Find is safe for concurrent use.
func (d *Document) Find(fragment string) Answer {
	id, directive, _ := strings.Cut(fragment, ":~:")
	if id == "" && directive == "" {
		return Present
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.view == nil {
		d.view = &view{kind: d.kind(), body: d.decoded()}
	}
	v := d.view
	if v.kind == otherKind {
		return Unknown
	}
	answer := Present
	if id != "" {
		answer = v.place(id)
	}
	for text := range strings.SplitSeq(directive, "&") {
		if quote, ok := strings.CutPrefix(text, "text="); ok && answer == Present {
			answer = v.quote(quote)
		}
	}
	if answer == Absent && v.kind == htmlKind && v.read().scripted() {
		return Scripted
	}
	return answer
}

// kind returns how the document is read.
func (d *Document) kind() kind {
	media, _, _ := mime.ParseMediaType(d.Type)
	byName := mediatype.ByName(d.Name)
	if media == "" {
		media = byName
	}
	switch {
	case media == "text/html", media == "application/xhtml+xml":
		return htmlKind
	case media == "text/markdown", media == "text/x-markdown":
		return markdownKind
	case media != "" && !strings.HasPrefix(media, "text/") && media != "application/json" && media != "application/javascript",
		bytes.IndexByte(d.Body[:min(len(d.Body), 8<<10)], 0) >= 0:
		return otherKind
	case (media == "" || media == "text/plain") && byName == "text/markdown":
		return markdownKind
	}
	return textKind
}

// decoded returns the body in UTF-8.
func (d *Document) decoded() []byte {
	if utf8.Valid(d.Body) {
		return bytes.TrimPrefix(d.Body, []byte("\uFEFF"))
	}
	e, _, _ := charset.DetermineEncoding(d.Body[:min(len(d.Body), 1<<10)], d.Type)
	if text, err := e.NewDecoder().Bytes(d.Body); err == nil {
		return text
	}
	return d.Body
}

// view is a document that is searched. It is read when something asks for it.
type view struct {
	kind kind
	body []byte
	page *page
}

func (v *view) read() *page {
	if v.page == nil {
		switch v.kind {
		case htmlKind:
			v.page = readHTML(v.body)
		case markdownKind:
			v.page = readMarkdown(v.body)
		default:
			v.page = &page{text: []byte(string(v.body))}
		}
	}
	return v.page
}

// lineRange are the lines that GitHub and GitLab name: L10, L10-L20, L10-20, L10C3-L20C5.
var lineRange = regexp.MustCompile(`^L([0-9]{1,9})(?:C[0-9]+)?(?:-L?([0-9]{1,9})(?:C[0-9]+)?)?$`)

// place looks for the part of the fragment before its directives.
func (v *view) place(id string) Answer {
	if id[0] == '!' || id[0] == '/' { // a state of a program
		return Unknown
	}
	if v.kind != htmlKind {
		if m := lineRange.FindStringSubmatch(id); m != nil {
			return v.lines(m[1:])
		}
		if v.kind == textKind {
			return Unknown
		}
	}
	decoded := locator.Decode(id)
	if strings.EqualFold(decoded, "top") {
		return Present
	}
	p := v.read()
	switch {
	case p == nil:
		return Unknown
	case p.has(id), p.has(decoded):
		return Present
	case v.kind == htmlKind && lineRange.MatchString(id): // a script knows these
		return Unknown
	}
	return Absent
}

// lines reports whether the text has those lines.
func (v *view) lines(numbers []string) Answer {
	have := bytes.Count(v.body, []byte("\n"))
	if len(v.body) > 0 && v.body[len(v.body)-1] != '\n' {
		have++
	}
	for _, text := range numbers {
		if n, err := strconv.Atoi(text); err == nil && (n < 1 || n > have) {
			return Absent
		}
	}
	return Present
}

// page is what a document has.
type page struct {
	ids     map[string]struct{}
	text    []byte // without markup
	scripts int
}

func (p *page) add(id string) {
	if p.ids == nil {
		p.ids = make(map[string]struct{})
	}
	p.ids[id] = struct{}{}
}

// has reports whether the page has an id.
//
// QUIRK: GitHub writes "user-content-" before the ids of what its users write, and a script of its
// pages knows it.
func (p *page) has(id string) bool {
	_, ok := p.ids[id]
	if !ok {
		_, ok = p.ids["user-content-"+id]
	}
	return ok
}

// Bounds below which the page of a script has no content of its own.
const (
	fewIDs    = 5
	shortText = 200 // bytes
)

// scripted reports whether a script seems to make the content of the page.
func (p *page) scripted() bool {
	return len(p.text) < shortText/10 || p.scripts > 0 && (len(p.ids) < fewIDs || len(p.text) < shortText)
}
