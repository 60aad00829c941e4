package schemetest

import (
	"bytes"
	"context"
	"io"
	"net"
	"strings"
	"time"

	"locator/client"
	"locator/scheme"
)

// segmented is an option of a client whose TCP connections deliver what arrives in segments, as a
// network does: each Read returns at most segmentSize bytes, after segmentDelay.
func segmented(o *client.Options) {
	dial := o.Dial
	o.Dial = func(ctx context.Context, network, addr string) (net.Conn, error) {
		c, err := dial(ctx, network, addr)
		if err != nil || !strings.HasPrefix(network, "tcp") { // a datagram comes whole
			return c, err
		}
		return segments{c}, nil
	}
}

const (
	segmentSize  = 4<<10 - 1 // bytes.bin has one byte more
	segmentDelay = 200 * time.Microsecond
)

type segments struct{ net.Conn }

func (c segments) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p[:min(len(p), segmentSize)])
	time.Sleep(segmentDelay)
	return n, err
}

// checkLateClose reads a file to its end, so that its connection may go back into the pool, and
// closes it while another file is read.
func checkLateClose(s *stage) {
	c := s.client(segmented)
	small, content := s.file("bytes.bin")
	big, want := s.file("big.bin")
	for range 3 {
		s.within(s.times.patience, "closing a body after another access has begun", func() {
			first, err := c.Access(s.ctx, scheme.Request{URL: small}, nil)
			if err != nil {
				s.Errorf("%v", err)
				return
			}
			defer first.Close()
			if b, err := io.ReadAll(first.Body); err != nil || string(b) != content {
				s.Errorf("the first body has %d bytes, error %v; want %d", len(b), err, len(content))
			}
			second, err := c.Access(s.ctx, scheme.Request{URL: big}, nil)
			if err != nil {
				s.Errorf("%v", err)
				return
			}
			defer second.Close()
			var b bytes.Buffer
			begun, read := make(chan struct{}), make(chan error)
			go func() {
				_, err := io.CopyN(&b, second.Body, 100)
				close(begun)
				if err == nil {
					_, err = io.Copy(&b, second.Body)
				}
				read <- err
			}()
			<-begun
			if err := first.Close(); err != nil {
				s.Errorf("Resource.Close after the end of the body: %v", err)
			}
			if err := <-read; err != nil || b.String() != want {
				s.Errorf("the second body, while the first one was closed: %d bytes, error %v; want %d", b.Len(), err, len(want))
			}
		})
	}
}
