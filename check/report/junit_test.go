package report

import (
	"encoding/xml"
	"strings"
	"testing"
)

func TestJUnit(t *testing.T) {
	t.Parallel()
	out := write(t, "junit", example())
	var got junitSuites
	if err := xml.Unmarshal([]byte(out), &got); err != nil {
		t.Fatal(err)
	}
	s := got.Suite
	if s.Tests != 7 || s.Failures != 3 || s.Skipped != 3 || len(s.Cases) != s.Tests || s.Time != "95.000" || s.When != "2026-11-28T08:00:00" {
		t.Errorf("%+v", s)
	}
	c := s.Cases[1]
	if c.Name != "http://a.example/gone" || c.Failure == nil || c.Skipped != nil || c.File != "a.md" || c.Time != "0.045" {
		t.Fatalf("%+v", c)
	}
	if c.Failure.Type != "broken/not-found" || c.Failure.Text != "in a.md:12:3\nin docs/b.md:9:1\n" || !strings.Contains(c.Failure.Message, "404 Not Found") {
		t.Errorf("%+v", c.Failure)
	}
	if last := s.Cases[6]; last.Name != "4 URLs that are not listed" || last.Failure != nil {
		t.Errorf("%+v", last)
	}
}

// Without findings there is a test that passes, since CI fails on an empty list of tests.
func TestJUnitEmpty(t *testing.T) {
	t.Parallel()
	var got junitSuites
	if err := xml.Unmarshal([]byte(write(t, "junit", Report{Results: seq()})), &got); err != nil {
		t.Fatal(err)
	}
	if got.Suite.Tests != 1 || got.Suite.Failures != 0 {
		t.Errorf("%+v", got.Suite)
	}
}

func TestJUnitHostile(t *testing.T) {
	t.Parallel()
	var got junitSuites
	if err := xml.Unmarshal([]byte(write(t, "junit", hostileReport())), &got); err != nil {
		t.Fatal(err)
	}
	if name := got.Suite.Cases[0].Name; !strings.Contains(name, "<script>alert(1)</script>]]>") {
		t.Errorf("the URL is not a text: %q", name)
	}
}
