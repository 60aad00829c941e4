package report

import (
	"context"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"locator/check"
)

func TestProgress(t *testing.T) {
	t.Parallel()
	begun := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	p := check.Progress{
		RunInfo: check.RunInfo{Number: 3, Begun: begun, Open: 50, Verdicts: map[check.Verdict]int64{check.OK: 90, check.Broken: 10}},
		Hosts:   2, Worst: []check.HostCount{{Host: "<b>\x1b[31m", Failed: 10, Open: 5}, {Failed: 2}},
	}
	var m Meter
	pace := m.Add(p, begun.Add(10*time.Second))
	if pace.Rate != 10 || pace.Left != 5*time.Second {
		t.Errorf("pace %+v, want 10 a second and 5s left", pace)
	}
	p.Verdicts[check.OK] = 2590
	if pace := m.Add(p, begun.Add(100*time.Second)); pace.Rate != 2500.0/90 && pace.Rate != 26 {
		t.Errorf("pace %+v", pace)
	}
	var text, page, metrics strings.Builder
	if err := WriteProgress(&text, p, pace); err != nil {
		t.Fatal(err)
	}
	h := ProgressHandler(func(context.Context) (check.Progress, error) { return p, nil }, nil)
	for path, b := range map[string]*strings.Builder{"/": &page, "/metrics": &metrics} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
		b.WriteString(w.Body.String())
	}
	if want := "run 3: 2600 decided, 50 open on 2 hosts, 10.0 a second, 5s left\n  2590 ok  10 broken\n  <b>\\x1b[31m: 10 failed, 5 open\n  without a host: 2 failed, 0 open\n"; text.String() != want {
		t.Errorf("text %q, want %q", text.String(), want)
	}
	if got := page.String(); strings.Contains(got, "<b>") || !strings.Contains(got, "<td>2590</td>") || !strings.Contains(got, "<td>without a host</td>") {
		t.Errorf("page %s", got)
	}
	if got := metrics.String(); !strings.Contains(got, "locator_check_urls{verdict=\"broken\"} 10\n") || !strings.Contains(got, "locator_check_open 50\n") {
		t.Errorf("metrics %s", got)
	}
}
