package http

import (
	"testing"
	"time"
)

func TestRetryAfter(t *testing.T) {
	t.Parallel()
	now := time.Date(1994, 12, 1, 0, 0, 0, 0, time.UTC)
	for field, want := range map[string]time.Duration{
		"0": 0, "120": 2 * time.Minute, "Thu, 01 Dec 1994 00:01:00 GMT": time.Minute, "Thu, 01 Dec 1994 00:00:00 GMT": 0,
		"Wed, 30 Nov 1994 00:00:00 GMT": 0, "": 0, "soon": 0, "-1": 0, "1.5": 0, "9223372036854775807": maxSeconds * time.Second,
		"99999999999999999999": 0, "Thursday, 01-Dec-94 00:00:07 GMT": 7 * time.Second,
	} {
		if got := retryAfter(field, now); got != want {
			t.Errorf("%q: %v, want %v", field, got, want)
		}
	}
}
