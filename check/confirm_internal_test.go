package check

import (
	"testing"
	"time"
)

// What the history keeps of failures in a row says when a URL is broken. A clock that was set back
// begins them anew.
func TestRemember(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 10, 0, 0, 0, 0, time.UTC)
	day := func(n int) time.Time { return now.AddDate(0, 0, n) }
	for _, tt := range []struct {
		name    string
		before  *Memory
		found   Verdict
		verdict Verdict
		fails   int
		since   time.Time
	}{
		{"unknown", nil, Broken, Broken, 1, now},
		{"never worked", &Memory{Fails: 1, Since: day(-1)}, Broken, Broken, 2, day(-1)},
		{"first failure", &Memory{Worked: day(-9)}, Broken, Failing, 1, now},
		{"too few", &Memory{Worked: day(-9), Fails: 1, Since: day(-5)}, Broken, Failing, 2, day(-5)},
		{"too soon", &Memory{Worked: day(-9), Fails: 7, Since: day(-2)}, Broken, Failing, 8, day(-2)},
		{"confirmed", &Memory{Worked: day(-9), Fails: 2, Since: day(-3)}, Broken, Broken, 3, day(-3)},
		{"the clock was set back", &Memory{Worked: day(-9), Fails: 5, Since: day(2)}, Broken, Failing, 6, now},
		{"works again", &Memory{Worked: day(-9), Fails: 5, Since: day(-8)}, Moved, Moved, 0, time.Time{}},
		{"blocked", &Memory{Worked: day(-9), Fails: 2, Since: day(-8)}, Blocked, Blocked, 2, day(-8)},
	} {
		if tt.before != nil {
			tt.before.Digest = "d"
		}
		r := &Result{Verdict: tt.found, At: now}
		DefaultConfirm.remember(r, tt.before)
		m := r.Memory
		if r.Verdict != tt.verdict || m.Verdict != tt.verdict || m.Fails != tt.fails || !m.Since.Equal(tt.since) || !m.At.Equal(now) {
			t.Errorf("%s: %s, memory %+v; want %s, %d since %v", tt.name, r.Verdict, m, tt.verdict, tt.fails, tt.since)
		}
		if want := tt.found == Broken; want != (r.Fails > 0) || want == r.Since.IsZero() {
			t.Errorf("%s: the result has %d failures since %v", tt.name, r.Fails, r.Since)
		}
		if worked := tt.found == Moved; tt.before != nil && (worked != m.Worked.Equal(now) || m.Digest != "d") {
			t.Errorf("%s: worked %v, digest %q", tt.name, m.Worked, m.Digest)
		}
	}
}
