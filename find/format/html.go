package format

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strings"

	"golang.org/x/net/html"

	"locator"
	"locator/internal/octet"
)

// maxToken bounds a tag, a comment or a piece of text of HTML. What is longer is read in pieces;
// the rest of an attribute is skipped.
const maxToken = 1 << 20

// readHTML finds in HTML.
func readHTML(s *scanner) error {
	h := &htmlReader{from: asIs{}, text: s.text(), emit: s.emit, note: s.note, base: s.o.Base, given: !s.o.Base.IsZero()}
	h.read(s.stoppable())
	return nil
}

// htmlReader finds the URLs of an HTML document: attributes with URLs, and the text that people
// see. It is used once.
type htmlReader struct {
	from   origin
	text   *finder
	emit   func(f Find, o origin)
	note   func(error)
	base   locator.URL // what relative references are resolved against; zero if the document names none
	given  bool        // the base is that of Options
	rawTag string      // the element whose text comes next, if it has no tags inside
	script string      // its attribute type
	buffer value       // of the last call of newValue
}

// newValue returns an empty value, which is valid until the next call.
func (h *htmlReader) newValue() *value {
	h.buffer.text, h.buffer.start, h.buffer.end = h.buffer.text[:0], 0, 0
	h.buffer.spans.reset()
	return &h.buffer
}

// rawElements have text without tags, and without entities unless they are true.
var rawElements = map[string]bool{"script": false, "style": false, "xmp": false, "plaintext": false, "textarea": true, "title": true}

// inlineElements do not interrupt the text. The others end it, so that no URL spans two paragraphs
// or the cells of a table.
var inlineElements = nameSet("a abbr acronym b bdi bdo big cite code data dfn em font i kbd mark nobr q s samp small span strike strong time tt u var wbr")

// nameSet returns the names in a list.
func nameSet(list string) map[string]bool {
	set := make(map[string]bool)
	for name := range strings.FieldsSeq(list) {
		set[name] = true
	}
	return set
}

// read reads a document. It returns at the end of r or at its first error.
func (h *htmlReader) read(r io.Reader) {
	defer h.text.close()
	r = bufio.NewReader(&uncdata{r: r})
	for pos := int64(0); r != nil; {
		z := html.NewTokenizer(r)
		z.SetMaxBuf(maxToken)
		pos, r = h.tokens(z, pos, r)
	}
}

// tokens reads tokens. After one that is too long it returns how to go on: the position and a
// reader.
func (h *htmlReader) tokens(z *html.Tokenizer, pos int64, r io.Reader) (int64, io.Reader) {
	for {
		kind := z.Next()
		raw := z.Raw()
		if len(raw) >= maxToken { // the tokenizer goes no further
			rest := io.MultiReader(bytes.NewReader(bytes.Clone(z.Buffered())), r)
			return h.longToken(kind == html.TextToken, bytes.Clone(raw), pos, rest)
		}
		h.from.forget(pos)
		h.token(kind, raw, pos, z)
		if pos += int64(len(raw)); kind == html.ErrorToken {
			return pos, nil
		}
	}
}

// token reads one token.
func (h *htmlReader) token(kind html.TokenType, raw []byte, pos int64, z *html.Tokenizer) {
	switch kind {
	case html.TextToken:
		h.textToken(raw, pos)
		return
	case html.CommentToken:
		h.plain(raw, pos) // a comment, an instruction or a declaration
		return
	case html.StartTagToken, html.SelfClosingTagToken, html.EndTagToken:
	default: // a DOCTYPE, or a tag without its end at the end of the document
		if len(raw) < 2 || raw[0] != '<' || raw[1] == '!' || raw[1] == '?' {
			return
		}
	}
	name := tagName(raw)
	end := len(raw) > 1 && raw[1] == '/'
	switch {
	case name == "br" || name == "img":
		h.text.write([]byte{' '}, h.at(pos), h.at(pos))
	case !inlineElements[name]:
		h.text.close()
	case name == "a" && !end:
		h.text.linkBegins(h.at(pos))
	case name == "a":
		h.text.linked = true
	}
	if end {
		return
	}
	h.script = ""
	h.tag(name, raw, pos)
	h.rawTag = ""
	switch _, isRaw := rawElements[name]; {
	case z == nil:
	case isRaw:
		h.rawTag = name
	default: // the tokenizer takes noscript and others for text
		z.NextIsNotRawText()
	}
}

// at returns where the byte at pos is in the source.
func (h *htmlReader) at(pos int64) int64 {
	at, _, _ := h.from.locate(pos, 1)
	return at
}

// textToken reads text.
func (h *htmlReader) textToken(raw []byte, pos int64) {
	entities, isRaw := rawElements[h.rawTag]
	switch {
	case !isRaw:
		h.unescape(h.text, raw, pos, false)
		return
	case entities:
		h.unescape(h.text, raw, pos, false)
		h.text.close()
	case h.rawTag == "script" && strings.Contains(h.script, "json"):
		j := jsonReader{to: h.text}
		h.from.copy(&j, pos, raw)
		j.close()
	default:
		h.plain(raw, pos)
	}
	h.rawTag = ""
}

// plain finds in a text of its own, without entities: a comment, or the text of a script.
func (h *htmlReader) plain(raw []byte, pos int64) {
	v := h.newValue()
	h.from.copy(v, pos, raw)
	h.text.all(v.text, &v.spans)
}

// longToken reads the beginning of a token that is too long, and returns how to go on.
func (h *htmlReader) longToken(inText bool, raw []byte, pos int64, rest io.Reader) (int64, io.Reader) {
	if inText || raw[0] != '<' {
		again := "" // the tag before the text that follows
		switch _, isRaw := rawElements[h.rawTag]; {
		case isRaw && strings.Contains(h.script, "json"):
			again = "<" + h.rawTag + " type=json>"
		case isRaw:
			again = "<" + h.rawTag + ">"
		}
		cut := len(raw) // a tag may begin there, or a character reference
		if i := bytes.LastIndexAny(raw, "<&"); i > len(raw)-64 && i > 0 {
			cut = i
		}
		h.textToken(raw[:cut], pos)
		return pos + int64(cut-len(again)), io.MultiReader(strings.NewReader(again), bytes.NewReader(raw[cut:]), rest)
	}
	h.note(errors.New("a tag or comment of HTML is longer than 1 MiB and was not read whole"))
	end, again := []byte(">"), ""
	switch {
	case bytes.HasPrefix(raw, []byte("<!--")):
		h.plain(raw, pos)
		end = []byte("-->")
	case raw[1] != '!' && raw[1] != '?' && raw[1] != '/':
		name := tagName(raw)
		if len(name) > 32 {
			break
		}
		// The rest of the tag, after the attribute, is read as another tag of that name.
		switch quote := h.tag(name, raw, pos); quote {
		case 0, ' ':
			again = "<" + name + ">"
		default:
			end, again = []byte{quote}, "<"+name+" "
		}
	}
	s := &skipper{r: rest, end: end, tail: raw[max(0, len(raw)-len(end)+1):]}
	pos += int64(len(raw)) + s.skip() - int64(len(again))
	if s.r == nil {
		return pos, nil
	}
	return pos, io.MultiReader(strings.NewReader(again), s.r)
}

// skipper skips a stream up to a mark.
type skipper struct {
	r    io.Reader // nil if the stream ends first
	end  []byte
	tail []byte // what precedes
}

// skip returns how many bytes it has skipped. The stream goes on after the mark.
func (s *skipper) skip() int64 {
	skipped := int64(0)
	for buf := make([]byte, chunkSize); ; {
		k := copy(buf, s.tail)
		n, err := s.r.Read(buf[k:])
		if i := bytes.Index(buf[:k+n], s.end); i >= 0 {
			i += len(s.end)
			s.r = io.MultiReader(bytes.NewReader(buf[i:k+n]), s.r)
			return skipped + int64(i-k)
		}
		skipped += int64(n)
		if err != nil {
			s.r = nil
			return skipped
		}
		s.tail = bytes.Clone(buf[max(0, k+n-len(s.end)+1) : k+n])
	}
}

// element reads one tag or comment.
func (h *htmlReader) element(raw []byte) {
	switch {
	case bytes.HasPrefix(raw, []byte("<!--")):
		h.token(html.CommentToken, raw, 0, nil)
	case bytes.HasPrefix(raw, []byte("</")):
		h.token(html.EndTagToken, raw, 0, nil)
	case len(raw) > 1 && octet.IsAlphanumeric(raw[1]):
		h.token(html.StartTagToken, raw, 0, nil)
	}
}
