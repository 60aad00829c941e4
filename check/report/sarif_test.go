package report

import (
	"encoding/json"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func sarif(t *testing.T, r Report) (string, sarifRun) {
	t.Helper()
	out := write(t, "sarif", r)
	var log sarifLog
	if err := json.Unmarshal([]byte(out), &log); err != nil {
		t.Fatal(err)
	}
	if log.Version != "2.1.0" || len(log.Runs) != 1 {
		t.Fatalf("%+v", log)
	}
	run := log.Runs[0]
	if run.Tool.Driver.Name == "" || run.Results == nil || run.Tool.Driver.Rules == nil {
		t.Errorf("a required part is missing: %s", out) // SARIF 2.1.0 3.14 and 3.19
	}
	for i, rule := range run.Tool.Driver.Rules {
		if rule.ID == "" || rule.ShortDescription.Text == "" || slices.Contains(run.Tool.Driver.Rules[:i], rule) {
			t.Errorf("rule %+v", rule)
		}
	}
	for _, r := range run.Results {
		if r.Message.Text == "" || !slices.Contains([]string{"none", "note", "warning", "error"}, r.Level) {
			t.Errorf("%+v", r)
		}
		if r.RuleIndex < 0 || r.RuleIndex >= len(run.Tool.Driver.Rules) || run.Tool.Driver.Rules[r.RuleIndex].ID != r.RuleID {
			t.Errorf("rule %q is not number %d", r.RuleID, r.RuleIndex)
		}
		for _, l := range r.Locations {
			if _, err := url.Parse(l.Physical.Artifact.URI); err != nil {
				t.Error(err)
			}
			if g := l.Physical.Region; g != nil && (g.StartLine < 1 || g.StartColumn < 0) || l.Physical.Artifact.URI == "" {
				t.Errorf("%+v", g)
			}
		}
	}
	return out, run
}

func TestSARIF(t *testing.T) {
	t.Parallel()
	r := example()
	r.Version = "1.2.3"
	_, run := sarif(t, r)
	if run.Tool.Driver.Name != "Locator" || run.Tool.Driver.Version != "1.2.3" || len(run.Results) != 7 {
		t.Fatalf("%d results, %+v", len(run.Results), run)
	}
	got := run.Results[2]
	if got.RuleID != "broken/not-found" || got.Level != "error" || got.Locations[0].Physical.Artifact.URI != "docs/b.md" ||
		*got.Locations[0].Physical.Region != (sarifRegion{9, 1}) || !strings.Contains(got.Message.Text, "http://a.example/gone") {
		t.Errorf("%+v", got)
	}
	for i, want := range []string{"error", "error", "error", "error", "warning", "note", "note"} {
		if run.Results[i].Level != want {
			t.Errorf("result %d: level %s, want %s", i, run.Results[i].Level, want)
		}
	}
	if l := run.Results[6].Locations; l != nil {
		t.Errorf("a location in standard input: %+v", l)
	}
}

func TestSARIFHostile(t *testing.T) {
	t.Parallel()
	out, run := sarif(t, hostileReport())
	if strings.ContainsAny(out, "<>&") {
		t.Errorf("an element: %s", out)
	}
	text := run.Results[0].Message.Text
	if regexp.MustCompile(`(^|[^\\])\[[^\]]*[^\\]\]\(`).MatchString(text) {
		t.Errorf("a link: %s", text)
	}
	if strings.Contains(strings.ReplaceAll(text, "{{", ""), "{") {
		t.Errorf("a placeholder: %s", text)
	}
}

func TestFileReference(t *testing.T) {
	t.Parallel()
	for file, want := range map[string]string{
		"docs/a b.md": "docs/a%20b.md", "a:b": "./a:b", "100%#?.md": "100%25%23%3F.md", "../x": "../x", "./docs//a.md": "docs/a.md", "\xff": "%FF", "javascript:1": "./javascript:1",
		"/abs/a.md": "file:///abs/a.md",
	} {
		if got := fileReference(file); got != want {
			t.Errorf("%q: %q, want %q", file, got, want)
		}
	}
}
