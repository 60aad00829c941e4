package wais

import (
	"context"
	"io"
	"strconv"
	"strings"

	"locator/internal/z3950"
	"locator/scheme"
	"locator/scheme/internal/dialogue"
	"locator/wire"
)

// session is a connection that one operation has exclusively.
type session struct {
	*conn
	ctx     context.Context
	env     *scheme.Env
	place   *place
	notes   []string
	lease   *dialogue.Lease
	got     int64 // bytes of the current response that were read
	length  int64 // bytes of its APDU
	answers int   // responses before it
	rd      z3950.Reader
	apdu    []byte // of the last request, for reuse; packet likewise
	packet  []byte
}

// withSession calls do with a session. do must release the session if it succeeds; withSession
// releases it if do fails. If the server had closed a pooled connection, do is called again with
// another one.
func withSession(ctx context.Context, env *scheme.Env, p *place, do func(*session) (*scheme.Resource, error)) (*scheme.Resource, error) {
	return dialogue.Repeat(ctx, env, "the server has closed a kept connection; another one is used", func(kept bool) (*scheme.Resource, error) {
		s, err := acquire(ctx, env, p, kept)
		if err != nil {
			return nil, err
		}
		res, err := do(s)
		if err != nil {
			s.release()
			return nil, err
		}
		res.URL, res.Notes = p.url, append(s.notes, res.Notes...)
		return res, nil
	})
}

// acquire takes a connection from the pool or opens one. Without kept it opens one that does not go
// into the pool.
func acquire(ctx context.Context, env *scheme.Env, p *place, kept bool) (*session, error) {
	dial := func(ctx context.Context) (*conn, error) {
		d, err := dialogue.Dial(ctx, env, protocol, "", scheme.Dial{Purpose: scheme.ForControl, Network: "tcp", Addr: p.addr})
		if err != nil {
			return nil, err
		}
		return &conn{Conn: d}, nil
	}
	c, _, lease, err := dialogue.Acquire(ctx, env, kept, strings.ToLower(p.addr), dial, func(context.Context, *conn) error { return nil })
	if err != nil {
		return nil, err
	}
	return &session{conn: c, ctx: ctx, env: env, place: p, lease: lease}, nil
}

// release ends the session. The connection goes into the pool if it is usable. It may be called
// more than once.
func (s *session) release() { s.lease.Release() }

// stop ends a session whose response may not have been read to its end.
func (s *session) stop() { s.lease.Close() }

// note adds a note to the result and the trace.
func (s *session) note(text string) {
	s.notes = append(s.notes, text)
	s.env.Trace.OnNote(text)
}

// failed ends the use of the connection, and returns the error of a response that cannot be read.
func (s *session) failed(err error) error {
	s.Unusable.Store(true)
	if s.ctx.Err() != nil {
		return context.Cause(s.ctx)
	}
	return lost(s.got, s.answers, err)
}

// Read reads the bytes of a response.
func (s *session) Read(b []byte) (int, error) {
	n, err := s.Wire.Reader().Read(b)
	s.got += int64(n)
	return n, err
}

// clientMessage is a message of the client.
type clientMessage interface {
	Append([]byte) ([]byte, error)
	String() string
}

// send sends a request and reads the header of its response, which has at most max bytes after it.
// in is the session, or a reader that copies what it reads from the session. The error is
// errNoAnswer for a response without content.
func (s *session) send(m clientMessage, in io.Reader, max int64) (z3950.Header, error) {
	var h z3950.Header
	apdu, err := m.Append(s.apdu[:0])
	if err != nil {
		return h, scheme.Fail(scheme.CodeUsage, "%w", err)
	}
	if s.env.Trace.HearsLines() {
		s.env.Trace.OnSent(wire.Escape(m.String()))
	}
	s.got = 0
	s.apdu, s.packet = apdu, z3950.AppendPacket(s.packet[:0], "", apdu)
	_, err = s.Raw.Write(s.packet)
	if err == nil {
		s.Wire.StartLine()
		defer s.Wire.StopLine()
		h, err = z3950.ReadHeader(in, max)
	}
	if err != nil {
		dropped := s.Untested && s.got == 0 && !dialogue.Timeout(err)
		if err = s.failed(err); dropped {
			err = dialogue.Dropped{Err: err}
		}
		return h, err
	}
	s.Untested = false
	s.answers++
	s.length = h.Length
	if h.Length == 0 {
		s.received("an empty packet")
		return h, errNoAnswer
	}
	return h, nil
}

// received shows a response to the trace.
func (s *session) received(line string) {
	if s.env.Trace.HearsLines() {
		s.env.Trace.OnReceived(wire.Escape(line))
	}
}

// ask sends a search or retrieval and reads the begin of the response, whose records next returns.
// The response has at most max bytes, and each record at most record bytes.
func (s *session) ask(m *z3950.Search, in io.Reader, max int64, record int) error {
	h, err := s.send(m, in, max)
	if err != nil {
		return err
	}
	s.Wire.StartLine()
	defer s.Wire.StopLine()
	begin, err := s.rd.Begin(in, h.Length, record)
	if err != nil {
		return s.failed(err)
	}
	if s.env.Trace.HearsLines() {
		s.received(begin.String() + ", " + strconv.FormatInt(h.Length, 10) + " bytes")
	}
	return nil
}

// next returns the next record. It returns io.EOF after the last one; the connection can then be
// used again.
func (s *session) next() (z3950.Record, error) {
	s.Wire.StartLine()
	defer s.Wire.StopLine()
	rec, err := s.rd.Next()
	if err != nil && err != io.EOF {
		return nil, s.failed(err)
	}
	if d, ok := rec.(*z3950.Diagnostic); ok {
		s.received("DIAGNOSTIC " + d.String())
	}
	return rec, err
}

// negotiate sends an Init, which is optional, and returns what the server says about itself.
func (s *session) negotiate() ([]scheme.Attribute, error) {
	h, err := s.send(z3950.NewInit(maxAPDU), s, maxAPDU)
	if err != nil {
		return nil, err
	}
	s.Wire.StartLine()
	defer s.Wire.StopLine()
	apdu := make([]byte, h.Length) // at most maxAPDU
	if _, err := io.ReadFull(s, apdu); err != nil {
		return nil, s.failed(err)
	}
	m, err := z3950.ParseInitResponse(apdu)
	if err != nil {
		return nil, s.failed(err)
	}
	s.received(m.String())
	if !m.Accepted {
		s.Unusable.Store(true)
		return nil, scheme.Fail(scheme.CodeUnsupported, "the server refuses a session")
	}
	s.size, _ = m.RecordSize.Count()
	var about []scheme.Attribute
	for _, a := range []scheme.Attribute{
		{Name: "Implementation", Value: m.Implementation}, {Name: "Name", Value: m.Name}, {Name: "Version", Value: m.Version},
		{Name: "Largest response", Value: m.RecordSize.String()},
	} {
		if a.Value != "" {
			a.Block, a.Value = "server", charset{}.text(a.Value)
			about = append(about, a)
		}
	}
	return about, nil
}
