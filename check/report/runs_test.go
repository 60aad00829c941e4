package report

import (
	"strings"
	"testing"
	"time"

	"locator/check"
)

func TestRunLine(t *testing.T) {
	t.Parallel()
	r := check.RunInfo{Number: 7, Begun: time.Date(2026, 1, 2, 3, 4, 5, 0, time.Local), Open: 3, Verdicts: map[check.Verdict]int64{check.Broken: 1, check.OK: 2}}
	if got, want := RunLine(r), "7  2026-01-02 03:04:05  not ended  2 ok  1 broken  3 open"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	r.Ended, r.Open = r.Begun.Add(90*time.Second), 0
	if got := RunLine(r); !strings.Contains(got, "  1m30s  ") || strings.Contains(got, "open") {
		t.Errorf("%q", got)
	}
}
