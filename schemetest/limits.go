package schemetest

import (
	"context"
	"io"
	"net"
	"strings"
	"sync/atomic"
	"time"

	"locator/client"
	"locator/scheme"
)

// flood is the maximum number of bytes that a client may read from an endless response with a limit
// of some KiB, including the buffers of the system and of libraries.
const flood = 4 << 20

// Covers: P6
func checkIdle(s *stage) {
	s.server.Misbehave(Stall)
	c := s.limits(scheme.Limits{Idle: s.times.idle})
	t := s.takeTalk(c, s.url("text.txt"))
	s.code("access of a server that sends nothing", t.err, scheme.CodeBroken, scheme.CodeUnreachable)
}

// Covers: P6
func checkIdleBody(s *stage) {
	s.server.Misbehave(StallBody)
	c := s.limits(scheme.Limits{Idle: s.times.idle})
	u := s.url("big.bin")
	if s.h.Alone != nil {
		t := s.take(s.ctx, c, scheme.Request{URL: u})
		if t.err == nil && t.res.Kind == scheme.KindSession {
			return // interactive sessions have no idle timeout
		}
		s.code("a server that stalls in the middle", t.err, scheme.CodeBroken)
		return
	}
	t := s.take(s.ctx, c, scheme.Request{URL: u})
	s.code("a body that stalls", t.err, scheme.CodeBroken)
}

// Covers: P6
func checkBodyLimit(s *stage) {
	big, _ := s.file("big.bin")
	t := s.take(s.ctx, s.limits(scheme.Limits{Body: 1000}), scheme.Request{URL: big})
	s.code("a body over the limit", t.err, scheme.CodeBroken)
	if len(t.body) > 1000 {
		s.Errorf("a body limited to 1000 bytes has %d", len(t.body))
	}
	s.within(s.times.patience, "a limited body, with Read only", func() {
		res, err := s.limits(scheme.Limits{Body: 1000}).Access(s.ctx, scheme.Request{URL: big}, nil)
		if err != nil {
			s.Errorf("%v", err)
			return
		}
		defer res.Close()
		if b, err := io.ReadAll(struct{ io.Reader }{res.Body}); err == nil || len(b) > 1000 {
			s.Errorf("a body limited to 1000 bytes, with Read only: %d bytes, error %v", len(b), err)
		}
	})
	u, content := s.file("bytes.bin")
	if got := s.get(s.limits(scheme.Limits{Body: int64(len(content))}), u); got != content {
		s.Errorf("a body as long as the limit: %d bytes, want %d", len(got), len(content))
	}
}

// Covers: P6
func checkEntriesLimit(s *stage) {
	u := s.server.URL("names", "")
	if u.IsZero() {
		u = s.server.URL("")
	}
	const most = 3
	entries, err := s.list(s.ctx, s.limits(scheme.Limits{Entries: most}), scheme.Request{URL: u})
	s.code("a listing over the limit of entries", err, scheme.CodeBroken)
	if len(entries) > most {
		s.Errorf("a listing limited to %d entries has %d", most, len(entries))
	}
}

// probe reads a listing if the scheme has listings, since their lines have a format, a session to
// its end, else a file.
func (s *stage) probe(c *client.Client) (entries []scheme.Entry, err error) {
	s.Helper()
	if isSession(s.h) {
		s.within(s.times.patience, "a session", func() { err = s.readAll(s.ctx, c, scheme.Request{URL: s.url()}, new(atomic.Int64)) })
		return nil, err
	}
	if lists(s.h) {
		return s.list(s.ctx, c, scheme.Request{URL: s.server.URL("")})
	}
	t := s.takeTalk(c, s.url("text.txt"))
	return t.entries, t.err
}

// Covers: P6
func checkLineLimit(s *stage) {
	s.server.Misbehave(EndlessLine)
	c := s.limits(scheme.Limits{Line: 1 << 10, Header: 16 << 10})
	_, err := s.probe(c)
	s.code("a line without an end", err, scheme.CodeBroken, scheme.CodeProtocol)
	s.bounded()
}

// Covers: P6
func checkListingLimit(s *stage) {
	s.server.Misbehave(EndlessList)
	const most = 50
	entries, err := s.probe(s.limits(scheme.Limits{Entries: most}))
	s.code("a listing without an end, by entries", err, scheme.CodeBroken)
	if len(entries) > most {
		s.Errorf("a listing limited to %d entries has %d", most, len(entries))
	}
	const octets = 8 << 10
	entries, err = s.probe(s.limits(scheme.Limits{Listing: octets}))
	s.code("a listing without an end, by bytes", err, scheme.CodeBroken)
	if len(entries) > octets {
		s.Errorf("a listing limited to %d bytes has %d entries", octets, len(entries))
	}
	s.bounded()
}

// bounded checks that no more than flood bytes were read.
func (s *stage) bounded() {
	s.Helper()
	if n := s.network.bytesReceived(); n > flood {
		s.Errorf("%d bytes were read, far beyond the limits", n)
	}
}

// dripping is a connection on which one byte arrives after each interval.
type dripping struct{ net.Conn }

const dripInterval = 20 * time.Millisecond

func (c dripping) Read(p []byte) (int, error) {
	time.Sleep(dripInterval)
	return c.Conn.Read(p[:min(1, len(p))])
}

// checkLineTime reads a listing, or a file if the scheme has no listings, over connections that
// drip but never stall.
//
// Covers: P6
func checkLineTime(s *stage) {
	dial := func(ctx context.Context, network, addr string) (net.Conn, error) {
		c, err := s.network.dial(ctx, network, addr)
		if err != nil {
			return nil, err
		}
		return dripping{c}, nil
	}
	const idle = 10 * dripInterval
	c := s.client(func(o *client.Options) {
		o.Dial, o.Limits = dial, scheme.Limits{Idle: idle, LineTime: idle, ReplyTime: 2 * idle}
	})
	_, err := s.probe(c)
	s.code("lines that drip", err, scheme.CodeBroken)
}

// Covers: P6
func checkDrip(s *stage) {
	s.server.Misbehave(Drip)
	t := s.takeTalk(s.limits(scheme.Limits{Idle: s.times.drip}), s.url("text.txt"))
	if t.err != nil {
		s.Fatalf("a slow server: %v", t.err)
	}
	if s.h.Alone != nil {
		return
	}
	if _, content := s.file("text.txt"); !s.sameContent([]string{"text.txt"}, string(t.body), content) {
		s.Errorf("a slow server: %.80q, want %.80q", t.body, strings.TrimSpace(content))
	}
}
