package find_test

import (
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
