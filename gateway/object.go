package gateway

import (
	"bufio"
	"html/template"
	"io"
	"mime"
	"net/http"
	"strings"

	"locator/internal/mediatype"
	"locator/internal/present"
	"locator/internal/units"
	"locator/scheme"
)

// objectData is what the page of an object shows besides its content.
type objectData struct {
	Raw      template.URL
	Download template.URL
	Type     string
	Size     string
	Modified string
	Show     show
	Document template.URL // the path of a document that the browser shows; "" if it shows none
	AsPage   template.URL // the path of the page that shows a document of HTML as one; "" if it is none, or this is that page
	AsSource template.URL // the path of the page that shows its source; "" unless this is the other one
	Itself   string       // the URL of a web page, to open it without the gateway
	List     template.URL // the path of a page of the links in it
	Attr     []present.Attribute
	Search   *formData // of what the object describes; nil if it is not searched
}

// show is how an object is shown in a page.
type show string

const (
	showText  show = "text"
	showImage show = "image"
	showAudio show = "audio"
	showVideo show = "video"
	showPage  show = "page" // a document of HTML
	showNone  show = "none" // only as a download
)

// object serves the page of an object.
func (x *exchange) object(res *scheme.Resource) {
	head := peek(res)
	res.Attr.Type = typeOf(res, head)
	if isMessageType(res.Attr.Type) && hasHeader(head) {
		x.message(res)
		return
	}
	data := &objectData{
		Raw: x.contentPath(viewRaw, res.URL), Download: pathOf(viewFile, res.URL), Type: line(res.Attr.Type), Show: showOf(res.Attr.Type), Modified: present.Time(res.Attr), Attr: attributesOf(res),
	}
	if n, ok := res.Attr.Size.Get(); ok {
		data.Size = units.Size(n)
	}
	if isPDF(res.Attr.Type) && x.g.contentHost() != "" {
		data.Document = data.Raw
	}
	if isHTML(res.Attr.Type) && x.g.client.Supports(scheme.OpList, scheme.Request{URL: res.URL}) == nil {
		data.Itself, data.List = shown(res.URL).Text(), x.optionsPath("list", "1")
	}
	if isHTML(res.Attr.Type) {
		if data.AsPage = x.optionsPath(optDocument, "1"); x.place.opts.Has(optDocument) {
			data.Show, data.AsPage, data.AsSource = showPage, "", x.optionsPath(optDocument, "")
		}
	}
	if data.Show == showNone && strings.HasPrefix(http.DetectContentType(head), "text/") {
		data.Show = showText // such as a program's source
	}
	if res.Form != nil {
		data.Search = x.formOf(res, nil)
	}
	page := x.newPage(titleOf(res.URL), res.URL, data)
	page.Notes = append(page.Notes, res.Notes...)
	page.IsText = data.Show == showText || data.Show == showPage
	if x.r.Method == http.MethodHead {
		ownHeader(x.w.Header())
		return
	}
	x.share(res)
	o := x.g.begin(x.w, x.r, http.StatusOK, page)
	defer o.Close()
	x.g.render(o, "object", page)
	n := int64(-1)
	var err error
	switch data.Show {
	case showText:
		x.g.render(o, "text", page)
		n, err = x.text(o, res, 0)
		x.g.render(o, "text-end", nil)
	case showPage:
		var cut bool
		x.g.render(o, "document", page)
		n, cut, err = x.document(o, res)
		x.g.render(o, "document-end", cut)
	}
	if err != nil {
		x.spoil()
		x.g.render(o, "broken", present.Bare(err).Error())
	}
	x.g.render(o, "object-end", nil)
	x.end(o, res, n)
}

// attributesOf returns all attributes of a resource, as texts of a page.
func attributesOf(res *scheme.Resource) []present.Attribute {
	list := present.AttributesOf(res.URL, res.Attr).Attributes
	for i, a := range list {
		a.Name, a.Value = present.Octets(line(string(a.Name))), present.Octets(lines(string(a.Value)))
		if a.Block != nil {
			block := present.Octets(line(string(*a.Block)))
			a.Block = &block
		}
		list[i] = a
	}
	return list
}

// peek returns the beginning of a body, which can still be read.
func peek(res *scheme.Resource) []byte {
	if res.Body == nil {
		return nil
	}
	buf := bufio.NewReaderSize(res.Body, 512)
	head, _ := buf.Peek(512) // an error comes again when it is read
	res.Body = struct {
		io.Reader
		io.Closer
	}{buf, res.Body}
	return head
}

// typeOf returns the media type of an object: that which the server says or, if it says nothing, or only that it does not know, that of
// the name and of the first bytes.
func typeOf(res *scheme.Resource, head []byte) string {
	t := res.Attr.Type
	if base, _, _ := strings.Cut(t, ";"); base != "" && base != "application/octet-stream" && !strings.HasSuffix(base, "/*") {
		return t
	}
	if name, ok := res.URL.Path(); ok {
		if byName := mediatype.ByName(name); byName != "" {
			return byName
		}
	}
	if head != nil {
		return http.DetectContentType(head)
	}
	return "application/octet-stream"
}

// showOf returns how an object of a media type is shown. What could contain a program is shown as text.
func showOf(mediaType string) show {
	t, _, err := mime.ParseMediaType(mediaType)
	if err != nil {
		t, _, _ = strings.Cut(mediaType, ";")
	}
	top, sub, _ := strings.Cut(strings.ToLower(strings.TrimSpace(t)), "/")
	switch {
	case top == "text", top == "message", isXML(sub), sub == "json", sub == "javascript":
		return showText
	case top == "image" && isImage(sub):
		return showImage
	case top == "audio":
		return showAudio
	case top == "video":
		return showVideo
	}
	return showNone
}

// isImage reports whether browsers show an image of that type. SVG is a document that can have a program, and is text.
func isImage(sub string) bool {
	switch sub {
	case "png", "jpeg", "gif", "webp", "avif", "bmp", "x-ms-bmp", "x-icon", "vnd.microsoft.icon", "x-xbitmap":
		return true
	}
	return false
}

func isXML(sub string) bool { return sub == "xml" || strings.HasSuffix(sub, "+xml") }

func isHTML(mediaType string) bool {
	t, _, _ := strings.Cut(mediaType, ";")
	t = strings.ToLower(strings.TrimSpace(t))
	return t == "text/html" || t == "application/xhtml+xml"
}
