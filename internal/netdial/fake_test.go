package netdial

import (
	"net"
	"testing"
)

// tcpPair returns both ends of a TCP connection, which are closed when the test ends.
func tcpPair(t *testing.T) (here, there *net.TCPConn) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	conn, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	peer, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { peer.Close() })
	return conn.(*net.TCPConn), peer.(*net.TCPConn)
}
