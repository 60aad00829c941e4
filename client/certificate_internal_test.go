package client

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"locator/scheme"
	"locator/schemetest/peer"
)

// A failed handshake says what is wrong, and Dial closes the connection that it has opened.
//
// Covers: T22
func TestDialTLS(t *testing.T) {
	t.Parallel()
	cert, err := peer.Certify()
	if err != nil {
		t.Fatal(err)
	}
	trust := func(cfg *tls.Config) { cfg.RootCAs = cert.Roots() }
	speak := func(c net.Conn) { io.WriteString(tls.Server(c, cert.Config()), "hello") }
	clear := func(c net.Conn) { io.WriteString(c, "220 hello\r\n") }
	for _, test := range []struct {
		name   string
		server func(c net.Conn)
		config func(*tls.Config)
		over   bool // TLS starts on a connection that is open
		cancel bool // the context ends in the handshake
		code   scheme.Code
		want   string
	}{
		{name: "trusted", server: speak, config: trust},
		{name: "trusted, over", server: speak, config: trust, over: true},
		{name: "untrusted", server: speak, code: scheme.CodeUntrusted, want: "the certificate of 127.0.0.1 is not trusted"},
		{name: "clear text", server: clear, code: scheme.CodeProtocol, want: "the server does not speak TLS on this port"},
		{name: "clear text, over", server: clear, over: true, code: scheme.CodeProtocol, want: "TLS handshake with 127.0.0.1 failed"},
		{name: "silence", server: func(net.Conn) {}, code: scheme.CodeBroken, want: "the TLS handshake with 127.0.0.1 stalled"},
		{name: "end", server: func(c net.Conn) { c.Read(make([]byte, 4<<10)); c.Close() }, code: scheme.CodeBroken, want: "the server closed the connection in the TLS handshake: unexpected EOF"},
		{name: "reset", server: func(c net.Conn) { c.Read(make([]byte, 4<<10)); c.(*net.TCPConn).SetLinger(0); c.Close() }, code: scheme.CodeBroken, want: "the server closed the connection in the TLS handshake: unexpected EOF"},
		{name: "alert", server: speak, config: func(cfg *tls.Config) { trust(cfg); cfg.MinVersion, cfg.MaxVersion = tls.VersionTLS10, tls.VersionTLS11 },
			code: scheme.CodeProtocol, want: "TLS handshake with 127.0.0.1 failed: remote error: tls: protocol version not supported"},
		{name: "cancelled", server: func(c net.Conn) { c.Read(make([]byte, 4<<10)) }, cancel: true, code: scheme.CodeRefused, want: "enough"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			served, ended := make(chan struct{}), make(chan struct{})
			h := peer.ListenFor(t)
			h.Serve(func(c net.Conn) {
				test.server(c)
				close(served)
				io.Copy(io.Discard, c)
				close(ended)
			})
			f := fake{"x-tls", func(ctx context.Context, env *scheme.Env, _ scheme.Request) (*scheme.Resource, error) {
				d := scheme.Dial{Addr: h.Addr(), TLS: "127.0.0.1", Config: test.config}
				if test.over {
					conn, err := env.Dial(ctx, scheme.Dial{Addr: h.Addr()})
					if err != nil {
						return nil, err
					}
					defer conn.Close()
					d.Over = conn
				}
				ctx, cancel := context.WithCancelCause(ctx)
				defer cancel(nil)
				if test.cancel {
					go func() {
						<-served // the handshake has begun
						cancel(scheme.Fail(scheme.CodeRefused, "enough"))
					}()
				}
				conn, err := env.Dial(ctx, d)
				if err != nil {
					if test.over {
						d.Over.Close()
					}
					select { // before Access returns
					case <-ended:
					case <-time.After(10 * time.Second):
						t.Error("the connection is open after a failed handshake")
					}
					return nil, err
				}
				defer conn.Close()
				b := make([]byte, 5)
				if _, err := io.ReadFull(conn, b); err != nil {
					return nil, err
				}
				return text(string(b)), nil
			}}
			limit := time.Minute
			if test.name == "silence" {
				limit = time.Second // also of the connection
			}
			c := New(Options{Registry: scheme.NewRegistry(f), Limits: scheme.Limits{LineTime: limit, Idle: limit}})
			defer c.Close()
			got, err := get(t, c, "x-tls://127.0.0.1/")
			switch {
			case test.want != "":
				wantCode(t, err, test.code, test.want)
				if strings.HasSuffix(test.want, "unexpected EOF") && !errors.Is(err, io.ErrUnexpectedEOF) {
					t.Errorf("%v is not an io.ErrUnexpectedEOF", err)
				}
			case err != nil || got != "hello":
				t.Errorf("%q, %v", got, err)
			}
		})
	}
}
