package wire

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"net"
	"time"
)

// Defaults of Options.
const (
	DefaultMaxLine   = 8 << 10 // bytes
	DefaultLineTime  = time.Minute
	DefaultReplyTime = 10 * time.Minute
)

// Options configure a Conn.
type Options struct {
	MaxLine   int               // maximum length of a received line with its end, in bytes; 0 means DefaultMaxLine
	LineTime  time.Duration     // time for a line, from its first byte; 0 means DefaultLineTime
	ReplyTime time.Duration     // time for all lines of a ReadLines, from the first byte; 0 means DefaultReplyTime
	Sent      func(line string) // called with each line sent, escaped and with secrets masked; may be nil
	Received  func(line string) // called with each line received, escaped; may be nil
	Copy      io.Writer         // NewConn: gets the bytes as they are received; may be nil
}

// Errors of a server that exceeds a limit. All match ErrLimit. A server that sends a byte now and
// then exceeds ErrTooSlow, though it never stalls.
var (
	ErrLimit        = errors.New("the server exceeded a limit")
	ErrLineTooLong  = fmt.Errorf("%w: line too long", ErrLimit)
	ErrReplyTooLong = fmt.Errorf("%w: reply too long", ErrLimit)
	ErrTooSlow      = fmt.Errorf("%w: too slow", ErrLimit)
)

// ErrNoLineEnd is returned with the last line of a connection if it has no line end. The line is
// never empty, and the next read returns io.EOF. A failed read never matches ErrNoLineEnd, so a
// caller that accepts such a line does not mistake a broken connection for it. ErrNoLineEnd matches
// io.ErrUnexpectedEOF, for callers that do not accept it.
var ErrNoLineEnd = fmt.Errorf("the last line has no line end: %w", io.ErrUnexpectedEOF)

// ErrSentAhead is returned by [Conn.Upgrade] if unencrypted data would be read as if it were sent
// over TLS.
var ErrSentAhead = errors.New("the server sent more unencrypted data after it agreed to switch to TLS; a third party may have injected it")

// Conn sends and receives lines over a connection. It is not safe for concurrent use, except for
// Close.
type Conn struct {
	conn net.Conn
	in   timed
	r    *bufio.Reader // reads in
	opt  Options
	err  error // returned by every further read
}

// NewConn returns a Conn over c. Closing it closes c.
func NewConn(c net.Conn, opt Options) *Conn {
	w := &Conn{conn: c}
	w.in.r = c
	if opt.Copy != nil {
		w.in.r = io.TeeReader(c, opt.Copy)
	}
	w.r = bufio.NewReaderSize(&w.in, 16<<10)
	w.SetOptions(opt)
	return w
}

// SetOptions replaces the options, for reuse of the connection by another operation.
func (c *Conn) SetOptions(opt Options) {
	if opt.MaxLine <= 0 {
		opt.MaxLine = DefaultMaxLine
	}
	c.opt = opt
	c.in.line.limit, c.in.reply.limit = cmp.Or(opt.LineTime, DefaultLineTime), cmp.Or(opt.ReplyTime, DefaultReplyTime)
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

// ReadLine reads a line and returns it without its end, LF or CR LF; other CRs are kept. A last
// line without an end is returned with [ErrNoLineEnd]. With every other error the line is empty.
// The error for a line over Options.MaxLine matches [ErrLineTooLong], and for one over
// Options.LineTime [ErrTooSlow].
//
// An error is final: later reads return it again, or io.EOF after ErrNoLineEnd. The exception is a
// timeout between two lines. A timeout within a line is final, since the next read would start in
// the middle of that line.
func (c *Conn) ReadLine() (string, error) {
	line, _, err := c.readLine(ErrLineTooLong, int64(c.opt.MaxLine))
	return line, err
}

// ReadLineWithin is [Conn.ReadLine] with a limit for several lines: it subtracts the length of the
// line with its end from *left. If the line is longer than *left, it returns an error that matches
// [ErrReplyTooLong].
func (c *Conn) ReadLineWithin(left *int64) (string, error) {
	limit, tooLong := int64(c.opt.MaxLine), ErrLineTooLong
	if *left < limit {
		limit, tooLong = *left, ErrReplyTooLong
	}
	line, n, err := c.readLine(tooLong, limit)
	*left -= n
	return line, err
}

// ReadLines reads lines until last returns true, and returns all of them. It reads at most max
// bytes, in at most Options.ReplyTime. An error of last ends the reading and is returned. The lines
// read so far are returned with any error.
func (c *Conn) ReadLines(max int64, last func(line string) (bool, error)) ([]string, error) {
	c.StartReply()
	defer c.StopReply()
	var lines []string
	for left := max; ; {
		line, err := c.ReadLineWithin(&left)
		if err != nil {
			if errors.Is(err, ErrReplyTooLong) {
				err = fmt.Errorf("%w (limit %d bytes)", ErrReplyTooLong, max)
			}
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
	c.StartLine()
	defer c.StopLine()
	var line []byte
	for {
		part, err := c.r.ReadSlice('\n')
		n += int64(len(part))
		if n > limit {
			if c.err = tooLong; tooLong == ErrLineTooLong {
				c.err = fmt.Errorf("%w (limit %d bytes)", tooLong, limit)
			}
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

// Upgrade replaces the underlying connection with the result of over, such as TLS over it (RFC 4217
// 4, RFC 3207 4). It returns [ErrSentAhead] if unread data is buffered: that data is unencrypted,
// and a third party may have injected it. An error of over is returned.
func (c *Conn) Upgrade(over func(net.Conn) (net.Conn, error)) error {
	if c.r.Buffered() > 0 {
		c.err = ErrSentAhead
		return ErrSentAhead
	}
	conn, err := over(c.conn)
	if err != nil {
		return err
	}
	c.conn, c.in.r = conn, conn
	c.r.Reset(&c.in)
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
