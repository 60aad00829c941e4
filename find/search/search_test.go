package search

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// All ends when its caller stops, and with the error of the context. It goes on after a text that
// cannot be read, with what it found before.
//
// Covers: F5
func TestAll(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{"a": "http://host.dom/1 http://host.dom/2", "b.gz": "\x1F\x8B\x08\xFF", "c": "HTTP://HOST.dom:80/1 ftp://host.dom/"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	s := Search{Unique: true, Decompress: true, Stdin: func() io.Reader { return strings.NewReader("gopher://host.dom/") }}
	var got []string
	for m, err := range s.All(t.Context(), dir, "-") {
		if e, ok := errors.AsType[*TextError](err); ok {
			got = append(got, "cannot read "+filepath.Base(e.Name))
		} else if err != nil {
			t.Fatal(err)
		} else {
			got = append(got, m.URL)
		}
	}
	want := "http://host.dom/1 http://host.dom/2 cannot read b.gz ftp://host.dom/ gopher://host.dom/"
	if strings.Join(got, " ") != want {
		t.Errorf("found %q, want %q", got, want)
	}
	for m, err := range s.All(t.Context(), dir) {
		if err != nil || m.URL != "http://host.dom/1" {
			t.Errorf("%v, %v", m, err)
		}
		break
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var last error
	for _, err := range s.All(ctx, dir) {
		cancel()
		last = err
	}
	if !errors.Is(last, context.Canceled) {
		t.Errorf("after the end of the context: %v", last)
	}
}
