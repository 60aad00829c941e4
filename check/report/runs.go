package report

import (
	"fmt"
	"strings"
	"time"

	"locator/check"
)

// RunLine describes a run in one line: its number, when it began, how long it took, and how many
// URLs have each verdict.
func RunLine(r check.RunInfo) string {
	ended := "not ended"
	if !r.Ended.IsZero() {
		ended = r.Ended.Sub(r.Begun).Round(time.Second / 10).String()
	}
	parts := []string{fmt.Sprintf("%d  %s  %s", r.Number, r.Begun.Local().Format("2006-01-02 15:04:05"), ended)}
	for _, v := range check.Verdicts() {
		if n := r.Verdicts[v]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, v))
		}
	}
	if r.Open > 0 {
		parts = append(parts, fmt.Sprintf("%d open", r.Open))
	}
	return strings.Join(parts, "  ")
}
