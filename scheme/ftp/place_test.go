package ftp

import (
	"testing"
)

// Covers: A3
func TestGuessType(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]byte{
		"a.txt": ascii, "A.TXT": ascii, "page.Html": ascii, "x.tar.gz": image, "README": image, "": image, ".": image, ".txt": ascii,
		"x.bin": image, "no.suchsuffix": image, "mail.eml": ascii, "x.json": image, "x.txt.gif": image,
	} {
		if got := guessType(name); got != want {
			t.Errorf("%q: TYPE %c, want %c", name, got, want)
		}
	}
}
