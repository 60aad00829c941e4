package http

import (
	"bufio"
	"cmp"
	"context"
	"encoding/base64"
	"net"
	nethttp "net/http"
	"strings"

	"locator"
	"locator/scheme"
	"locator/wire"
)

// proxy is the HTTP proxy of a request (RFC 9110 7.6, 7.7).
type proxy struct {
	place
	secure bool   // TLS to the proxy itself
	login  string // value of Proxy-Authorization; "" is none
}

// proxyOf converts Env.Proxy. It returns nil if via is nil.
func proxyOf(via *scheme.Proxy) (*proxy, error) {
	if via == nil {
		return nil, nil
	}
	host, _, err := net.SplitHostPort(via.Addr)
	if err != nil {
		return nil, scheme.Fail(scheme.CodeLocal, "the proxy %s: %w", wire.Escape(via.Addr), err)
	}
	p := &proxy{place: place{addr: via.Addr, host: host}, secure: via.Kind == "https"}
	if user, ok := via.User.Get(); ok {
		p.login = "Basic " + base64.StdEncoding.EncodeToString([]byte(user+":"+via.Password))
	}
	return p, nil
}

// dial connects to the proxy.
func (p *proxy) dial(ctx context.Context, env *scheme.Env) (*duplex, net.Conn, error) {
	raw, err := env.Dial(ctx, scheme.Dial{Purpose: scheme.ForProxy, Addr: p.addr})
	if err != nil {
		return nil, nil, err
	}
	conn := &duplex{Conn: raw}
	if !p.secure {
		return conn, conn, nil
	}
	secure, err := env.Dial(ctx, scheme.Dial{TLS: p.host, Over: conn})
	if err != nil {
		conn.Close()
		return nil, nil, err
	}
	return conn, secure, nil
}

// tunnel asks the proxy to connect to a server (CONNECT, RFC 9110 9.3.6).
func (p *proxy) tunnel(ctx context.Context, env *scheme.Env, conn net.Conn, to place) error {
	defer scheme.Bind(ctx, conn)()
	target := to.addr
	if err := wire.Check("host", target, " \t"); err != nil {
		return scheme.Fail(scheme.CodeRefused, "%w", err)
	}
	lines := []string{"CONNECT " + target + " HTTP/1.1", "Host: " + target}
	if agent := scheme.Setting[Settings](env).UserAgent; agent != "" {
		lines = append(lines, "User-Agent: "+agent)
	}
	for _, line := range lines {
		env.Trace.OnSent(wire.Escape(line))
	}
	if p.login != "" {
		lines = append(lines, "Proxy-Authorization: "+p.login)
		env.Trace.OnSent("Proxy-Authorization: ****")
	}
	if _, err := conn.Write([]byte(strings.Join(lines, "\r\n") + "\r\n\r\n")); err != nil {
		return p.lost(ctx, err)
	}
	t := newTap(conn, env.Limits.Header)
	t.begin(env.Trace, env.Limits, false)
	// Read one byte at a time: the bytes after the response header are the server's.
	res, err := nethttp.ReadResponse(bufio.NewReaderSize(byteReader{t}, 16), &nethttp.Request{Method: nethttp.MethodConnect})
	switch {
	case err != nil:
		return p.lost(ctx, cmp.Or(t.received().lost, err))
	case res.StatusCode == nethttp.StatusProxyAuthRequired:
		return scheme.Replied(scheme.CodeLoginNeeded, quoteText(res.Status), "the proxy %s requires a login; put it into the proxy's URL", wire.Escape(p.addr))
	case res.StatusCode/100 != 2:
		code, _ := codeOf(res.StatusCode)
		if res.StatusCode/100 == 5 {
			code = scheme.CodeUnreachable
		}
		return scheme.Replied(code, quoteText(res.Status), "the proxy %s refused to connect to %s", wire.Escape(p.addr), wire.Escape(target))
	}
	return nil
}

func (p *proxy) lost(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return scheme.Fail(scheme.CodeBroken, "the proxy %s failed to connect: %w", wire.Escape(p.addr), escapeError(err))
}

// byteReader is a reader that returns one byte per Read.
type byteReader struct{ c net.Conn }

func (o byteReader) Read(p []byte) (int, error) { return o.c.Read(p[:min(1, len(p))]) }

// absolute returns the request target for a proxy in absolute form (RFC 9112 3.2.2): the URL
// without its login.
func absolute(u locator.URL, authority string, typ byte) (string, error) {
	if v, ok := locator.As[*locator.FTP](u); ok && v.Type == 0 && typ != 0 && v.Name.Or("") != "" {
		w := *v
		w.Type = typ
		if typed, err := locator.Build(&w); err == nil {
			u = typed
		}
	}
	_, rest, ok := strings.Cut(u.WithoutFragment().Text(), "://")
	if !ok {
		return "", scheme.Fail(scheme.CodeUnsupported, "a %s URL without a host cannot be requested through a proxy", u.Scheme())
	}
	path := "/"
	if i := strings.IndexAny(rest, "/?"); i >= 0 {
		path = rest[i:]
	}
	target := u.Scheme() + "://" + authority + path
	if err := wire.Check("path", target, " \t"); err != nil {
		return "", scheme.Fail(scheme.CodeRefused, "%w", err)
	}
	return target, nil
}
