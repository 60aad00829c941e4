//go:build unix

package outbox

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"locator/internal/peers"
	"locator/internal/symlink"
	"locator/scheme"
)

// other is the id of another user.
const other = 65534

// An outbox of another user, one that others can write to, and one behind a planted link are
// refused.
//
// Covers: O1, P6, T43
func TestForeignFolder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, mode := range map[string]fs.FileMode{"group": 0o770, "all": 0o707, "tmp": 0o777 | fs.ModeSticky} {
		name = filepath.Join(dir, name)
		if err := os.Mkdir(name, 0o700); err != nil {
			t.Fatal(err)
		}
		os.Chmod(name, mode)
		if _, err := Open(name, Options{}); code(err) != scheme.CodeLocal || !strings.Contains(err.Error(), "chmod 700") {
			t.Errorf("%s: %v", name, err)
		}
	}
	os.WriteFile(filepath.Join(dir, "file"), nil, 0o600)
	if _, err := Open(filepath.Join(dir, "file"), Options{}); code(err) != scheme.CodeLocal {
		t.Error(err)
	}
	if os.Geteuid() != 0 {
		peers.Skip(t, "an outbox of another user: only root can make one")
	}
	theirs := filepath.Join(dir, "theirs")
	os.Mkdir(theirs, 0o700)
	os.Chown(theirs, other, other)
	if _, err := Open(theirs, Options{}); code(err) != scheme.CodeLocal || !strings.Contains(err.Error(), "another user") {
		t.Error(err)
	}
	mine := filepath.Join(dir, "mine")
	os.Mkdir(mine, 0o700)
	planted := filepath.Join(dir, "tmp", "outbox")
	os.Symlink(mine, planted)
	os.Lchown(planted, other, other)
	if _, err := Open(planted, Options{}); !errors.Is(err, symlink.ErrForeign) {
		t.Error(err)
	}
}

// A message that another user owns, that is a link, or that has another name, is reported, and
// neither read nor sent.
//
// Covers: O1, P6, T44
func TestForeignMessage(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	b, elsewhere := openBox(t, dir+"/box", Options{}), openBox(t, dir+"/elsewhere", Options{})
	var ids []string
	for n := range 3 {
		ids = append(ids, addTo(t, elsewhere, note(t, n)).ID)
	}
	from, to := func(i int) string { return filepath.Join(elsewhere.Dir(), ids[i]+suffix) }, func(i int) string { return filepath.Join(b.Dir(), ids[i]+suffix) }
	want := map[string]string{ids[0]: "not a regular file", ids[1]: "another hard link"}
	os.Symlink(from(0), to(0))
	os.Link(from(1), to(1))
	if os.Geteuid() == 0 {
		os.Rename(from(2), to(2))
		os.Chown(to(2), other, other)
		want[ids[2]] = "another user"
	}
	os.Symlink(from(0), filepath.Join(b.Dir(), newPrefix+ids[0])) // sweep must not follow it
	for id, text := range want {
		if _, err := b.Send(t.Context(), &server{during: func() { t.Error("sent") }}, id, SendOptions{}); code(err) != scheme.CodeLocal || !strings.Contains(err.Error(), text) {
			t.Errorf("%s: %v, want %q", id, err, text)
		}
		if _, err := b.Content(id); code(err) != scheme.CodeLocal {
			t.Error(err)
		}
		if err := b.Drop(id); code(err) != scheme.CodeLocal {
			t.Error(err)
		}
	}
	if _, problems, err := b.Entries(); err != nil || len(problems) != len(want) {
		t.Errorf("%v, %v", problems, err)
	}
	if _, err := b.Add(note(t, 0)); err == nil { // its name is taken
		t.Error("a message is added in the place of a link")
	}
	addTo(t, b, note(t, 9))
	wantState(t, elsewhere, ids[0], Queued)
}
