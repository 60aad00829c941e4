package corpus

import (
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

func TestRead(t *testing.T) {
	t.Parallel()
	docs, err := Read(fstest.MapFS{"README.md": {Data: []byte("⟦")}, "mail-a.txt": {Data: []byte(
		"␌é ⟦wrapped¦<URL:http://a/b>⟧\n⟦angled¦<http://a/\n b-\n c>¦http://a/b-c¦http://a/bc⟧ ⟦not¦x:y⟧ ⟦web¦www.a⟧")}})
	if err != nil {
		t.Fatal(err)
	}
	d := docs[0]
	if d.Name != "mail-a.txt" || d.Kind != "mail" || d.Text != "\fé <URL:http://a/b>\n<http://a/\n b-\n c> x:y www.a" {
		t.Errorf("got %+v", d)
	}
	want := []Label{
		{Form: "wrapped", Offset: 4, Length: 16, Line: 1, URL: "http://a/b"},
		{Form: "angled", Offset: 21, Length: 18, Line: 2, URL: "http://a/b-c", Alternatives: []string{"http://a/bc"}},
		{Form: "not", Offset: 40, Length: 3, Line: 4, URL: "x:y"},
		{Form: "web", Offset: 44, Length: 5, Line: 4, URL: "http://www.a"},
	}
	if !slices.EqualFunc(d.Labels, want, func(a, b Label) bool {
		same := slices.Equal(a.Alternatives, b.Alternatives)
		return same && a.Form == b.Form && a.Offset == b.Offset && a.Length == b.Length && a.Line == b.Line && a.URL == b.URL
	}) {
		t.Errorf("got  %+v\nwant %+v", d.Labels, want)
	}
	for _, bad := range []string{"⟦", "⟧", "¦", "⟦bare⟧", "⟦bare¦⟧", "⟦other¦x⟧", "⟦not¦x¦y⟧", "⟦bare¦http://a/ b⟧", "⟦bare¦⟦bare¦x⟧⟧", "⟦bare~¦x⟧"} {
		if _, err := parse("mail-a.txt", "\n"+bad); err == nil || !strings.Contains(err.Error(), "mail-a.txt:2: ") {
			t.Errorf("%s: got %v, want an error with the line", bad, err)
		}
	}
	if _, err := Read(fstest.MapFS{"a.txt": {}}); err == nil {
		t.Error("no error for a name without a kind")
	}
}

// Each way to be wrong lowers the right number.
func TestCompare(t *testing.T) {
	t.Parallel()
	d, err := parse("mail-a.txt", "⟦wrapped¦<URL:http://a/b>⟧ ⟦bare¦http://c⟧ ⟦not¦x:y⟧ ⟦any¦irc:z⟧ ⟦mail¦m@n⟧ ⟦bare~¦aHR0cDovL2Q=¦http://d⟧")
	if err != nil {
		t.Fatal(err)
	}
	at := func(i int) (int, int) { return d.Labels[i].Offset, d.Labels[i].Length }
	find := func(i int, form, url string) Found {
		offset, length := at(i)
		return Found{Form: form, Offset: offset, Length: length, URL: url}
	}
	wrapper, bare := find(0, "wrapped", "http://a/b"), find(1, "bare", "http://c")
	inside := Found{Offset: 5, Length: 10, URL: "http://a/b"}
	for _, test := range []struct {
		name    string
		found   []Found
		options Options
		want    Tally
	}{
		{"nothing", nil, Options{}, Tally{3, 0, 0}},
		{"right", []Found{wrapper, bare, find(5, "bare", "http://d")}, Options{}, Tally{3, 3, 3}},
		{"region", []Found{{Form: "bare", Offset: d.Labels[5].Offset + 4, Length: 3, URL: "http://d"}}, Options{}, Tally{3, 1, 1}},
		{"twice", []Found{wrapper, wrapper}, Options{}, Tally{3, 2, 1}},
		{"form", []Found{find(0, "angled", "http://a/b")}, Options{}, Tally{3, 1, 0}},
		{"url", []Found{find(1, "bare", "http://c/")}, Options{}, Tally{3, 1, 0}},
		{"span", []Found{inside}, Options{}, Tally{3, 1, 0}},
		{"lenient span", []Found{inside}, Options{Lenient: true}, Tally{3, 1, 1}},
		{"alternatives", []Found{{Form: "bare", Offset: bare.Offset, Length: bare.Length, URL: bare.URL, Alternatives: []string{"x"}}}, Options{}, Tally{3, 1, 0}},
		{"not", []Found{find(2, "bare", "x:y")}, Options{}, Tally{3, 1, 0}},
		{"outside", []Found{{Form: "bare", Offset: len(d.Text) - 1, Length: 1}}, Options{}, Tally{3, 1, 0}},
		{"any and mail", []Found{find(3, "bare", "irc:z"), find(4, "bare", "mailto:m@n")}, Options{}, Tally{3, 0, 0}},
		{"option mail", []Found{find(4, "bare", "mailto:m@n")}, Options{Optional: "mail"}, Tally{4, 1, 1}},
	} {
		var s Score
		s.Compare(&d, test.found, test.options)
		if s.All != test.want || s.Kinds["mail"] != test.want {
			t.Errorf("%s: got %+v of all and %+v of the kind, want %+v", test.name, s.All, s.Kinds["mail"], test.want)
		}
		if complete := s.All.Right == s.All.Labels && s.All.Right == s.All.Found; complete != (len(s.Misses) == 0) {
			t.Errorf("%s: misses %q", test.name, s.Misses)
		}
	}
	if r := (Tally{Labels: 4, Found: 2, Right: 1}); r.Precision() != 0.5 || r.Recall() != 0.25 || r.F1() != 1.0/3 {
		t.Errorf("precision %v, recall %v, F1 %v", r.Precision(), r.Recall(), r.F1())
	}
}

// The corpus is large enough in every respect.
func TestCensus(t *testing.T) {
	t.Parallel()
	docs, err := Read(os.DirFS("../../find/testdata/corpus"))
	if err != nil {
		t.Fatal(err)
	}
	schemes, forms, kinds := make(map[string]int), make(map[string]int), make(map[string]int)
	total := 0
	for _, d := range docs {
		for _, l := range d.Labels {
			forms[l.Form]++
			if !l.counts(Options{}) {
				continue
			}
			total++
			kinds[d.Kind]++
			if scheme, _, ok := strings.Cut(strings.ToLower(l.URL), ":"); ok {
				schemes[scheme]++
			}
		}
	}
	t.Log(total, forms, kinds, schemes)
	if total < 600 || forms["not"] < 200 {
		t.Errorf("%d places of URLs, %d of none", total, forms["not"])
	}
	least := func(counts map[string]int, least int, names string) {
		for _, name := range strings.Fields(names) {
			if counts[name] < least {
				t.Errorf("%s: %d places, want %d", name, counts[name], least)
			}
		}
	}
	least(schemes, 20, "ftp http gopher mailto news nntp telnet wais file prospero")
	least(forms, 40, "wrapped prefixed angled bare attr")
	least(kinds, 30, "prose mail mbox paged markdown html markup code data cjk usenet chat")
	if len(kinds) != 12 {
		t.Errorf("other kinds: %v", kinds)
	}
}

func TestWorse(t *testing.T) {
	t.Parallel()
	d, err := parse("mail-a.txt", "⟦bare¦http://a⟧ ⟦bare¦http://b⟧")
	if err != nil {
		t.Fatal(err)
	}
	var s Score
	s.Compare(&d, []Found{{Form: "bare", Length: 8, URL: "http://a"}}, Options{})
	if worse, err := s.Worse(s.Table()); err != nil || worse != nil {
		t.Errorf("worse than itself: %q, %v", worse, err)
	}
	for _, recorded := range []string{
		"all 2 2 2\nform bare 2 1 1\ntext mail 2 1 1\n", // one find more
		"all 3 1 1\nform bare 2 1 1\ntext mail 2 1 1\n", // another corpus
		"all 2 1 1\nform bare 2 1 1\n",
		s.Table() + "text chat 2 1 1\n",
	} {
		if worse, err := s.Worse(recorded); err != nil || len(worse) != 1 {
			t.Errorf("%s: got %q, %v, want one line", recorded, worse, err)
		}
	}
	for _, bad := range []string{"all 1 1\n", "all 1 x 1\n"} {
		if _, err := s.Worse(bad); err == nil {
			t.Errorf("no error for %q", bad)
		}
	}
}
