package file_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"locator"
	"locator/client"
	"locator/scheme"
	"locator/scheme/file"
)

func disk(t *testing.T, change ...func(*client.Options)) *client.Client {
	t.Helper()
	o := client.Options{Registry: scheme.NewRegistry(file.New())}
	for _, f := range change {
		f(&o)
	}
	c := client.New(o)
	t.Cleanup(func() { c.Close() })
	return c
}

// at returns the URL of a local path.
func at(t *testing.T, path string) locator.URL {
	t.Helper()
	path = strings.TrimPrefix(filepath.ToSlash(path), "/")
	u, err := locator.Build(&locator.File{Segments: strings.Split(path, "/")})
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func write(t *testing.T, path, content string) string {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func get(t *testing.T, c *client.Client, r scheme.Request, o ...scheme.AccessOptions) (*scheme.Resource, string, error) {
	t.Helper()
	o = append(o, scheme.AccessOptions{})
	res, err := c.Access(t.Context(), r, &o[0])
	if err != nil {
		return nil, "", err
	}
	defer res.Close()
	if res.Kind != scheme.KindObject || res.NotModified {
		return res, "", nil
	}
	b, err := io.ReadAll(res.Body)
	return res, string(b), err
}

func wantCode(t *testing.T, err error, want scheme.Code) {
	t.Helper()
	if err == nil {
		t.Fatalf("no error, want code %v", want)
	}
	if got := client.CodeOf(err); got != want {
		t.Errorf("code %v, want %v: %v", got, want, err)
	}
	if strings.ContainsFunc(err.Error(), func(r rune) bool { return r < ' ' || r > '~' }) {
		t.Errorf("the error is not safe to show: %q", err)
	}
}

// Covers: A12, T153
func TestHosts(t *testing.T) {
	t.Parallel()
	path := write(t, filepath.Join(t.TempDir(), "a.txt"), "text")
	part := strings.TrimPrefix(at(t, path).Text(), "file://")
	c := disk(t, func(o *client.Options) { o.Settings = []any{file.Settings{Hostnames: []string{"Desk.example"}}} })
	for host, mine := range map[string]bool{"": true, "localhost": true, "LOCALHOST": true, "desk.example": true, "desk": false,
		"elsewhere.example": false, "127.0.0.1": false} {
		u, err := locator.Current.Parse("file://" + host + part)
		if err != nil {
			t.Fatal(err)
		}
		_, body, err := get(t, c, scheme.Request{URL: u})
		if mine {
			if err != nil || body != "text" {
				t.Errorf("%q: %q, %v", host, body, err)
			}
			continue
		}
		wantCode(t, err, scheme.CodeRefused)
		if !strings.Contains(err.Error(), "host "+host+",") {
			t.Errorf("the error does not name the host %s: %v", host, err)
		}
	}
}

// Covers: A12, P6, T156
func TestErrors(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := write(t, filepath.Join(dir, "a.txt"), "text")
	if err := os.Symlink("loop", filepath.Join(dir, "loop")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("nowhere", filepath.Join(dir, "dangling")); err != nil {
		t.Fatal(err)
	}
	c := disk(t)
	for _, tt := range []struct {
		path string
		code scheme.Code
	}{
		{dir + "/none", scheme.CodeNotFound},
		{dir + "/none/none", scheme.CodeNotFound},
		{dir + "/no\x1b[31m\nne", scheme.CodeNotFound},
		{path + "/", scheme.CodeNotFound},
		{path + "/x", scheme.CodeNotFound},
		{dir + "/dangling", scheme.CodeNotFound},
		{dir + "/" + strings.Repeat("x", 5000), scheme.CodeNotFound},
		{dir + "/loop", scheme.CodeLocal},
	} {
		u := at(t, tt.path)
		_, _, err := get(t, c, scheme.Request{URL: u})
		wantCode(t, err, tt.code)
		if (tt.code == scheme.CodeNotFound) != errors.Is(err, fs.ErrNotExist) {
			t.Errorf("errors.Is(%v, fs.ErrNotExist) is wrong", err)
		}
		_, err = c.Attributes(t.Context(), scheme.Request{URL: u}, nil)
		wantCode(t, err, tt.code)
		for _, err := range client.Entries(c.List(t.Context(), scheme.Request{URL: u}, nil)) {
			wantCode(t, err, tt.code)
		}
	}
	name := "größe \x1b[31m\u202e\xff" // the text shows what can be printed, and escapes the rest
	_, _, err := get(t, c, scheme.Request{URL: at(t, dir+"/"+name)})
	if want := `größe \x1b[31m\xe2\x80\xae\xff`; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v; want %s", err, want)
	}
	for _, err := range client.Entries(c.List(t.Context(), scheme.Request{URL: at(t, path)}, nil)) {
		wantCode(t, err, scheme.CodeUnsupported)
	}
	for _, text := range []string{"file:///etc%2Fmotd", "file:///etc/motd%00", "file:///%2F"} {
		_, _, err := get(t, disk(t), scheme.Request{URL: locator.MustParse(text)})
		wantCode(t, err, scheme.CodeRefused)
	}
}

// Covers: A12
func TestRange(t *testing.T) {
	t.Parallel()
	u := at(t, write(t, filepath.Join(t.TempDir(), "a.txt"), "0123456789"))
	c := disk(t)
	for _, tt := range []struct {
		ask, get scheme.Range
		body     string
		code     scheme.Code
	}{
		{scheme.Range{Offset: 3, Length: 2}, scheme.Range{Offset: 3, Length: 2}, "34", scheme.CodeOK},
		{scheme.Range{Offset: 3}, scheme.Range{Offset: 3, Length: 7}, "3456789", scheme.CodeOK},
		{scheme.Range{Length: 4}, scheme.Range{Length: 4}, "0123", scheme.CodeOK},
		{scheme.Range{Offset: 8, Length: 100}, scheme.Range{Offset: 8, Length: 2}, "89", scheme.CodeOK},
		{scheme.Range{Offset: 10}, scheme.Range{Offset: 10}, "", scheme.CodeOK},
		{scheme.Range{Offset: 11}, scheme.Range{}, "", scheme.CodeUsage},
		{scheme.Range{Offset: -1}, scheme.Range{}, "", scheme.CodeUsage},
		{scheme.Range{Offset: 1, Length: -1}, scheme.Range{}, "", scheme.CodeUsage},
	} {
		res, body, err := get(t, c, scheme.Request{URL: u}, scheme.AccessOptions{Range: tt.ask})
		if tt.code != scheme.CodeOK {
			wantCode(t, err, tt.code)
			continue
		}
		if err != nil || body != tt.body || res.Range != tt.get || res.Attr.Size != scheme.Known(10) {
			t.Errorf("%+v: %q, %+v, %v", tt.ask, body, res, err)
		}
	}
}

// Covers: A12, A15
func TestAttributesAndConditions(t *testing.T) {
	t.Parallel()
	path := write(t, filepath.Join(t.TempDir(), "a.html"), "text")
	modified := time.Date(1994, 12, 1, 10, 20, 30, 999, time.UTC)
	if err := os.Chtimes(path, modified, modified); err != nil {
		t.Fatal(err)
	}
	c := disk(t)
	u := at(t, path)
	a, err := c.Attributes(t.Context(), scheme.Request{URL: u}, nil)
	if err != nil || a.Attr.Size != scheme.Known(4) || a.Attr.Type != "text/html" || !a.Attr.Ranges || a.Attr.Modified.Unix() != modified.Unix() ||
		!slices.Contains(a.Attr.More, scheme.Attribute{Name: "mode", Value: "-rw-r--r--"}) {
		t.Errorf("%+v, %v", a, err)
	}
	if a, err = c.Attributes(t.Context(), scheme.Request{URL: at(t, filepath.Dir(path))}, nil); err != nil || a.Attr.Size != (scheme.Count{}) {
		t.Errorf("a folder: %+v, %v", a, err)
	}
	for since, same := range map[time.Time]bool{
		modified.Truncate(time.Second):                       true,
		modified.Add(time.Hour):                              true,
		modified.Truncate(time.Second).Add(-1 * time.Second): false,
	} {
		res, body, err := get(t, c, scheme.Request{URL: u}, scheme.AccessOptions{If: scheme.Conditions{ModifiedSince: since}})
		if err != nil || res.NotModified != same || (body == "text") == same {
			t.Errorf("since %v: %q, %+v, %v", since, body, res, err)
		}
	}
}

// A file that is truncated while it is read is an error; one that grows is read to its end.
//
// Covers: P6, T156
func TestChangingFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	const size = 10 << 20
	for name, read := range map[string]func(io.Reader) (int64, error){
		"Read":    func(r io.Reader) (int64, error) { return io.Copy(io.Discard, struct{ io.Reader }{r}) },
		"WriteTo": func(r io.Reader) (int64, error) { return io.Copy(io.Discard, r) },
	} {
		for _, now := range []int64{1000, size + 1000} {
			path := filepath.Join(dir, name)
			write(t, path, strings.Repeat("x", size))
			res, err := file.New().Access(t.Context(), &scheme.Env{Limits: scheme.Limits{}.WithDefaults()}, scheme.Request{URL: at(t, path)}, scheme.AccessOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := io.ReadFull(res.Body, make([]byte, 100)); err != nil {
				t.Fatal(err)
			}
			if err := os.Truncate(path, now); err != nil {
				t.Fatal(err)
			}
			n, err := read(res.Body)
			if now > size && (err != nil || n != now-100) {
				t.Errorf("%s, grown: %d bytes, %v", name, n, err)
			}
			if now < size && (!errors.Is(err, io.ErrUnexpectedEOF) || client.CodeOf(err) != scheme.CodeBroken || n != now-100) {
				t.Errorf("%s, cut off: %d bytes, %v", name, n, err)
			}
			res.Close()
		}
	}
}

// The client's body implements io.WriterTo, so that the system can copy.
func TestWriterTo(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	content := strings.Repeat("0123456789", 1<<20) // more than one step
	path := write(t, filepath.Join(dir, "a"), content)
	res, err := disk(t).Access(t.Context(), scheme.Request{URL: at(t, path)}, &scheme.AccessOptions{Range: scheme.Range{Offset: 5}})
	if err != nil {
		t.Fatal(err)
	}
	defer res.Close()
	w, ok := res.Body.(io.WriterTo)
	if !ok {
		t.Fatalf("a %T", res.Body)
	}
	out, err := os.Create(filepath.Join(dir, "b"))
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	n, err := w.WriteTo(out)
	got, err2 := os.ReadFile(out.Name())
	if err != nil || err2 != nil || n != int64(len(content)-5) || !bytes.Equal(got, []byte(content[5:])) {
		t.Errorf("%d bytes, %v, %v", n, err, err2)
	}
}

func TestBodyEndsWithContext(t *testing.T) {
	t.Parallel()
	path := write(t, filepath.Join(t.TempDir(), "a"), strings.Repeat("x", 1<<20))
	ctx, cancel := context.WithCancel(t.Context())
	res, err := disk(t).Access(ctx, scheme.Request{URL: at(t, path)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Close()
	cancel()
	_, err = res.Body.Read(make([]byte, 10))
	wantCode(t, err, scheme.CodeInterrupted)
	_, err = res.Body.(io.WriterTo).WriteTo(io.Discard)
	wantCode(t, err, scheme.CodeInterrupted)
}
