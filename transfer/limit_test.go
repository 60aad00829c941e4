package transfer

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/time/rate"

	"locator/scheme"
)

// A rate limit that allows nothing is wrong usage; it never blocks for ever.
func TestImpossibleRate(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		limit *rate.Limiter
		n     int64
		code  scheme.Code
	}{
		{"no burst", rate.NewLimiter(1000, 0), 0, scheme.CodeUsage},
		{"zero value", &rate.Limiter{}, 0, scheme.CodeUsage},
		{"no rate", rate.NewLimiter(0, 10), 0, scheme.CodeUsage},
		{"no limit", rate.NewLimiter(rate.Inf, 0), 25, scheme.CodeOK},
		{"a byte", rate.NewLimiter(10, 1), 25, scheme.CodeOK},
	} {
		synctest.Test(t, func(t *testing.T) {
			n, err := io.Copy(io.Discard, Limit(t.Context(), strings.NewReader(strings.Repeat("x", 25)), tt.limit))
			e, _ := errors.AsType[*scheme.Error](err)
			if n != tt.n || (err == nil) != (tt.code == scheme.CodeOK) || err != nil && (e == nil || e.Code != tt.code) {
				t.Errorf("%s: %d bytes, %v", tt.name, n, err)
			}
		})
	}
}

// shrinking is a reader during whose Read another user of the limit makes it too small.
type shrinking struct{ limit *rate.Limiter }

func (s shrinking) Read(p []byte) (int, error) { s.limit.SetBurst(1); return copy(p, "data"), nil }

func TestRateThatShrinks(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		limit := rate.NewLimiter(10, 10)
		n, err := Limit(t.Context(), shrinking{limit}, limit).Read(make([]byte, 4))
		if e, ok := errors.AsType[*scheme.Error](err); n != 4 || !ok || e.Code != scheme.CodeUsage {
			t.Errorf("%d bytes, %v", n, err)
		}
	})
}

// A limit that cannot be met before the deadline of the context gives the error of the deadline.
func TestRateAndDeadline(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		start := time.Now()
		_, err := io.Copy(io.Discard, Limit(ctx, strings.NewReader("aaaaaaaaaa"), rate.NewLimiter(2, 1)))
		if !errors.Is(err, context.DeadlineExceeded) || time.Since(start) != time.Second {
			t.Errorf("%v after %v", err, time.Since(start))
		}
	})
}
