package report

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"locator/check"
)

// In no format is a control character, a character that changes the direction of text, or a broken
// one.
func TestHostile(t *testing.T) {
	t.Parallel()
	for _, f := range Formats() {
		out := write(t, f.Name, hostileReport())
		if !utf8.ValidString(out) {
			t.Errorf("%s: not UTF-8", f.Name)
		}
		for _, c := range out {
			if c < ' ' && c != '\n' || c == 0x7F || c >= 0x80 && c < 0xA0 || c == '\u202e' {
				t.Errorf("%s: character %U", f.Name, c)
			}
		}
		for _, line := range strings.Split(out, "\n") {
			if f.Name != "github" && strings.HasPrefix(strings.TrimSpace(line), "::") {
				t.Errorf("%s: a workflow command: %q", f.Name, line)
			}
		}
	}
}

// The text of a place may have the password that is masked in the URL.
func TestPasswords(t *testing.T) {
	t.Parallel()
	for _, f := range Formats() {
		out := write(t, f.Name, Report{Results: seq(&check.Result{
			URL: "http://user:****@a.example/", Verdict: check.Broken, Why: check.WhyGone,
			Sources: []check.Place{{File: "a.md", Line: 1}},
		})})
		if strings.Contains(out, "s3cret") {
			t.Errorf("%s: has the password: %s", f.Name, out)
		}
		if !strings.Contains(out, "user:****@") {
			t.Errorf("%s: has no URL: %s", f.Name, out)
		}
	}
}

func TestNoResults(t *testing.T) {
	t.Parallel()
	for _, f := range Formats() {
		var b bytes.Buffer
		if err := f.Write(&b, Report{Results: seq()}); err != nil {
			t.Errorf("%s: %v", f.Name, err)
		}
	}
}

func TestErrors(t *testing.T) {
	t.Parallel()
	broken := errors.New("the store is gone")
	results := func(yield func(*check.Result, error) bool) {
		_ = yield(&check.Result{URL: "http://a.example/"}, nil) && yield(nil, broken)
	}
	for _, f := range Formats() {
		if err := f.Write(new(bytes.Buffer), Report{Results: results}); !errors.Is(err, broken) {
			t.Errorf("%s: error %v", f.Name, err)
		}
		if err := f.Write(full{}, example()); !errors.Is(err, errFull) {
			t.Errorf("%s: error %v of the writer", f.Name, err)
		}
	}
}

var errFull = errors.New("no space")

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }

func TestFormatNamed(t *testing.T) {
	t.Parallel()
	if f, ok := FormatNamed("sarif"); !ok || f.Ext != ".sarif" {
		t.Errorf("%+v, %t", f, ok)
	}
	if _, ok := FormatNamed("pdf"); ok {
		t.Error("there is a format pdf")
	}
}
