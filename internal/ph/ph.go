package ph

import (
	"errors"
	"io"
	"slices"
	"strings"

	"locator/scheme"
	"locator/wire"
)

// Port is the port of name servers (RFC 2378 2).
const Port = 105

// Options say how a Conn reads. All fields are required but Trace.
type Options struct {
	Limits scheme.Limits       // Line is not used: the wire.Conn has it
	Trace  *scheme.Trace       // may be nil
	Text   func(string) string // decodes the bytes of the server into printable text
	Failed func(error) error   // makes the error of a broken connection
	Close  func() error        // closes the connection; may be called more than once
}

// Conn is a connection to a name server. It is not safe for concurrent use.
type Conn struct {
	wire *wire.Conn
	opt  Options
	max  int64 // bytes that the server may send
	left int64 // bytes of max that it may still send

	held  line  // the first line of the next entry, read already; code is 0 if there is none
	count int   // entries returned by Next
	err   error // what every further Next returns
}

// NewConn returns a Conn that uses c. The replies to all commands together may have at most Limits.Listing bytes.
func NewConn(c *wire.Conn, opt Options) *Conn {
	return &Conn{wire: c, opt: opt, max: opt.Limits.Listing, left: opt.Limits.Listing}
}

// Query returns the command for a query (RFC 2378 3.2). It fails if words has CR, LF or NUL.
func Query(words string) (wire.Line, error) { return wire.Command("query", "search", words) }

// Send sends a command.
func (c *Conn) Send(command wire.Line) error {
	c.opt.Trace.OnSent(command.String())
	if err := c.wire.Send(command); err != nil {
		return c.opt.Failed(err)
	}
	return nil
}

// quit sends the command that ends the dialogue. The server need not answer it, and its failure does not matter.
func (c *Conn) quit() {
	if command, err := wire.Bare("quit"); err == nil {
		c.Send(command)
	}
}

// Close closes the connection. Next fails after it. Close may be called more than once.
func (c *Conn) Close() error {
	if c.err == nil {
		c.err = io.ErrClosedPipe
	}
	return c.opt.Close()
}

// read returns the next line of a reply.
func (c *Conn) read() (line, error) {
	before := c.left
	text, err := c.wire.ReadLineWithin(&c.left)
	switch {
	case err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF):
		return line{}, scheme.Fail(scheme.CodeBroken, "the name server closed the connection within its reply: %w", io.ErrUnexpectedEOF)
	case errors.Is(err, wire.ErrReplyTooLong):
		return line{}, scheme.Fail(scheme.CodeBroken, "the reply passed the limit of %d bytes", c.max)
	case err != nil:
		return line{}, c.opt.Failed(err)
	}
	l, ok := parseLine(text)
	if !ok {
		return line{}, scheme.Replied(scheme.CodeProtocol, quoted(text), "no reply of a CSO name server (RFC 2378)")
	}
	if l.last {
		c.opt.Trace.OnReceived(wire.Escape(text))
	}
	l.size = int(before - c.left)
	return l, nil
}

// Entry is an entry of the phone book: its fields in the order of the reply. Lines of a value are separated by LF.
type Entry []scheme.Attribute

// Name returns the first line of the field "name", else of the first field.
func (e Entry) Name() string {
	i := max(0, slices.IndexFunc(e, func(f scheme.Attribute) bool { return strings.EqualFold(f.Name, "name") }))
	if i == len(e) {
		return ""
	}
	name, _, _ := strings.Cut(e[i].Value, "\n")
	return name
}

// String returns the entry as a text with one field per line. Further lines of a field are indented.
func (e Entry) String() string {
	var b strings.Builder
	for _, f := range e {
		b.WriteString(f.Name + ": " + strings.ReplaceAll(f.Value, "\n", "\n  ") + "\n")
	}
	return b.String()
}

// Next returns the next entry of the reply to a query. The error io.EOF ends the entries, and then Next has sent "quit". An
// error of the server comes after the entries that it follows. Errors repeat.
func (c *Conn) Next() (Entry, error) {
	if c.err != nil {
		return nil, c.err
	}
	var e Entry
	for index, size := 0, 0; ; {
		l := c.held
		c.held = line{}
		if l.code == 0 {
			if l, c.err = c.read(); c.err != nil {
				break
			}
		}
		if (l.last || l.index != index) && len(e) > 0 {
			c.held = l
			break
		}
		if l.last {
			if c.err = l.failure(); c.err == nil {
				c.quit()
				c.err = io.EOF
			}
			return nil, c.err
		}
		index = l.index
		if size += l.size; size > c.opt.Limits.Header {
			c.err = scheme.Fail(scheme.CodeBroken, "an entry is longer than %d bytes", c.opt.Limits.Header)
			return nil, c.err
		}
		e = e.with(l, c.opt.Text)
	}
	if len(e) == 0 {
		return nil, c.err
	}
	if c.count++; c.count > c.opt.Limits.Entries {
		c.err = scheme.Fail(scheme.CodeBroken, "the reply passed the limit of %d entries", c.opt.Limits.Entries)
		return nil, c.err
	}
	return e, nil
}

// with returns the entry with one more line of the reply. Fields that the server does not show (-503, -508) are left out.
func (e Entry) with(l line, text func(string) string) Entry {
	value := text(strings.TrimSpace(l.text))
	switch {
	case l.index == 0 || l.code >= 300:
	case l.name == "" && len(e) > 0:
		e[len(e)-1].Value += "\n" + value
	default:
		e = append(e, scheme.Attribute{Name: text(l.name), Value: value})
	}
	return e
}

// Describe asks who runs the server and which fields its entries have (RFC 2378 3.9, 3.5), and sends "quit". The block of an
// attribute is the command that it answers: "siteinfo" or "fields". A server that does not know a command has no
// attributes of that block. The replies may have at most Limits.Header bytes.
func (c *Conn) Describe() ([]scheme.Attribute, error) {
	c.max = int64(c.opt.Limits.Header)
	c.left = c.max
	var attrs []scheme.Attribute
	for _, name := range [...]string{"siteinfo", "fields"} {
		command, err := wire.Bare(name)
		if err == nil {
			err = c.Send(command)
		}
		for err == nil {
			var l line
			if l, err = c.read(); err != nil || l.last {
				break
			}
			if l.index > 0 && l.code < 300 {
				attrs = append(attrs, scheme.Attribute{Block: name, Name: c.opt.Text(l.name), Value: c.opt.Text(strings.TrimSpace(l.text))})
			}
		}
		if err != nil {
			return nil, err
		}
	}
	c.quit()
	return attrs, nil
}
