package http

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"net"
	nethttp "net/http"
	"net/http/httptrace"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"locator/scheme"
	"locator/wire"
)

// continueTime is the timeout for "100 Continue" (RFC 9110 10.1.1). After it the body is sent
// anyway.
const continueTime = time.Second

// conn is one connection to a server. It is in the client's pool between requests, and one request
// uses it at a time. The client checks its address against the policy before each reuse.
type conn struct {
	conn  *duplex   // the connection under TLS
	tap   *tap      // nil over HTTP/2
	two   *tls.Conn // over HTTP/2; nil otherwise
	proto string
	cc    *nethttp.ClientConn
	tls   *tls.ConnectionState // nil without TLS

	idleAt time.Time // when it was put into the pool
}

// open dials at, through via if it is not nil. For https it negotiates HTTP/2 or HTTP/1.1.
func (s Scheme) open(ctx context.Context, env *scheme.Env, at place, via *proxy) (*conn, error) {
	l := &conn{proto: "HTTP/1.1"}
	dial := func() (over net.Conn, err error) {
		if via != nil {
			l.conn, over, err = via.dial(ctx, env)
			return over, err
		}
		conn, err := env.Dial(ctx, scheme.Dial{Purpose: scheme.ForControl, Addr: at.addr})
		if err != nil {
			return nil, err
		}
		l.conn = &duplex{Conn: conn}
		return l.conn, nil
	}
	t := &nethttp.Transport{
		ForceAttemptHTTP2:      true,
		ExpectContinueTimeout:  continueTime,
		MaxResponseHeaderBytes: int64(env.Limits.Header) + 4<<10, // above the limit, which the tap enforces
		DialContext: func(context.Context, string, string) (net.Conn, error) {
			conn, err := dial()
			if err != nil {
				return nil, err
			}
			l.tap = newTap(conn, env.Limits.Header)
			return l.tap, nil
		},
		DialTLSContext: func(context.Context, string, string) (net.Conn, error) {
			conn, err := dial()
			if err == nil && via != nil {
				if err = via.tunnel(ctx, env, conn, at); err != nil {
					conn.Close()
				}
			}
			if err != nil {
				return nil, err
			}
			hooks := httptrace.ContextClientTrace(ctx)
			if hooks != nil && hooks.TLSHandshakeStart != nil {
				hooks.TLSHandshakeStart()
			}
			over, err := env.Dial(ctx, scheme.Dial{TLS: at.host, Over: conn, Config: func(cfg *tls.Config) { cfg.NextProtos = []string{"h2", "http/1.1"} }})
			var state tls.ConnectionState
			secure, ok := over.(*tls.Conn)
			if ok {
				state = secure.ConnectionState()
			}
			if hooks != nil && hooks.TLSHandshakeDone != nil {
				hooks.TLSHandshakeDone(state, err)
			}
			if err != nil {
				l.conn.Close()
				return nil, err
			}
			l.tls = &state
			if state.NegotiatedProtocol == "h2" {
				l.proto, l.two = "HTTP/2", secure
				return secure, nil
			}
			l.tap = newTap(secure, env.Limits.Header)
			return l.tap, nil
		},
	}
	var err error
	if l.cc, err = t.NewClientConn(withoutValues{ctx}, s.name, at.addr); err != nil {
		return nil, err
	}
	return l, nil
}

// withoutValues is a context without values: open calls the hooks of httptrace itself, since
// net/http calls those of TLS only for HTTP/2.
type withoutValues struct{ context.Context }

func (withoutValues) Value(any) any { return nil }

// RemoteAddr returns the server's address, which the client checks before the link is used for
// another URL.
func (l *conn) RemoteAddr() net.Addr { return l.conn.RemoteAddr() }

// Close closes the connection.
func (l *conn) Close() error {
	err := l.cc.Close()
	l.conn.Close()
	return err
}

// alert returns the alert with which the server ended an HTTP/2 connection, or nil. Package http2
// may not report it. The connection must be closed.
func (l *conn) alert() error {
	if l.two == nil {
		return nil
	}
	_, err := l.two.Read(make([]byte, 1)) // the error that ended the last Read
	if e, ok := errors.AsType[*net.OpError](err); ok && e.Op == "remote error" {
		return err
	}
	return nil
}

// idle ends a response. It reports whether the link is ready for another request, and waits until
// net/http knows that.
func (l *conn) idle() bool {
	l.idleAt = time.Now()
	return (l.tap == nil || l.tap.idle()) && l.cc.Err() == nil && l.cc.Available() > 0
}

// send sends the request over a pooled connection or a new one.
func (x *session) send(ctx context.Context) (*response, error) {
	for {
		l, reused, release, err := x.getConn(ctx)
		if err != nil {
			return nil, err
		}
		if l.tap != nil {
			l.tap.begin(x.env.Trace, x.env.Limits, x.own)
		}
		answer := newDeadline(ctx, x.env.Limits.ReplyTime)
		trace := x.clientTrace(l.proto)
		if x.up != nil { // net/http waits for the body's reader even if the connection fails
			x.up.tap = l.tap
			interrupt := x.up.interrupt
			l.conn.ended.Store(&interrupt)
			defer context.AfterFunc(ctx, interrupt)()
			trace.Got100Continue = func() { x.up.asked.Store(true) }
		}
		trace.WroteRequest = func(httptrace.WroteRequestInfo) { answer.start() }
		res, err := l.cc.RoundTrip(x.req.WithContext(httptrace.WithClientTrace(answer, trace)))
		answer.stop()
		if err == nil {
			return newResponse(ctx, x, l, res, func(reuse bool) {
				l.conn.ended.Store(nil)
				release(reuse)
				answer.cancel(nil)
			}), nil
		}
		heard := l.tap.received()
		if answer.passed() {
			err, heard.lost = errLate, nil // lost says that the connection is closed
		}
		answer.cancel(nil)
		release(false)
		if alert := l.alert(); alert != nil {
			err = alert
		}
		// A server may close an idle connection at any time (RFC 9112 9.5). Retry on another one,
		// unless this was a timeout.
		if reused && !heard.any && !isTimeout(err) && ctx.Err() == nil && x.sendAgain(ctx, heard) {
			continue
		}
		return nil, x.noResponseError(ctx, l, heard, err)
	}
}

// sendAgain reports whether the request may be sent again after it was lost on a pooled connection,
// and prepares its body. The server may have acted on a request that changes something, unless
// nothing was sent; a PUT may be repeated (RFC 9110 9.2.2), but not one with a condition, which its
// first copy may have made false.
func (x *session) sendAgain(ctx context.Context, heard received) bool {
	switch again := !heard.wrote || safe(x.req.Method) || x.req.Method == nethttp.MethodPut && !conditional(x.req.Header); {
	case x.up != nil:
		return (again || !x.up.begun()) && x.up.rewind(ctx, x.req)
	default:
		return again && x.rewind()
	}
}

// conditional reports whether a request depends on the state of the resource (RFC 9110 13.1).
func conditional(h nethttp.Header) bool {
	return h["If-Match"] != nil || h["If-None-Match"] != nil || h["If-Unmodified-Since"] != nil || h["If-Modified-Since"] != nil
}

// getConn returns a pooled or new connection.
func (x *session) getConn(ctx context.Context) (l *conn, reused bool, release func(bool), err error) {
	hooks := httptrace.ContextClientTrace(ctx)
	if hooks != nil && hooks.GetConn != nil {
		hooks.GetConn(x.at.addr)
	}
	kind, addr := x.s.name, x.at.addr
	if x.via != nil && x.s.name == "http" { // one connection for all hosts
		kind, addr = "proxy", x.via.addr
	}
	key := kind + "://" + strings.ToLower(addr) + " header=" + strconv.Itoa(x.env.Limits.Header) // a connection keeps the limit that it was opened with
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
	l = c.(*conn)
	if reused && l.cc.Err() != nil { // the server has closed it since
		release(false)
		return x.getConn(ctx)
	}
	if reused {
		scheme.SetIdle(l.conn.Conn, x.env.Limits.Idle)
	}
	if hooks != nil && hooks.GotConn != nil {
		info := httptrace.GotConnInfo{Conn: l.conn, Reused: reused, WasIdle: reused}
		if reused {
			info.IdleTime = time.Since(l.idleAt)
		}
		hooks.GotConn(info)
	}
	return l, reused, release, nil
}

// duplex is a connection on which a Write extends the idle timeout of a waiting Read. net/http
// reads the response from the start of a request, so without it a long upload would time out, and a
// request on a pooled connection would inherit an old deadline.
type duplex struct {
	net.Conn
	written atomic.Uint64
	ended   atomic.Pointer[func()] // called when a Read fails; may be nil
	barren  barren
}

func (d *duplex) Read(p []byte) (int, error) {
	for {
		before := d.written.Load()
		n, err := d.Conn.Read(p)
		if err == nil {
			err = d.barren.received(n)
			return n, err
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

// clientTrace traces the request as net/http writes it, with secrets masked.
func (x *session) clientTrace(proto string) *httptrace.ClientTrace {
	trace := x.env.Trace
	if trace.Sent == nil {
		return &httptrace.ClientTrace{}
	}
	lines := []string{cmp.Or(x.req.Method, nethttp.MethodGet) + " " + x.req.URL.RequestURI() + " " + proto}
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
	}
}

// masked returns value, or "****" for a field that holds credentials, as its name says.
func masked(name, value string) string {
	name = strings.ToLower(name)
	for _, word := range []string{"auth", "cookie", "key", "token", "secret", "password", "session", "credential"} {
		if strings.Contains(name, word) {
			return "****"
		}
	}
	return value
}
