package mailfmt

import (
	"io"
	"strings"
	"time"

	"locator/internal/addrspec"
	"locator/internal/octet"
	"locator/scheme"
	"locator/scheme/message"
)

// Options say what is added to a message, and which rules it follows.
type Options struct {
	// Draft is what the URL says. Its fields are added unless the text has them, and its Body
	// unless there is a text. Draft.News selects the rules: those of articles (RFC 5536), else
	// those of mail (RFC 5322). Nil is an empty draft of a mail.
	Draft *message.Draft
	// Fields are what the user says besides the text. They replace fields of the same name.
	Fields []Field
	// Mail is the configured mail address: the author, if no field From names one.
	Mail string
	// CancelSecret is the secret of the locks of RFC 8315, which articles get; "" means none.
	CancelSecret string
	Attach       []Attachment
	// KeepBcc keeps the field Bcc, for a message that is stored until it is sent. Completing it
	// again removes the field.
	KeepBcc bool
	// Now is the date of a message without one.
	Now time.Time
}

// A Field is a header field, decoded.
type Field struct {
	Name, Value string
	Where       string // its origin, for errors, such as "--subject"
}

// An Attachment is a file that is sent with the text.
type Attachment struct {
	Name string // without folders
	Type string // media type; "" means that of the name or else of the content
	// Open opens the file. It is called for each pass over the message.
	Open func() (io.ReadCloser, error)
}

// Message is a complete message. It is not safe for concurrent use: a pass over it reads the text
// that Complete was given.
type Message struct {
	ID         string   // the message-id without its angle brackets
	From       string   // addr-spec of the author
	Subject    string   // decoded
	Recipients []string // addr-specs of To, Cc and Bcc, each once
	Newsgroups []string
	Approved   bool // by a moderator (RFC 5536 3.2.1)
	// Sources are the message-ids of References, oldest first.
	References []string
	EightBit   bool // the text has bytes outside ASCII (RFC 6152)
	UTF8       bool // the header has bytes outside ASCII (RFC 6531, RFC 6532)

	header string // with the empty line after it
	text   *text
	encode encoder // of the text
	parts  *multipartBody
	size   int64                     // 0 until it is known
	known  map[addrspec.Address]bool // recipients
}

// Complete returns the message that r has written: header lines, an empty line, and the text. Lines
// end in LF or CR LF. A text that does not begin with a header field, or begins with an empty line,
// has no header lines. If r is an io.Seeker it is read again for each pass, and must not change or
// be closed before; otherwise it is read up to maxText bytes into memory.
//
// The errors are those of type *scheme.Error. Their code is CodeUsage for what the user wrote,
// CodeRefused for what the URL says, and CodeLocal if no author is known or if something cannot be
// read.
func Complete(r io.Reader, o Options) (*Message, error) {
	d := o.Draft
	if d == nil {
		d = &message.Draft{}
	}
	t, h, err := readText(r)
	if err != nil {
		return nil, err
	}
	if t.about.empty && d.Body != "" {
		if t, err = textOf(d.Body, "the URL", scheme.CodeRefused); err != nil {
			return nil, err
		}
	}
	rules := rulesOf(d.News)
	if err := h.merge(d, o); err != nil {
		return nil, err
	}
	if err := h.check(rules); err != nil {
		return nil, err
	}
	m := &Message{text: t, known: make(map[addrspec.Address]bool)}
	if err := m.setBody(h, rules, o.Attach); err != nil {
		return nil, err
	}
	if err := m.finish(h, rules, d, o); err != nil {
		return nil, err
	}
	return m, nil
}

// finish writes the header.
func (m *Message) finish(h *header, rules *rules, d *message.Draft, o Options) error {
	var out strings.Builder
	for i := range h.fields {
		f := &h.fields[i]
		if err := m.note(f, rules); err != nil {
			return err
		}
		if f.is("Bcc") && !o.KeepBcc {
			continue
		}
		line, err := f.encoded(rules)
		if err != nil {
			return err
		}
		out.WriteString(line)
		m.UTF8 = m.UTF8 || !octet.IsASCII(line)
	}
	if err := rules.judge(h, m, d); err != nil {
		return err
	}
	out.WriteString("\r\n")
	m.header = out.String()
	return nil
}

// WriteTo writes the message as it is sent, with CR LF as line ends. It can be called again.
func (m *Message) WriteTo(w io.Writer) (int64, error) {
	c := &counter{w: w}
	if _, err := io.WriteString(c, m.header); err != nil {
		return c.n, err
	}
	if m.parts != nil {
		return c.n, m.parts.write(c, m)
	}
	err := m.text.write(c, m.encode)
	return c.n, err
}

// Size returns the number of bytes that WriteTo writes.
func (m *Message) Size() (int64, error) {
	if m.size == 0 {
		n, err := m.WriteTo(io.Discard)
		if err != nil {
			return 0, err
		}
		m.size = n
	}
	return m.size, nil
}

// counter counts what is written.
type counter struct {
	w io.Writer
	n int64
}

// Write implements io.Writer.
func (c *counter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	return n, err
}
