package report

import (
	"encoding/csv"
	"strings"
	"testing"
)

func TestCSV(t *testing.T) {
	t.Parallel()
	rows, err := csv.NewReader(strings.NewReader(write(t, "csv", example()))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != 11 {
		t.Fatalf("%d rows", len(rows))
	}
	want := map[string]string{
		"url": "http://a.example/gone", "verdict": "broken", "why": "not found", "status": "404", "ms": "45", "attempts": "2", "since": "2026-11-20T08:00:00Z",
		"fails": "4", "sources": "a.md:12:3; docs/b.md:9:1",
	}
	for i, name := range rows[0] {
		if w, ok := want[name]; ok && rows[6][i] != w {
			t.Errorf("%s: %q, want %q", name, rows[6][i], w)
		}
		if name == "bytes" && rows[2][i] != "" {
			t.Errorf("bytes that are unknown: %q", rows[2][i])
		}
	}
}

// A spreadsheet takes no field for a formula.
func TestCSVFormulas(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ text, want string }{
		{"=1+1", "'=1+1"},
		{"+1", "'+1"},
		{"-1", "'-1"},
		{"@SUM(A1)", "'@SUM(A1)"},
		{" =1", "' =1"},
		{"＝1", "'＝1"},
		{"\t=1", `\x09=1`},
		{"\r=1", `\x0d=1`},
		{"a\n=1", `a\x0a=1`},
		{"a=1", "a=1"},
		{"http://a.example/?a=-1", "http://a.example/?a=-1"},
		{"", ""},
	} {
		if got := csvField(test.text); got != test.want {
			t.Errorf("%q: %q, want %q", test.text, got, test.want)
		}
	}
}
