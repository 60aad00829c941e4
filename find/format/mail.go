package format

import (
	"bytes"
	"strings"

	"locator/internal/mailtext"
	"locator/internal/octet"
)

const (
	maxParts = 10       // parts within parts; deeper ones are read as text
	maxField = 64 << 10 // bytes of a header field; a longer one is read in pieces
)

// readMail finds in a message or an article (RFC 5322, RFC 5536).
func readMail(s *scanner) error { return (&mailReader{s: s}).read() }

// readMbox finds in a mailbox (RFC 4155).
func readMbox(s *scanner) error { return (&mailReader{s: s, mbox: true}).read() }

// mailReader reads messages line by line, so that it knows the place of each byte. Package mailtext
// interprets the header fields.
type mailReader struct {
	s       *scanner
	mbox    bool
	text    *finder
	open    []multipart
	header  bool   // of a message or a part
	blank   bool   // the last line was blank
	field   []byte // header lines that belong together
	fieldAt int64
	about   map[string]string // fields that say how the body is read
	body    sink              // nil if it is not read
	around  bool              // positions are not exact
}

// multipart is a body with parts, or a message in another one.
type multipart struct {
	boundary []byte // with its hyphens; nil for a message
	digest   bool   // the parts are messages unless they say otherwise
}

func (m *mailReader) read() error {
	m.text = m.s.text()
	m.text.emit = func(f Find, o origin) {
		if m.around {
			f.Position = Around
		}
		m.s.emit(f, o)
	}
	m.begin()
	m.blank = true
	for l := range m.s.lines() {
		m.line(l)
		if l.begin || !l.isBlank() {
			m.blank = l.isBlank()
		}
	}
	m.endField()
	m.endBody()
	return nil
}

// begin begins the header of a message.
func (m *mailReader) begin() {
	m.endField()
	m.endBody()
	m.open = nil
	m.beginHeader()
}

// beginHeader begins the header of a message or a part.
func (m *mailReader) beginHeader() {
	m.header, m.about = true, make(map[string]string)
}

func (m *mailReader) line(l line) {
	switch {
	case l.begin && (m.mbox && m.blank || l.at == 0) && isFromLine(l.text):
		m.begin()
		l.writeTo(m.text) // it has the address of the sender
		m.text.close()
	case l.begin && m.boundary(l.text):
	case m.header:
		m.headerLine(l)
	case m.body != nil:
		if m.mbox && l.begin && isQuotedFrom(l.text) {
			l.text, l.at = l.text[1:], l.at+1
		}
		l.writeTo(m.body)
	}
}

// isFromLine reports whether a line begins a message of a mailbox (RFC 4155): it has a time, which
// prose after "From" rarely has.
func isFromLine(text []byte) bool {
	if !bytes.HasPrefix(text, []byte("From ")) {
		return false
	}
	for i := 1; i+2 < len(text); i++ {
		if text[i] == ':' && octet.IsDigit(text[i-1]) && octet.IsDigit(text[i+1]) && octet.IsDigit(text[i+2]) {
			return true
		}
	}
	return false
}

// isQuotedFrom reports whether a line of a mailbox got a ">" so that it does not begin a message.
func isQuotedFrom(text []byte) bool {
	rest := bytes.TrimLeft(text, ">")
	return len(rest) < len(text) && bytes.HasPrefix(rest, []byte("From "))
}

// boundary reports whether a line is a boundary (RFC 2046 5.1.1). If it is, the part before it
// ends.
func (m *mailReader) boundary(text []byte) bool {
	if len(m.open) == 0 || !bytes.HasPrefix(text, []byte("--")) {
		return false
	}
	text = bytes.TrimRight(text, " \t\r\n")
	for i := len(m.open) - 1; i >= 0; i-- {
		rest, ok := bytes.CutPrefix(text, m.open[i].boundary)
		if !ok || m.open[i].boundary == nil || len(rest) > 0 && string(rest) != "--" {
			continue
		}
		m.endField()
		m.endBody()
		if len(rest) > 0 { // the last one
			m.open, m.header, m.body = m.open[:i], false, m.text
		} else {
			m.open = m.open[:i+1]
			m.beginHeader()
		}
		return true
	}
	return false
}

// headerLine reads a line of a header.
func (m *mailReader) headerLine(l line) {
	switch {
	case l.isBlank() && len(bytes.Trim(l.text, "\r\n")) == 0:
		m.endField()
		m.header = false
		m.beginBody()
		return
	case l.begin && l.text[0] != ' ' && l.text[0] != '\t' || len(m.field)+len(l.text) > maxField:
		m.endField()
	}
	if len(m.field) == 0 {
		m.fieldAt = l.at
	}
	m.field = append(m.field, l.text...)
}

// identifiers are the fields whose values look like mail addresses.
var identifiers = nameSet("message-id in-reply-to references content-id resent-message-id supersedes")

// endField reads a header field that is complete.
func (m *mailReader) endField() {
	if len(m.field) == 0 {
		return
	}
	field := m.field
	m.field = m.field[:0]
	name, _, _ := bytes.Cut(field[:min(len(field), 100)], []byte{':'})
	key := strings.ToLower(string(bytes.TrimSpace(name)))
	switch key {
	case "content-type", "content-transfer-encoding":
		if _, ok := m.about[key]; ok {
			break
		}
		for _, value := range mailtext.Fields(string(field)) {
			m.about[key] = value
			break
		}
	}
	if identifiers[key] {
		return
	}
	m.words(field, m.fieldAt)
	m.text.close()
	m.around = false
}

// words writes a header field with its encoded words decoded (RFC 2047).
func (m *mailReader) words(field []byte, at int64) {
	from, afterWord := 0, false
	for i := 0; i < len(field); {
		n := bytes.Index(field[i:], []byte("=?"))
		if n < 0 {
			break
		}
		i += n
		w, ok := cutWord(field[i:])
		if !ok {
			i += 2
			continue
		}
		if between := field[from:i]; !afterWord || len(bytes.TrimSpace(between)) > 0 {
			m.text.write(between, at+int64(from), at+int64(i))
		}
		to := withCharset(w.charset, m.text)
		if start := at + int64(i+w.start); w.base64 {
			m.around = true
			b := base64Decoder{to: to}
			b.write(w.text, start, 0)
			b.flush()
		} else {
			q := quotedPrintable{to: to, header: true}
			q.write(w.text, start, 0)
			q.flush()
		}
		if c, ok := to.(*charset); ok {
			c.flush()
		}
		i += w.length
		from, afterWord = i, true
	}
	if from < len(field) {
		m.text.write(field[from:], at+int64(from), at+int64(len(field)))
	}
}

// word is an encoded word.
type word struct {
	charset string
	base64  bool
	text    []byte
	start   int // of text
	length  int // of the word
}

// cutWord returns the encoded word that a text begins with.
//
// QUIRK: programs write words that are longer than the 75 bytes of RFC 2047 2, and blanks in them.
func cutWord(text []byte) (word, bool) {
	text = text[:min(len(text), 1000)]
	set, rest, ok := bytes.Cut(text[len("=?"):], []byte{'?'})
	if !ok || len(set) == 0 || len(rest) < 2 || rest[1] != '?' || bytes.ContainsAny(set, " \t\r\n") {
		return word{}, false
	}
	kind := rest[0] | 0x20
	encoded, _, ok := bytes.Cut(rest[2:], []byte("?="))
	if !ok || kind != 'q' && kind != 'b' || bytes.IndexByte(encoded, '\n') >= 0 {
		return word{}, false
	}
	start := len("=?") + len(set) + len("?q?")
	return word{charset: string(set), base64: kind == 'b', text: encoded, start: start, length: start + len(encoded) + len("?=")}, true
}

// beginBody chooses how the body is read.
func (m *mailReader) beginBody() {
	media, params := mailtext.ParseParameters(m.about["content-type"])
	if n := len(m.open); m.about["content-type"] == "" && n > 0 && m.open[n-1].digest {
		media = "message/rfc822"
	}
	encoding := strings.ToLower(strings.TrimSpace(m.about["content-transfer-encoding"]))
	encoded := encoding == "base64" || encoding == "quoted-printable"
	deep := len(m.open) >= maxParts
	switch boundary := params.Get("boundary"); {
	case strings.HasPrefix(media, "multipart/") && boundary != "" && !deep:
		m.open = append(m.open, multipart{[]byte("--" + boundary), media == "multipart/digest"})
		m.body = m.text // what precedes the first part
		return
	case (media == "message/rfc822" || media == "message/global" || media == "message/news") && !encoded && !deep:
		m.open = append(m.open, multipart{})
		m.beginHeader()
		return
	case strings.HasPrefix(encoding, "x-uu") || encoding == "uuencode":
		return
	}
	to := m.bodyText(media, params)
	if to == nil {
		return
	}
	if to = withCharset(params.Get("charset"), to); encoding == "base64" {
		m.around = true
		to = &base64Decoder{to: to}
	} else if encoding == "quoted-printable" {
		to = &quotedPrintable{to: to}
	}
	m.body = to
}

// bodyText returns the sink of a body in UTF-8; nil if the body is not text.
func (m *mailReader) bodyText(media string, params mailtext.Parameters) sink {
	switch {
	case media == "text/html" || media == "application/xhtml+xml":
		return newHTMLSink(m.s, m.text)
	case media == "application/json" || strings.HasSuffix(media, "+json"):
		return &jsonReader{to: m.text}
	case media == "text/plain" && strings.EqualFold(params.Get("format"), "flowed"):
		return newFlowed(m.text, strings.EqualFold(params.Get("delsp"), "yes"))
	case strings.Count(media, "/") != 1, strings.HasPrefix(media, "text/"), strings.HasPrefix(media, "message/"), strings.HasPrefix(media, "multipart/"):
		return m.text
	}
	return nil
}

// endBody ends the body of a part.
func (m *mailReader) endBody() {
	if m.body != nil {
		m.body.close()
		m.body = nil
	}
	m.around = false
}
