package find_test

import (
	"flag"
	"os"
	"slices"
	"testing"

	"locator/find"
	"locator/internal/corpus"
)

var update = flag.Bool("update", false, "write testdata/scores.golden anew")

// The labelled texts that need no format are scored as plain text. go test -v lists what is missed.
//
// Covers: F1, F2, F3, F4
func TestCorpus(t *testing.T) {
	t.Parallel()
	docs, err := corpus.Read(os.DirFS("testdata/corpus"))
	if err != nil {
		t.Fatal(err)
	}
	var s corpus.Score
	for _, d := range docs {
		if !slices.Contains([]string{"prose", "cjk", "chat", "usenet", "code"}, d.Kind) {
			continue
		}
		var found []corpus.Found
		for f := range new(find.Finder).All(d.Text) {
			found = append(found, corpus.Found{
				Form: f.Form.String(), Offset: int(f.Offset), Length: int(f.Length), URL: f.Text(), Alternatives: f.Alternatives,
			})
		}
		s.Compare(&d, found, corpus.Options{})
	}
	for _, m := range s.Misses {
		t.Log(m)
	}
	const golden = "testdata/scores.golden"
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
