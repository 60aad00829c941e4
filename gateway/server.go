package gateway

import (
	"cmp"
	"context"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"time"

	"golang.org/x/net/netutil"
)

// The limits of a request, and how long requests that run may take after the gateway is told to stop.
const (
	headerTime = 10 * time.Second
	idleTime   = 2 * time.Minute
	maxHeader  = 64 << 10 // bytes
	stopTime   = 10 * time.Second
	maxConns   = 4096
)

// Serve serves the handler on l until ctx ends. Then it accepts no more connections, and gives requests that run a few seconds to their
// end. It closes l. A client that sends no request, or does not read the response, is cut.
func Serve(ctx context.Context, l net.Listener, h http.Handler) error {
	most := maxConns
	g, isGateway := h.(*Gateway)
	if isGateway {
		most = cmp.Or(g.opt.Service.MaxConns, most)
	}
	if isGateway && g.opt.Service.ClientConns > 0 {
		l = &clientListener{Listener: l, g: g, open: make(map[string]int)}
	}
	l = netutil.LimitListener(l, most)
	s := &http.Server{
		Handler: h, ReadHeaderTimeout: headerTime, IdleTimeout: idleTime, MaxHeaderBytes: maxHeader, ErrorLog: log.New(io.Discard, "", 0),
		BaseContext: func(net.Listener) context.Context { return context.WithoutCancel(ctx) },
	}
	done := make(chan error, 1)
	go func() { done <- s.Serve(l) }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	if isGateway {
		g.stopping.Store(true)
	}
	limited, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTime)
	defer cancel()
	if err := s.Shutdown(limited); errors.Is(err, context.DeadlineExceeded) {
		s.Close()
	}
	if err := <-done; !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// clientListener closes the connections of a client that has too many. A proxy has those of all its clients.
type clientListener struct {
	net.Listener
	g    *Gateway
	mu   sync.Mutex
	open map[string]int // connections by client
}

// Accept implements net.Listener.
func (l *clientListener) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		at, err := netip.ParseAddrPort(c.RemoteAddr().String())
		if err != nil || l.g.trusts(at.Addr()) {
			return c, nil
		}
		name := addrName(at.Addr().Unmap().WithZone(""))
		if l.enter(name) {
			return &clientConn{Conn: c, leave: sync.OnceFunc(func() { l.leave(name) })}, nil
		}
		l.g.metrics.refused("connection")
		c.Close()
	}
}

// enter counts a connection of a client. It returns false if that has too many.
func (l *clientListener) enter(name string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.open[name] >= l.g.opt.Service.ClientConns {
		return false
	}
	l.open[name]++
	return true
}

func (l *clientListener) leave(name string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.open[name]--; l.open[name] == 0 {
		delete(l.open, name)
	}
}

// clientConn is a connection that a clientListener counts.
type clientConn struct {
	net.Conn
	leave func()
}

// Close implements net.Conn.
func (c *clientConn) Close() error {
	defer c.leave()
	return c.Conn.Close()
}
