//go:build unix

package download

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"locator/scheme"
)

// If the name of the part or of its state is taken by something other than a regular file, nothing is written: neither through a
// link, nor to a pipe, which would block.
//
// Covers: P6, T164
func TestPartIsNoFile(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		put   func(f File) error
		taken bool // the transfer goes on without it
	}{
		"part leads to a file":     {put: func(f File) error { return f.Root.Symlink("other", "name.part") }},
		"part leads to nothing":    {put: func(f File) error { return f.Root.Symlink("nothing", "name.part") }},
		"part is another file":     {put: func(f File) error { return f.Root.Link("other", "name.part") }},
		"part is a pipe":           {put: func(f File) error { return unix.Mkfifo(f.Root.Name()+"/name.part", 0o666) }},
		"part is a folder":         {put: func(f File) error { return f.Root.Mkdir("name.part", 0o777) }},
		"state leads to a file":    {put: func(f File) error { return f.Root.Symlink("other", "name.part.state") }, taken: true},
		"state leads to nothing":   {put: func(f File) error { return f.Root.Symlink("nothing", "name.part.state") }, taken: true},
		"state is another's":       {put: func(f File) error { return f.Root.Link("other.state", "name.part.state") }, taken: true},
		"state is a pipe":          {put: func(f File) error { return unix.Mkfifo(f.Root.Name()+"/name.part.state", 0o666) }, taken: true},
		"state leads to the state": {put: func(f File) error { return f.Root.Symlink("other.state", "name.part.state") }, taken: true},
	}
	for name, test := range tests {
		for _, goOn := range []bool{false, true} {
			t.Run(fmt.Sprint(name, goOn), func(t *testing.T) {
				t.Parallel()
				s, f := newSource(octets(3<<20)), place(t)
				f.Root.WriteFile("other", []byte("not to be touched"), 0o666)
				state := fmt.Sprintf(`{"url":%q,"size":3145728,"ranges":true,"begun":%q}`, s.request(t).URL.Redacted(), time.Now().Format(time.RFC3339))
				f.Root.WriteFile("other.state", []byte(state), 0o666)
				if err := test.put(f); err != nil {
					t.Fatal(err)
				}
				_, err := s.fetch(t, f, Options{Resume: goOn})
				if test.taken {
					if err != nil {
						t.Error(err)
					}
					wantContent(t, f, s.content)
				} else {
					wantCode(t, err, scheme.CodeLocal)
					if err == nil || !strings.Contains(err.Error(), "name.part exists and ") {
						t.Errorf("got %v", err)
					}
				}
				if got, _ := f.Root.ReadFile("other"); string(got) != "not to be touched" {
					t.Errorf("the target of the link has %d bytes", len(got))
				}
				if got, _ := f.Root.ReadFile("other.state"); string(got) != state {
					t.Errorf("the state of another holds %q", got)
				}
				if _, err := f.Root.Lstat("nothing"); err == nil {
					t.Error("what the link leads to was made")
				}
			})
		}
	}
}

// A pipe with the name of the file does not block Resume.
//
// Covers: P6, T164
func TestFinalNameIsAPipe(t *testing.T) {
	t.Parallel()
	s, f := newSource(octets(1000)), place(t)
	if err := unix.Mkfifo(f.Root.Name()+"/"+f.Name, 0o666); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() {
		_, err := s.fetch(t, f, Options{Resume: true})
		ended <- err
	}()
	select {
	case err := <-ended:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(20 * time.Second):
		t.Fatal("it waits for a writer of the pipe")
	}
	wantWhole(t, f, s.content)
}

// A file keeps its permissions when it is replaced. Nobody else can read its part.
//
// Covers: P6, T165
func TestReplacedRights(t *testing.T) {
	t.Parallel()
	for _, mode := range []os.FileMode{0o600, 0o640, 0o400, 0o777, 0o622} {
		t.Run(fmt.Sprintf("%o", mode), func(t *testing.T) {
			t.Parallel()
			s, f := newSource(octets(2<<20)), place(t)
			f.Root.WriteFile(f.Name, []byte("old"), 0o666)
			f.Root.Chmod(f.Name, mode)
			want := func(name string, mode os.FileMode) {
				t.Helper()
				if in, err := f.Root.Stat(name); err != nil || in.Mode().Perm() != mode {
					t.Errorf("%s has the rights %v, want %v; %v", name, in.Mode(), mode, err)
				}
			}
			s.turns = []turn{{cut: 1 << 20}}
			_, err := s.fetch(t, f, Options{Events: Events{Progress: func(int) { want(f.partName(), 0o600) }}})
			wantCode(t, err, scheme.CodeBroken)
			want(f.partName(), 0o600)
			if _, err := s.fetch(t, f, Options{Resume: true}); err != nil {
				t.Error(err)
			}
			wantWhole(t, f, s.content)
			want(f.Name, mode)
			if _, err := Write(f, 0, func(w io.Writer) (int64, error) {
				want(f.partName(), 0o600)
				n, err := io.WriteString(w, "a listing")
				return int64(n), err
			}); err != nil {
				t.Error(err)
			}
			want(f.Name, mode)
		})
	}
}

// Sync changes nothing but when the data reaches the disk.
func TestSync(t *testing.T) {
	t.Parallel()
	s, f := newSource(octets(2<<20)), place(t)
	f.Root.Mkdir("sub", 0o777)
	f.Name, f.Sync = "sub/name", true
	if _, err := s.fetch(t, f, Options{}); err != nil {
		t.Error(err)
	}
	wantContent(t, f, s.content)
}

func wantContent(t *testing.T, f File, want []byte) {
	t.Helper()
	if got, err := f.Root.ReadFile(f.Name); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s has %d bytes, want %d, or they differ; %v", f.Name, len(got), len(want), err)
	}
}
