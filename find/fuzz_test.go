package find

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"locator"
	"locator/internal/bnf"
)

func seed(f *testing.F, add func(text string)) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 100 {
		add(randomText(r, 20))
	}
	for _, s := range []string{"", "<<<<<<", "::::::", "http:http:http:", "((((", "<URL:http://h/\n> b>", "<URL:http://h/\n\n[Page 1]\n\fRFC\n\nb>"} {
		add(s)
	}
}

// checkAll checks what holds for every text.
func checkAll(t *testing.T, f *Finder, text string) {
	t.Helper()
	end := int64(0)
	for u := range f.All(text) {
		if u.Offset < end || u.Length <= 0 || u.Offset+u.Length > int64(len(text)) || u.Form < Wrapped || u.Form > Bare {
			t.Fatalf("%q: %+v is out of place", text, u)
		}
		before := text[:u.Offset]
		if u.Line != strings.Count(before, "\n")+1 || u.Column != len(before)-strings.LastIndexByte(before, '\n') {
			t.Fatalf("%q: %+v is not at that line and column", text, u)
		}
		end = u.Offset + u.Length
		form := text[u.Offset:end]
		switch _, err := locator.Current.Parse(u.Text()); {
		case u.Form == Wrapped && !u.TooLong:
			if form[0] != '<' || form[len(form)-1] != '>' {
				t.Fatalf("%q: %+v", text, u)
			}
		case err != nil:
			t.Fatalf("%q: %+v is no URL: %v", text, u, err)
		case u.Form != Angled && !u.TooLong && !strings.HasSuffix(unescaped(u, form), strings.TrimPrefix(strings.TrimPrefix(unescaped(u, u.Text()), "http://"), "mailto:")):
			t.Fatalf("%q: the text of %+v is %q", text, u, form)
		}
		if int(u.Length) > f.withDefaults().MaxWrapper+len("<URL: >")+maxGap {
			t.Fatalf("%q: %+v is too long", text, u)
		}
	}
}

// unescaped returns a text without the escapes that a repaired find may have.
func unescaped(u Find, text string) string {
	if !u.Repaired {
		return text
	}
	return strings.NewReplacer("%5B", "[", "%5D", "]", "%7B", "{", "%7D", "}", "%23", "#").Replace(text)
}

func FuzzAll(f *testing.F) {
	seed(f, func(text string) { f.Add(text, true, true, true, 0) })
	f.Fuzz(func(t *testing.T, text string, iri, web, mail bool, most int) {
		checkAll(t, &Finder{IRI: iri, Web: web, Mail: mail, MaxWrapper: most}, text)
	})
}

// checkSplit checks that the pieces are the text, and that they are those of All.
func checkSplit(t *testing.T, f *Finder, text string) {
	t.Helper()
	var b strings.Builder
	var found []string
	for p := range f.Split(text) {
		if p.Text == "" || p.IsURL != (p.Find.Form != 0) || p.IsURL && int(p.Find.Offset) != b.Len() {
			t.Fatalf("%q: piece %+v", text, p)
		}
		b.WriteString(p.Text)
		if p.IsURL {
			found = append(found, p.Find.Text())
		}
	}
	var want []string
	for u := range f.All(text) {
		want = append(want, u.Text())
	}
	if b.String() != text || !slices.Equal(found, want) {
		t.Fatalf("the pieces of %q are %q with %q, want %q", text, b.String(), found, want)
	}
}

func TestSplit(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(9, 10))
	for range 3000 {
		f, text := randomFinder(r), randomText(r, 30)
		checkSplit(t, f, text)
		checkAll(t, f, text)
		for range f.Split(text) {
			break
		}
	}
}

func FuzzSplit(f *testing.F) {
	seed(f, func(text string) { f.Add(text) })
	f.Fuzz(func(t *testing.T, text string) { checkSplit(t, &Finder{Web: true, Mail: true}, text) })
}

func FuzzRead(f *testing.F) {
	seed(f, func(text string) { f.Add(text, 3, uint16(1), uint16(0), 0) })
	f.Fuzz(func(t *testing.T, text string, options int, size, blanks uint16, most int) {
		finder := &Finder{IRI: options&1 != 0, Web: options&2 != 0, Mail: options&4 != 0, MaxWrapper: most}
		text = strings.Repeat("\n", int(blanks)*2) + text
		r := rand.New(rand.NewPCG(uint64(size), 1))
		checkRead(t, finder, text, &chunks{text, 1 + int(size), r})
	})
}

func FuzzWrap(f *testing.F) {
	r := rand.New(rand.NewPCG(11, 12))
	for i := range 100 {
		schemes := bnf.Schemes()
		f.Add(bnf.RFC1738().Generate(bnf.RuleOf(schemes[i%len(schemes)]), r, 40), 1+r.IntN(80))
	}
	f.Fuzz(func(t *testing.T, text string, width int) {
		if u, err := locator.Current.Parse(text); err == nil {
			checkWrap(t, u, width)
		}
	})
}
