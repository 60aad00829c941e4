package prosperoserver

import (
	"fmt"
	"net"
	"net/netip"
	"strings"
	"testing"
	"time"

	"locator/scheme/prospero/internal/ardp"
)

func startDir(t *testing.T, dir string) *Server {
	t.Helper()
	s, err := Start(dir, "127.0.0.1:0", Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// exchange sends one packet to a server, and returns the data of the first packet of the reply.
func exchange(t *testing.T, s *Server, id uint16, request string) string {
	t.Helper()
	c, err := net.Dial("udp", s.conn.LocalAddr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := c.Write(append(header(id, 1, 1, 0, 7).Append(nil), request...)); err != nil {
		t.Fatal(err)
	}
	if err := c.SetReadDeadline(time.Now().Add(10 * time.Second)); err != nil {
		t.Fatal(err)
	}
	b := make([]byte, 64<<10)
	n, err := c.Read(b)
	if err != nil {
		t.Fatal(err)
	}
	_, data, err := ardp.Parse(b[:n])
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// The memory that clients use is bounded, and one that floods the server does not end the transfers
// of others.
//
// Covers: A13, T100
func TestServiceFloods(t *testing.T) {
	t.Parallel()
	reply := strings.Repeat("x", 100*ardp.MaxData)
	s := NewService(func(netip.AddrPort, []byte) []byte { return []byte(reply) })
	now := time.Now()
	request := func(from string, id int) [][]byte {
		return s.Handle(now, netip.MustParseAddrPort(from), append(header(uint16(id), 1, 1, 0, 7).Append(nil), "LIST\n"...))
	}
	victim := netip.MustParseAddrPort("192.0.2.1:1000")
	request(victim.String(), 1)
	for i := range 1000 {
		request(fmt.Sprintf("192.0.2.66:%d", 1000+i), i+1)
	}
	if len(s.kept) > maxKept {
		t.Errorf("%d replies are kept", len(s.kept))
	}
	if next := s.Handle(now, victim, header(1, 0, 0, 16, 9).Append(nil)); len(next) != ardp.Window {
		t.Errorf("another client gets %d packets after a flood", len(next))
	}
	reply = strings.Repeat("x", maxBytes/2)
	for i := range 10 {
		request("192.0.2.66:1", 2000+i)
	}
	size := 0
	for _, r := range s.kept {
		size += r.size
	}
	if size > maxBytes {
		t.Errorf("%d bytes are kept", size)
	}
	for i := range 100 { // none of them is ever complete
		for n := 1; n < 60; n++ {
			s.Handle(now, netip.MustParseAddrPort(fmt.Sprintf("192.0.2.67:%d", 1000+i)), append(header(1, n, 64, 0, 7).Append(nil), make([]byte, 60_000)...))
		}
	}
	size = 0
	for _, g := range s.requests {
		for _, p := range g.packets {
			size += len(p)
		}
	}
	if size > maxPending*maxGather {
		t.Errorf("%d bytes of incomplete requests are kept", size)
	}
}

// A forged address gets a bounded number of bytes.
//
// Covers: A13, T103
func TestQuota(t *testing.T) {
	t.Parallel()
	now := time.Now()
	q := newQuotas(now)
	victim := netip.MustParseAddr("::ffff:192.0.2.1")
	sent := 0
	for i := range 100_000 {
		if q.take(now.Add(time.Duration(i)*100*time.Microsecond), victim, 1262) {
			sent += 1262
		}
	}
	if most := quotaBytes + 10*quotaRate; sent > most || sent < most*9/10 {
		t.Errorf("%d bytes in ten seconds, want about %d", sent, most)
	}
	now = now.Add(10 * time.Second)
	others := 0
	for i := range 3 * maxQuotas {
		if q.take(now, netip.AddrFrom4([4]byte{10, 0, byte(i >> 8), byte(i)}), 2000) {
			others++
		}
	}
	if len(q.of) > maxQuotas || others < maxQuotas || others > 2*maxQuotas+quotaBytes/2000 {
		t.Errorf("%d quotas, %d packets", len(q.of), others)
	}
	if q.take(now, victim, 1<<20) {
		t.Error("many other addresses give a forged address a new quota")
	}
	if later := now.Add(time.Minute); !q.take(later, netip.MustParseAddr("192.0.2.2"), quotaBytes) || !q.take(later, netip.MustParseAddr("192.0.2.3"), quotaBytes) {
		t.Error("a new address has no quota long after that")
	}
	if !q.take(now, netip.MustParseAddr("127.0.0.1"), 1<<30) {
		t.Error("this computer has a quota")
	}
}

// closed is a folder that cannot be read.
type closed struct{ Source }

func (closed) List([]string, func(string) bool, int) ([]Item, int, bool) { return nil, 0, false }

// A folder that the server may not read is not said to be a file.
//
// Covers: A13
func TestClosedFolder(t *testing.T) {
	t.Parallel()
	s := served(t, []string{"sub/x"}, nil)
	s.files = closed{s.files}
	for name, want := range map[string]string{"AFTP/sub": "FAILURE NOT-AUTHORIZED\n", "AFTP/sub/x": "FAILURE NOT-A-DIRECTORY\n", "AFTP/none": "FAILURE NOT-A-DIRECTORY\n"} {
		if got := string(s.answer([]byte("DIRECTORY ASCII " + name + "\nLIST '' COMPONENTS\n"))); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// Foreign bytes get at most a window of packets, and cause no panic.
//
// Covers: T100
func FuzzService(f *testing.F) {
	f.Add(append(header(1, 1, 1, 0, 7).Append(nil), "VERSION 5\nDIRECTORY ASCII AFTP\nLIST ATTRIBUTES COMPONENTS\n"...), header(1, 0, 0, 1, 9).Append(nil))
	f.Add(append(header(2, 2, 2, 0, 7).Append(nil), "GET-OBJECT-INFO #ALL+CONTENTS ASCII 'AFTP/a' 'x\ny'\n"...), header(2, 1, 0, 1, 9).Append(nil))
	server := served(f, []string{"a=" + strings.Repeat("a", 100_000), "d/b"}, nil)
	from := netip.MustParseAddrPort("192.0.2.1:1")
	f.Fuzz(func(t *testing.T, first, second []byte) {
		s := NewService(func(_ netip.AddrPort, request []byte) []byte { return server.answer(request) })
		for i, b := range [][]byte{first, second, second, first} {
			if out := s.Handle(time.Unix(int64(i), 0), from, b); len(out) > 256 {
				t.Fatalf("%d packets for one", len(out))
			}
		}
	})
}
