package wire

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
)

// Options bound and show a dialogue.
type Options struct {
	MaxLine  int               // octets of a line that is read, its end included; 8 KiB where 0
	Sent     func(line string) // told each line sent, escaped and masked; may be nil
	Received func(line string) // told each line received, escaped; may be nil
}

// ErrLineTooLong says that a peer's line passed the limit.
var ErrLineTooLong = errors.New("the peer sent a line longer than the limit")

// Conn is a dialogue of lines over a connection. It is not safe for concurrent use, but Close is.
type Conn struct {
	conn net.Conn
	r    *bufio.Reader
	opt  Options
}

// NewConn makes a dialogue over c, which it then owns.
func NewConn(c net.Conn, opt Options) *Conn {
	if opt.MaxLine <= 0 {
		opt.MaxLine = 8 << 10
	}
	return &Conn{conn: c, r: bufio.NewReaderSize(c, 16<<10), opt: opt}
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

// ReadLine reads a line and cuts off its end, LF or CR LF. A last line without an end is returned with
// io.ErrUnexpectedEOF; after it comes io.EOF.
func (c *Conn) ReadLine() (string, error) {
	var line []byte
	for {
		part, err := c.r.ReadSlice('\n')
		if len(line)+len(part) > c.opt.MaxLine {
			return "", fmt.Errorf("%w of %d octets", ErrLineTooLong, c.opt.MaxLine)
		}
		line = append(line, part...)
		switch {
		case err == nil:
			line = line[:len(line)-1]
			if n := len(line); n > 0 && line[n-1] == '\r' {
				line = line[:n-1]
			}
			c.received(line)
			return string(line), nil
		case err == bufio.ErrBufferFull:
			continue
		case err == io.EOF && len(line) > 0:
			c.received(line)
			return string(line), io.ErrUnexpectedEOF
		default:
			return "", err
		}
	}
}

func (c *Conn) received(line []byte) {
	if c.opt.Received != nil {
		c.opt.Received(Escape(string(line)))
	}
}

// Reader is the buffered reader behind ReadLine, for bodies that follow on the same connection.
func (c *Conn) Reader() *bufio.Reader { return c.r }

// NetConn is the connection below. What Reader has buffered already is not in it.
func (c *Conn) NetConn() net.Conn { return c.conn }

// RemoteAddr is the address of the peer.
func (c *Conn) RemoteAddr() net.Addr { return c.conn.RemoteAddr() }

// Close ends the connection.
func (c *Conn) Close() error { return c.conn.Close() }
