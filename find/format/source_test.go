package format_test

import (
	"context"
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"

	"locator/find"
	"locator/find/format"
)

// The end of the context ends the reading of a source without end, in every format and in another
// charset.
//
// Covers: F4
func TestCancelled(t *testing.T) {
	t.Parallel()
	for _, f := range format.All() {
		if f.Name() == "pdf" { // another program reads it
			continue
		}
		for _, begin := range []string{"", "\xff\xfe"} {
			ctx, cancel := context.WithCancel(t.Context())
			last := error(nil)
			text := &repeated{text: strings.Repeat(" \"http://h.example/a\"\n\n", 100), n: 200}
			r := io.MultiReader(strings.NewReader(begin), text)
			in := readFunc(func(p []byte) (int, error) {
				if text.n < 190 {
					cancel()
				}
				return r.Read(p)
			})
			for _, err := range f.Read(ctx, in, format.Options{}) {
				last = err
			}
			cancel()
			if !errors.Is(last, context.Canceled) || text.n < 100 {
				t.Errorf("%s: error %v, and %d pieces were not read", f.Name(), last, text.n)
			}
		}
	}
}

// Without lines, everything else is the same.
func TestNoLines(t *testing.T) {
	t.Parallel()
	const html = "<p>\n<a href='http://host/a'>x</a> &lt;URL:http://host/\nb&gt;"
	all := func(f *find.Finder) (list []format.Find) {
		for u, err := range format.Lookup("html").Read(t.Context(), strings.NewReader(html), format.Options{Finder: f}) {
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, u)
		}
		return list
	}
	want := all(nil)
	for i := range want {
		if want[i].Line == 0 {
			t.Errorf("%s: no line", want[i].URL)
		}
		want[i].Line, want[i].Column = 0, 0
	}
	if got := all(&find.Finder{NoLines: true}); len(got) != 2 || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
