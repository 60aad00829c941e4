package ftp_test

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"locator/client"
	"locator/scheme"
	"locator/scheme/ftp/ftptest"
)

// TestUpload stores a file on servers with various behaviours. Whatever goes wrong, the final name
// never has an incomplete file, and no temporary file remains.
//
// Covers: A4, A15
func TestUpload(t *testing.T) {
	t.Parallel()
	broken := errors.New("the disk is broken")
	for _, c := range []struct {
		what string
		opts []ftptest.Option
		path []string
		body io.Reader
		size scheme.Count
		want string // "" for an error
		left string // names in the directory afterwards
		code scheme.Code
	}{
		{what: "new", path: []string{"etc", "n"}, body: strings.NewReader("abc"), size: scheme.Known(3), want: "abc", left: "motd n"},
		{what: "new, size unknown", path: []string{"etc", "n"}, body: strings.NewReader("abc"), want: "abc", left: "motd n"},
		{what: "old", path: []string{"etc", "motd"}, body: strings.NewReader("abc"), size: scheme.Known(3), want: "abc", left: "motd"},
		{what: "old, no overwriting", opts: []ftptest.Option{ftptest.NoOverwrite()}, path: []string{"etc", "motd"}, body: strings.NewReader("abc"), size: scheme.Known(3), want: "abc", left: "motd"},
		{what: "new, no renaming", opts: []ftptest.Option{ftptest.NoRename()}, path: []string{"etc", "n"}, body: strings.NewReader("abc"), size: scheme.Known(3), want: "abc", left: "motd n"},
		{what: "old, no renaming", opts: []ftptest.Option{ftptest.NoRename()}, path: []string{"etc", "motd"}, body: strings.NewReader("abc"), size: scheme.Known(3), left: "motd", code: scheme.CodeLoginNeeded},
		{what: "body breaks", path: []string{"etc", "motd"}, body: io.MultiReader(strings.NewReader("ab"), errReader{broken}), size: scheme.Known(9), left: "motd", code: scheme.CodeLocal},
		{what: "body is short", path: []string{"etc", "n"}, body: strings.NewReader("ab"), size: scheme.Known(9), left: "motd", code: scheme.CodeLocal},
		{what: "no directory", path: []string{"nosuch", "n"}, body: strings.NewReader("ab"), size: scheme.Known(2), left: "motd", code: scheme.CodeNotFound},
		{what: "a directory", path: []string{"etc"}, body: strings.NewReader("ab"), size: scheme.Known(2), left: "motd", code: scheme.CodeLoginNeeded},
	} {
		t.Run(c.what, func(t *testing.T) {
			t.Parallel()
			s := start(t, c.opts...)
			before, _ := s.File(c.path...)
			res, err := newClient(t).Replace(t.Context(), scheme.Request{URL: s.URL(c.path...)}, scheme.Body{Reader: c.body, Size: c.size}, nil)
			if client.CodeOf(err) != c.code {
				t.Fatalf("%v, want code %v", err, c.code)
			}
			want := c.want
			if err == nil {
				res.Close()
			} else {
				want = string(before)
			}
			if got, _ := s.File(c.path...); string(got) != want {
				t.Errorf("stored %q, want %q", got, want)
			}
			if got := strings.Join(s.Names("etc"), " "); got != c.left {
				t.Errorf("left %q, want %q", got, c.left)
			}
		})
	}
}

// TestCancelUpload cancels an upload with its context. The client then deletes the incomplete file
// if the server allows that.
//
// Covers: A15
func TestCancelUpload(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		path []string
		opts []ftptest.Option
		left []string
		says string
	}{
		{"beside the old file", []string{"etc", "motd"}, nil, []string{"motd"}, "nothing is left behind"},
		{"beside nothing", []string{"etc", "new"}, nil, []string{"motd"}, "nothing is left behind"},
		{"in its place", []string{"etc", "new"}, []ftptest.Option{ftptest.NoRename()}, []string{"motd", "new"}, `an incomplete file "new" may remain on the server`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := start(t, tt.opts...)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			r, w := io.Pipe()
			defer w.Close()
			c := newClient(t)
			done := make(chan error, 1)
			go func() {
				_, err := c.Replace(ctx, scheme.Request{URL: s.URL(tt.path...)}, scheme.Body{Reader: r}, nil)
				done <- err
			}()
			// The client reads the body after the first reply of the server, and again after it has
			// sent the first half.
			for _, part := range []string{"half", "more"} {
				if _, err := w.Write([]byte(part)); err != nil {
					t.Fatal(err)
				}
			}
			cancel() // the body has not ended yet
			err := <-done
			if client.CodeOf(err) != scheme.CodeInterrupted || !errors.Is(err, context.Canceled) || !strings.HasSuffix(err.Error(), "; "+tt.says) {
				t.Errorf("got %v, want an error that ends in %q", err, tt.says)
			}
			if got := s.Names("etc"); !slices.Equal(got, tt.left) {
				t.Errorf("the folder has %q, want %q", got, tt.left)
			}
			if got, _ := s.File("etc", "motd"); string(got) != "the file of RFC 1738 3.2.2\n" {
				t.Errorf("the old file is %q", got)
			}
		})
	}
}
