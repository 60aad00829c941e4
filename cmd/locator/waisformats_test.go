package main

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"locator/scheme/wais/waisserver"
	"locator/scheme/wais/waistest"
)

// TestFormats gets the URL that list prints for each format of a document. The server tells the length of one of them.
//
// Covers: A11
func TestFormats(t *testing.T) {
	t.Parallel()
	text := "A heron stood in the marsh.\n"
	for _, ps := range []string{"%!PS heron\n", "%!PS heron\n" + strings.Repeat("% a line\n", 500)} {
		db, err := waisserver.NewDatabase("papers", []waisserver.File{waisserver.Memory("heron.txt", text, time.Time{}), waisserver.Memory("heron.ps", ps, time.Time{})})
		if err != nil {
			t.Fatal(err)
		}
		s, err := waistest.Start(nil, waistest.With(db))
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		locator := func(args ...string) string {
			var out, messages bytes.Buffer
			if status := run(t.Context(), args, world{In: strings.NewReader(""), Out: &out, Err: &messages, Getenv: func(string) string { return "" }}); status != 0 || messages.Len() > 0 {
				t.Errorf("%q: %d, %s", args, status, messages.String())
			}
			return strings.TrimSuffix(out.String(), "\n")
		}
		for accept, want := range map[string]string{"application/postscript": ps, "text/plain": text} {
			url := locator("list", "--item", "1", "--accept", accept, s.SearchURL("papers", "heron").Text())
			if got := locator("get", url); got+"\n" != want {
				t.Errorf("%s: %d bytes of %d", url, len(got), len(want))
			}
		}
	}
}
