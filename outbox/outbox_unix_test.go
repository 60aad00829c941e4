//go:build unix

package outbox

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"locator/internal/peers"
	"locator/internal/symlink"
	"locator/scheme"
)

// other is the id of another user.
const other = 65534

// An outbox of another user, one that others can write to, and one behind a planted link are refused.
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

// A message that another user owns, that is a link, or that has another name, is reported, and neither read nor sent.
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

// disk is a model of what a machine has on its disk when it loses power: what was synced, and any part of the rest.
type disk struct {
	dir     string
	last    step
	inode   map[string]uint64 // names now
	names   map[string]uint64 // names on disk
	content map[uint64]string // contents now
	synced  map[uint64]string // contents on disk
}

func newDisk(dir string) *disk {
	return &disk{dir: dir, names: make(map[string]uint64), content: make(map[uint64]string), synced: make(map[uint64]string)}
}

// before is called before a step: the last one is done.
func (d *disk) before(t *testing.T, x step) {
	list, err := os.ReadDir(d.dir)
	if err != nil {
		t.Fatal(err)
	}
	d.inode = make(map[string]uint64)
	for _, f := range list {
		in, err := f.Info()
		if err != nil {
			t.Fatal(err)
		}
		number := in.Sys().(*syscall.Stat_t).Ino
		text, err := os.ReadFile(filepath.Join(d.dir, f.Name()))
		if err != nil {
			t.Fatal(err)
		}
		d.inode[f.Name()], d.content[number] = number, string(text)
	}
	switch d.last.call {
	case "sync":
		number := d.inode[d.last.name]
		d.synced[number] = d.content[number]
	case "syncdir":
		d.names = maps.Clone(d.inode)
	}
	d.last = x
}

// after calls do with each folder that may be there after the power was lost.
func (d *disk) after(t *testing.T, do func(what, dir string)) {
	done := make(map[string]bool) // most folders are the same
	for namesOf, names := range map[string]map[string]uint64{"old names": d.names, "new names": d.inode} {
		for _, kind := range []string{"synced", "all", "half", "zeros", "length"} {
			files := make(map[string]string)
			for name, number := range names {
				files[name] = onDisk(kind, d.synced[number], d.content[number])
			}
			if key := fmt.Sprint(files); done[key] {
				continue
			} else {
				done[key] = true
			}
			dir := t.TempDir() + "/box"
			if err := os.Mkdir(dir, 0o700); err != nil {
				t.Fatal(err)
			}
			for name, text := range files {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			do(namesOf+", "+kind, dir)
		}
	}
}

// onDisk returns what is left of a file.
func onDisk(kind, synced, now string) string {
	if !strings.HasPrefix(now, synced) { // it was cut, and then written to
		return map[bool]string{true: now, false: synced}[kind == "all"]
	}
	rest := now[len(synced):]
	switch kind {
	case "all":
		return now
	case "half":
		return synced + rest[:len(rest)/2]
	case "zeros":
		return synced + strings.Repeat("\x00", len(rest))
	case "length":
		return synced + rest[:len(rest)/2] + strings.Repeat("\x00", len(rest)-len(rest)/2)
	}
	return synced
}

// If the machine loses power before any call of the system, nothing is lost and nothing is sent twice, whatever was written of that which
// was not synced.
//
// Covers: O1, T46
func TestPowerLoss(t *testing.T) {
	t.Parallel()
	for at := range len(allSteps(t)) + 1 { // the last one is after the end
		s, dir := newScenario(t), t.TempDir()+"/box"
		d := newDisk(dir)
		k := 0
		s.run(t, dir, func(x step) error {
			if k <= at {
				d.before(t, x)
			}
			if k++; k-1 < at {
				return noSync(x)
			}
			panic(crashed{fmt.Sprintf("power lost at step %d: %s %s", at, x.call, x.name)})
		})
		if s.stopped == "" {
			s.stopped = "power lost at the end"
			d.before(t, step{})
		}
		d.after(t, func(what, dir string) {
			s.check(t, s.stopped+", "+what, dir)
		})
	}
}
