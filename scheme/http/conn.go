package http

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	nethttp "net/http"
	"net/http/httptrace"
	"strings"
	"sync/atomic"
	"time"

	"locator/scheme"
	"locator/wire"
)

// continueTime is how long a body waits for the server's "100 Continue" (RFC 9110 10.1.1) before it is sent unasked.
const continueTime = time.Second

// link is one connection to a server. It lies in the client's pool between requests, one request has it at a time, and
// it has an address: so no URL comes to a connection that policy has not allowed for it.
type link struct {
	conn  *duplex // below TLS
	tap   *tap    // nil over HTTP/2
	proto string
	cc    *nethttp.ClientConn
}

// open dials, and over TLS agrees on the version of HTTP.
func (s Scheme) open(ctx context.Context, env *scheme.Env, at place, via *proxy) (*link, error) {
	l := &link{proto: "HTTP/1.1"}
	dial := func(ctx context.Context) (over net.Conn, err error) {
		if via != nil {
			l.conn, over, err = via.dial(ctx, env)
			return over, err
		}
		conn, err := env.Dial(ctx, scheme.Dial{Purpose: scheme.ForControl, Addr: at.addr()})
		if err != nil {
			return nil, err
		}
		l.conn = &duplex{Conn: conn}
		return l.conn, nil
	}
	t := &nethttp.Transport{
		ForceAttemptHTTP2:      true,
		ExpectContinueTimeout:  continueTime,
		MaxResponseHeaderBytes: int64(env.Limits.Header) + 4<<10, // the tap stops at the limit itself
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			conn, err := dial(ctx)
			if err != nil {
				return nil, err
			}
			l.tap = newTap(conn, env.Limits.Header)
			return l.tap, nil
		},
		DialTLSContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			conn, err := dial(ctx)
			if err == nil && via != nil {
				if err = via.tunnel(ctx, env, conn, at); err != nil {
					conn.Close()
				}
			}
			if err != nil {
				return nil, err
			}
			cfg := env.TLS(at.host).Clone()
			cfg.NextProtos = []string{"h2", "http/1.1"}
			secure := tls.Client(conn, cfg)
			if err := secure.HandshakeContext(ctx); err != nil {
				l.conn.Close()
				return nil, handshakeError(ctx, at.host, err)
			}
			if secure.ConnectionState().NegotiatedProtocol == "h2" {
				l.proto = "HTTP/2"
				return secure, nil
			}
			l.tap = newTap(secure, env.Limits.Header)
			return l.tap, nil
		},
	}
	var err error
	if l.cc, err = t.NewClientConn(ctx, s.name, at.addr()); err != nil {
		return nil, err
	}
	return l, nil
}

// RemoteAddr lets the client ask policy again before the link is used for another URL.
func (l *link) RemoteAddr() net.Addr { return l.conn.RemoteAddr() }

// Close ends the connection.
func (l *link) Close() error {
	err := l.cc.Close()
	l.conn.Close()
	return err
}

// idle reports whether the link can take another request.
func (l *link) idle() bool { return l.cc.Err() == nil && l.cc.Available() > 0 }

// rest marks the link as waiting for no answer.
func (l *link) rest() {
	if l.tap != nil {
		l.tap.rest()
	}
}

// heard reports whether the server has begun to answer the request that is on.
func (l *link) heard() bool { return l.tap != nil && l.tap.heard() }

// send sends the request over a kept connection or a new one.
func (x *exchange) send(ctx context.Context) (*answer, error) {
	for {
		l, reused, release, err := x.link(ctx)
		if err != nil {
			return nil, err
		}
		if l.tap != nil {
			l.tap.begin(x.env.Trace)
		}
		if x.up != nil { // net/http waits for a source, whatever became of the connection
			interrupt := x.up.interrupt
			l.conn.ended.Store(&interrupt)
			defer context.AfterFunc(ctx, interrupt)()
		}
		req := x.req.WithContext(httptrace.WithClientTrace(ctx, x.clientTrace(l.proto)))
		res, err := l.cc.RoundTrip(req)
		if err == nil {
			return newAnswer(ctx, x, l, res, release), nil
		}
		heard := l.heard()
		release(false)
		// A server may close a kept connection at any time (RFC 9112 9.5): another one then, unless it was only slow.
		if reused && !heard && !isTimeout(err) && ctx.Err() == nil {
			continue
		}
		return nil, x.failure(ctx, l, heard, err)
	}
}

// link takes a connection. A body has one of its own, closed at the end: so no body is lost on a kept connection that
// its server has left, and a server that asks for a login first need not swallow it.
func (x *exchange) link(ctx context.Context) (l *link, reused bool, release func(bool), err error) {
	if x.up != nil {
		if l, err = x.s.open(ctx, x.env, x.at, x.via); err != nil {
			return nil, false, nil, err
		}
		return l, false, func(bool) { l.Close() }, nil
	}
	key := x.s.name + "://" + strings.ToLower(x.at.addr())
	if x.via != nil && x.s.name == "http" { // it serves for every host
		key = "proxy://" + strings.ToLower(x.via.addr())
	}
	c, reused, release, err := x.env.Keep(ctx, key, func(ctx context.Context) (scheme.Kept, error) {
		l, err := x.s.open(ctx, x.env, x.at, x.via)
		if err != nil {
			return nil, err
		}
		return l, nil
	})
	if err != nil {
		return nil, false, nil, err
	}
	l, ok := c.(*link)
	if !ok {
		release(false)
		return nil, false, nil, scheme.Fail(scheme.CodeLocal, "the pool of connections holds a %T for %s", c, key)
	}
	return l, reused, release, nil
}

// duplex makes both directions one for the idle limit: a Read that nothing answers goes on waiting as long as Writes
// move. Without it a long upload would end, since its answer is awaited from the start, and a request over a kept
// connection would have only the rest of an old deadline.
type duplex struct {
	net.Conn
	written atomic.Uint64
	ended   atomic.Pointer[func()] // called when a Read fails; may be nil
}

func (d *duplex) Read(p []byte) (int, error) {
	for {
		before := d.written.Load()
		n, err := d.Conn.Read(p)
		if err == nil {
			return n, nil
		}
		if n == 0 && isTimeout(err) && d.written.Load() != before {
			continue
		}
		if f := d.ended.Load(); f != nil {
			(*f)()
		}
		return n, err
	}
}

func (d *duplex) Write(p []byte) (int, error) {
	n, err := d.Conn.Write(p)
	if n > 0 {
		d.written.Add(1)
	}
	return n, err
}

func isTimeout(err error) bool {
	t, ok := errors.AsType[net.Error](err)
	return ok && t.Timeout()
}

// clientTrace shows the request as net/http writes it, with secrets masked, and learns when all of it was sent.
func (x *exchange) clientTrace(proto string) *httptrace.ClientTrace {
	trace := x.env.Trace
	lines := []string{x.req.Method + " " + x.req.URL.RequestURI() + " " + proto}
	return &httptrace.ClientTrace{
		WroteHeaderField: func(name string, values []string) {
			switch {
			case name == ":authority":
				name = "host"
			case strings.HasPrefix(name, ":"): // in the request line already
				return
			}
			for _, v := range values {
				lines = append(lines, name+": "+masked(name, v))
			}
		},
		WroteHeaders: func() {
			for _, line := range lines {
				trace.OnSent(wire.Escape(line))
			}
		},
		WroteRequest: func(info httptrace.WroteRequestInfo) {
			if x.up != nil && info.Err == nil {
				x.up.sent.Store(true)
			}
		},
	}
}

// masked hides what proves who somebody is.
func masked(name, value string) string {
	switch strings.ToLower(name) {
	case "authorization", "proxy-authorization", "cookie":
		return "****"
	}
	return value
}
