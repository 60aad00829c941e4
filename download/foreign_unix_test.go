//go:build unix

package download

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"locator/internal/peers"
	"locator/internal/symlink"
	"locator/scheme"
)

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

// A part, a state or an index that another user made in advance is not used: who owns the part owns the file.
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

// The index of another user is used in a folder that users share on purpose, and not in one such as /tmp.
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

// A link of another user in a folder such as /tmp is followed neither for a file nor for a folder, nor below a folder.
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

// A new file has Options.Mode, or what the umask leaves; a file that replaces another has the permissions and the group of that
// one, unless another user planted it.
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
