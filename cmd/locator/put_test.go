package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"locator/scheme/ftp/ftptest"
	"locator/schemetest/peer"
)

// A file whose upload breaks off is sent again; data of a pipe are not, and the message says why it
// failed.
//
// Covers: K2
func TestPutRetries(t *testing.T) {
	t.Parallel()
	s, err := ftptest.Start(peer.Tree())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	u := s.LoginURL(ftptest.Alice, ftptest.Password, "new.bin").Text()
	content := bytes.Repeat([]byte("0123456789"), 30_000)
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, content, 0o600); err != nil {
		t.Fatal(err)
	}
	s.TearUploads(1, 100_000)
	out, errs, status := runText(t, "", "put", file, u)
	if got, _ := s.File("new.bin"); status != 0 || !bytes.Equal(got, content) || strings.Count(errs, "try 2 of 3 in 1s") != 1 {
		t.Errorf("status %d, %d bytes, %s%s", status, len(got), out, errs)
	}
	s.TearUploads(1, 100_000)
	if _, errs, status := runText(t, "", "put", "--retries", "0", file, u); status != 8 && status != 13 || strings.Contains(errs, "try 2") {
		t.Errorf("without retries: status %d, %s", status, errs)
	}
	s.TearUploads(1, 100_000)
	var o, e bytes.Buffer
	pipe := struct{ io.Reader }{bytes.NewReader(content)} // no io.Seeker
	status = run(t.Context(), []string{"put", u}, world{In: pipe, Out: &o, Err: &e, Getenv: func(string) string { return "" }})
	if got, _ := s.File("new.bin"); status != 0 || !bytes.Equal(got, content) || strings.Count(e.String(), "try 2 of 3 in 1s") != 1 {
		t.Errorf("from a pipe: status %d, %s", status, e.String())
	}
	s.TearUploads(1, 100_000)
	if _, errs, status := runText(t, "", "put", "--append", file, u); status != 8 && status != 13 || strings.Contains(errs, "try 2") {
		t.Errorf("--append: status %d, %s", status, errs)
	}
}

// In a tree, too, an upload that breaks off is tried again; with --continue behind what has
// arrived.
//
// Covers: K2
func TestPutTreeRetries(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{nil, {"--continue"}} {
		s, err := ftptest.Start(peer.Tree())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(s.Close)
		dir, content := t.TempDir(), bytes.Repeat([]byte("0123456789"), 30_000)
		for _, name := range []string{"a", "b", "c"} {
			if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		s.TearUploads(2, 100_000)
		u := s.LoginURL(ftptest.Alice, ftptest.Password, "tree", "").Text()
		_, errs, status := runText(t, "", slices.Concat([]string{"put", "-r", "--tls", "off"}, args, []string{dir, u})...)
		if status != 0 || strings.Count(errs, "try 2 of 3 in 1s") != 2 || !strings.Contains(errs, "locator: 3 files, ") {
			t.Errorf("status %d, %s", status, errs)
		}
		for _, name := range []string{"a", "b", "c"} {
			if got, _ := s.File("tree", name); !bytes.Equal(got, content) {
				t.Errorf("%s has %d bytes", name, len(got))
			}
		}
		if resumed := strings.Count(errs, ", resumed at "); resumed != 2*len(args) {
			t.Errorf("%d uploads were resumed: %s", resumed, errs)
		}
	}
}

// uploadTest is a file and an ftp server to upload it to.
type uploadTest struct {
	*ftptest.Server
	t    *testing.T
	file string
	url  string
}

func newUploadTest(t *testing.T, options ...ftptest.Option) *uploadTest {
	t.Helper()
	s, err := ftptest.Start(peer.Tree(), options...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return &uploadTest{s, t, filepath.Join(t.TempDir(), "file"), s.LoginURL(ftptest.Alice, ftptest.Password, "in.bin").Text()}
}

// write writes the local file.
func (x *uploadTest) write(content []byte, modified time.Time) {
	x.t.Helper()
	err := os.WriteFile(x.file, content, 0o600)
	if err == nil {
		err = os.Chtimes(x.file, modified, modified)
	}
	if err != nil {
		x.t.Fatal(err)
	}
}

// put runs put --continue and returns what it prints, and the lines that the server got.
func (x *uploadTest) put(want int, args ...string) (shown string, lines []string) {
	x.t.Helper()
	before := len(x.Lines())
	out, errs, status := runText(x.t, "", slices.Concat([]string{"put", "--continue"}, args, []string{x.file, x.url})...)
	if status != want && !(want == 8 && status == 13) {
		x.t.Fatalf("status %d, want %d: %s%s", status, want, out, errs)
	}
	return errs + out, x.Lines()[before:]
}

// sentVerb reports whether a line begins with a verb.
func sentVerb(lines []string, verb string) bool {
	return slices.ContainsFunc(lines, func(line string) bool { return strings.HasPrefix(line, verb+" ") })
}

func (x *uploadTest) has(content []byte) {
	x.t.Helper()
	if got, _ := x.File("in.bin"); !bytes.Equal(got, content) {
		x.t.Errorf("the server has %d bytes, want %d", len(got), len(content))
	}
	for _, name := range x.Names() {
		if strings.HasSuffix(name, ".part") {
			x.t.Errorf("%s is left", name)
		}
	}
}

// An upload that broke off is continued behind what the server has, if that is the beginning of the
// file; the next run sends nothing. The file gets the time of the local one.
//
// Covers: K2
func TestPutContinue(t *testing.T) {
	t.Parallel()
	content := bytes.Repeat([]byte("0123456789abcdef"), 20_000)
	modified := time.Date(2001, 2, 3, 4, 5, 6, 0, time.UTC)
	for name, options := range map[string][]ftptest.Option{
		"read back": nil, "digest": {ftptest.Digests()}, "no MLSD": {ftptest.NoMLSD()}, "set by MDTM": {ftptest.SetMDTM()},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			x := newUploadTest(t, options...)
			x.write(content, modified)
			x.TearUploads(1, 100_000)
			if shown, _ := x.put(8, "--retries", "0"); !strings.Contains(shown, "the same command resumes the upload") {
				t.Errorf("it says %q", shown)
			}
			shown, lines := x.put(0, "--json")
			if !sentVerb(lines, "APPE") || sentVerb(lines, "STOR") || !strings.Contains(shown, `"bytes":220000,`) || !strings.Contains(shown, `"resumed":true`) {
				t.Errorf("it sent %q and says %s", lines, shown)
			}
			if strings.Contains(shown, `"verified":"sha-256"`) != (name == "digest") {
				t.Errorf("it says %s", shown)
			}
			x.has(content)
			if got := x.Modified("in.bin"); !got.Equal(modified) {
				t.Errorf("the file has the time %v", got)
			}
			shown, lines = x.put(0, "--json")
			if sentVerb(lines, "APPE") || sentVerb(lines, "STOR") || !strings.Contains(shown, `"bytes":0,`) || !strings.Contains(shown, `"action":"current"`) {
				t.Errorf("again it sent %q and says %s", lines, shown)
			}
			if _, err := checkSchema("put", shown[strings.Index(shown, "{"):strings.LastIndex(shown, "}")+1]); err != nil {
				t.Error(err)
			}
		})
	}
}

// In one run a retry continues, too.
func TestPutContinueRetry(t *testing.T) {
	t.Parallel()
	x := newUploadTest(t)
	content := bytes.Repeat([]byte("0123456789abcdef"), 20_000)
	x.write(content, time.Now())
	x.TearUploads(2, 100_000)
	_, lines := x.put(0)
	x.has(content)
	if n := len(slices.DeleteFunc(lines, func(l string) bool { return !strings.HasPrefix(l, "APPE ") })); n != 2 {
		t.Errorf("APPE was sent %d times", n)
	}
}

// What the server has is not continued if the local file has changed or the server's part differs.
//
// Covers: K2
func TestPutContinueOther(t *testing.T) {
	t.Parallel()
	content := bytes.Repeat([]byte("0123456789abcdef"), 20_000)
	modified := time.Date(2001, 2, 3, 4, 5, 6, 0, time.UTC)
	interrupted := func(t *testing.T, options ...ftptest.Option) (x *uploadTest, part string) {
		x = newUploadTest(t, options...)
		x.write(content, modified)
		x.TearUploads(1, 100_000)
		x.put(8, "--retries", "0")
		i := slices.IndexFunc(x.Names(), func(name string) bool { return strings.HasSuffix(name, ".part") })
		return x, x.Names()[i]
	}
	t.Run("changed here", func(t *testing.T) {
		t.Parallel()
		x, part := interrupted(t)
		other := bytes.ToUpper(content)
		x.write(other, modified.Add(time.Second))
		if _, lines := x.put(0); sentVerb(lines, "APPE") {
			t.Errorf("it continued: %q", lines)
		}
		if got, _ := x.File("in.bin"); !bytes.Equal(got, other) {
			t.Error("the file has other contents")
		}
		if _, there := x.File(part); !there {
			t.Error("the part of the older version is gone, which another program may continue")
		}
	})
	for name, options := range map[string][]ftptest.Option{"other end": nil, "digest": {ftptest.Digests()}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			x, part := interrupted(t, options...)
			torn := bytes.Clone(content[:100_000])
			torn[90_000] = 'X'
			x.Put(torn, time.Now(), part)
			shown, lines := x.put(0)
			if sentVerb(lines, "APPE") || !strings.Contains(shown, "differs from it; starting again") {
				t.Errorf("it continued: %q %s", lines, shown)
			}
			x.has(content)
		})
	}
	t.Run("longer", func(t *testing.T) {
		t.Parallel()
		x, part := interrupted(t)
		x.Put(append(bytes.Clone(content), 'X'), time.Now(), part)
		if _, lines := x.put(0); sentVerb(lines, "APPE") {
			t.Errorf("it continued: %q", lines)
		}
		x.has(content)
	})
}

// another returns a copy with another byte.
func another(content []byte, at int) []byte {
	b := bytes.Clone(content)
	b[at] = 'X'
	return b
}

// The beginning of the file under its own name is continued, but not if it is older than the file
// or differs.
func TestPutContinueInPlace(t *testing.T) {
	t.Parallel()
	content := bytes.Repeat([]byte("0123456789abcdef"), 20_000)
	modified := time.Date(2001, 2, 3, 4, 5, 6, 0, time.UTC)
	for name, tt := range map[string]struct {
		there     []byte
		at        time.Time
		continues bool
	}{
		"the beginning":       {content[:5000], modified.Add(time.Hour), true},
		"of an older version": {content[:5000], modified.Add(-time.Hour), false},
		"another beginning":   {another(content[:200_000], 0), modified.Add(time.Hour), false},
		"another middle":      {another(content[:200_000], 100_000), modified.Add(time.Hour), false},
		"something else":      {bytes.ToUpper(content[:5000]), modified.Add(time.Hour), false},
		"another, as long":    {bytes.ToUpper(content), modified.Add(time.Hour), false},
		"longer":              {append(bytes.Clone(content), 'X'), modified.Add(time.Hour), false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			x := newUploadTest(t)
			x.write(content, modified)
			x.Put(tt.there, tt.at, "in.bin")
			if _, lines := x.put(0); sentVerb(lines, "APPE") != tt.continues {
				t.Errorf("it sent %q", lines)
			}
			x.has(content)
		})
	}
}

// Files are continued, too.
func TestPutContinueFile(t *testing.T) {
	t.Parallel()
	x := newUploadTest(t)
	content := []byte("the content of the file")
	modified := time.Date(2001, 2, 3, 4, 5, 6, 0, time.UTC)
	x.write(content, modified)
	dir := t.TempDir()
	x.url = "file://" + filepath.ToSlash(filepath.Join(dir, "copy"))
	x.put(0)
	copied := filepath.Join(dir, "copy")
	got, err := os.ReadFile(copied)
	if in, e := os.Stat(copied); err != nil || e != nil || !bytes.Equal(got, content) || !in.ModTime().Equal(modified) {
		t.Errorf("%q, %v, %v", got, err, e)
	}
	if shown, _ := x.put(0, "--json"); !strings.Contains(shown, `"action":"current"`) {
		t.Errorf("again: %s", shown)
	}
}
