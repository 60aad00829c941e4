package nntp

import (
	"io"
	"net"
	"testing"

	"locator"
	"locator/client"
	"locator/scheme"
	"locator/scheme/internal/dialogue"
	"locator/wire"
)

// talk returns a connection to a server that answers each command with the next reply.
func talk(t *testing.T, replies ...string) *conn {
	t.Helper()
	near, far := net.Pipe()
	t.Cleanup(func() { near.Close(); far.Close() })
	go func() {
		b := make([]byte, 1024)
		for _, r := range replies {
			if _, err := far.Read(b); err != nil {
				return
			}
			io.WriteString(far, r)
		}
	}()
	return &conn{Conn: &dialogue.Conn{Protocol: protocol, Raw: near, Wire: wire.NewConn(near, wire.Options{}), Max: 1000, TLS: true},
		server: server{host: "h", user: locator.Some("alice"), password: locator.Some("28")}}
}

// A server that wants more after a login leaves the connection in the middle of a dialogue: it is
// not used again.
//
// Covers: A9
func TestUnfinishedLogin(t *testing.T) {
	t.Parallel()
	for _, replies := range [][]string{{"383 =\r\n"}, {"381 more\r\n", "383 =\r\n"}} {
		c := talk(t, replies...)
		if len(replies) == 1 {
			c.caps = capabilities{"AUTHINFO": {"SASL"}, "SASL": {"PLAIN"}}
		}
		err := c.login(t.Context(), &scheme.Env{Trace: &scheme.Trace{}}, reply{})
		if client.CodeOf(err) != scheme.CodeProtocol || !c.Unusable.Load() {
			t.Errorf("%q: unusable %v, %v", replies, c.Unusable.Load(), err)
		}
	}
}
