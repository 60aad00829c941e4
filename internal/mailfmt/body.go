package mailfmt

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/textproto"
	"strings"
	"unicode/utf8"

	"locator/internal/mediatype"
	"locator/scheme"
	"locator/wire"
)

// errWord is the error of a field that cannot be folded.
var errWord = errors.New("it has a word that is longer than a line may be")

// maxFileName bounds the name of an attachment, in bytes.
const maxFileName = 255

// setBody decides how the text and the attachments are sent, and adds the fields that say so
// (RFC 2045).
func (m *Message) setBody(h *header, r *rules, files []Attachment) error {
	a := &m.text.about
	m.EightBit = a.eightBit
	own := h.has("Content-Type") || h.has("Content-Transfer-Encoding")
	switch {
	case own && len(files) > 0:
		return scheme.Fail(scheme.CodeUsage, "attachments can be added to plain text only; remove the fields Content-Type and Content-Transfer-Encoding of the message")
	case own:
		return m.keepBody(h, r)
	}
	if a.eightBit && !a.utf8 {
		return m.text.refuse(a.badLine, "is not UTF-8; convert the text, for example with iconv -t UTF-8, or write its own Content-Type field")
	}
	transfer := "7bit"
	switch {
	case a.longest > maxLine || a.eightBit && !r.eightBit:
		transfer, m.encode, m.EightBit = "quoted-printable", quoted, false
	case a.eightBit:
		transfer = "8bit"
	}
	if len(files) == 0 {
		if a.eightBit || m.encode == quoted {
			h.setMIME("text/plain; charset=utf-8", transfer)
		}
		return nil
	}
	p := &multipartBody{boundary: "=_" + rand.Text(), files: files, transfer: transfer}
	for _, f := range files {
		if err := f.check(); err != nil {
			return err
		}
	}
	m.parts = p
	outer := "7bit"
	if m.EightBit {
		outer = "8bit"
	}
	h.setMIME(`multipart/mixed; boundary="`+p.boundary+`"`, outer)
	return nil
}

// setMIME adds the fields of RFC 2045.
func (h *header) setMIME(contentType, transfer string) {
	if !h.has("MIME-Version") {
		h.add(field{name: "MIME-Version", value: "1.0"})
	}
	h.add(field{name: "Content-Type", value: contentType})
	h.add(field{name: "Content-Transfer-Encoding", value: transfer})
}

// keepBody leaves a text as it is that says itself how it is encoded.
func (m *Message) keepBody(h *header, r *rules) error {
	a := &m.text.about
	if a.longest > maxLine {
		return m.text.refuse(a.longLine, "is longer than %d bytes; encode it, or remove the fields Content-Type and Content-Transfer-Encoding of the message", maxLine)
	}
	if !h.has("MIME-Version") {
		h.add(field{name: "MIME-Version", value: "1.0"})
	}
	if !a.eightBit || h.has("Content-Transfer-Encoding") {
		return nil
	}
	media, _, err := mime.ParseMediaType(h.get("Content-Type"))
	switch {
	case err == nil && (strings.HasPrefix(media, "multipart/") || strings.HasPrefix(media, "message/")):
	case r.eightBit:
		h.add(field{name: "Content-Transfer-Encoding", value: "8bit"})
	default:
		h.add(field{name: "Content-Transfer-Encoding", value: "quoted-printable"})
		m.encode, m.EightBit = quoted, false
	}
	return nil
}

// check checks the name of an attachment.
func (a Attachment) check() error {
	for i := range len(a.Name) {
		if c := a.Name[i]; c < ' ' || c == 0x7F {
			return scheme.Fail(scheme.CodeUsage, "attachment %q: its name has the control character %s, which could begin another header field; rename the file", wire.Excerpt(a.Name, 200), wire.Escape(string(c)))
		}
	}
	switch {
	case !utf8.ValidString(a.Name):
		return scheme.Fail(scheme.CodeUsage, "attachment %q: its name is not UTF-8; rename the file", wire.Excerpt(a.Name, 200))
	case a.Name == "" || len(a.Name) > maxFileName:
		return scheme.Fail(scheme.CodeUsage, "attachment %q: its name must have 1 to %d bytes; rename the file", wire.Excerpt(a.Name, 200), maxFileName)
	}
	if _, _, err := mime.ParseMediaType(a.Type); a.Type != "" && (err != nil || wire.Check("media type", a.Type, "") != nil) {
		return scheme.Fail(scheme.CodeUsage, "attachment %q: %q is not a media type, such as image/png", wire.Excerpt(a.Name, 200), wire.Excerpt(a.Type, 80))
	}
	return nil
}

// multipartBody is a body of the text and the attachments (RFC 2046 5.1.3).
type multipartBody struct {
	boundary string
	files    []Attachment
	transfer string // of the text
}

func (p *multipartBody) write(w io.Writer, m *Message) error {
	mw := multipart.NewWriter(w)
	if err := mw.SetBoundary(p.boundary); err != nil {
		return err
	}
	if !m.text.about.empty {
		part, err := mw.CreatePart(textproto.MIMEHeader{
			"Content-Type": {"text/plain; charset=utf-8"}, "Content-Transfer-Encoding": {p.transfer},
		})
		if err != nil {
			return err
		}
		if err := m.text.write(part, m.encode); err != nil {
			return err
		}
	}
	for _, f := range p.files {
		if err := f.write(mw); err != nil {
			return err
		}
	}
	return mw.Close()
}

// write writes an attachment in base64.
func (a Attachment) write(mw *multipart.Writer) error {
	file, err := a.Open()
	if err != nil {
		return a.unreadable(err)
	}
	defer file.Close()
	in := bufio.NewReaderSize(file, chunkSize)
	media := a.Type
	if media == "" {
		media = mediatype.ByName(a.Name)
	}
	start, err := in.Peek(chunkSize)
	if err != nil && err != io.EOF {
		return a.unreadable(err)
	}
	media = typeOf(media, start)
	part, err := mw.CreatePart(textproto.MIMEHeader{
		"Content-Type": {media}, "Content-Transfer-Encoding": {"base64"},
		"Content-Disposition": {mime.FormatMediaType("attachment", map[string]string{"filename": a.Name})},
	})
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(part, chunkSize)
	lines := &breaker{w: out}
	enc := base64.NewEncoder(base64.StdEncoding, lines)
	if _, err := io.Copy(enc, struct{ io.Reader }{&fileReader{in, a}}); err != nil {
		return err
	}
	_ = enc.Close() // Flush returns the error
	if lines.column > 0 {
		_, _ = out.WriteString("\r\n")
	}
	return out.Flush()
}

func (a Attachment) unreadable(err error) error {
	return scheme.Fail(scheme.CodeLocal, "attachment %q: %w", wire.Excerpt(a.Name, 200), err)
}

// fileReader reads an attachment. Its errors have a code, unlike those of the writer.
type fileReader struct {
	r io.Reader
	a Attachment
}

// Read implements io.Reader.
func (s *fileReader) Read(p []byte) (int, error) {
	n, err := s.r.Read(p)
	if err != nil && err != io.EOF {
		err = s.a.unreadable(err)
	}
	return n, err
}

// typeOf returns the media type of a file that begins with these bytes, and is of the type media by
// its name; "" if unknown. Text in UTF-8 is labelled.
func typeOf(media string, start []byte) string {
	text := len(start) > 0 && bytes.IndexByte(start, 0) < 0 && utf8.Valid(start[:len(start)-incomplete(start)])
	switch {
	case strings.HasPrefix(media, "message/") || strings.HasPrefix(media, "multipart/"): // which base64 must not encode (RFC 2045 6.4)
		return "application/octet-stream"
	case media == "" && text:
		return "text/plain; charset=utf-8"
	case media == "":
		return "application/octet-stream"
	case text && strings.HasPrefix(media, "text/") && !strings.Contains(media, ";"):
		return media + "; charset=utf-8"
	}
	return media
}

// breaker breaks base64 into lines of 76 bytes (RFC 2045 6.8).
type breaker struct {
	w      io.Writer
	column int
}

// Write implements io.Writer.
func (b *breaker) Write(p []byte) (int, error) {
	for done := 0; done < len(p); {
		n := min(len(p)-done, foldAt-b.column)
		if _, err := b.w.Write(p[done : done+n]); err != nil {
			return done, err
		}
		done += n
		if b.column += n; b.column < foldAt {
			continue
		}
		b.column = 0
		if _, err := io.WriteString(b.w, "\r\n"); err != nil {
			return done, err
		}
	}
	return len(p), nil
}
