package wire

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
)

// DefaultMaxLine is the bound of a line where Options names none, in octets.
const DefaultMaxLine = 8 << 10

// Options bound and show a dialogue.
type Options struct {
	MaxLine  int               // octets of a line that is read, its end included; DefaultMaxLine where 0
	Sent     func(line string) // told each line sent, escaped and masked; may be nil
	Received func(line string) // told each line received, escaped; may be nil
}

// What a peer sent passed a limit (P6). Both match ErrLimit.
var (
	ErrLimit        = errors.New("the peer sent more than the limit")
	ErrLineTooLong  = fmt.Errorf("%w: a line that is too long", ErrLimit)
	ErrReplyTooLong = fmt.Errorf("%w: a reply that is too long", ErrLimit)
)

// ErrNoLineEnd comes with the last line of a connection that the peer closed without ending that line. The line is never
// empty, and the next read returns io.EOF. No failed read matches it, so a caller that accepts such a line cannot take a
// broken connection for one. It matches io.ErrUnexpectedEOF, which is what it means to a caller that does not accept it.
var ErrNoLineEnd = fmt.Errorf("the last line has no line end: %w", io.ErrUnexpectedEOF)

// ErrSentAhead says that a peer sent something in the clear that would be taken as sent under TLS.
var ErrSentAhead = errors.New("the peer sent more in the clear after it agreed to switch to TLS; it may have been slipped in by a third party")

// Conn is a dialogue of lines over a connection. It is not safe for concurrent use, but Close is.
type Conn struct {
	conn net.Conn
	r    *bufio.Reader
	opt  Options
	err  error // what every further read returns
}

// NewConn makes a dialogue over c, which it then owns.
func NewConn(c net.Conn, opt Options) *Conn {
	w := &Conn{conn: c, r: bufio.NewReaderSize(c, 16<<10)}
	w.SetOptions(opt)
	return w
}

// SetOptions replaces the options, for a connection that another operation takes over.
func (c *Conn) SetOptions(opt Options) {
	if opt.MaxLine <= 0 {
		opt.MaxLine = DefaultMaxLine
	}
	c.opt = opt
}

// Send writes a line and its CR LF in one piece.
func (c *Conn) Send(l Line) error {
	if c.opt.Sent != nil {
		c.opt.Sent(l.String())
	}
	b := make([]byte, 0, len(l.text)+2)
	b = append(append(b, l.text...), '\r', '\n')
	_, err := c.conn.Write(b)
	return err
}

// ReadLine reads a line and removes its end, LF or CR LF; a CR elsewhere stays. A last line without an end is returned
// with [ErrNoLineEnd]. With every other error the line is empty.
//
// An error is final: later reads return it again, and after ErrNoLineEnd io.EOF. Only a timeout between two lines is not;
// after a timeout within a line the next read would begin in the middle of that line. The error of a line over the bound
// matches [ErrLineTooLong].
func (c *Conn) ReadLine() (string, error) {
	line, _, err := c.readLine(ErrLineTooLong, int64(c.opt.MaxLine))
	return line, err
}

// ReadLineWithin is [Conn.ReadLine] for lines that are bounded together: it takes the octets of the line and its end
// off *left, and gives an error that matches [ErrReplyTooLong] where they are more than that.
func (c *Conn) ReadLineWithin(left *int64) (string, error) {
	limit, tooLong := int64(c.opt.MaxLine), ErrLineTooLong
	if *left < limit {
		limit, tooLong = *left, ErrReplyTooLong
	}
	line, n, err := c.readLine(tooLong, limit)
	*left -= n
	return line, err
}

// ReadLines reads lines up to and with the first of which last says so, at most max octets with their ends. last may
// also give an error, which ends the reading. The lines read so far come with any error.
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

// readLine reads a line of at most limit octets. n is how many it took.
func (c *Conn) readLine(tooLong error, limit int64) (text string, n int64, err error) {
	if c.err != nil {
		return "", 0, c.err
	}
	var line []byte
	for {
		part, err := c.r.ReadSlice('\n')
		n += int64(len(part))
		if n > limit {
			c.err = fmt.Errorf("%w (%d octets)", tooLong, limit)
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

// Upgrade puts another connection in the place of the one below, such as TLS over it (RFC 4217 4, RFC 3207 4). It
// refuses with [ErrSentAhead] where the peer has sent more than was read: that came in the clear, and whoever could
// write on the line could have sent it.
func (c *Conn) Upgrade(over func(net.Conn) net.Conn) error {
	if c.r.Buffered() > 0 {
		c.err = ErrSentAhead
		return ErrSentAhead
	}
	c.conn = over(c.conn)
	c.r.Reset(c.conn)
	return nil
}

// Reader is the buffered reader behind ReadLine, for bodies that follow on the same connection.
func (c *Conn) Reader() *bufio.Reader { return c.r }

// NetConn is the connection below. What Reader has buffered already is not in it.
func (c *Conn) NetConn() net.Conn { return c.conn }

// RemoteAddr is the address of the peer.
func (c *Conn) RemoteAddr() net.Addr { return c.conn.RemoteAddr() }

// Close ends the connection.
func (c *Conn) Close() error { return c.conn.Close() }
