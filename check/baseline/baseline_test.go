package baseline

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"locator/check"
)

const file = `{"url":"ftp://b.example/x","verdict":"broken","why":"not found","date":"2026-11-01"}
{"url":"http://a.example/\"quoted\"","verdict":"blocked","why":"wall","date":"2026-10-30","note":"asked them on Monday"}
{"url":"http://a.example/é\u001b\udcff","verdict":"failing","date":"2026-11-02"}
`

func read(t *testing.T, text string) *Baseline {
	t.Helper()
	b, err := Read(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func text(t *testing.T, b *Baseline) string {
	t.Helper()
	var out bytes.Buffer
	if err := b.Write(&out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// Lines are sorted, and a file that was written is not changed by the next write.
func TestReadWrite(t *testing.T) {
	t.Parallel()
	lines := strings.SplitAfter(file, "\n")
	got := text(t, read(t, lines[2]+"\n"+lines[0]+"\r\n"+lines[1]))
	if want := strings.ReplaceAll(file, `\udcff`, "\ufffd"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if again := text(t, read(t, got)); again != got {
		t.Errorf("got\n%s\nwant\n%s", again, got)
	}
	if b := read(t, ""); len(b.Entries()) != 0 || text(t, b) != "" {
		t.Error("an empty file has entries")
	}
}

func TestReadMalformed(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"<<<<<<< HEAD": "line 2: not an entry",
		`{"url":"x","verdict":"broken","date":"2026-11-01"} {}`:        "line 2: more than one",
		`{"url":"","verdict":"broken","date":"2026-11-01"}`:            "line 2: no url",
		`{"url":"x","verdict":"dead","date":"2026-11-01"}`:             `line 2: "dead" is not a verdict`,
		`{"url":"x","verdict":"broken","why":"?","date":"2026-11-01"}`: `line 2: "?" is not a reason`,
		`{"url":"x","verdict":"broken","date":"1.11.2026"}`:            `line 2: "1.11.2026" is not a date`,
		`{"url":"x","verdict":"broken","reason":"gone"}`:               "line 2: not an entry of a baseline: json: unknown field",
		`{"url":"` + strings.Repeat("x", maxLine):                      "line 2: bufio.Scanner: token too long",
		"[": "line 2: not an entry",
	} {
		_, err := Read(strings.NewReader(strings.SplitAfter(file, "\n")[0] + line + "\n"))
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%.60q: error %v, want %q", line, err, want)
		}
	}
}

// endless yields the same bytes without end.
type endless string

func (e endless) Read(p []byte) (int, error) { return copy(p, e), nil }

func TestReadEndless(t *testing.T) {
	t.Parallel()
	if _, err := Read(endless(strings.Repeat("\n", 4096))); !errors.Is(err, ErrTooLarge) {
		t.Errorf("error %v", err)
	}
	broken := errors.New("disk")
	if _, err := Read(io.MultiReader(strings.NewReader(file), errorReader{broken})); !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
}

type errorReader struct{ err error }

func (r errorReader) Read([]byte) (int, error) { return 0, r.err }

func TestKnows(t *testing.T) {
	t.Parallel()
	b := read(t, file)
	for _, test := range []struct {
		url     string
		verdict check.Verdict
		want    bool
	}{
		{"ftp://b.example/x", check.Broken, true},
		{"ftp://b.example/x", check.Failing, true},
		{"ftp://b.example/x", check.Unsure, false},
		{"ftp://b.example/y", check.Broken, false},
		{`http://a.example/"quoted"`, check.Blocked, true},
		{`http://a.example/"quoted"`, check.Broken, false},
		{"http://a.example/é\x1b\xff", check.Broken, true},
	} {
		r := &check.Result{URL: test.url, Verdict: test.verdict}
		if got := b.Knows(r); got != test.want {
			t.Errorf("%s %q: %t", test.verdict, test.url, got)
		}
		if (*Baseline)(nil).Knows(r) {
			t.Error("the nil Baseline knows a result")
		}
	}
}

func TestWriteTooLarge(t *testing.T) {
	t.Parallel()
	b := &Baseline{map[string]Entry{"x": {URL: strings.Repeat("x", maxLine), Verdict: check.Broken, Date: "2026-11-01"}}}
	if err := b.Write(io.Discard); !errors.Is(err, ErrTooLarge) {
		t.Errorf("error %v", err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(file)
	f.Fuzz(func(t *testing.T, s string) {
		b, err := Read(strings.NewReader(s))
		if err != nil {
			return
		}
		var out bytes.Buffer
		if err := b.Write(&out); err != nil {
			t.Fatal(err)
		}
		again, err := Read(&out)
		if err != nil {
			t.Fatal(err)
		}
		if a, c := fmt.Sprint(b.Entries()), fmt.Sprint(again.Entries()); a != c {
			t.Errorf("%s became %s", a, c)
		}
	})
}
