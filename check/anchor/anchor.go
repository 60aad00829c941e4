package anchor

import (
	"bytes"
	"mime"
	"regexp"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html/charset"

	"locator/internal/mediatype"
)

// A Document is what a fragment points into.
type Document struct {
	Name string // its last segment of the path, decoded; empty if it has none
	Type string // media type; empty means that of the name
	Body []byte
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
// may be spelt in the fragment as it is, or with escapes.
func (d *Document) Find(fragment string) Answer {
	x := d.Index()
	answer := x.Find(fragment)
	_, directive, _ := strings.Cut(fragment, ":~:")
	for text := range strings.SplitSeq(directive, "&") {
		if quote, ok := strings.CutPrefix(text, "text="); ok && answer == Present {
			answer = x.orScripted(d.quote(quote))
		}
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

// read reads the document, and at least so many bytes of its text; nil means that it cannot be read.
func (d *Document) read(most int) *page {
	switch body := d.decoded(); d.kind() {
	case htmlKind:
		return readHTML(body, most)
	case markdownKind:
		return readMarkdown(body)
	default:
		return &page{text: bytes.Clone(body)}
	}
}

// lineRange are the lines that GitHub and GitLab name: L10, L10-L20, L10-20, L10C3-L20C5.
var lineRange = regexp.MustCompile(`^L([0-9]{1,9})(?:C[0-9]+)?(?:-L?([0-9]{1,9})(?:C[0-9]+)?)?$`)

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

// Bounds below which the page of a script has no content of its own.
const (
	fewIDs    = 5
	shortText = 200 // bytes
)

// scripted reports whether a script seems to make the content of the page.
func (p *page) scripted() bool {
	return len(p.text) < shortText/10 || p.scripts > 0 && (len(p.ids) < fewIDs || len(p.text) < shortText)
}
