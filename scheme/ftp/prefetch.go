package ftp

import (
	"io"
	"net"
	"time"
)

// The time for many small files is that of round trips. This file has what is done ahead to save them. Each command still
// waits for the reply to the previous one (RFC 959 5.4).

// prefetchPort requests the port of the next transfer if the caller has announced one, so that its reply arrives while the
// client processes the last file.
func (s *session) prefetchPort() {
	if !s.plan.more || !s.dataWorked || s.portPending || s.nextPort != 0 || s.unusable.Load() || s.wire.Reader().Buffered() > 0 {
		return
	}
	after, l := s.passiveCommand()
	s.portPending, s.nextPortAt = s.send(after, l) == nil, s.env.Clock.Now()
}

// readPending reads the reply to prefetchPort. An invalid reply is ignored: the port is then requested again.
func (s *session) readPending() error {
	if !s.portPending {
		return nil
	}
	s.portPending = false
	after, _ := s.passiveCommand()
	r, err := s.reply(after)
	if err != nil {
		return err
	}
	if port, err := s.parsePort(r); err == nil {
		s.nextPort = port
	}
	return nil
}

// maxPortAge is how long a prefetched port is used: servers and firewalls close it after a while.
const maxPortAge = 5 * time.Second

// prefetchedPort returns the prefetched port, 0 if there is none.
func (s *session) prefetchedPort() uint16 {
	port := s.nextPort
	if s.nextPort = 0; port != 0 && s.env.Clock.Now().Sub(s.nextPortAt) > maxPortAge {
		return 0
	}
	return port
}

// smallBody is the size up to which a body is read ahead, in bytes.
const smallBody = 16 << 10

// readAhead reads a small body at once and closes its data connection, which some servers wait for. size is the announced
// size, -1 if unknown.
func (d *data) readAhead(size int64) {
	if size < 0 || size > smallBody {
		return
	}
	in := &readAhead{Conn: d.Conn, have: make([]byte, 0, size+1)} // one more byte, to see the end
	for in.err == nil && len(in.have) < cap(in.have) {
		var n int
		n, in.err = d.Conn.Read(in.have[len(in.have):cap(in.have)])
		in.have = in.have[:len(in.have)+n]
	}
	if in.err == io.EOF {
		d.close()
	}
	d.Conn = in
}

// readAhead is a data connection with the data that was read ahead.
type readAhead struct {
	net.Conn
	have []byte
	err  error // what follows have; nil means the rest of the connection
}

// Read implements io.Reader.
func (r *readAhead) Read(p []byte) (int, error) {
	switch {
	case len(r.have) > 0:
		n := copy(p, r.have)
		r.have = r.have[n:]
		return n, nil
	case r.err != nil:
		return 0, r.err
	}
	return r.Conn.Read(p)
}

// WriteTo implements io.WriterTo.
func (r *readAhead) WriteTo(w io.Writer) (int64, error) {
	n, err := w.Write(r.have)
	r.have = r.have[n:]
	switch {
	case err != nil:
		return int64(n), err
	case r.err == io.EOF:
		return int64(n), nil
	case r.err != nil:
		return int64(n), r.err
	}
	rest, err := io.Copy(w, r.Conn)
	return int64(n) + rest, err
}
