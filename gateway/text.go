package gateway

import (
	"bufio"
	"html/template"
	"io"
	"mime"
	"unicode/utf8"

	"golang.org/x/text/transform"

	"locator/find"
	"locator/internal/mailtext"
	"locator/scheme"
	"locator/wire"
)

// text writes a text as the content of a <pre> element, at most so many bytes of it; 0 is all. URLs in it are links. It returns how
// many bytes were read and the error of reading.
func (x *exchange) text(o *output, res *scheme.Resource, most int64) (n int64, err error) {
	count := &counter{r: res.Body}
	var body io.Reader = count
	if most > 0 {
		body = io.LimitReader(body, most)
	}
	body = decode(body, res.Attr.Type, x.settings.Charset)
	err = x.linked(o, wire.Text(body))
	return count.n, err
}

// linked writes a text in UTF-8 as the content of an element. URLs in it are links, unless the user wants none. It returns the error of
// reading.
func (x *exchange) linked(o *output, body io.Reader) error {
	if x.settings.Plain {
		return plain(o, body)
	}
	f := find.Finder{NoLines: true}
	for piece, err := range f.SplitReader(body) {
		if _, bad := write(o, x.piece(piece)); bad != nil || err != nil {
			return err
		}
	}
	return nil
}

// plain writes a text without links.
func plain(o *output, body io.Reader) error {
	buf := make([]byte, 32<<10)
	for {
		n, err := body.Read(buf)
		if _, bad := write(o, template.HTMLEscapeString(string(buf[:n]))); bad != nil || err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// piece returns a piece of a text as HTML.
func (x *exchange) piece(p find.Piece) string {
	text := template.HTMLEscapeString(p.Text)
	if !p.IsURL {
		return text
	}
	u, err := x.g.client.Parse(p.Find.Text())
	if err != nil {
		return text
	}
	return `<a href="` + template.HTMLEscapeString(string(pathOf(viewPage, u))) + `">` + text + `</a>`
}

func write(w io.Writer, s string) (int, error) { return io.WriteString(w, s) }

// sniffed is how much of a text is looked at to know its character set.
const sniffed = 64 << 10

// decode returns a text in UTF-8. The character set is that which the user chose, else what the server says; a text of
// which nothing is said is UTF-8 if it can be, and Windows-1252 otherwise, which contains Latin-1.
func decode(body io.Reader, mediaType, chosen string) io.Reader {
	buf := bufio.NewReaderSize(body, sniffed)
	if chosen == "utf-8" {
		return buf
	}
	if chosen == "" {
		if _, params, err := mime.ParseMediaType(mediaType); err == nil {
			chosen = params["charset"]
		}
	}
	e := mailtext.TextEncoding(chosen)
	if e == nil {
		head, _ := buf.Peek(sniffed) // an error comes again when it is read
		if isUTF8(head, len(head) == sniffed) {
			return buf
		}
		e = mailtext.TextEncoding("windows-1252")
	}
	return transform.NewReader(buf, e.NewDecoder())
}

// isUTF8 reports whether a text is UTF-8. If it is cut, its last character need not be whole.
func isUTF8(b []byte, cut bool) bool {
	for i := 1; cut && i < utf8.UTFMax && i <= len(b); i++ {
		if last := b[len(b)-i:]; utf8.RuneStart(last[0]) {
			if !utf8.FullRune(last) {
				b = b[:len(b)-i]
			}
			break
		}
	}
	return utf8.Valid(b)
}

// counter counts the bytes that are read.
type counter struct {
	r io.Reader
	n int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}
