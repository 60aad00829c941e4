package transfer

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

// MayRetry reports whether another attempt may succeed after err. begun says that data has moved in
// an earlier attempt: the server was there, and may come back.
func MayRetry(ctx context.Context, err error, begun bool) bool {
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
	case scheme.CodeUnreachable:
		return begun || !noServer(err)
	}
	return false
}

// noServer reports whether the host name does not exist, or the port is closed.
func noServer(err error) bool {
	var dns *net.DNSError
	return errors.As(err, &dns) && dns.IsNotFound || errors.Is(err, syscall.ECONNREFUSED)
}

// The wait before an attempt doubles from minWait to maxWait. A server that asks for a certain wait
// gets it, up to maxRetryAfter.
const (
	minWait       = time.Second
	maxWait       = 30 * time.Second
	maxRetryAfter = 10 * time.Minute
)

// BackOff waits before the next attempt; it returns false if the context has ended. It calls tell
// first, which may be nil.
func BackOff(ctx context.Context, err error, attempt int, tell func(err error, attempt int, wait time.Duration)) bool {
	d := waitAfter(err, attempt)
	if tell != nil {
		tell(err, attempt, d)
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
