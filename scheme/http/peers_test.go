package http_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"locator"
	"locator/client"
	"locator/internal/peers"
	"locator/scheme"
)

// TestNginx reads the whole tree of an nginx server through io/fs and compares it with the files.
//
// Covers: A6, S8, S17
func TestNginx(t *testing.T) {
	t.Parallel()
	e := peers.Start(t, "nginx")
	c := web(t)
	fsys := c.FS(t.Context(), parse(t, "http://"+e.Addr(t, "nginx")+"/"))
	read := 0
	err := filepath.WalkDir(e.Tree, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(e.Tree, path)
		if err != nil {
			return err
		}
		switch top, _, _ := strings.Cut(name, "/"); {
		case top == "incoming" || top == "many" && d.Name() > "003.txt" && !d.IsDir():
			return nil // files of other tests
		case top == "private" && !d.IsDir(), d.Name() == "big.bin":
			return nil
		case d.IsDir():
			if top == "private" {
				return nil
			}
			listed(t, fsys, path, name)
			return nil
		case !fs.ValidPath(name):
			return nil // invalid in io/fs
		}
		want, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		got, err := fs.ReadFile(fsys, name)
		if err != nil || string(got) != string(want) {
			t.Errorf("%q: %.60q, %v; want %.60q", name, got, err, want)
		}
		read++
		return nil
	})
	if err != nil || read < 30 {
		t.Errorf("%d files read, %v", read, err)
	}
}

// listed compares the index of a folder with the folder.
func listed(t *testing.T, fsys fs.FS, path, name string) {
	t.Helper()
	have, err := fs.ReadDir(fsys, name)
	if err != nil {
		t.Errorf("%q: %v", name, err)
		return
	}
	want, err := os.ReadDir(path)
	if err != nil {
		t.Error(err)
		return
	}
	for _, w := range want {
		i := slices.IndexFunc(have, func(h fs.DirEntry) bool { return h.Name() == w.Name() })
		if i < 0 {
			if fs.ValidPath(w.Name()) && !strings.HasPrefix(w.Name(), ".") { // nginx hides those
				t.Errorf("%q lacks %q", name, w.Name())
			}
			continue
		}
		info, err := have[i].Info()
		real, err2 := os.Stat(filepath.Join(path, w.Name()))
		if err != nil || err2 != nil {
			t.Errorf("%q: %v, %v", w.Name(), err, err2)
			continue
		}
		if info.IsDir() != real.IsDir() || !real.IsDir() && (info.Size() != real.Size() || !info.ModTime().Equal(real.ModTime().Truncate(time.Minute))) {
			t.Errorf("%q in %q: folder %v, %d bytes, %v; want %v, %d, %v", w.Name(), name, info.IsDir(), info.Size(), info.ModTime(),
				real.IsDir(), real.Size(), real.ModTime().UTC())
		}
	}
}

// TestNginxTargets compares the request lines in the log of an nginx server with the URLs.
//
// Covers: S8, S17
func TestNginxTargets(t *testing.T) {
	t.Parallel()
	e := peers.Start(t, "nginx")
	c := web(t)
	for _, path := range []string{"//names//a%20b.txt?TestNginxTargets", "/names/../text.txt?TestNginxTargets", "/names/caf%C3%A9.txt?TestNginxTargets",
		"/names/%252F.txt?TestNginxTargets", "/text.txt?a%0D%0Ab;=&TestNginxTargets"} {
		u, err := locator.Current.Parse("http://" + e.Addr(t, "nginx") + path)
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := get(t, c, scheme.Request{URL: u}); err != nil {
			t.Errorf("%s: %v", path, err)
		}
		e.WaitLog(t, "nginx", `"GET `+path+` HTTP/1.1"`)
	}
}

// Covers: A6, A15
func TestNginxOperations(t *testing.T) {
	t.Parallel()
	e := peers.Start(t, "nginx")
	root := "http://" + e.Addr(t, "nginx")
	c := web(t, func(o *client.Options) { o.Logins = []scheme.LoginFunc{client.FixedLogin(e.User, e.Password)} })
	text, err := os.ReadFile(filepath.Join(e.Tree, "text.txt"))
	if err != nil {
		t.Fatal(err)
	}
	a, err := c.Attributes(t.Context(), scheme.Request{URL: parse(t, root+"/text.txt")}, nil)
	if err != nil || a.Attr.Size.Or(-1) != int64(len(text)) || !a.Attr.Ranges || a.Attr.ETag == "" || a.Attr.Type != "text/plain" || len(a.Attr.More) == 0 || a.Attr.More[0].Name != "Server" {
		t.Errorf("attributes %+v, %v", a, err)
	}
	for name, tt := range map[string]struct {
		o    scheme.AccessOptions
		path string
		body string
		code scheme.Code
	}{
		"range":        {o: scheme.AccessOptions{Range: scheme.Range{Offset: 5, Length: 3}}, path: "/text.txt", body: string(text[5:8])},
		"end":          {o: scheme.AccessOptions{Range: scheme.Range{Offset: int64(len(text))}}, path: "/text.txt"},
		"past the end": {o: scheme.AccessOptions{Range: scheme.Range{Offset: 1000}}, path: "/text.txt", code: scheme.CodeUsage},
		"entity tag":   {o: scheme.AccessOptions{If: scheme.Conditions{NoneMatch: a.Attr.ETag}}, path: "/text.txt"},
		"time":         {o: scheme.AccessOptions{If: scheme.Conditions{ModifiedSince: a.Attr.Modified}}, path: "/text.txt"},
		"login":        {path: "/login/text.txt", body: string(text)},
		"redirect":     {path: "/redirect", body: string(text)},
		"loop":         {path: "/loop", code: scheme.CodeLoop},
		"busy":         {path: "/busy", code: scheme.CodeUnavailable},
		"forbidden":    {path: "/private/secret.txt", code: scheme.CodeLoginNeeded},
		"missing":      {path: "/none", code: scheme.CodeNotFound},
	} {
		t.Run(name, func(t *testing.T) {
			_, body, err := get(t, c, scheme.Request{URL: parse(t, root+tt.path)}, tt.o)
			if tt.code != scheme.CodeOK {
				wantCode(t, err, tt.code)
			} else if err != nil || body != tt.body {
				t.Errorf("%q, %v; want %q", body, err, tt.body)
			}
		})
	}
	u := parse(t, root+"/incoming/TestNginxOperations%20a.txt")
	for _, content := range []string{"first\n", strings.Repeat("second\n", 20_000), ""} {
		res, err := c.Replace(t.Context(), scheme.Request{URL: u}, scheme.Body{Reader: strings.NewReader(content), Size: scheme.Known(int64(len(content)))}, nil)
		if err != nil {
			t.Fatal(err)
		}
		res.Close()
		if _, got, err := get(t, c, scheme.Request{URL: u}); err != nil || got != content {
			t.Errorf("read back %d bytes, %v; want %d", len(got), err, len(content))
		}
	}
	_, err = c.Update(t.Context(), scheme.Request{URL: u}, body("x"), nil)
	wantCode(t, err, scheme.CodeUnsupported)
	// A condition on a missing file is checked before the body is sent.
	_, err = c.Replace(t.Context(), scheme.Request{URL: parse(t, root+"/text.txt")}, body("x"), nil)
	wantCode(t, err, scheme.CodeUnsupported)
}
