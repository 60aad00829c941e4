package telnet

import (
	"context"
	"errors"
	"io"
	"net"
	"sync"
	"time"

	"locator/scheme"
	"locator/scheme/session"
	"locator/scheme/telnet/internal/option"
	"locator/wire"
)

// nvt implements session.Session.
type nvt struct {
	raw   net.Conn // without TLS
	conn  net.Conn
	place place
	out   *sender

	reading sync.Mutex // held by Read
	in      decoder
	text    io.Reader // output, decoded
	buf     []byte    // for reads of conn
	output  []byte    // without commands, not yet returned
	readErr error     // follows output

	writing sync.Mutex // held by Write
	chars   *charset

	mu     sync.Mutex // guards what follows
	talk   *dialogue
	modes  chan session.Mode
	last   session.Mode
	closed bool
	unbind func() bool
}

var _ session.Session = (*nvt)(nil)

// closeLimit is how long Close waits for the alert that ends TLS. A server that does not read
// cannot hold it up.
const closeLimit = 300 * time.Millisecond

// newSession starts a session over a connection. conn is raw, or TLS over it.
func newSession(ctx context.Context, env *scheme.Env, raw, conn net.Conn, p place, chars *charset, t session.Terminal) *nvt {
	s := &nvt{raw: raw, conn: conn, place: p, chars: chars, out: newSender(conn), buf: make([]byte, 16<<10),
		modes: make(chan session.Mode, 1)}
	s.talk = newDialogue(t, chars.name, env, s.out.reply, s.modeChanged)
	s.text = chars.reader(readerFunc(s.read))
	s.last = s.talk.mode()
	s.modes <- s.last
	s.mu.Lock()
	defer s.mu.Unlock()
	s.unbind = context.AfterFunc(ctx, func() { s.Close() })
	return s
}

type readerFunc func(p []byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// Read returns output of the server. The error is io.EOF when the server has ended the session.
func (s *nvt) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	s.reading.Lock()
	defer s.reading.Unlock()
	return s.text.Read(p)
}

// read is Read before the character set is decoded.
func (s *nvt) read(p []byte) (int, error) {
	for len(s.output) == 0 {
		if s.readErr != nil {
			return 0, s.readErr
		}
		n, err := s.conn.Read(s.buf)
		s.receive(s.buf[:n])
		if err != nil && s.readErr == nil {
			s.readErr = s.ended(err)
		}
	}
	n := copy(p, s.output)
	s.output = s.output[n:]
	return n, nil
}

// receive handles bytes of the server.
func (s *nvt) receive(b []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.output, s.readErr = s.in.decode(s.output[:0], b, s.talk)
}

// ended returns the error of a Read of the connection. After Close it is net.ErrClosed: the end
// that a server sends in reply to Close is not its own.
func (s *nvt) ended(err error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return net.ErrClosed
	}
	return lost(err)
}

// lost returns the error of a connection that ended.
func lost(err error) error {
	switch {
	case err == io.EOF, errors.Is(err, net.ErrClosed):
		return err
	case errors.Is(err, wire.ErrNoCloseNotify):
		return scheme.Fail(scheme.CodeBroken, "%w", err)
	}
	return scheme.Fail(scheme.CodeBroken, "the connection was lost: %w", err)
}

// modeChanged replaces the mode in s.modes. s.mu is held.
func (s *nvt) modeChanged() {
	m := s.talk.mode()
	if s.closed || m == s.last {
		return
	}
	s.last = m
	select {
	case <-s.modes:
	default:
	}
	s.modes <- m
}

// Write sends input. See the package comment for the ends of lines.
func (s *nvt) Write(p []byte) (n int, err error) {
	s.writing.Lock()
	defer s.writing.Unlock()
	for n < len(p) {
		chunk := p[n:min(len(p), n+maxChunk)]
		if len(chunk) > 1 && n+len(chunk) < len(p) && chunk[len(chunk)-1] == '\r' {
			chunk = chunk[:len(chunk)-1] // LF may follow
		}
		if err := s.out.write(encode(nil, s.chars.encode(chunk), s.sendsBinary())); err != nil {
			return n, sendError(err)
		}
		n += len(chunk)
	}
	return n, nil
}

func (s *nvt) sendsBinary() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.talk.Enabled(option.Binary, true)
}

// sendError returns the error for input that was not sent.
func sendError(err error) error {
	if err == nil || errors.Is(err, io.ErrClosedPipe) || errors.Is(err, errors.ErrUnsupported) {
		return err
	}
	return lost(err)
}

// CloseWrite ends the input after all that was written.
func (s *nvt) CloseWrite() error {
	return sendError(s.out.closeWrite())
}

// Resize sends the size of the window to a server that has asked for it (RFC 1073).
func (s *nvt) Resize(width, height int) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return net.ErrClosed
	}
	return s.talk.resize(width, height)
}

// Send sends BRK, IP, AO or AYT (RFC 854).
func (s *nvt) Send(signal session.Signal) error {
	commands := [...]option.Command{session.Break: option.BRK, session.Interrupt: option.IP, session.AbortOutput: option.AO, session.AreYouThere: option.AYT}
	if int(signal) >= len(commands) {
		return errors.ErrUnsupported
	}
	c := commands[signal]
	s.writing.Lock()
	defer s.writing.Unlock()
	s.talk.trace.OnSent(c.String())
	return sendError(s.out.write([]byte{byte(option.IAC), byte(c)}))
}

// Modes implements session.Session. The first value is the mode at the start.
func (s *nvt) Modes() <-chan session.Mode { return s.modes }

// Close ends the session. It may be called more than once.
func (s *nvt) Close() error {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return nil
	}
	s.closed = true
	close(s.modes)
	s.unbind()
	s.mu.Unlock()
	s.out.stop(net.ErrClosed)
	late := time.AfterFunc(closeLimit, func() { s.raw.Close() })
	s.conn.Close() // everything of use has been read, so its error does not matter
	late.Stop()
	s.raw.Close()
	<-s.out.done
	return nil
}
