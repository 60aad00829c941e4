package wais_test

import (
	"errors"
	"io"
	"net"
	"testing"

	"locator"
	"locator/client"
	"locator/internal/z3950"
	"locator/scheme"
	"locator/schemetest/peer"
)

// closing starts a server that reads a request on each connection, sends the given bytes, and closes it.
func closing(t *testing.T, reply string) (*peer.Host, locator.URL) {
	t.Helper()
	h := peer.ListenFor(t)
	h.Serve(func(conn net.Conn) {
		if _, _, err := z3950.ReadPacket(conn, 1<<20); err == nil {
			io.WriteString(conn, reply)
		}
	})
	return h, locator.Current.MustParse("wais://" + h.Addr() + "/db?heron")
}

// A request on a new connection is sent once: a server that closes each connection gets one.
//
// Covers: P6
func TestClosedOnce(t *testing.T) {
	t.Parallel()
	h, u := closing(t, "")
	c := newClient(t)
	if _, err := list(t, c, u, scheme.ListOptions{}); client.CodeOf(err) != scheme.CodeBroken {
		t.Errorf("%v", err)
	}
	if n := h.Connections(); n != 1 {
		t.Errorf("%d connections", n)
	}
}

// A raw response that is cut off is an error that matches io.ErrUnexpectedEOF, wherever it ends, and what came is kept.
//
// Covers: P6
func TestRawCut(t *testing.T) {
	t.Parallel()
	s := start(t, notes())
	_, whole, err := get(t, newClient(t), s.SearchURL("db", "heron"), scheme.AccessOptions{Raw: scheme.RawAll})
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{z3950.HeaderSize, z3950.HeaderSize + 1, len(whole) - 1} {
		_, u := closing(t, whole[:n])
		_, got, err := get(t, newClient(t), u, scheme.AccessOptions{Raw: scheme.RawAll})
		if client.CodeOf(err) != scheme.CodeBroken || got != whole[:n] || !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%d bytes of %d: %d, %v", n, len(whole), len(got), err)
		}
	}
	_, u := closing(t, whole)
	if _, got, err := get(t, newClient(t), u, scheme.AccessOptions{Raw: scheme.RawAll}); err != nil || got != whole {
		t.Errorf("the whole: %d bytes, %v", len(got), err)
	}
}
