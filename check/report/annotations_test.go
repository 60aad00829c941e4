package report

import (
	"encoding/json"
	"strings"
	"testing"

	"locator/check"
)

func TestGitHub(t *testing.T) {
	t.Parallel()
	got := write(t, "github", example())
	const want = `::error title=Link is broken,file=docs/b.md,line=3,col=7::broken (new): http://c.example/1: name (no such host)
::error title=Link is broken,file=a.md,line=12,col=3::broken: http://a.example/gone: not found (404 Not Found) in 4 runs since 2026-11-20
::error title=Link is broken,file=docs/b.md,line=9,col=1::broken: http://a.example/gone: not found (404 Not Found) in 4 runs since 2026-11-20
::error title=Link is broken,file=docs/b.md,line=5,col=7::broken (new): http://C.example/2: name (no such host)
::warning title=Link is failing::failing (new): gopher://d.example/: unreachable
::notice title=Link is blocked,file=docs/b.md::blocked: http://e.example/: wall (403 Forbidden)
::notice title=Link is unsure::unsure (new): http://a.example/x: server (503 Service Unavailable)
`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// The runner reads each line as one command with the properties that were meant.
func TestGitHubHostile(t *testing.T) {
	t.Parallel()
	got := write(t, "github", Report{Results: seq(&check.Result{
		URL: "http://a.example/100%25::error::\n::add-mask::x", Verdict: check.Broken, Reply: "a\r\n::error::b",
		Sources: []check.Place{{File: "a,line=9::x%\r\n::error::.md", Line: 2}},
	})})
	lines := strings.Split(strings.TrimSuffix(got, "\n"), "\n")
	if len(lines) != 1 {
		t.Fatalf("%d lines: %q", len(lines), got)
	}
	command, data, ok := strings.Cut(strings.TrimPrefix(lines[0], "::"), "::")
	if !ok || command != "error title=Link is broken,file=a%2Cline=9%3A%3Ax%25%0D%0A%3A%3Aerror%3A%3A.md,line=2" {
		t.Errorf("command %q", command)
	}
	if !strings.Contains(data, "http://a.example/100%2525::error::") || strings.ContainsAny(data, "\r\n") {
		t.Errorf("data %q", data)
	}
}

// Names are those of files in the repository.
func TestAnnotationsCleanPath(t *testing.T) {
	t.Parallel()
	r := Report{Results: seq(&check.Result{URL: "http://a.example/", Verdict: check.Broken, Sources: []check.Place{{File: "./docs/../a.md", Line: 2}}})}
	if got := write(t, "github", r); !strings.Contains(got, ",file=a.md,line=2::") {
		t.Error(got)
	}
	if got := write(t, "gitlab", r); !strings.Contains(got, `"path":"a.md"`) {
		t.Error(got)
	}
}

func TestGitLab(t *testing.T) {
	t.Parallel()
	var issues []gitlabIssue
	if err := json.Unmarshal([]byte(write(t, "gitlab", example())), &issues); err != nil {
		t.Fatal(err)
	}
	if len(issues) != 7 {
		t.Fatalf("%d issues", len(issues))
	}
	got := issues[1]
	if got.Severity != "major" || got.CheckName != "broken/not-found" || got.Location.Path != "a.md" || got.Location.Positions.Begin != (gitlabPosition{12, 3}) {
		t.Errorf("%+v", got)
	}
	seen := map[string]bool{}
	for _, issue := range issues {
		if seen[issue.Fingerprint] || issue.Fingerprint == "" || issue.Location.Path == "" || issue.Location.Positions.Begin.Line < 1 {
			t.Errorf("%+v", issue)
		}
		seen[issue.Fingerprint] = true
	}
}

// An entry that only moved to another line keeps its fingerprint.
func TestGitLabFingerprint(t *testing.T) {
	t.Parallel()
	at := func(lines ...int) []gitlabIssue {
		r := &check.Result{URL: "http://a.example/", Verdict: check.Broken}
		for _, line := range lines {
			r.Sources = append(r.Sources, check.Place{File: "a.md", Line: line})
		}
		var issues []gitlabIssue
		if err := json.Unmarshal([]byte(write(t, "gitlab", Report{Results: seq(r)})), &issues); err != nil {
			t.Fatal(err)
		}
		return issues
	}
	a, b := at(1, 5), at(4, 8)
	if a[0].Fingerprint != b[0].Fingerprint || a[1].Fingerprint != b[1].Fingerprint || a[0].Fingerprint == a[1].Fingerprint {
		t.Errorf("%+v, %+v", a, b)
	}
}
