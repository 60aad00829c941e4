package mailtext

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"iter"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	"locator/internal/armor"
)

// ErrForm is matched by the errors of a message that is damaged, or nested too deeply.
var ErrForm = errors.New("the message is damaged")

// Bounds of a message. No encoding makes a message longer, so its size needs no bound of its own.
const (
	maxDepth  = 10        // of parts within parts
	maxParts  = 1000      // in all
	maxHeader = 256 << 10 // bytes of a header
	lineSize  = 64 << 10  // bytes of a line of text; longer ones are decoded in pieces
)

// Options configure a Reader.
type Options struct {
	Charset string // of text that has none or an unknown one
	// Part is called with each attachment. It need not read it. A Read of the body that fails says that the attachment is damaged. An
	// error ends the message. Part may be nil.
	Part func(name, mediaType string, body io.Reader) error
}

// NewReader returns the text of a message (RFC 5322, RFC 2045) as people read it: the main fields of its header, and its text in UTF-8
// with LF as line ends. Each attachment, also one that is uuencoded or yEncoded within a text, is a line that names it. Of alternatives,
// the first is shown. What is damaged is said where it stands; an error that matches ErrForm follows the whole text. The caller must
// Close it.
func NewReader(r io.Reader, o Options) io.ReadCloser {
	next, stop := iter.Pull2(func(yield func([]byte, error) bool) {
		d := &decoder{source: source{r: r}, o: o, yield: yield}
		if err := d.run(); !errors.Is(err, errStopped) {
			yield(nil, err)
		}
	})
	return &reading{next: next, stop: stop}
}

// reading reads what a decoder yields.
type reading struct {
	next func() ([]byte, error, bool)
	stop func()
	rest []byte
	err  error
}

// Read implements io.Reader.
func (r *reading) Read(p []byte) (int, error) {
	for len(r.rest) == 0 {
		if r.err != nil {
			return 0, r.err
		}
		b, err, ok := r.next()
		if r.rest, r.err = b, err; !ok || err == nil && b == nil {
			r.err = io.EOF
		}
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

// Close ends the decoder.
func (r *reading) Close() error {
	r.stop()
	r.rest, r.err = nil, io.ErrClosedPipe
	return nil
}

// source is the encoded message. It keeps the error of its reader, which decoders may hide.
type source struct {
	r   io.Reader
	err error
}

// Read implements io.Reader.
func (s *source) Read(p []byte) (int, error) {
	n, err := s.r.Read(p)
	if err != nil && err != io.EOF {
		s.err = err
	}
	return n, err
}

// errStopped says that the reader was closed.
var errStopped = errors.New("closed")

// decoder decodes one message.
type decoder struct {
	source source
	o      Options
	yield  func([]byte, error) bool
	parts  int
	failed error // the first damage
	open   bool  // the last line that was written has no end
}

// run decodes the message, and returns what was wrong with it.
func (d *decoder) run() error {
	err := d.message(bufio.NewReaderSize(&d.source, lineSize), 0)
	if errors.Is(err, errStopped) {
		return err
	}
	_, _ = io.Copy(io.Discard, &d.source) // what follows the last part; its error is in the source
	switch {
	case d.source.err != nil:
		return d.source.err
	case err != nil:
		return err
	}
	return d.failed
}

// write passes text on.
func (d *decoder) write(text string) error {
	if text == "" {
		return nil
	}
	if d.open = text[len(text)-1] != '\n'; !d.yield([]byte(text), nil) {
		return errStopped
	}
	return nil
}

// damaged notes damage, and says it in the text.
func (d *decoder) damaged(what string, err error) error {
	if d.failed == nil {
		d.failed = fmt.Errorf("%w: %s: %w", ErrForm, what, err)
	}
	line := "[" + what + " is damaged: " + err.Error() + "]\n"
	if d.open {
		line = "\n" + line
	}
	return d.write(line)
}

// shownFields are the fields that people read, in order.
var shownFields = []string{"Subject", "From", "To", "Cc", "Date", "Newsgroups", "Followup-To", "Reply-To", "Organization", "Message-ID"}

// message decodes a header and a body.
func (d *decoder) message(r *bufio.Reader, depth int) error {
	fields, err := readFields(r)
	if err != nil {
		if err := d.damaged("the header", err); err != nil {
			return err
		}
	}
	for _, name := range shownFields {
		if value := fields.get(name); value != "" {
			if err := d.write(name + ": " + Header(value, d.o.Charset) + "\n"); err != nil {
				return err
			}
		}
	}
	if err := d.write("\n"); err != nil {
		return err
	}
	return d.entity(fields, r, depth)
}

// fields are the fields of a header by name in lower case; of several, the first counts.
type fields map[string]string

func (f fields) get(name string) string { return f[strings.ToLower(name)] }

// readFields reads a header with the empty line after it.
func readFields(r *bufio.Reader) (fields, error) {
	var header strings.Builder
	var failed error
	for {
		line, err := r.ReadSlice('\n')
		if len(bytes.TrimRight(line, "\r\n")) == 0 && err == nil || err == io.EOF && len(line) == 0 {
			break
		}
		if header.Len()+len(line) > maxHeader {
			failed = fmt.Errorf("it is longer than %d bytes", maxHeader)
		} else {
			header.Write(line)
		}
		if err != nil && err != bufio.ErrBufferFull {
			break
		}
	}
	f := make(fields)
	for name, value := range Fields(header.String()) {
		if _, ok := f[strings.ToLower(name)]; !ok {
			f[strings.ToLower(name)] = value
		}
	}
	return f, failed
}

// entity decodes a body (RFC 2045 2.4).
func (d *decoder) entity(f fields, r io.Reader, depth int) error {
	media, params, err := mime.ParseMediaType(f.get("Content-Type"))
	if err != nil && media == "" {
		media, params = "text/plain", nil
	}
	disposition, about, _ := mime.ParseMediaType(f.get("Content-Disposition"))
	name := about["filename"]
	if name == "" {
		name = params["name"]
	}
	if depth > maxDepth {
		return d.damaged("a part", fmt.Errorf("parts are nested more than %d deep", maxDepth))
	}
	if d.parts++; d.parts > maxParts {
		return fmt.Errorf("%w: it has more than %d parts", ErrForm, maxParts)
	}
	if strings.HasPrefix(media, "multipart/") && params["boundary"] != "" {
		return d.multipart(media, params["boundary"], r, depth)
	}
	body, err := transferDecoder(f.get("Content-Transfer-Encoding"), r)
	if err != nil {
		return d.damaged("a part", err)
	}
	switch {
	case media == "message/rfc822" && disposition != "attachment":
		if err := d.write("---- message ----\n"); err != nil {
			return err
		}
		return d.message(bufio.NewReaderSize(body, lineSize), depth+1)
	case strings.HasPrefix(media, "text/") && (disposition != "attachment" || name == ""):
		return d.text(body, params["charset"])
	}
	if name == "" {
		name = fmt.Sprintf("part-%d", d.parts)
	}
	return d.file(Header(name, d.o.Charset), media, body)
}

// multipart decodes parts (RFC 2046 5.1).
func (d *decoder) multipart(media, boundary string, r io.Reader, depth int) error {
	in := multipart.NewReader(r, boundary)
	for n := 0; ; n++ {
		p, err := in.NextRawPart()
		switch {
		case err == io.EOF && n > 0:
			return nil
		case d.source.err != nil:
			return d.source.err
		case errors.Is(err, io.EOF) && d.failed != nil && n > 0:
			return nil // the end of the last part was damaged
		case err != nil:
			if errors.Is(err, io.EOF) {
				err = errors.New("a boundary is missing")
			}
			return d.damaged("a part", err)
		case n > 0 && media == "multipart/alternative":
			continue // NextRawPart skips it
		}
		f := make(fields)
		for _, name := range []string{"Content-Type", "Content-Transfer-Encoding", "Content-Disposition"} {
			f[strings.ToLower(name)] = p.Header.Get(name)
		}
		p.Header = nil // it can be long, and stays in memory while parts within the part are read
		if media == "multipart/digest" && f.get("Content-Type") == "" {
			f["content-type"] = "message/rfc822"
		}
		if err := d.entity(f, p, depth+1); err != nil {
			return err
		}
	}
}

// transferDecoder decodes a Content-Transfer-Encoding (RFC 2045 6).
func transferDecoder(name string, r io.Reader) (io.Reader, error) {
	switch strings.ToLower(strings.TrimSpace(name)) {
	case "quoted-printable":
		return &quoted{quotedprintable.NewReader(bufio.NewReaderSize(r, lineSize))}, nil
	case "base64":
		return base64.NewDecoder(base64.StdEncoding, &onlyBase64{r}), nil
	case "x-uuencode", "x-uue", "uuencode":
		f, err := armor.UU(r)
		if err != nil {
			return nil, err
		}
		return f, nil
	}
	return r, nil
}

// quoted decodes quoted-printable. Its reader returns bufio.ErrBufferFull for a line longer than lineSize, again and again; whoever reads
// lines from it would take that for a part of a long line.
type quoted struct{ r io.Reader }

// Read implements io.Reader.
func (q *quoted) Read(p []byte) (int, error) {
	n, err := q.r.Read(p)
	if errors.Is(err, bufio.ErrBufferFull) {
		err = fmt.Errorf("a line is longer than %d bytes", lineSize)
	}
	return n, err
}

// onlyBase64 leaves out what is no base64 (RFC 2045 6.8).
type onlyBase64 struct{ r io.Reader }

// Read implements io.Reader.
func (o *onlyBase64) Read(p []byte) (int, error) {
	for {
		n, err := o.r.Read(p)
		kept := 0
		for _, c := range p[:n] {
			if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '+' || c == '/' || c == '=' {
				p[kept] = c
				kept++
			}
		}
		if kept > 0 || err != nil {
			return kept, err
		}
	}
}

// file passes an attachment on.
func (d *decoder) file(name, media string, r io.Reader) error {
	body := &counter{r: r}
	if d.o.Part != nil {
		if err := d.o.Part(name, media, body); err != nil {
			return err
		}
	}
	_, _ = io.Copy(io.Discard, body) // its error is in body
	switch {
	case d.source.err != nil:
		return d.source.err
	case body.err != nil:
		return d.damaged(fmt.Sprintf("file %s, %s, after %d bytes,", name, media, body.n), body.err)
	}
	return d.write(fmt.Sprintf("[file %s, %s, %d bytes]\n", name, media, body.n))
}

// counter counts the bytes of an attachment and keeps its error.
type counter struct {
	r   io.Reader
	n   int64
	err error
}

// Read implements io.Reader.
func (c *counter) Read(p []byte) (int, error) {
	if c.err != nil {
		return 0, c.err
	}
	n, err := c.r.Read(p)
	c.n += int64(n)
	if err != nil && err != io.EOF {
		c.err = err
	}
	return n, err
}

// text decodes a text, and the files within it.
func (d *decoder) text(r io.Reader, charset string) error {
	e := textEncoding(charset, d.o.Charset)
	if strings.HasPrefix(strings.ToLower(charset), "utf-16") { // its lines do not end in LF alone
		r, e = transform.NewReader(r, unicode.UTF16(unicode.BigEndian, unicode.UseBOM).NewDecoder()), nil
	}
	in, lines := bufio.NewReaderSize(r, lineSize), lineDecoder{e: e}
	for begins := true; ; {
		if begins {
			if open := fileBegins(in); open != nil {
				if err := d.textFile(open, in); err != nil {
					return err
				}
				continue
			}
		}
		line, err := in.ReadSlice('\n')
		if len(line) > 0 {
			begins = line[len(line)-1] == '\n'
		}
		if err := d.write(lines.decode(line, err == bufio.ErrBufferFull)); err != nil {
			return err
		}
		switch {
		case err == nil || err == bufio.ErrBufferFull:
			continue
		case d.source.err != nil:
			return d.source.err
		case err != io.EOF:
			return d.damaged("the text", err)
		case !begins:
			return d.write("\n")
		}
		return nil
	}
}

// lineDecoder decodes lines, in pieces if they are long. Without an encoding they are UTF-8, or Windows-1252 if they are not: many
// texts that claim to be ASCII or UTF-8 are not.
type lineDecoder struct {
	e    encoding.Encoding
	dec  *encoding.Decoder // of the line
	rest []byte            // the bytes of a character that the last piece did not complete
}

// decode decodes a piece of a line; more reports that another piece follows.
func (l *lineDecoder) decode(piece []byte, more bool) string {
	piece = append(l.rest, piece...)
	l.rest = nil
	end := ""
	if n := len(piece); n > 0 && piece[n-1] == '\n' {
		piece, end = bytes.TrimRight(piece, "\r\n"), "\n"
	}
	if l.e == nil {
		if more {
			n := len(piece) - incomplete(piece)
			piece, l.rest = piece[:n], slices.Clone(piece[n:])
		}
		if utf8.Valid(piece) {
			return string(piece) + end
		}
		out, _ := charmap.Windows1252.NewDecoder().Bytes(piece) // decodes every byte
		return string(out) + end
	}
	if l.dec == nil {
		l.dec = l.e.NewDecoder()
	}
	out := make([]byte, utf8.UTFMax*(len(piece)+1))
	n, read, err := l.dec.Transform(out, piece, !more)
	switch {
	case more && err == transform.ErrShortSrc:
		l.rest = slices.Clone(piece[read:])
	case err != nil:
		out = append(out[:n], piece[read:]...)
		n = len(out)
	}
	if !more {
		l.dec = nil
	}
	return string(out[:n]) + end
}

// incomplete returns how many bytes at the end of b begin a character of UTF-8 that goes on after it.
func incomplete(b []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(b); n++ {
		if end := b[len(b)-n:]; utf8.RuneStart(end[0]) {
			if utf8.FullRune(end) {
				return 0
			}
			return n
		}
	}
	return 0
}

// textEncoding returns the encoding of a text: the one that it names, else the fallback. It is nil for ASCII and UTF-8, and if neither is
// known.
func textEncoding(charset, fallback string) encoding.Encoding {
	for _, name := range []string{charset, fallback} {
		switch strings.ToLower(name) {
		case "us-ascii", "ascii", "utf-8", "utf8":
		default:
			if e := lookup(name); e != nil {
				return e
			}
		}
	}
	return nil
}

// opener returns the file that begins in a text.
type opener func(io.Reader) (*armor.File, error)

// fileBegins returns the opener for the file that the next lines begin; nil if they begin none.
func fileBegins(in *bufio.Reader) opener {
	if start, _ := in.Peek(8); string(start) == "=ybegin " {
		return armor.YEnc
	} else if !bytes.HasPrefix(start, []byte("begin")) {
		return nil
	}
	start, _ := in.Peek(1 << 10)
	first, rest, _ := bytes.Cut(start, []byte("\n"))
	second, _, ok := bytes.Cut(rest, []byte("\n"))
	words := bytes.Fields(first)
	if !ok || len(words) < 3 || string(words[0]) != "begin" || len(words[1]) < 3 || len(words[1]) > 4 || len(bytes.Trim(words[1], "01234567")) > 0 {
		return nil
	}
	if string(bytes.TrimRight(second, "\r")) == "end" {
		return armor.UU
	}
	for i, c := range bytes.TrimRight(second, "\r") {
		if n := int(second[0]-' ') & 0x3F; c < ' ' || c > '`' || i > 1+(n+2)/3*4 { // prose
			return nil
		}
	}
	return armor.UU
}

// textFile decodes a file within a text.
func (d *decoder) textFile(open opener, in *bufio.Reader) error {
	f, err := open(in)
	if err != nil {
		if d.source.err != nil {
			return d.source.err
		}
		return d.damaged("a file", err)
	}
	if d.parts++; d.parts > maxParts {
		return fmt.Errorf("%w: it has more than %d parts", ErrForm, maxParts)
	}
	name := Header(f.Name, d.o.Charset)
	if f.Part > 0 && f.Parts != 1 {
		name += fmt.Sprintf(".%03d", f.Part)
	}
	if name == "" {
		name = fmt.Sprintf("part-%d", d.parts)
	}
	return d.file(name, "application/octet-stream", f)
}
