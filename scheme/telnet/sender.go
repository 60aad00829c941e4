package telnet

import (
	"errors"
	"io"
	"net"
	"sync"

	"locator/scheme"
)

// maxQueued is how many bytes of replies wait for a server that does not read.
const maxQueued = 64 << 10

// maxChunk is how many bytes of input are queued at once, so that replies are sent between them.
const maxChunk = 16 << 10

// sender writes to a connection in a goroutine of its own, so that a reply to the server never
// blocks the reading of its output.
type sender struct {
	conn net.Conn
	done chan struct{} // closed when the goroutine has ended

	mu      sync.Mutex
	changed *sync.Cond // buf, written or err has changed
	buf     []byte     // not yet written
	queued  int64      // bytes that were ever put into buf
	written int64
	half    bool // CloseWrite was called
	err     error
}

func newSender(conn net.Conn) *sender {
	s := &sender{conn: conn, done: make(chan struct{})}
	s.changed = sync.NewCond(&s.mu)
	go s.run()
	return s
}

func (s *sender) run() {
	defer close(s.done)
	s.mu.Lock()
	defer s.mu.Unlock()
	for {
		for len(s.buf) == 0 && s.err == nil {
			s.changed.Wait()
		}
		if s.err != nil {
			return
		}
		b := s.buf
		s.buf = nil
		s.mu.Unlock()
		_, err := s.conn.Write(b)
		s.mu.Lock()
		s.written += int64(len(b))
		if err != nil && s.err == nil {
			s.err = err
		}
		s.changed.Broadcast()
	}
}

// stop ends the goroutine. A Write that waits returns err. The caller must then close the
// connection.
func (s *sender) stop(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err == nil {
		s.err = err
	}
	s.changed.Broadcast()
}

// reply queues a reply. After the end of the input, and after an error of the connection, there is
// nobody to send it to.
func (s *sender) reply(b []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.half || s.err != nil {
		return nil
	}
	if len(s.buf)+len(b) > maxQueued {
		return scheme.Fail(scheme.CodeProtocol, "the server sends requests for options and does not read the replies")
	}
	s.add(b)
	return nil
}

func (s *sender) add(b []byte) {
	s.buf = append(s.buf, b...)
	s.queued += int64(len(b))
	s.changed.Broadcast()
}

// write sends b, and waits until it is written.
func (s *sender) write(b []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(s.buf) > 0 && s.err == nil {
		s.changed.Wait()
	}
	switch {
	case s.err != nil:
		return s.err
	case s.half:
		return io.ErrClosedPipe
	}
	s.add(b)
	return s.wait(s.queued)
}

// wait waits until n bytes are written.
func (s *sender) wait(n int64) error {
	for s.written < n && s.err == nil {
		s.changed.Wait()
	}
	return s.err
}

// closeWrite closes the writing side after what is queued. Further calls do nothing.
func (s *sender) closeWrite() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.half || s.err != nil {
		return s.err
	}
	s.half = true
	if err := s.wait(s.queued); err != nil {
		return err
	}
	if c, ok := s.conn.(interface{ CloseWrite() error }); ok {
		return c.CloseWrite()
	}
	return errors.ErrUnsupported
}
