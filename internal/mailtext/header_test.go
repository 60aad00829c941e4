package mailtext_test

import (
	"testing"
	"time"

	"locator/internal/mailtext"
)

// Covers: A9
func TestDate(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Thu, 1 Dec 1994 12:00:00 +0000":        "1994-12-01T12:00:00Z",
		"1 Dec 94 12:00:00 GMT":                 "1994-12-01T12:00:00Z",
		"1 Dec 1994 12:00:00 EST":               "1994-12-01T17:00:00Z",
		"1 Dec 1994 12:00:00 -0800 (PST)":       "1994-12-01T20:00:00Z",
		"Sun, 22 Nov 2026 12:10:57 -0000 (UTC)": "2026-11-22T12:10:57Z",
		"yesterday":                             "0001-01-01T00:00:00Z",
		"":                                      "0001-01-01T00:00:00Z",
	} {
		if got, _ := mailtext.Date(text); got.Format(time.RFC3339) != want {
			t.Errorf("%q is %v, want %s", text, got, want)
		}
	}
	if got, precision := mailtext.Date("1 Dec 1994 12:00:00 XYZ"); precision != time.Minute || got.Hour() != 12 {
		t.Errorf("%v, %v", got, precision)
	}
}
