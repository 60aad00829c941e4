package schemetest

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"sync"
)

// cutter implements client.Options.Dial for TLS connections. After left records the connection that
// is being read ends, as anybody on the path can end it.
type cutter struct {
	n       *network
	mu      sync.Mutex
	left    int // records until a connection ends; negative means no limit
	seen    int // records received
	tripped bool
}

func (x *cutter) dial(ctx context.Context, network, addr string) (net.Conn, error) {
	c, err := x.n.dial(ctx, network, addr)
	if err != nil {
		return nil, err
	}
	return &cutting{Conn: c, x: x}, nil
}

// next reports whether another record may be received.
func (x *cutter) next() bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.left == 0 && !x.tripped {
		x.tripped = true
		return false
	}
	x.left--
	x.seen++
	return true
}

// cutting is a connection of a cutter.
type cutting struct {
	net.Conn
	x      *cutter
	header []byte // of the record, as far as it has not been read
	body   int    // bytes of the record that have not been received
	cut    bool
}

func (c *cutting) Read(p []byte) (int, error) {
	if c.cut {
		return 0, io.EOF
	}
	if len(c.header) == 0 && c.body == 0 {
		header := make([]byte, 5) // type, version, length (RFC 8446 5.1)
		if _, err := io.ReadFull(c.Conn, header); err != nil {
			return 0, err
		}
		if !c.x.next() {
			c.cut = true
			return 0, io.EOF
		}
		c.header, c.body = header, int(binary.BigEndian.Uint16(header[3:]))
	}
	if len(c.header) > 0 {
		n := copy(p, c.header)
		c.header = c.header[n:]
		return n, nil
	}
	n, err := c.Conn.Read(p[:min(len(p), c.body)])
	c.body -= n
	return n, err
}

// maxRecords bounds the number of records after which a dialogue is cut.
const maxRecords = 60

// checkTLSCut ends control and data connections after each of their TLS records, without
// close_notify. The operation must end with an error or with the complete result.
//
// Covers: P6
func checkTLSCut(s *stage) {
	for what, op := range s.readings() {
		whole, took := s.unbroken(what, op)
		count := &cutter{n: s.network}
		s.breaks(what+", with every record", count.dial, func() { count.left, count.seen = -1, 0 }, whole, took, op)
		total, broken := min(count.seen, maxRecords), 0
		for at := range total {
			x := &cutter{n: s.network}
			s.breaks(fmt.Sprintf("%s, cut after %d of %d records", what, at, count.seen), x.dial, func() { x.left, x.tripped = at, false }, whole, took, op)
			if x.tripped {
				broken++
			}
		}
		if broken < 3*total/4 || total == 0 {
			s.Fatalf("%s: of %d dialogues only %d were cut", what, total, broken)
		}
	}
}
