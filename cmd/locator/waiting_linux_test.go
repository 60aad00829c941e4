package main

import (
	"net"
	"strings"
	"testing"
)

// A server that accepts the connection and sends nothing is named on the terminal after a few seconds, long before the timeout.
//
// Covers: P6
func TestSilentServer(t *testing.T) {
	t.Parallel()
	for name, args := range map[string][]string{
		"ftp":  {"list", "--tls", "off", "ftp://HOST/x"},
		"nntp": {"list", "nntp://HOST/a.b"},
		"http": {"get", "http://HOST/"},
		"smtp": {"put", "--outbox", t.TempDir(), "--smtp", "HOST", "--from", "a@example.org", "--subject", "x", "/dev/null", "mailto:ann@example.org"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			defer l.Close()
			for i := range args {
				args[i] = strings.ReplaceAll(args[i], "HOST", l.Addr().String())
			}
			p := startPTY(t, inUTF8(), "locator", args...)
			p.until("connection", func() bool {
				c, err := l.Accept()
				if err == nil {
					t.Cleanup(func() { c.Close() })
				}
				return err == nil
			})
			p.expect("connected to " + l.Addr().String() + "; waiting for the server\r\n")
			p.typed("\x03")
			if status := p.wait(); status != 130 {
				t.Errorf("status %d", status)
			}
		})
	}
}
