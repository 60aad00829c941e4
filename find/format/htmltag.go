package format

import (
	"bytes"
	"errors"
	"strings"

	"locator"
	"locator/find"
	"locator/internal/octet"
)

// attributeKind says how the value of an attribute is read.
type attributeKind uint8

const (
	textAttribute   attributeKind = iota // as text
	urlAttribute                         // as one URL
	listAttribute                        // as URLs with white space between them
	srcsetAttribute                      // as image candidates (HTML 4.8.4.2.1)
	noAttribute                          // not at all
)

// attributes are those that are not read as text.
var attributes = map[string]attributeKind{
	"action": urlAttribute, "background": urlAttribute, "cite": urlAttribute, "classid": urlAttribute, "codebase": urlAttribute,
	"data": urlAttribute, "dynsrc": urlAttribute, "formaction": urlAttribute, "href": urlAttribute, "icon": urlAttribute,
	"itemid": urlAttribute, "longdesc": urlAttribute, "lowsrc": urlAttribute, "manifest": urlAttribute, "poster": urlAttribute,
	"src": urlAttribute, "xlink:href": urlAttribute,
	"archive": listAttribute, "ping": listAttribute, "profile": listAttribute,
	"srcset": srcsetAttribute, "imagesrcset": srcsetAttribute,
	"usemap": noAttribute, "xmlns": noAttribute, // the name of a map, and of a namespace
}

// space is the white space of HTML.
const space = " \t\n\f\r"

// tagName returns the name of a tag in lower case.
func tagName(raw []byte) string {
	raw = bytes.TrimPrefix(raw[min(1, len(raw)):], []byte("/"))
	n := 0
	for n < len(raw) && strings.IndexByte(space+"/>", raw[n]) < 0 {
		n++
	}
	return lowerName(raw[:n])
}

// frequentNames are names of tags and attributes for which lowerName allocates nothing.
var frequentNames = newNames("a b br code div dt dd em font h1 h2 h3 hr i img input li link meta ol option p pre script span strong table tbody td th tr tt ul " +
	"alt class content height href id name rel src style target title type width")

func newNames(list string) map[string]string {
	names := make(map[string]string)
	for name := range nameSet(list) {
		names[name] = name
	}
	return names
}

// lowerName returns a name in lower case.
func lowerName(raw []byte) string {
	if name, ok := frequentNames[string(raw)]; ok {
		return name
	}
	return octet.Lower(string(raw))
}

// attribute is an attribute in the source of a tag.
type attribute struct {
	name       string // in lower case
	start, end int    // of the value
}

// cutAttribute returns the attribute at i in a tag, and where the next one begins. It reads the
// source as the tokenizer of golang.org/x/net/html does. The name is empty at the end of the tag.
// open is the quote that the tag does not close, a blank for a value without quotes, or 0.
func cutAttribute(raw []byte, i int) (a attribute, next int, open byte) {
	for ; ; i++ {
		for i < len(raw) && strings.IndexByte(space, raw[i]) >= 0 {
			i++
		}
		if i >= len(raw) || raw[i] == '>' {
			return attribute{}, len(raw), 0
		}
		if raw[i] != '/' {
			break
		}
	}
	start := i
	for i++; i < len(raw) && strings.IndexByte(space+"/>=", raw[i]) < 0; i++ {
	}
	a.name = lowerName(raw[start:i])
	skipSpace := func() bool {
		for i < len(raw) && strings.IndexByte(space, raw[i]) >= 0 {
			i++
		}
		return i < len(raw)
	}
	a.start, a.end = i, i
	if !skipSpace() || raw[i] != '=' {
		return a, i, 0
	}
	i++
	if !skipSpace() || raw[i] == '>' {
		return a, i, 0
	}
	if quote := raw[i]; quote == '"' || quote == '\'' {
		a.start = i + 1
		n := bytes.IndexByte(raw[a.start:], quote)
		if n < 0 {
			a.end = len(raw)
			return a, len(raw), quote
		}
		a.end = a.start + n
		return a, a.end + 1, 0
	}
	a.start = i
	n := bytes.IndexAny(raw[i:], space+">")
	if n < 0 {
		a.end = len(raw)
		return a, len(raw), ' '
	}
	a.end = i + n
	return a, a.end, 0
}

// tag finds in the attributes of a tag. It returns the delimiter of a value that the tag does not
// close, else 0.
func (h *htmlReader) tag(name string, raw []byte, pos int64) (open byte) {
	refresh, content := false, attribute{}
	for i := 1 + len(name); i < len(raw); {
		var a attribute
		if a, i, open = cutAttribute(raw, i); a.name == "" {
			break
		}
		value := raw[a.start:a.end]
		switch {
		case open != 0 && len(raw) >= maxToken-1: // only its beginning
			continue
		case name == "script" && a.name == "type":
			h.script = strings.ToLower(string(value))
		case name == "meta" && a.name == "http-equiv":
			refresh = strings.EqualFold(strings.Trim(string(value), space), "refresh")
		case name == "meta" && a.name == "content":
			content = a
			continue
		}
		kind := attributes[a.name]
		if strings.HasPrefix(a.name, "xmlns:") {
			kind = noAttribute
		}
		if v, ok := h.value(value, pos+int64(a.start), kind); ok {
			h.attribute(v, kind, name == "base" && a.name == "href")
		}
	}
	kind := textAttribute
	if refresh {
		kind = urlAttribute
	}
	if v, ok := h.value(raw[content.start:content.end], pos+int64(content.start), kind); ok {
		if refresh {
			v.refresh()
		}
		h.attribute(v, kind, false)
	}
	return open
}

// value decodes the value of an attribute. It reports false if the value has no URL.
func (h *htmlReader) value(raw []byte, pos int64, kind attributeKind) (*value, bool) {
	relative := kind != textAttribute && !h.base.IsZero()
	if kind == noAttribute || len(raw) == 0 || !relative && bytes.IndexByte(raw, ':') < 0 && bytes.IndexByte(raw, '&') < 0 &&
		!(kind == textAttribute && (h.text.find.Web || h.text.find.Mail)) {
		return nil, false
	}
	v := h.newValue()
	h.unescape(v, raw, pos, true)
	v.end = len(v.text)
	return v, true
}

// value is the decoded value of an attribute. It is a sink.
type value struct {
	text       []byte
	spans      spans
	start, end int // of the part that is a URL
}

func (v *value) write(text []byte, at, end int64) {
	v.text = append(v.text, text...)
	v.spans.add(len(text), at, end)
}

func (v *value) close() {}

// refresh limits the value to the URL of a refresh (HTML 4.2.5.3), as in "5; url='http://host/'".
func (v *value) refresh() {
	skip := func(set string) {
		for v.start < len(v.text) && strings.IndexByte(set, v.text[v.start]) >= 0 {
			v.start++
		}
	}
	skip(space + "0123456789.")
	skip(space + ";,")
	if len(v.text)-v.start > 3 && strings.EqualFold(string(v.text[v.start:v.start+3]), "url") {
		begin := v.start
		v.start += 3
		if skip(space); v.start < len(v.text) && v.text[v.start] == '=' {
			v.start++
			skip(space)
		} else {
			v.start = begin
		}
	}
	if v.start < len(v.text) && (v.text[v.start] == '"' || v.text[v.start] == '\'') {
		quote := v.text[v.start]
		v.start++
		if n := bytes.IndexByte(v.text[v.start:], quote); n >= 0 {
			v.end = v.start + n
		}
	}
}

// attribute finds in the decoded value of an attribute.
func (h *htmlReader) attribute(v *value, kind attributeKind, isBase bool) {
	switch kind {
	case textAttribute:
		whole := string(bytes.Trim(v.text, space))
		for f := range h.text.find.Bytes(v.text) {
			if f.Text() == whole { // as explicit as in href
				f.Form = find.Attr
			}
			h.emit(Find{Find: f}, &v.spans)
		}
	case urlAttribute:
		h.url(v, v.start, v.end, isBase)
	case listAttribute:
		for i := v.start; i < v.end; {
			n := bytes.IndexAny(v.text[i:v.end], space+",")
			if n < 0 {
				n = v.end - i
			}
			h.url(v, i, i+n, false)
			i += n + 1
		}
	case srcsetAttribute:
		h.srcset(v)
	}
}

// srcset finds in image candidates. A URL ends at white space; a comma ends it only there.
func (h *htmlReader) srcset(v *value) {
	for i := 0; i < len(v.text); {
		if strings.IndexByte(space+",", v.text[i]) >= 0 {
			i++
			continue
		}
		n := bytes.IndexAny(v.text[i:], space)
		if n < 0 {
			n = len(v.text) - i
		}
		url := bytes.TrimRight(v.text[i:i+n], ",")
		h.url(v, i, i+len(url), false)
		if i += n; len(url) == n { // descriptors follow
			if n = bytes.IndexByte(v.text[i:], ','); n < 0 {
				return
			}
			i += n
		}
	}
}

// url finds the URL that a part of a value is. With a base, it also finds a relative reference.
func (h *htmlReader) url(v *value, start, end int, isBase bool) {
	for ; start < end && v.text[start] <= ' '; start++ {
	}
	for ; start < end && v.text[end-1] <= ' '; end-- {
	}
	f, ok := linkFind(string(v.text[start:end]), h.base, h.given)
	if !ok {
		return
	}
	if f.Offset, f.Length = int64(start), int64(end-start); isBase && (h.base.IsZero() || h.given) {
		h.setBase(f.URL)
	}
	h.emit(f, &v.spans)
}

// maxBase is the length of the longest base in bytes. Each of many short references may be resolved
// to a URL of that length.
const maxBase = 4 << 10

// setBase sets the base unless the text is not a URL.
func (h *htmlReader) setBase(url string) {
	if len(url) > maxBase {
		h.note(errors.New("the base of the HTML is longer than 4 KiB; relative references are not resolved"))
		return
	}
	if base, err := locator.Current.Parse(url); err == nil {
		h.base, h.given = base, false
	}
}

// linkFind returns the find of a link: an absolute URL of a scheme that locator knows, one of any
// scheme with "//" and, with a base, also a relative reference. With a given base, which is the URL
// of the document, a fragment is one.
func linkFind(ref string, base locator.URL, given bool) (Find, bool) {
	if strings.ContainsAny(ref, "\n\r\t") { // HTML leaves them out
		ref = strings.NewReplacer("\n", "", "\r", "", "\t", "").Replace(ref)
	}
	f := Find{Find: find.Find{Form: find.Attr}}
	var fragment string
	var ok bool
	if f.URL, fragment, ok = strings.Cut(ref, "#"); ok {
		f.Fragment = locator.Some(fragment)
	}
	if scheme, part, ok := strings.Cut(f.URL, ":"); ok && octet.IsScheme(scheme) {
		return f, strings.HasPrefix(part, "//") || locator.SyntaxOf(scheme) != nil
	}
	switch {
	case base.IsZero() || f.URL == "" && (!given || fragment == ""):
		return f, false
	case f.URL == "":
		f.Reference, f.URL = ref, base.WithoutFragment().Text()
		return f, true
	}
	u, err := base.Resolve(f.URL)
	if err != nil {
		return f, false
	}
	text, err := u.MarshalText()
	f.Reference, f.URL = f.URL, string(text)
	return f, err == nil
}
