//go:build !race

package schemetest

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// A broken scheme fails the duty that it breaks.
func TestSuiteFails(t *testing.T) {
	tests := []struct {
		flaw   string
		duties []string
	}{
		{"another grammar", []string{"grammar"}},
		{"loses a byte", []string{"round trip", "file system", "round tripper", "concurrent use"}},
		{"wrong size", []string{"round trip", "attributes"}},
		{"missing is a protocol error", []string{"remove", "rename", "mkdir", "missing", "file system", "round tripper"}},
		{"raw replies", []string{"missing"}},
		{"claims a range", []string{"wishes"}},
		{"claims that nothing changed", []string{"wishes"}},
		{"refers without a hop", []string{"referral"}},
		{"refers to nothing", []string{"referral"}},
		{"blames the server", []string{"failing writer"}},
		{"spoils the pool", []string{"half a body"}},
		{"never closes", []string{"half a body"}},
		{"closes twice", []string{"late close"}},
		{"leaks a goroutine", []string{"round trip"}},
		{"loses names", []string{"list", "file system"}},
		{"decodes names twice", []string{"list"}},
		{"copies no listing", []string{"list copy"}},
		{"forgets a break", []string{"list and break"}},
		{"replace appends", []string{"replace"}},
		{"takes half a body", []string{"replace"}},
		{"takes any size", []string{"sizes sent"}},
		{"asks for no commit", []string{"commit"}},
		{"attributes of no URL", []string{"attributes"}},
		{"lists without a kind", []string{"list"}},
		{"update replaces", []string{"update"}},
		{"removes nothing", []string{"remove", "mkdir"}},
		{"removes what is in a directory", []string{"mkdir"}},
		{"renames by a copy", []string{"rename"}},
		{"rename replaces", []string{"rename"}},
		{"makes what is there", []string{"mkdir"}},
		{"ignores cancel", []string{"close while reading", "cancel a stall", "cancel a body", "cancel a listing"}},
		{"dials without the context", []string{"cancelled before", "remove", "rename", "mkdir"}},
		{"tells another dialogue", []string{"steps"}},
		{"reads ahead", []string{"body after cancel"}},
		{"every error is not found", []string{"limit idle", "limit line"}},
		{"no limits", []string{"limit entries", "limit listing"}},
		{"long lines", []string{"limit line"}},
		{"slow lines", []string{"limit line time"}},
		{"short body", []string{"torn", "sizes told", "limit idle in a body", "cancel a body"}},
		{"reads on after an error", []string{"error that stays"}},
		{"short body", []string{"error that stays"}},
		{"takes nonsense", []string{"nonsense"}},
		{"busy is a protocol error", []string{"unavailable"}},
		{"impatient", []string{"drip"}},
		{"dials by itself", []string{"policy", "policy refuses", "remove", "rename", "mkdir"}},
		{"writes past wire", []string{"hostile"}},
		{"cuts at delimiters", []string{"hostile"}},
		{"password in an error", []string{"secrets"}},
		{"password in the trace", []string{"secrets"}},
		{"login is not found", []string{"secrets"}},
	}
	for _, tt := range tests {
		t.Run(tt.flaw, func(t *testing.T) {
			var chosen []duty
			for _, d := range duties() {
				if slices.Contains(tt.duties, d.name) {
					chosen = append(chosen, d)
				}
			}
			if len(chosen) != len(tt.duties) {
				t.Fatalf("of %q only %d are duties", tt.duties, len(chosen))
			}
			r := newRecorder(t)
			times := quick
			if tt.flaw == "ignores cancel" { // it fails with any timeout, and is tried several times
				times.patience = 500 * time.Millisecond
			}
			run(r, fakeHarness(tt.flaw), chosen, times)
			for _, d := range chosen {
				found := r.failed[d.name]
				if len(found) == 0 {
					t.Errorf("the duty %q does not notice", d.name)
				}
				for _, text := range found {
					if !strings.Contains(text, "duty: ") {
						t.Errorf("the duty %q fails without saying which duty it is: %s", d.name, text)
					}
					if testing.Verbose() {
						t.Logf("%s: %s", d.name, text)
					}
				}
			}
		})
	}
}
