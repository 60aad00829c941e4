package schemetest

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"sync"
	"time"

	"locator"
	"locator/scheme"
	"locator/scheme/session"
)

// maxStorm is how many bytes a client may send in reply to a server that asks without end.
const maxStorm = 256 << 10

// openSession accesses u and returns its session, which the caller must close.
func (s *stage) openSession(u locator.URL) session.Session {
	s.Helper()
	var res *scheme.Resource
	var err error
	s.within(s.times.patience, "Access of "+u.Redacted(), func() {
		res, err = s.client().Access(s.ctx, scheme.Request{URL: u}, &scheme.AccessOptions{Terminal: session.Terminal{Type: "vt100", Width: 80, Height: 24}})
	})
	if err != nil {
		s.Fatalf("%v", err)
	}
	if res.Session == nil {
		res.Close()
		s.Fatalf("%s: it is a %v, and has no Session", u.Redacted(), res.Kind)
	}
	return res.Session
}

// readUntil reads output until it contains text, and returns all of it.
func (s *stage) readUntil(x io.Reader, text string) []byte {
	s.Helper()
	var all []byte
	var err error
	s.within(s.times.patience, "reading", func() {
		b := make([]byte, 4<<10)
		for n := 0; err == nil && !bytes.Contains(all, []byte(text)); {
			n, err = x.Read(b)
			all = append(all, b[:n]...)
		}
	})
	if err != nil && !bytes.Contains(all, []byte(text)) {
		s.Fatalf("the output %.200q ends without %q: %v", all, text, err)
	}
	return all
}

// write writes input, and fails if that is an error or does not end.
func (s *stage) write(x io.Writer, text string) {
	s.Helper()
	var err error
	s.within(s.times.patience, "Write", func() { _, err = io.WriteString(x, text) })
	if err != nil {
		s.Fatalf("Write: %v", err)
	}
}

// sessionLine has every byte that a line of input may have.
func sessionLine() string {
	var b strings.Builder
	for c := 1; c < 256; c++ {
		if c != '\r' && c != '\n' {
			b.WriteByte(byte(c))
		}
	}
	return b.String()
}

// checkSessionData writes lines with all bytes, and reads what the server answers.
//
// Covers: A10, P2
func checkSessionData(s *stage) {
	x := s.openSession(s.url())
	defer x.Close()
	line := sessionLine()
	for _, text := range []string{"a line", line, strings.Repeat("a long line ", 5000)} {
		s.write(x, text+"\n")
		s.readUntil(x, text)
		if lines := s.server.Lines(); len(lines) == 0 || lines[len(lines)-1] != text {
			s.Errorf("after the line %.80q was written, the server has the lines %.300q", text, lines)
		}
	}
	s.within(s.times.patience, "a Write of nothing", func() {
		if n, err := x.Write(nil); n != 0 || err != nil {
			s.Errorf("a Write of nothing: %d, %v", n, err)
		}
		if n, err := x.Read(nil); n != 0 || err != nil {
			s.Errorf("a Read into nothing: %d, %v", n, err)
		}
	})
	s.write(x, "exit\n")
	s.within(s.times.patience, "reading to the end", func() {
		if _, err := io.Copy(io.Discard, x); err != nil {
			s.Errorf("the server has ended the session, and Read returns %v, not io.EOF", err)
		}
	})
}

// checkSessionClose closes a session while another goroutine reads, and uses it after that.
//
// Covers: A10, P6
func checkSessionClose(s *stage) {
	x := s.openSession(s.url())
	s.readUntil(x, "")
	ended := make(chan error, 1)
	go func() {
		_, err := io.Copy(io.Discard, x)
		ended <- err
	}()
	time.Sleep(s.times.settle)
	s.within(s.times.stop, "Close", func() {
		if err := x.Close(); err != nil {
			s.Errorf("Close: %v", err)
		}
	})
	s.within(s.times.stop, "a Read of a session that was closed", func() {
		if err := <-ended; err == nil {
			s.Errorf("Close looks like the server's end of the session: Read returns io.EOF")
		}
	})
	s.within(s.times.stop, "the use of a session that was closed", func() {
		if modes := x.Modes(); modes != nil {
			for range modes { // it is closed, after the latest mode
			}
		}
		_, read := x.Read(make([]byte, 1))
		_, wrote := x.Write([]byte("x\n"))
		for what, err := range map[string]error{
			"Read": read, "Write": wrote, "CloseWrite": x.CloseWrite(), "Resize": x.Resize(132, 43), "Send": x.Send(session.Interrupt),
		} {
			if s.journal.note(err); err == nil {
				s.Errorf("%s after Close is no error", what)
			}
		}
		if err := x.Close(); err != nil {
			s.Errorf("Close may be called more than once, but the second time: %v", err)
		}
	})
}

// checkSessionHalf ends the input, and reads what the server still sends.
//
// Covers: A10
func checkSessionHalf(s *stage) {
	x := s.openSession(s.url())
	defer x.Close()
	s.write(x, "the last line\nexit\n")
	var err error
	s.within(s.times.patience, "CloseWrite", func() { err = x.CloseWrite() })
	if errors.Is(err, errors.ErrUnsupported) {
		return
	} else if err != nil {
		s.Fatalf("CloseWrite: %v", err)
	}
	if _, err := x.Write([]byte("more\n")); err == nil {
		s.Errorf("Write after CloseWrite is no error")
	}
	s.readUntil(x, "the last line")
	s.within(s.times.patience, "reading to the end after CloseWrite", func() {
		if _, err := io.Copy(io.Discard, x); err != nil {
			s.Errorf("the server has ended the session, and Read returns %v, not io.EOF", err)
		}
	})
	if lines := s.server.Lines(); len(lines) != 2 {
		s.Errorf("two lines were written, and then the end; the server has %q", lines)
	}
}

// checkSessionSignals sends every signal, and one that does not exist.
//
// Covers: A10
func checkSessionSignals(s *stage) {
	x := s.openSession(s.url())
	defer x.Close()
	for _, signal := range []session.Signal{session.Break, session.Interrupt, session.AbortOutput, session.AreYouThere, 200} {
		var err error
		s.within(s.times.patience, "Send", func() { err = x.Send(signal) })
		if unknown := signal == 200; err != nil && !errors.Is(err, errors.ErrUnsupported) || unknown && err == nil {
			s.Errorf("Send of signal %d: %v; want nil, or an error that matches errors.ErrUnsupported", signal, err)
		}
	}
	s.write(x, "after the signals\n")
	s.readUntil(x, "after the signals")
}

// checkSessionConcurrent uses all methods of a session at once.
//
// Covers: A10
func checkSessionConcurrent(s *stage) {
	x := s.openSession(s.url())
	defer x.Close()
	s.readUntil(x, "")
	const lines = 20
	var group sync.WaitGroup
	for i := range 3 {
		group.Go(func() {
			for range lines {
				io.WriteString(x, "one of many lines\n")
				x.Resize(80+i, 24)
				x.Send(session.AreYouThere)
				x.Advice()
				x.Secret()
			}
		})
	}
	got := 0
	s.within(s.times.patience, "reading while others write", func() {
		b := make([]byte, 4<<10)
		var all []byte
		for got < 3*lines {
			n, err := x.Read(b)
			if all = append(all, b[:n]...); err != nil {
				return
			}
			got = bytes.Count(all, []byte("one of many lines"))
		}
	})
	group.Wait()
	if got != 3*lines {
		s.Errorf("%d lines were written at once, and %d answered", 3*lines, got)
	}
}

// checkSessionStorm reads from a server that asks without end and reads nothing.
//
// Covers: A10, P6
func checkSessionStorm(s *stage) {
	s.server.Misbehave(Storm)
	x := s.openSession(s.url())
	defer x.Close()
	var n int64
	ended := make(chan error, 1)
	go func() {
		var err error
		n, err = io.Copy(io.Discard, x)
		ended <- err
	}()
	select {
	case err := <-ended:
		s.code("a server that asks without end", err, scheme.CodeProtocol, scheme.CodeBroken)
		if n == 0 {
			s.Errorf("the output before the requests is lost")
		}
	case <-time.After(s.times.idle): // it may ignore the requests
	}
	s.within(s.times.stop, "Close", func() { x.Close() })
	if sent := s.network.bytesSent(); sent > maxStorm {
		s.Errorf("%d bytes were sent to a server that asks without end", sent)
	}
}

// checkSessionSecrets opens a session whose URL has a login.
//
// Covers: A10, P3
func checkSessionSecrets(s *stage) {
	u := s.h.Session.Login(s.server)
	if user, _ := u.User(); user != loginUser || !strings.Contains(u.Text(), ":"+loginPassword+"@") {
		s.Fatalf("Session.Login is %s, which has not the login %s and its password", u.Redacted(), loginUser)
	}
	s.server.Misbehave(NoFault)
	x := s.openSession(u)
	defer x.Close()
	s.write(x, "a line\n")
	s.readUntil(x, "a line")
	if got, ok := x.Secret(); !ok || got != loginPassword {
		s.Errorf("Secret is not the password of the URL")
	}
	advice := strings.Join(x.Advice(), "\n")
	if !strings.Contains(advice, loginUser) {
		s.Errorf("the advice %q does not name the user of the URL", advice)
	}
	if strings.Contains(advice, loginPassword) || bytes.Contains(s.h.Session.Received(s.server), []byte(loginPassword)) {
		s.Errorf("the password of the URL is in the advice, or was sent")
	}
	for _, text := range s.journal.holding(loginUser, loginPassword) {
		s.Errorf("the password is in %q", strings.ReplaceAll(text, loginPassword, "(password)"))
	}
}
