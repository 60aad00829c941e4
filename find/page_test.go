package find_test

import (
	"strings"
	"testing"

	"locator/find"
)

// A text may end with a page inside a wrapper.
//
// Covers: F1
func TestTextEndsWithPage(t *testing.T) {
	for _, text := range []string{"<URL:\n[Page ]", "<URL:http://host/\n[Page 7]", "<URL:http://host/\n[Page 7]\n\f\nRFC 1738"} {
		for u := range (&find.Finder{}).All(text) {
			if u.Form == find.Wrapped {
				t.Errorf("%q has the wrapped URL %q", text, u.URL)
			}
		}
	}
}

// A line after a page break is no header if it is too long for one.
//
// Covers: F1
func TestNoHeader(t *testing.T) {
	long := strings.Repeat("a", 200)
	for u := range new(find.Finder).All("<URL:http://host/\n[Page 7]\n\f\n" + long + "\nb>") {
		if u.URL != "http://host/"+long+"b" {
			t.Errorf("got %q", u.URL)
		}
	}
}
