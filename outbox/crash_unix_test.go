//go:build unix

package outbox

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// disk is a model of what a machine has on its disk when it loses power: what was synced, and any
// part of the rest.
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

// If the machine loses power before any call of the system, nothing is lost and nothing is sent
// twice, whatever was written of that which was not synced.
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
