package client_test

import (
	"errors"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"locator"
	"locator/schemetest/peer"
)

// http.FileServer serves a tree of any scheme: whole files of any name, parts, and conditions.
//
// Covers: A12
func TestFileServer(t *testing.T) {
	t.Parallel()
	c, bases := trees(t)
	for name, base := range bases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := http.FileServer(http.FS(c.FS(t.Context(), base)))
			get := func(path string, header ...string) *httptest.ResponseRecorder {
				req := httptest.NewRequestWithContext(t.Context(), "GET", "/", nil)
				req.URL.Path = "/" + path
				for i := 0; i < len(header); i += 2 {
					req.Header.Set(header[i], header[i+1])
				}
				w := httptest.NewRecorder()
				server.ServeHTTP(w, req)
				return w
			}
			for _, f := range peer.Tree() {
				path := strings.Join(f.Path, "/")
				if !fs.ValidPath(path) || strings.HasSuffix(path, "index.html") { // FileServer redirects to the folder
					continue
				}
				if w := get(path); w.Code != 200 || w.Body.String() != f.Content {
					t.Errorf("%q: %d, %d bytes of %d", path, w.Code, w.Body.Len(), len(f.Content))
				}
			}
			big := content(t, "big.bin")
			for _, tt := range []struct{ part, want string }{
				{"bytes=0-9", big[:10]}, {"bytes=100-199", big[100:200]}, {"bytes=200000-200099", big[200000:200100]}, {"bytes=262000-", big[262000:]}, {"bytes=-5", big[len(big)-5:]},
			} {
				if w := get("big.bin", "Range", tt.part); w.Code != 206 || w.Body.String() != tt.want {
					t.Errorf("%s: %d, %d bytes of %d", tt.part, w.Code, w.Body.Len(), len(tt.want))
				}
			}
			if w := get("big.bin", "Range", "bytes=900000-"); w.Code != 416 {
				t.Errorf("a part beyond the end: %d", w.Code)
			}
		})
	}
}

// content returns a file of the common tree.
func content(t *testing.T, name string) string {
	for _, f := range peer.Tree() {
		if strings.Join(f.Path, "/") == name {
			return f.Content
		}
	}
	t.Fatalf("no %s in the tree", name)
	return ""
}

// A file that has changed since it was opened is not read on at another place. After Close it is
// not opened again.
func TestSeekChanged(t *testing.T) {
	t.Parallel()
	c, bases := trees(t)
	base := bases["file"]
	view, _ := locator.As[*locator.File](base)
	name := filepath.FromSlash("/" + strings.Join(view.Segments, "/") + "big.bin")
	for what, change := range map[string]func() error{
		"nothing": func() error { return nil },
		"time":    func() error { return os.Chtimes(name, time.Now(), time.Now()) },
		"size":    func() error { return os.Truncate(name, 150_000) },
	} {
		f, err := c.FS(t.Context(), base).Open("big.bin")
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if err := change(); err != nil {
			t.Fatal(err)
		}
		if n, err := f.(io.Seeker).Seek(100_000, io.SeekStart); n != 100_000 || err != nil {
			t.Errorf("%s: seek: %d, %v", what, n, err)
		}
		_, err = io.ReadFull(f, make([]byte, 10))
		if changed := err != nil && strings.Contains(err.Error(), "has changed"); changed != (what != "nothing") {
			t.Errorf("%s: %v", what, err)
		}
		f.Close()
		if _, err := f.(io.Seeker).Seek(0, io.SeekStart); !errors.Is(err, fs.ErrClosed) {
			t.Errorf("%s: seek after Close: %v", what, err)
		}
		if _, err := f.Read(make([]byte, 1)); !errors.Is(err, fs.ErrClosed) {
			t.Errorf("%s: read after Close: %v", what, err)
		}
	}
}

// After an access that failed, the next Read tries again.
func TestSeekAgain(t *testing.T) {
	t.Parallel()
	c, bases := trees(t)
	base := bases["file"]
	view, _ := locator.As[*locator.File](base)
	name := filepath.FromSlash("/" + strings.Join(view.Segments, "/") + "big.bin")
	f, err := c.FS(t.Context(), base).Open("big.bin")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	begin := make([]byte, 10)
	if _, err := io.ReadFull(f, begin); err != nil {
		t.Fatal(err)
	}
	if _, err := f.(io.Seeker).Seek(0, io.SeekStart); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(name, name+".away"); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := f.Read(make([]byte, 10)); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("the file is away: %v", err)
		}
	}
	if err := os.Rename(name+".away", name); err != nil {
		t.Fatal(err)
	}
	again := make([]byte, 10)
	if _, err := io.ReadFull(f, again); err != nil || string(again) != string(begin) {
		t.Errorf("the file is back: %q, %v, want %q", again, err, begin)
	}
}
