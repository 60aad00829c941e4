package client_test

import (
	"errors"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"locator"
	"locator/client"
	"locator/scheme"
	"locator/scheme/file"
	"locator/scheme/ftp"
	"locator/scheme/ftp/ftptest"
	web "locator/scheme/http"
	webtest "locator/scheme/http/httptest"
	"locator/schemetest/peer"
)

// trees returns URLs of the common tree over ftp with and without MLSD, over http and as files, and
// a client for all.
func trees(t *testing.T) (*client.Client, map[string]locator.URL) {
	t.Helper()
	bases := make(map[string]locator.URL)
	for name, opts := range map[string][]ftptest.Option{"ftp": nil, "ftp without MLSD": {ftptest.NoMLSD()}} {
		s, err := ftptest.Start(peer.Tree(), opts...)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(s.Close)
		bases[name] = s.URL("")
	}
	s, err := webtest.Start(peer.Tree())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	bases["http index"] = s.URL("")
	dir := t.TempDir()
	for _, f := range peer.Tree() {
		name := filepath.Join(append([]string{dir}, f.Path...)...)
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o777), os.WriteFile(name, []byte(f.Content), 0o666), os.Chtimes(name, f.Modified, f.Modified)); err != nil {
			t.Fatal(err)
		}
	}
	view := &locator.File{Segments: append(strings.Split(strings.Trim(filepath.ToSlash(dir), "/"), "/"), "")}
	if bases["file"], err = locator.Build(view); err != nil {
		t.Fatal(err)
	}
	c := client.New(client.Options{Registry: scheme.NewRegistry(ftp.New(), web.New("http"), file.New())})
	t.Cleanup(func() { c.Close() })
	return c, bases
}

// Covers: S19, A4, A6, A12
func TestFS(t *testing.T) {
	t.Parallel()
	c, bases := trees(t)
	var names []string
	for _, f := range peer.Tree() {
		if name := strings.Join(f.Path, "/"); fs.ValidPath(name) { // one name is not UTF-8
			names = append(names, name)
		}
	}
	for name, base := range bases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if err := fstest.TestFS(c.FS(t.Context(), base), names...); err != nil {
				t.Error(err)
			}
		})
	}
}

// Names that are invalid in io/fs are omitted. Missing files and files used as directories return
// the errors of io/fs. Large files are read whole. A walk visits everything.
func TestFSErrors(t *testing.T) {
	t.Parallel()
	c, bases := trees(t)
	if f, err := c.FS(t.Context(), locator.MustParse("mailto:a@host.dom")).Open("."); f != nil || !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("a mailbox is opened: %v, %v", f, err)
	}
	for name, base := range bases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tree := c.FS(t.Context(), base)
			for op, err := range map[string]error{
				"open":    second(tree.Open("no-such")),
				"read":    second(fs.ReadFile(tree, "no-such")),
				"stat":    second(fs.Stat(tree, "no-such")),
				"readdir": second(fs.ReadDir(tree, "no-such")),
			} {
				var p *fs.PathError
				if !errors.Is(err, fs.ErrNotExist) || !errors.As(err, &p) || p.Path != "no-such" {
					t.Errorf("%s: %v", op, err)
				}
			}
			for _, bad := range []string{"", "/", "a/", "../x", "a//b", "./a"} {
				if _, err := tree.Open(bad); !errors.Is(err, fs.ErrInvalid) {
					t.Errorf("open %q: %v", bad, err)
				}
			}
			if _, err := fs.ReadDir(tree, "text.txt"); err == nil {
				t.Error("a file is listed")
			}
			if _, err := fs.ReadFile(tree, "etc"); err == nil {
				t.Error("a directory is read")
			}
			if b, err := fs.ReadFile(tree, "big.bin"); err != nil || len(b) != 256<<10 {
				t.Errorf("%d bytes, %v", len(b), err)
			}
			n := 0
			if err := fs.WalkDir(tree, ".", func(path string, d fs.DirEntry, err error) error {
				if err == nil && !d.IsDir() {
					n++
				}
				return err
			}); err != nil || n != len(peer.Tree())-1 {
				t.Errorf("the walk visited %d files, %v", n, err)
			}
		})
	}
	opaque := c.FS(t.Context(), parse(t, "gopher://h/"))
	if _, err := c.FS(t.Context(), locator.URL{}).Open("x"); client.CodeOf(err) != scheme.CodeUsage || !strings.Contains(err.Error(), "no URL") {
		t.Errorf("the zero URL: %v", err)
	}
	if _, err := c.FS(t.Context(), locator.MustParse("gopher://h/1")).Open("x"); !errors.Is(err, errors.ErrUnsupported) || !strings.Contains(err.Error(), "gopher have no directories") {
		t.Errorf("gopher: %v", err)
	}
	if _, err := opaque.Open("x"); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("gopher is not hierarchical: %v", err)
	}
}

func second[T any](_ T, err error) error { return err }

// A plain http.Client can use every scheme.
//
// Covers: A4, A6, A12
func TestRoundTripper(t *testing.T) {
	t.Parallel()
	c, bases := trees(t)
	plain := &http.Client{Transport: c.Transport()}
	for name, base := range bases {
		do := func(method, path, body string, header ...string) (*http.Response, string) {
			t.Helper()
			req, err := http.NewRequestWithContext(t.Context(), method, base.Text()+path, strings.NewReader(body))
			if err != nil {
				t.Fatal(err)
			}
			for _, h := range header {
				k, v, _ := strings.Cut(h, ": ")
				req.Header.Set(k, v)
			}
			res, err := plain.Do(req)
			if err != nil {
				t.Errorf("%s: %s %s: %v", name, method, path, err)
				return &http.Response{}, ""
			}
			defer res.Body.Close()
			b, err := io.ReadAll(res.Body)
			if err != nil {
				t.Errorf("%s: %s %s: %v", name, method, path, err)
			}
			return res, string(b)
		}
		if res, body := do("GET", "etc/motd", ""); res.StatusCode != 200 || body != motd {
			t.Errorf("%s: %d %q", name, res.StatusCode, body)
		}
		if res, body := do("GET", "bytes.bin", "", "Range: bytes=4090-"); res.StatusCode != 206 || len(body) != 6 || res.Header.Get("Content-Range") != "bytes 4090-4095/4096" {
			t.Errorf("%s: a part: %d %q %q", name, res.StatusCode, body, res.Header)
		}
		if res, _ := do("HEAD", "etc/motd", ""); res.StatusCode != 200 || res.ContentLength != int64(len(motd)) || res.Header.Get("Last-Modified") == "" {
			t.Errorf("%s: HEAD: %d %d %q", name, res.StatusCode, res.ContentLength, res.Header)
		}
		if res, _ := do("GET", "no-such", ""); res.StatusCode != 404 {
			t.Errorf("%s: nothing there: %d", name, res.StatusCode)
		}
		if res, _ := do("GET", "etc/motd", "", "If-Modified-Since: Fri, 02 Dec 1994 00:00:00 GMT"); res.StatusCode != 304 {
			t.Errorf("%s: a condition: %d", name, res.StatusCode)
		}
		if strings.HasPrefix(name, "ftp") { // anonymous users may not write
			continue
		}
		if res, _ := do("PUT", "new.txt", "new"); res.StatusCode/100 != 2 {
			t.Errorf("%s: PUT: %d", name, res.StatusCode)
		}
		if _, body := do("GET", "new.txt", ""); body != "new" {
			t.Errorf("%s: after PUT: %q", name, body)
		}
	}
}
