package mailtext

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"
)

// decoder decodes one message.
type decoder struct {
	source  source
	o       Options
	yield   func([]byte, error) bool
	charset string // of what has none, or an unknown one
	parts   int
	failed  error // the first damage
	open    bool  // the last line that was written has no end
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
var shownFields = []string{"Subject", "From", "To", "Cc", "Date", "Newsgroups", "Followup-To", "Reply-To", "Organization", "Supersedes", "Archived-At", "Message-ID"}

// message decodes a header and a body.
func (d *decoder) message(r *bufio.Reader, depth int) error {
	fields, err := readFields(r)
	if err != nil {
		if err := d.damaged("the header", err); err != nil {
			return err
		}
	}
	defer func(charset string) { d.charset = charset }(d.charset)
	d.charset = cmp.Or(d.o.Charset, GuessCharset(fields.get("Newsgroups")), d.charset)
	for _, name := range shownFields {
		if value := fields.get(name); value != "" {
			if err := d.write(name + ": " + Header(value, d.charset) + "\n"); err != nil {
				return err
			}
		}
	}
	if err := d.write("\n"); err != nil {
		return err
	}
	return d.entity(fields.aboutBody(), r, depth)
}

// fields are the fields of a header by name in lower case; of several, the first counts.
type fields map[string]string

func (f fields) get(name string) string { return f[strings.ToLower(name)] }

// aboutBody returns the fields that describe a body. A header can be long, and stays in memory
// while parts within the part are read.
func (f fields) aboutBody() fields {
	about := make(fields)
	for _, name := range []string{"content-type", "content-transfer-encoding", "content-disposition"} {
		about[name] = strings.Clone(f[name])
	}
	return about
}

// readFields reads a header with the empty line after it. It skips lines that are too long, and
// what exceeds maxHeader.
func readFields(r *bufio.Reader) (fields, error) {
	var header strings.Builder
	var failed error
	for piece := false; ; { // of a line
		line, err := r.ReadSlice('\n')
		if !piece && (len(bytes.TrimRight(line, "\r\n")) == 0 && err == nil || err == io.EOF && len(line) == 0) {
			break
		}
		more := err == bufio.ErrBufferFull
		switch {
		case more:
			failed = fmt.Errorf("a line is longer than %d bytes", lineSize)
		case header.Len()+len(line) > maxHeader:
			failed = fmt.Errorf("it is longer than %d bytes", maxHeader)
		case !piece:
			header.Write(line)
		}
		if piece = more; err != nil && !more {
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
func (d *decoder) entity(f fields, r *bufio.Reader, depth int) error {
	media, params := ParseParameters(f.get("Content-Type"))
	if strings.Count(media, "/") != 1 {
		media = "text/plain"
	}
	disposition, about := ParseParameters(f.get("Content-Disposition"))
	name := about.Get("filename")
	if name == "" {
		name = params.Get("name")
	}
	if depth > maxDepth {
		return d.damaged("a part", fmt.Errorf("parts are nested more than %d deep", maxDepth))
	}
	if d.parts++; d.parts > maxParts {
		return fmt.Errorf("%w: it has more than %d parts", ErrForm, maxParts)
	}
	if strings.HasPrefix(media, "multipart/") {
		return d.multipart(media, params.Get("boundary"), r, depth)
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
		var flow *flowed
		if d.o.Flow {
			flow = newFlowed(media, params)
		}
		return d.text(body, params.Get("charset"), flow)
	}
	if name == "" {
		name = fmt.Sprintf("part-%d", d.parts)
	}
	return d.file(Header(name, d.charset), media, body)
}
