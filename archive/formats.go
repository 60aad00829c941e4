package archive

import (
	"bufio"
	"bytes"
	"io"
	"net/mail"
	"strings"
	"time"

	"locator/internal/jsontext"
	"locator/scheme"
)

// encodeMbox writes a message of an mbox file (RFC 4155 appendix A): the line that begins it, its
// lines, and an empty line.
func encodeMbox(w *bufio.Writer, res *scheme.Resource, in *bufio.Reader) error {
	date := res.Attr.Modified
	if date.IsZero() {
		date = time.Now()
	}
	if _, err := w.WriteString("From " + sender(res.Attr.From) + " " + date.UTC().Format(time.ANSIC) + "\n"); err != nil {
		return err
	}
	if err := copyLines(w, in, true); err != nil {
		return err
	}
	return w.WriteByte('\n')
}

// sender returns the address in a From field, or that of RFC 4155 for none.
func sender(from string) string {
	a, err := mail.ParseAddress(from)
	if err != nil || strings.ContainsFunc(a.Address, func(c rune) bool { return c <= ' ' || c >= 0x7F }) {
		return "MAILER-DAEMON"
	}
	return a.Address
}

// encodeLines writes a message with LF as line ends.
func encodeLines(w *bufio.Writer, _ *scheme.Resource, in *bufio.Reader) error {
	return copyLines(w, in, false)
}

// copyLines copies lines, which end with LF instead of CR LF. The last line is ended, too. With
// quote it writes ">" before lines that begin with "From " after any number of ">".
func copyLines(w *bufio.Writer, in *bufio.Reader, quote bool) error {
	start, cr := true, false // cr: a CR was read and not written
	for {
		line, err := in.ReadSlice('\n')
		if n := len(line); n > 0 {
			if cr && line[0] != '\n' {
				w.WriteByte('\r')
			}
			if start && quote && bytes.HasPrefix(bytes.TrimLeft(line, ">"), []byte("From ")) {
				w.WriteByte('>')
			}
			start, cr = line[n-1] == '\n', line[n-1] == '\r'
			switch {
			case start:
				line = append(bytes.TrimSuffix(line[:n-1], []byte{'\r'}), '\n')
			case cr:
				line = line[:n-1]
			}
			if _, err := w.Write(line); err != nil {
				return err
			}
		}
		switch err {
		case nil, bufio.ErrBufferFull:
			continue
		case io.EOF:
			if cr {
				w.WriteByte('\r')
			}
			if !start {
				w.WriteByte('\n')
			}
			return nil
		}
		return err
	}
}

// afterMbox returns where the second message of a tail begins.
func afterMbox(tail []byte) int {
	i := bytes.Index(tail, []byte("\nFrom "))
	if i < 0 {
		return -1
	}
	return i + 1
}

// encodeJSON writes a message as a line of JSON: what is known of it, its header, and its text with
// every byte.
func encodeJSON(w *bufio.Writer, res *scheme.Resource, in *bufio.Reader) error {
	b := jsontext.AppendFilled([]byte("{"), "url", res.URL.Redacted())
	b = jsontext.AppendFilled(b, "list", res.Position.List)
	b = jsontext.AppendNumber(b, "number", res.Position.Number, res.Position.Number > 0)
	b = jsontext.AppendFilled(b, "id", res.Attr.ID)
	b = jsontext.AppendFilled(b, "from", res.Attr.From)
	modified := ""
	if !res.Attr.Modified.IsZero() {
		modified = res.Attr.Modified.UTC().Format(time.RFC3339)
	}
	b = jsontext.AppendFilled(b, "modified", modified)
	b = append(jsontext.AppendKey(b, "header"), '[')
	for _, a := range res.Attr.More {
		b = jsontext.AppendText(append(jsontext.AppendComma(b), '{'), "name", a.Name)
		b = append(jsontext.AppendText(b, "value", a.Value), '}')
	}
	b = append(b, `],"text":"`...)
	if _, err := w.Write(b); err != nil {
		return err
	}
	var piece, out []byte
	for {
		line, err := in.ReadSlice('\n')
		piece = append(piece, line...)
		whole := len(piece)
		if err == bufio.ErrBufferFull {
			whole = jsontext.Whole(piece)
		}
		out = jsontext.Append(out[:0], string(piece[:whole]))
		piece = append(piece[:0], piece[whole:]...)
		if _, err := w.Write(out); err != nil {
			return err
		}
		switch err {
		case nil, bufio.ErrBufferFull:
			continue
		case io.EOF:
			_, err = w.WriteString("\"}\n")
		}
		return err
	}
}

// afterJSON returns where the second line of a tail begins.
func afterJSON(tail []byte) int {
	i := bytes.IndexByte(tail, '\n')
	if i < 0 || i+1 == len(tail) {
		return -1
	}
	return i + 1
}
