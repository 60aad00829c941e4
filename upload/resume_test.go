package upload

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"locator/client"
	"locator/internal/leaks"
	"locator/scheme"
	"locator/scheme/ftp"
	"locator/scheme/ftp/ftptest"
	"locator/schemetest/peer"
)

// ftpTest uploads to an ftp server, and fails if a connection or a file of the local folder is left
// open.
type ftpTest struct {
	*ftptest.Server
	t   *testing.T
	c   *client.Client
	dir string
}

func newFTPTest(t *testing.T, options ...ftptest.Option) *ftpTest {
	t.Helper()
	var files []peer.File
	for _, path := range [][]string{{"web", "theirs"}, {"web", "old", "b"}, {"keep", "b"}} {
		files = append(files, peer.File{Path: path, Content: "x", Modified: time.Date(2001, 2, 3, 4, 5, 6, 0, time.UTC)})
	}
	s, err := ftptest.Start(files, options...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	l := leaks.Watch(t)
	x := &ftpTest{s, t, client.New(client.Options{Registry: scheme.NewRegistry(ftp.New()), Dial: l.Dial(nil), TLSMode: scheme.TLSOff}), t.TempDir()}
	l.Ends(x.c)
	t.Cleanup(func() {
		for _, name := range openBelow(x.dir) {
			t.Errorf("%s is still open at the end of the test", name)
		}
	})
	return x
}

// openBelow returns the open files below dir, none where the system does not tell.
func openBelow(dir string) (open []string) {
	fds, _ := os.ReadDir("/proc/self/fd")
	for _, fd := range fds {
		if name, err := os.Readlink("/proc/self/fd/" + fd.Name()); err == nil && strings.HasPrefix(name, dir) {
			open = append(open, name)
		}
	}
	return open
}

func (x *ftpTest) write(name, content string) {
	x.t.Helper()
	file, then := filepath.Join(x.dir, filepath.FromSlash(name)), time.Date(2002, 2, 3, 4, 5, 6, 0, time.UTC)
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		x.t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(content), 0o666); err != nil {
		x.t.Fatal(err)
	}
	if err := os.Chtimes(file, then, then); err != nil {
		x.t.Fatal(err)
	}
}

// resume uploads the file x, and returns the outcome and the verbs of what was sent.
func (x *ftpTest) resume(retries int) (Outcome, []string, error) {
	x.t.Helper()
	before := len(x.Lines())
	h, err := os.Open(filepath.Join(x.dir, "x"))
	if err != nil {
		x.t.Fatal(err)
	}
	defer h.Close()
	out, err := Put(x.t.Context(), x.c, scheme.Request{URL: x.URL("web", "x")}, scheme.Body{Reader: h}, Options{Resume: true, Retries: retries})
	var verbs []string
	for _, line := range x.Lines()[before:] {
		verb, _, _ := strings.Cut(line, " ")
		verbs = append(verbs, verb)
	}
	return out, verbs, err
}

// An upload that broke off is continued behind what has arrived if that is the beginning of the
// file, and the file is then the local one. A file that is there is not sent again. Otherwise the
// upload begins again.
//
// Covers: K2
func TestResume(t *testing.T) {
	t.Parallel()
	const arrived = 200_000
	content := strings.Repeat("0123456789abcdef", 20_000)
	for name, tt := range map[string]struct {
		options []ftptest.Option
		between func(x *ftpTest, part []string) // between the two runs
		resumed int64
		current bool
	}{
		"read back": {resumed: arrived},
		"digest":    {options: []ftptest.Option{ftptest.Digests()}, resumed: arrived},
		"the part differs at its end": {between: func(x *ftpTest, part []string) {
			x.Put([]byte(content[:arrived-1]+"?"), time.Now(), part...)
		}},
		"the part differs in its middle": {between: func(x *ftpTest, part []string) {
			x.Put([]byte(content[:arrived/2]+"?"+content[arrived/2+1:arrived]), time.Now(), part...)
		}},
		"the part differs at its beginning": {between: func(x *ftpTest, part []string) {
			x.Put([]byte("?"+content[1:arrived]), time.Now(), part...)
		}},
		"the digest differs": {options: []ftptest.Option{ftptest.Digests()}, between: func(x *ftpTest, part []string) {
			x.Put([]byte(content[:1000]+"?"+content[1001:arrived]), time.Now(), part...)
		}},
		"the part is longer": {between: func(x *ftpTest, part []string) { x.Put([]byte(content+"?"), time.Now(), part...) }},
		"the part is empty":  {between: func(x *ftpTest, part []string) { x.Put(nil, time.Now(), part...) }},
		"the whole file is there": {between: func(x *ftpTest, _ []string) {
			x.Put([]byte(content), time.Date(2002, 2, 3, 4, 5, 6, 0, time.UTC), "web", "x")
		}, resumed: int64(len(content)), current: true},
		"a file of the size is there": {between: func(x *ftpTest, _ []string) {
			x.Put([]byte(strings.ToUpper(content)), time.Now(), "web", "x")
		}, resumed: arrived},
		"the file is continued in its place": {between: func(x *ftpTest, part []string) {
			x.Put(nil, time.Now(), part...)
			x.Put([]byte(content[:arrived]), time.Date(2002, 2, 3, 4, 5, 6, 0, time.UTC), "web", "x")
		}, resumed: arrived},
		"the digest of the file is another": {options: []ftptest.Option{ftptest.Digests()}, between: func(x *ftpTest, _ []string) {
			x.Put([]byte(strings.ToUpper(content)), time.Date(2002, 2, 3, 4, 5, 6, 0, time.UTC), "web", "x")
		}, resumed: arrived},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			x := newFTPTest(t, tt.options...)
			x.write("x", content)
			x.TearUploads(1, arrived)
			if _, _, err := x.resume(0); err == nil {
				t.Fatal("the upload did not break off")
			}
			i := slices.IndexFunc(x.Names("web"), func(name string) bool { return strings.HasSuffix(name, ".part") })
			if i < 0 {
				t.Fatalf("the server has %q", x.Names("web"))
			}
			if tt.between != nil {
				tt.between(x, []string{"web", x.Names("web")[i]})
			}
			out, verbs, err := x.resume(0)
			if err != nil || out.Resumed != tt.resumed || out.UpToDate != tt.current || out.Bytes != int64(len(content)) {
				t.Fatalf("%+v, %v", out, err)
			}
			if out.Resource.Close(); slices.Contains(verbs, "APPE") != (tt.resumed == arrived) || slices.Contains(verbs, "STOR") != (tt.resumed == 0) {
				t.Errorf("sent %q", verbs)
			}
			if got, _ := x.File("web", "x"); !bytes.Equal(got, []byte(content)) {
				t.Errorf("the server has %d bytes", len(got))
			}
			if got := x.Modified("web", "x"); !got.Equal(time.Date(2002, 2, 3, 4, 5, 6, 0, time.UTC)) && name != "the file is continued in its place" {
				t.Errorf("the file on the server has the time %v", got)
			}
		})
	}
}

// A file that the server has changed while its upload was resumed is an error, if the server has a
// digest.
func TestResumeChanged(t *testing.T) {
	t.Parallel()
	x := newFTPTest(t, ftptest.Digests())
	content := strings.Repeat("0123456789abcdef", 20_000)
	x.write("x", content)
	x.TearUploads(1, 100_000)
	if _, _, err := x.resume(0); err == nil {
		t.Fatal("the upload did not break off")
	}
	i := slices.IndexFunc(x.Names("web"), func(name string) bool { return strings.HasSuffix(name, ".part") })
	part := x.Names("web")[i]
	h, err := os.Open(filepath.Join(x.dir, "x"))
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	_, err = Put(t.Context(), x.c, scheme.Request{URL: x.URL("web", "x")}, scheme.Body{Reader: h}, Options{Resume: true, Events: Events{
		Begin: func(int64, int64) { x.Put([]byte(strings.ToUpper(content[:100_000])), time.Now(), "web", part) }}})
	if client.CodeOf(err) != scheme.CodeBroken {
		t.Errorf("%v", err)
	}
}

// A retry continues, too.
func TestResumeRetry(t *testing.T) {
	t.Parallel()
	x := newFTPTest(t)
	content := strings.Repeat("0123456789abcdef", 20_000)
	x.write("x", content)
	x.TearUploads(2, 100_000)
	out, _, err := x.resume(2)
	if err != nil || out.Resumed != 200_000 {
		t.Fatalf("%+v, %v", out, err)
	}
	out.Resource.Close()
	if got, _ := x.File("web", "x"); !bytes.Equal(got, []byte(content)) {
		t.Errorf("the server has %d bytes", len(got))
	}
}

// upload uploads the folder, and returns what became of each item.
func (x *ftpTest) upload(o TreeOptions, after func(x *ftpTest) error) (actions map[string]Action, err error) {
	actions = make(map[string]Action)
	o.Ended = func(it Item, r Result) {
		name := strings.Join(it.Names, "/")
		if actions[name] = r.Action; name == "a" && after != nil {
			if err := after(x); err != nil {
				x.t.Error(err)
			}
		}
	}
	return actions, Tree(x.t.Context(), x.c, scheme.Request{URL: x.URL("web", "")}, x.dir, o)
}

// The name of an incomplete file ends a long name between two characters.
func TestPartName(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	name := partName("x"+strings.Repeat("é", 150), info)
	if !utf8.ValidString(name) || len(name) > 255 || !strings.HasPrefix(name, "x"+strings.Repeat("é", 99)+".") {
		t.Errorf("%q, %d bytes", name, len(name))
	}
}
