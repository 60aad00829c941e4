package peers

import (
	"bufio"
	"io"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"locator/schemetest/peer"
)

// serveOnce answers one line on each connection with a reply and closes it.
func serveOnce(t *testing.T, reply func(addr string) string) string {
	t.Helper()
	h := peer.ListenFor(t)
	h.Serve(func(c net.Conn) {
		if _, err := bufio.NewReader(c).ReadString('\n'); err == nil {
			io.WriteString(c, reply(h.Addr()))
		}
	})
	return h.Addr()
}

// ask sends a line and returns the whole response.
func ask(t *testing.T, addr, line string) string {
	t.Helper()
	c, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	io.WriteString(c, line+"\r\n")
	b, err := io.ReadAll(c)
	if err != nil {
		t.Error(err)
	}
	return string(b)
}

// A relay relays both directions, counts, and replaces the address of the server.
func TestRelay(t *testing.T) {
	t.Parallel()
	named := func(addr string) string { return "\t" + strings.Replace(addr, ":", "\t", 1) }
	data := serveOnce(t, func(string) string { return "the data\n" })
	_, dataPort, _ := net.SplitHostPort(data)
	for _, tt := range []struct {
		protocol string
		reply    func(addr string) string
		want     func(relay string) string // nil: unchanged
	}{
		{"http", func(addr string) string { return "0x\ty" + named(addr) + "\r\n229 (|||" + dataPort + "|)\r\nno end" }, nil},
		{"gopher", func(addr string) string { return "0x\ty" + named(addr) + "\t+\r\nno end" },
			func(relay string) string { return "0x\ty" + named(relay) + "\t+\r\nno end" }},
		{"gopher", func(string) string { return strings.Repeat("\x00", 200_000) + "\n" }, nil},
	} {
		target := serveOnce(t, tt.reply)
		r, err := NewRelay(target, tt.protocol)
		if err != nil {
			t.Fatal(err)
		}
		want := tt.reply(target)
		if tt.want != nil {
			want = tt.want(r.Addr())
		}
		for range 2 {
			if got := ask(t, r.Addr(), "a line"); got != want {
				t.Errorf("%s: %.80q, want %.80q", tt.protocol, got, want)
			}
		}
		if n, lines := r.Connections(), r.Lines(); n != 2 || !slices.Equal(lines, []string{"a line", "a line"}) {
			t.Errorf("%s: %d connections, lines %q", tt.protocol, n, lines)
		}
		r.Close()
		if c, err := net.Dial("tcp", r.Addr()); err == nil { // a server of another test may have the port now
			c.SetDeadline(time.Now().Add(time.Second))
			io.WriteString(c, "a line\r\n")
			if b, _ := io.ReadAll(c); string(b) == want {
				t.Errorf("%s: the relay serves after Close", tt.protocol)
			}
			c.Close()
		}
	}
	r, err := NewRelay(serveOnce(t, func(string) string { return "229 Entering (|||" + dataPort + "|)\r\n" }), "ftp")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	_, rest, _ := strings.Cut(ask(t, r.Addr(), "EPSV"), "(|||")
	port, _, ok := strings.Cut(rest, "|)")
	if !ok || port == dataPort {
		t.Fatalf("the port %q is that of the server", port)
	}
	if got := ask(t, "127.0.0.1:"+port, ""); got != "the data\n" || r.Connections() != 2 {
		t.Errorf("data %q, %d connections", got, r.Connections())
	}
	// Close does not wait for a data port without a connection.
	ask(t, r.Addr(), "EPSV")
}
