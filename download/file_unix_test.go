//go:build unix

package download

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"locator/internal/peers"
	"locator/internal/symlink"
	"locator/scheme"
)

// If the name of the part or of its state is taken by something other than a regular file, nothing
// is written: neither through a link, nor to a pipe, which would block.
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

// other is the id of another user.
const other = 65534

// sticky makes a folder such as /tmp.
func sticky(t *testing.T) string {
	t.Helper()
	if os.Geteuid() != 0 {
		peers.Skip(t, "files of another user: only root can make them")
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, 0o777|fs.ModeSticky); err != nil {
		t.Fatal(err)
	}
	return dir
}

// give makes another user the owner of a file or link.
func give(t *testing.T, names ...string) {
	t.Helper()
	for _, name := range names {
		if err := os.Lchown(name, other, other); err != nil {
			t.Fatal(err)
		}
	}
}

func wantMode(t *testing.T, name string, mode fs.FileMode) {
	t.Helper()
	if in, err := os.Stat(name); err != nil || in.Mode().Perm() != mode {
		t.Errorf("%s: %v, %v, want %v", name, in.Mode(), err, mode)
	}
}

// A part, a state or an index that another user made in advance is not used: who owns the part owns
// the file.
//
// Covers: P6, T163
func TestPartOfAnotherUser(t *testing.T) {
	t.Parallel()
	for _, resume := range []bool{false, true} {
		for _, mode := range []fs.FileMode{0o666, 0o600} {
			t.Run(fmt.Sprint(resume, mode), func(t *testing.T) {
				t.Parallel()
				dir := sticky(t)
				s := newSource(octets(3 << 20))
				f, err := OpenFile(filepath.Join(dir, "name"))
				if err != nil {
					t.Fatal(err)
				}
				defer f.Close()
				s.turns = []turn{{cut: 2 << 20}}
				if _, err := s.fetch(t, f, Options{Resume: true}); err == nil {
					t.Fatal("it was not cut")
				}
				wantMode(t, f.PartPath(), 0o600)
				wantMode(t, filepath.Join(dir, "name.part.state"), 0o600)
				give(t, f.PartPath())
				os.Chmod(f.PartPath(), mode)
				_, err = s.fetch(t, f, Options{Resume: resume})
				wantCode(t, err, scheme.CodeLocal)
				if err == nil || !strings.Contains(err.Error(), "name.part exists and belongs to another user; remove it") {
					t.Errorf("got %v", err)
				}
				if _, err := os.Lstat(f.Path()); err == nil {
					t.Error("the file has got its name")
				}
				if err := os.Lchown(f.PartPath(), 0, 0); err != nil {
					t.Fatal(err)
				}
				if out, err := s.fetch(t, f, Options{Resume: resume}); err != nil || out.Resumed != resume {
					t.Errorf("%+v, %v", out, err)
				}
				wantContent(t, f, s.content)
			})
		}
	}
}

// The state of another user does not make a part resumable.
//
// Covers: P6, T163
func TestStateOfAnotherUser(t *testing.T) {
	t.Parallel()
	f, err := OpenFile(filepath.Join(sticky(t), "name"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	s := newSource(octets(3 << 20))
	s.turns = []turn{{cut: 2 << 20}}
	if _, err := s.fetch(t, f, Options{Resume: true}); err == nil {
		t.Fatal("it was not cut")
	}
	give(t, f.PartPath()+".state")
	if out, err := s.fetch(t, f, Options{Resume: true}); err != nil || out.Resumed {
		t.Errorf("%+v, %v", out, err)
	}
	wantContent(t, f, s.content)
}

// The index of another user is used in a folder that users share on purpose, and not in one such as
// /tmp.
//
// Covers: P6, T163
func TestIndexOfAnotherUser(t *testing.T) {
	t.Parallel()
	dir := sticky(t)
	index := filepath.Join(dir, IndexName)
	if err := os.WriteFile(index, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	give(t, index)
	use := func() error {
		t.Helper()
		f, err := OpenFolder(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		return f.UseIndex()
	}
	wantCode(t, use(), scheme.CodeLocal)
	os.Chmod(dir, 0o777)
	if err := use(); err != nil {
		t.Error(err)
	}
}

// A link of another user in a folder such as /tmp is followed neither for a file nor for a folder,
// nor below a folder.
//
// Covers: P6, T162
func TestForeignLinks(t *testing.T) {
	t.Parallel()
	dir, mine := sticky(t), t.TempDir()
	if err := os.WriteFile(mine+"/file", []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	os.Symlink(mine+"/file", dir+"/file")
	os.Symlink(mine, dir+"/folder")
	os.Mkdir(dir+"/private", 0o700)
	os.Symlink("private", dir+"/inside")
	give(t, dir+"/file", dir+"/folder", dir+"/inside")
	for _, name := range []string{"file", "folder/file", "folder/new"} {
		_, err := OpenFile(filepath.Join(dir, name))
		if wantCode(t, err, scheme.CodeLocal); !errors.Is(err, symlink.ErrForeign) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, name := range []string{"folder", "folder/new"} {
		_, err := OpenFolder(filepath.Join(dir, name))
		if wantCode(t, err, scheme.CodeLocal); !errors.Is(err, symlink.ErrForeign) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := os.Lstat(mine + "/new"); err == nil {
		t.Error("a folder was made")
	}
	to, err := OpenFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer to.Close()
	s := newSource(nil)
	if _, err := to.File(s.request(t).URL, []string{"inside", "name"}); !errors.Is(err, symlink.ErrForeign) {
		t.Errorf("below a folder: %v", err)
	}
	if list, _ := os.ReadDir(dir + "/private"); len(list) > 0 {
		t.Errorf("%v", list)
	}
}

// A new file has Options.Mode, or what the umask leaves; a file that replaces another has the
// permissions and the group of that one, unless another user planted it.
//
// Covers: P6, T165
func TestMode(t *testing.T) {
	t.Parallel()
	umask := fs.FileMode(unix.Umask(0o022)) // no test of this package sets another
	unix.Umask(int(umask))
	tests := map[string]struct {
		mode fs.FileMode
		old  fs.FileMode // 0: there is no file
		give bool
		open bool // the folder is not shared
		want fs.FileMode
	}{
		"new":               {mode: 0o640, want: 0o640},
		"new, any":          {want: 0o666 &^ umask},
		"tight":             {mode: 0o644, old: 0o600, want: 0o600},
		"wide":              {mode: 0o644, old: 0o666, want: 0o666},
		"planted":           {mode: 0o644, old: 0o777, give: true, want: 0o644},
		"planted, any":      {old: 0o777, give: true, want: 0o666 &^ umask},
		"theirs, tight":     {mode: 0o644, old: 0o600, give: true, want: 0o600},
		"theirs, elsewhere": {mode: 0o644, old: 0o664, give: true, open: true, want: 0o664},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := sticky(t)
			if test.open {
				os.Chmod(dir, 0o755)
			}
			f, err := OpenFile(filepath.Join(dir, "name"))
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			for _, how := range []string{"fetch", "write"} {
				os.Remove(f.Path())
				if test.old != 0 {
					os.WriteFile(f.Path(), []byte("old"), 0o600)
					if test.give {
						give(t, f.Path())
					}
					os.Chmod(f.Path(), test.old)
				}
				if how == "fetch" {
					_, err = newSource(octets(1000)).fetch(t, f, Options{Mode: test.mode})
				} else {
					_, err = Write(f, test.mode, func(w io.Writer) (int64, error) {
						wantMode(t, f.PartPath(), 0o600)
						return 0, nil
					})
				}
				if err != nil {
					t.Fatal(err)
				}
				wantMode(t, f.Path(), test.want)
				var in unix.Stat_t
				if err := unix.Stat(f.Path(), &in); err != nil || in.Uid != 0 || (in.Gid == other) != test.open {
					t.Errorf("owner %d, group %d, %v", in.Uid, in.Gid, err)
				}
			}
			wantFiles(t, f, "name")
		})
	}
}
