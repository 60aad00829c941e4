package wire

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
)

// DefaultMaxLine is the default of Options.MaxLine, in bytes.
const DefaultMaxLine = 8 << 10

// Options configure a Conn.
type Options struct {
	MaxLine  int               // maximum length of a received line with its end, in bytes; 0 means DefaultMaxLine
	Sent     func(line string) // called with each line sent, escaped and with secrets masked; may be nil
	Received func(line string) // called with each line received, escaped; may be nil
	Copy     io.Writer         // NewConn: gets the bytes as they are received; may be nil
}

// Errors of a server that exceeds a limit (P6). ErrLineTooLong and ErrReplyTooLong match ErrLimit.
var (
	ErrLimit        = errors.New("the server sent more than the limit")
	ErrLineTooLong  = fmt.Errorf("%w: line too long", ErrLimit)
	ErrReplyTooLong = fmt.Errorf("%w: reply too long", ErrLimit)
)

// ErrNoLineEnd is returned with the last line of a connection if it has no line end. The line is never empty, and the next
// read returns io.EOF. A failed read never matches ErrNoLineEnd, so a caller that accepts such a line does not mistake a
// broken connection for it. ErrNoLineEnd matches io.ErrUnexpectedEOF, for callers that do not accept it.
var ErrNoLineEnd = fmt.Errorf("the last line has no line end: %w", io.ErrUnexpectedEOF)

// ErrSentAhead is returned by [Conn.Upgrade] if unencrypted data would be read as if it were sent over TLS.
var ErrSentAhead = errors.New("the server sent more unencrypted data after it agreed to switch to TLS; a third party may have injected it")

// Conn sends and receives lines over a connection. It is not safe for concurrent use, except for Close.
type Conn struct {
	conn net.Conn
	r    *bufio.Reader
	opt  Options
	err  error // returned by every further read
}

// NewConn returns a Conn over c. Closing it closes c.
func NewConn(c net.Conn, opt Options) *Conn {
	var r io.Reader = c
	if opt.Copy != nil {
		r = io.TeeReader(c, opt.Copy)
	}
	w := &Conn{conn: c, r: bufio.NewReaderSize(r, 16<<10)}
	w.SetOptions(opt)
	return w
}

// SetOptions replaces the options, for reuse of the connection by another operation.
func (c *Conn) SetOptions(opt Options) {
	if opt.MaxLine <= 0 {
		opt.MaxLine = DefaultMaxLine
	}
	c.opt = opt
}

// Send writes lines, each with CR LF, in a single Write.
func (c *Conn) Send(lines ...Line) error {
	n := 0
	for _, l := range lines {
		if c.opt.Sent != nil {
			c.opt.Sent(l.String())
		}
		n += len(l.text) + 2
	}
	b := make([]byte, 0, n)
	for _, l := range lines {
		b = append(append(b, l.text...), '\r', '\n')
	}
	_, err := c.conn.Write(b)
	return err
}

// ReadLine reads a line and returns it without its end, LF or CR LF; other CRs are kept. A last line without an end is
// returned with [ErrNoLineEnd]. With every other error the line is empty. The error for a line over Options.MaxLine matches
// [ErrLineTooLong].
//
// An error is final: later reads return it again, or io.EOF after ErrNoLineEnd. The exception is a timeout between two
// lines. A timeout within a line is final, since the next read would start in the middle of that line.
func (c *Conn) ReadLine() (string, error) {
	line, _, err := c.readLine(ErrLineTooLong, int64(c.opt.MaxLine))
	return line, err
}

// ReadLineWithin is [Conn.ReadLine] with a limit for several lines: it subtracts the length of the line with its end from
// *left. If the line is longer than *left, it returns an error that matches [ErrReplyTooLong].
func (c *Conn) ReadLineWithin(left *int64) (string, error) {
	limit, tooLong := int64(c.opt.MaxLine), ErrLineTooLong
	if *left < limit {
		limit, tooLong = *left, ErrReplyTooLong
	}
	line, n, err := c.readLine(tooLong, limit)
	*left -= n
	return line, err
}

// ReadLines reads lines until last returns true, and returns all of them. It reads at most max bytes. An error of last ends
// the reading and is returned. The lines read so far are returned with any error.
func (c *Conn) ReadLines(max int64, last func(line string) (bool, error)) ([]string, error) {
	var lines []string
	for {
		line, err := c.ReadLineWithin(&max)
		if err != nil {
			if err == io.EOF && len(lines) > 0 || err == ErrNoLineEnd {
				err = io.ErrUnexpectedEOF
			}
			if line != "" {
				lines = append(lines, line)
			}
			return lines, err
		}
		lines = append(lines, line)
		if done, err := last(line); done || err != nil {
			return lines, err
		}
	}
}

// readLine reads a line of at most limit bytes. n is the number of bytes read.
func (c *Conn) readLine(tooLong error, limit int64) (text string, n int64, err error) {
	if c.err != nil {
		return "", 0, c.err
	}
	var line []byte
	for {
		part, err := c.r.ReadSlice('\n')
		n += int64(len(part))
		if n > limit {
			c.err = fmt.Errorf("%w (%d bytes)", tooLong, limit)
			return "", n, c.err
		}
		line = append(line, part...)
		switch {
		case err == nil:
			line = line[:len(line)-1]
			if n := len(line); n > 0 && line[n-1] == '\r' {
				line = line[:n-1]
			}
			c.received(line)
			return string(line), n, nil
		case err == bufio.ErrBufferFull:
			continue
		case err == io.EOF && len(line) > 0:
			c.err = io.EOF
			c.received(line)
			return string(line), n, ErrNoLineEnd
		case len(line) > 0 || !isTimeout(err):
			c.err = err
		}
		return "", n, err
	}
}

func isTimeout(err error) bool {
	t, ok := errors.AsType[interface {
		error
		Timeout() bool
	}](err)
	return ok && t.Timeout()
}

func (c *Conn) received(line []byte) {
	if c.opt.Received != nil {
		c.opt.Received(Escape(string(line)))
	}
}

// Upgrade replaces the underlying connection with the result of over, such as TLS over it (RFC 4217 4, RFC 3207 4). It
// returns [ErrSentAhead] if unread data is buffered: that data is unencrypted, and a third party may have injected it.
func (c *Conn) Upgrade(over func(net.Conn) net.Conn) error {
	if c.r.Buffered() > 0 {
		c.err = ErrSentAhead
		return ErrSentAhead
	}
	c.conn = over(c.conn)
	c.r.Reset(c.conn)
	return nil
}

// Reader returns the buffered reader that ReadLine uses, for reading a body on the same connection.
func (c *Conn) Reader() *bufio.Reader { return c.r }

// NetConn returns the underlying connection. Data that Reader has buffered cannot be read from it.
func (c *Conn) NetConn() net.Conn { return c.conn }

// RemoteAddr returns the address of the server.
func (c *Conn) RemoteAddr() net.Addr { return c.conn.RemoteAddr() }

// Close closes the connection.
func (c *Conn) Close() error { return c.conn.Close() }
