package download

import (
	"context"
	"errors"
	"net"
	"syscall"
	"time"

	"locator/client"
	"locator/scheme"
	"locator/wire"
)

// mayRetry reports whether another attempt may succeed.
func (x *fetch) mayRetry(ctx context.Context, err error) bool {
	if ctx.Err() != nil || errors.Is(err, wire.ErrLimit) {
		return false
	}
	var e *scheme.Error
	if errors.As(err, &e) && e.Final {
		return false
	}
	switch client.CodeOf(err) {
	case scheme.CodeBroken, scheme.CodeUnavailable:
		return true
	case scheme.CodeUnreachable: // a server that sent something before may come back
		return x.bodyBegun || !noServer(err)
	}
	return false
}

// noServer reports whether the host name does not exist, or the port is closed.
func noServer(err error) bool {
	var dns *net.DNSError
	return errors.As(err, &dns) && dns.IsNotFound || errors.Is(err, syscall.ECONNREFUSED)
}

// The wait before an attempt doubles from minWait to maxWait. A server that asks for a certain wait gets it, up to
// maxRetryAfter.
const (
	minWait       = time.Second
	maxWait       = 30 * time.Second
	maxRetryAfter = 10 * time.Minute
)

// backOff waits before the next attempt; it returns false if the context has ended.
func (x *fetch) backOff(ctx context.Context, err error, attempt int) bool {
	d := waitAfter(err, attempt)
	if x.o.Events.Retry != nil {
		x.o.Events.Retry(err, attempt, d)
	}
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}

func waitAfter(err error, attempt int) time.Duration {
	var e *scheme.Error
	if errors.As(err, &e) && e.RetryAfter > 0 {
		return min(e.RetryAfter, maxRetryAfter)
	}
	return min(minWait<<min(attempt-1, 10), maxWait)
}
