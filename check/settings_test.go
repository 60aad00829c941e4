package check_test

import (
	"encoding/json"
	"testing"
	"time"

	"locator/check"
)

// The settings that a run keeps make the checker that its flags made.
func TestCheckerOf(t *testing.T) {
	t.Parallel()
	s := check.Settings{
		Confirm: "2/1h", Fragments: true, Content: true, Mail: true, NoRobots: true, PerHost: 3, Interval: time.Second, Again: -1, Schemes: []string{"FTP:"}, Exclude: []string{"^x"},
		Folders: []string{"docs"},
		Hosts:   []check.HostRule{{Host: "*.example.org", PerHost: 1}, {Host: "www.example.org", Interval: -1}, {Host: "*.a.example.org", Interval: 5 * time.Second}},
	}
	text, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	c, err := check.CheckerOf(check.RunInfo{Settings: text})
	if err != nil {
		t.Fatal(err)
	}
	if !c.Mail || !c.Fragments || !c.Content || c.Agent != "" || c.RetryAfter != -1 || len(c.Schemes) != 1 || c.Schemes[0] != "ftp" || !c.Excluded("x") || c.Confirm != (check.Confirm{Runs: 2, Over: time.Hour}) ||
		len(c.Folders) != 1 {
		t.Errorf("%+v", c)
	}
	for host, want := range map[string]check.Manners{
		"other.example":     {PerHost: 3, Interval: time.Second},
		"example.org":       {PerHost: 3, Interval: time.Second},
		"b.example.org":     {PerHost: 1, Interval: time.Second},
		"WWW.example.org":   {PerHost: 3, Interval: -1},
		"x.a.example.org":   {PerHost: 3, Interval: 5 * time.Second},
		"a.example.org":     {PerHost: 1, Interval: time.Second},
		"notexample.org":    {PerHost: 3, Interval: time.Second},
		"b.example.org.com": {PerHost: 3, Interval: time.Second},
	} {
		if got := c.Manners(host); got != want {
			t.Errorf("%s: %+v, want %+v", host, got, want)
		}
	}
	for _, bad := range []string{`{"confirm":"x"}`, `{"exclude":["("]}`, `{"per_host":-1}`, `{"per_host":"x"}`} {
		if _, err := check.CheckerOf(check.RunInfo{Settings: []byte(bad)}); err == nil {
			t.Errorf("%s: no error", bad)
		}
	}
}

// No folder at all is not the same as all folders, also for others that work on the run.
func TestCheckerOfNoFolders(t *testing.T) {
	t.Parallel()
	for _, folders := range [][]string{nil, {}} {
		text, err := json.Marshal(check.Settings{Folders: folders})
		if err != nil {
			t.Fatal(err)
		}
		if c, err := check.CheckerOf(check.RunInfo{Settings: text}); err != nil || (c.Folders == nil) != (folders == nil) {
			t.Errorf("%#v: %#v, %v", folders, c.Folders, err)
		}
	}
}

func TestParseHostRule(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]check.HostRule{
		"a.example per-host=1":                    {Host: "a.example", PerHost: 1},
		"*.A.example  interval=0.5 per_host=2":    {Host: "*.a.example", PerHost: 2, Interval: time.Second / 2},
		"a.example interval=0":                    {Host: "a.example", Interval: -1},
		"*.Bücher.example skip=1":                 {Host: "*.xn--bcher-kva.example", Skip: true},
		"[::1] skip=true":                         {Host: "[::1]", Skip: true},
		"a.example per-host=1 per-host=2 skip=no": {},
		"a.example":                               {},
		"http://a.example/ skip=true":             {},
		"a.example:80 skip=true":                  {},
		"a.example per-host=0":                    {},
		"a.example interval=-1s":                  {},
		"a.example interval=x":                    {},
		"a.example depth=1":                       {},
		"":                                        {},
	} {
		got, err := check.ParseHostRule(text)
		if bad := want == (check.HostRule{}); bad != (err != nil) || !bad && got != want {
			t.Errorf("%q: %+v, error %v", text, got, err)
		}
	}
}
