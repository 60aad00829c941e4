package ftp

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// The temporary name of an upload ends a long name between two characters.
func TestTemporary(t *testing.T) {
	t.Parallel()
	name := temporary("x" + strings.Repeat("é", 150))
	if !utf8.ValidString(name) || len(name) > 255 || !strings.HasPrefix(name, "x"+strings.Repeat("é", 99)+".") {
		t.Errorf("%q, %d bytes", name, len(name))
	}
}
