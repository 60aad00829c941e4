package format

import (
	"flag"
	"os"
	"strings"
	"testing"

	"locator/find"
	"locator/internal/corpus"
)

var update = flag.Bool("update", false, "write ../testdata/scores.golden anew")

// score finds in all labelled texts, each in the format that is detected.
func score(t *testing.T, finder find.Finder, options corpus.Options, crlf bool) *corpus.Score {
	t.Helper()
	docs, err := corpus.Read(os.DirFS("../testdata/corpus"))
	if err != nil {
		t.Fatal(err)
	}
	s := new(corpus.Score)
	for _, d := range docs {
		if crlf {
			d = d.CRLF()
		}
		var found []corpus.Found
		format := Detect(d.Name, []byte(d.Text[:min(len(d.Text), HeadSize)]))
		for f, err := range format.Read(t.Context(), strings.NewReader(d.Text), Options{Finder: &finder}) {
			if err != nil {
				t.Fatalf("%s: %v", d.Name, err)
			}
			found = append(found, corpus.Found{
				Form: f.Form.String(), Offset: int(f.Offset), Length: int(f.Length), URL: f.Text(), Alternatives: f.Alternatives,
			})
			before := d.Text[:f.Offset]
			if line := 1 + strings.Count(before, "\n"); f.Position == Exact && (f.Line != line || f.Column != len(before)-strings.LastIndex(before, "\n")) {
				t.Errorf("%s: %s: line %d, column %d; want line %d", d.Name, f.URL, f.Line, f.Column, line)
			}
		}
		s.Compare(&d, found, options)
	}
	return s
}

// No score of the labelled texts falls below the recorded one. go test -v lists what is missed.
//
// Covers: F1, F2, F3, F4, F5
func TestCorpus(t *testing.T) {
	t.Parallel()
	s := score(t, find.Finder{}, corpus.Options{}, false)
	for _, m := range s.Misses {
		t.Log(m)
	}
	const golden = "../testdata/scores.golden"
	if *update {
		if err := os.WriteFile(golden, []byte(s.Table()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	recorded, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	worse, err := s.Worse(string(recorded))
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range worse {
		t.Error(w)
	}
}

// Line ends make no difference.
func TestCorpusCRLF(t *testing.T) {
	t.Parallel()
	lf, crlf := score(t, find.Finder{}, corpus.Options{}, false), score(t, find.Finder{}, corpus.Options{}, true)
	if lf.Table() == crlf.Table() {
		return
	}
	t.Errorf("with CRLF\n%s\nwith LF\n%s", crlf.Table(), lf.Table())
	for _, m := range crlf.Misses {
		t.Log(m)
	}
}

// With an option, most of the labels that it is for are found, too.
func TestCorpusOptions(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		option string
		finder find.Finder
		right  int
	}{
		{"web", find.Finder{Web: true}, 2},
		{"mail", find.Finder{Mail: true}, 30},
		{"iri", find.Finder{IRI: true}, 9},
	} {
		s := score(t, test.finder, corpus.Options{Optional: test.option}, false)
		if tally := s.Forms[test.option]; tally.Right < test.right {
			t.Errorf("%s: %+v, want at least %d right", test.option, tally, test.right)
		}
		for _, m := range s.Misses {
			if strings.Contains(m, "want "+test.option) {
				t.Log(m)
			}
		}
	}
}
