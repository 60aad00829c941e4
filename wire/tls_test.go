package wire_test

import (
	"crypto/tls"
	"errors"
	"io"
	"net"
	"testing"
	"testing/iotest"

	servers "locator/schemetest/peer"
	"locator/wire"
)

// The end of a TLS connection counts only with close_notify. Both ends of the connection below look
// the same to package tls, as does a tunnel that breaks.
//
// Covers: P6, T22
func TestTLSClient(t *testing.T) {
	t.Parallel()
	cert, err := servers.Certify()
	if err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		end  func(over *tls.Conn, below net.Conn)
		want error
	}{
		"close_notify": {func(over *tls.Conn, _ net.Conn) { over.Close() }, nil},
		"FIN":          {func(_ *tls.Conn, below net.Conn) { below.Close() }, wire.ErrNoCloseNotify},
		"in a record":  {func(_ *tls.Conn, below net.Conn) { below.Write([]byte{23, 3}); below.Close() }, wire.ErrNoCloseNotify},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			here, there := net.Pipe()
			defer here.Close()
			go func() {
				over := tls.Server(there, cert.Config())
				over.Write([]byte("some"))
				tt.end(over, there)
				there.Close()
			}()
			c := wire.TLSClient(here, &tls.Config{RootCAs: cert.Roots(), ServerName: "127.0.0.1"})
			b, err := io.ReadAll(c)
			if string(b) != "some" || !errors.Is(err, tt.want) {
				t.Errorf("%q, %v; want %v", b, err, tt.want)
			}
			if tt.want != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
				t.Errorf("%v does not match io.ErrUnexpectedEOF", err)
			}
		})
	}
	for _, broken := range []error{io.EOF, io.ErrUnexpectedEOF} { // before the handshake, and with the error of a tunnel
		c := wire.TLSClient(brokenConn{r: iotest.ErrReader(broken)}, &tls.Config{ServerName: "h"})
		if err := c.Handshake(); !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("handshake: %v", err)
		}
	}
}

func (brokenConn) Write(b []byte) (int, error) { return len(b), nil }
