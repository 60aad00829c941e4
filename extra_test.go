package locator

import (
	"errors"
	"testing"
)

// What RFC1738 reads as another scheme has the parts and the view that Current gives it, and the same text.
//
// Covers: S21b
func TestReadExtra(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"ftps://u:p@h:990/a%2Fb/c;type=i", "FTPS://h", "gophers://h/0a%20b", "Gophers://h:7070/7a%09b",
		"ftp://h/a;type=i", "gopher://h/1a", "x-other:a", "https://h/a", "mailto:a@b", "nfs:a", // these stay as they are
	} {
		for _, p := range []*Parser{RFC1738, Current} {
			u, err := p.Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			want := u
			if name := u.Scheme(); name == "ftps" || name == "gophers" {
				if want, err = Current.Parse(text); err != nil {
					t.Fatal(err)
				}
			}
			if got, err := ReadExtra(u); err != nil || got != want {
				t.Errorf("%s, read by %s: %#v with the parts %v, %v; want %v", text, p.Name(), got, got.Parts(), err, want.Parts())
			}
		}
	}
	for text, offset := range map[string]int{"ftps:h": 5, "ftps://h/;x": 10, "gophers://u@h/1": 11} {
		u, err := RFC1738.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		var bad *SyntaxError
		if got, err := ReadExtra(u); !errors.As(err, &bad) || bad.Offset != offset || !got.IsZero() {
			t.Errorf("%s: %#v, %v; want an error at %d", text, got, err, offset)
		}
	}
	if got, err := ReadExtra(URL{}); err != nil || !got.IsZero() {
		t.Errorf("no URL: %#v, %v", got, err)
	}
}
