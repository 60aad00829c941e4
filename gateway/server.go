package gateway

import (
	"cmp"
	"context"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
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
