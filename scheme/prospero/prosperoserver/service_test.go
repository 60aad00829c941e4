package prosperoserver

import (
	"net/netip"
	"testing"
	"time"
)

// A request that is repeated while it is answered is answered once, and one that is cancelled is
// not answered.
//
// Covers: A13, T101
func TestRepeatedWhileAnswered(t *testing.T) {
	t.Parallel()
	s := NewService(nil)
	from, now := netip.MustParseAddrPort("192.0.2.1:1"), time.Now()
	packet := append(header(7, 1, 1, 0, 7).Append(nil), "LIST\n"...)
	_, w := s.receive(now, from, packet)
	if w == nil {
		t.Fatal("not complete")
	}
	if out, again := s.receive(now, from, packet); out != nil || again != nil {
		t.Errorf("the repetition: %v, %v", out, again)
	}
	if out := s.respond(now, w, []byte("text")); len(out) != 1 {
		t.Errorf("answered with %d packets", len(out))
	}
	packet[2] = 8
	_, w = s.receive(now, from, packet)
	h := header(8, 0, 0, 0, 13)
	h.Option = 1
	s.receive(now, from, h.Append(nil))
	if out := s.respond(now, w, []byte("text")); out != nil || len(s.working) != 0 {
		t.Errorf("a cancelled request is answered with %d packets; %d are left", len(out), len(s.working))
	}
}
