package download

import (
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"locator/scheme"
	"locator/wire"
)

// File is where a transfer ends: a name in a folder that no name leads out of.
type File struct {
	Root *os.Root
	Dir  string // of Root, for messages; "" is none
	Name string // may hold "/"; the folders must exist
	Sync bool   // force it to the disk before it has its name, and the name after that
}

const (
	partEnding  = ".part"
	stateEnding = ".part.state"
)

// Part is the name of what is not whole yet.
func (f File) Part() string { return f.Name + partEnding }

// shown is a name beside it, for messages.
func (f File) shown(name string) string { return wire.Escape(path.Join(f.Dir, name)) }

func (f File) statePath() string { return f.Name + stateEnding }

// Reserved reports whether a name looks like that of a part, or of the state beside it: a file that had it would be
// lost to the transfer of another.
func Reserved(name string) bool {
	name = strings.ToLower(name) // some file systems fold case
	return strings.HasSuffix(name, partEnding) || strings.HasSuffix(name, stateEnding)
}

// part is the open file of what is not whole yet. Only its holder writes to it.
type part struct {
	h        *os.File
	replaces bool        // there is a file of the final name, whose rights the new one has, too
	rights   fs.FileMode // of that file
}

// openTries bounds how often a part may be exchanged while it is being opened.
const openTries = 10

// open opens the part and locks it against other transfers, of other processes too. A part of a file that is there has
// its rights from the start: what only its owner may read is never there for others.
func (f File) open(flag int) (*part, error) {
	p := &part{}
	mode := fs.FileMode(0o666)
	if old, err := f.Root.Lstat(f.Name); err == nil && old.Mode().IsRegular() {
		p.replaces, p.rights = true, old.Mode().Perm()
		mode = p.rights | ownerWrites
	}
	for range openTries {
		if err := f.plain(f.Part()); err != nil {
			return nil, err
		}
		h, err := f.Root.OpenFile(f.Part(), flag, mode)
		if err != nil {
			return nil, f.local(err)
		}
		held, err := f.hold(h)
		if held && err == nil && p.replaces { // the umask has taken some away, or the part is of an earlier run
			err = f.local(h.Chmod(mode))
		}
		if held && err == nil {
			p.h = h
			return p, nil
		}
		if held {
			unlock(h)
		}
		h.Close()
		if err != nil {
			return nil, err
		}
	}
	return nil, scheme.Fail(scheme.CodeLocal, "%s is exchanged again and again by others", f.shown(f.Part()))
}

// ownerWrites are the rights without which a part could not be gone on with.
const ownerWrites = 0o600

// plain refuses a name that is there and is no file. A link is none: what it leads to is not ours to write, nor is what has
// another name.
func (f File) plain(name string) error {
	in, err := f.Root.Lstat(name)
	switch {
	case err != nil:
		return nil
	case !in.Mode().IsRegular():
		return scheme.Fail(scheme.CodeLocal, "%s is there and is no file", f.shown(name))
	case hasOtherName(in):
		return scheme.Fail(scheme.CodeLocal, "%s is there and has another name, too: remove this one", f.shown(name))
	}
	return nil
}

// hold locks an open part. It reports false where the name has come to mean another file meanwhile: the transfer that
// wrote to it has ended.
func (f File) hold(h *os.File) (bool, error) {
	mine, err := h.Stat()
	if err != nil {
		return false, f.local(err)
	}
	if !mine.Mode().IsRegular() || hasOtherName(mine) { // put there this moment: it is refused when it is looked at again
		return false, nil
	}
	if err := lock(h); errors.Is(err, errLocked) {
		return false, scheme.Fail(scheme.CodeLocal, "another transfer writes to %s", f.shown(f.Part()))
	} else if err != nil {
		return false, f.local(err)
	}
	named, err := f.Root.Lstat(f.Part()) // a link, too, is another file
	if err != nil || !os.SameFile(mine, named) {
		unlock(h)
		return false, nil
	}
	return true, nil
}

// errLocked says that another holds the lock.
var errLocked = errors.New("locked")

// size is how many octets are there.
func (p *part) size() int64 {
	in, err := p.h.Stat()
	if err != nil {
		return 0
	}
	return in.Size()
}

// cut drops all but the first n octets; what is written next stands behind them. A file of just that size is left alone:
// ext4 takes any cut to nothing for a file that is replaced, and writes it to the disk when it is closed.
func (p *part) cut(n int64) error {
	if p.size() != n {
		if err := p.h.Truncate(n); err != nil {
			return err
		}
	}
	_, err := p.h.Seek(n, io.SeekStart)
	return err
}

func (p *part) close() {
	unlock(p.h)
	p.h.Close()
}

// become gives the part its final name, with the rights of the file that it replaces.
func (p *part) become(f File) error {
	if p.replaces && p.rights != p.rights|ownerWrites {
		if err := p.h.Chmod(p.rights); err != nil {
			return err
		}
	}
	if !f.Sync {
		return p.rename(f)
	}
	if err := p.h.Sync(); err != nil {
		return err
	}
	if err := p.rename(f); err != nil {
		return err
	}
	return f.syncFolder()
}

// state is what is known of the resource that a part belongs to.
type state struct {
	URL      string    `json:"url"` // redacted, as it was asked for
	Size     int64     `json:"size"`
	Modified time.Time `json:"modified"`
	ETag     string    `json:"etag"`
	Ranges   bool      `json:"ranges"` // the octets can be counted: a part can be gone on with
	Begun    time.Time `json:"begun"`  // by the local clock
}

// maxState bounds the file that a state is read from.
const maxState = 64 << 10

func (f File) readState() (state, bool) {
	if f.plain(f.statePath()) != nil { // a pipe would have to be waited for
		return state{}, false
	}
	h, err := f.Root.Open(f.statePath())
	if err != nil {
		return state{}, false
	}
	defer h.Close()
	var s state
	err = json.NewDecoder(io.LimitReader(h, maxState)).Decode(&s)
	return s, err == nil && !s.Begun.IsZero()
}

func (f File) writeState(s state) error {
	text, err := json.Marshal(s)
	if err != nil {
		return err
	}
	if err := f.dropState(); err != nil {
		return err
	}
	h, err := f.Root.OpenFile(f.statePath(), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600) // through no link
	if err != nil {
		return err
	}
	_, err = h.Write(text)
	if e := h.Close(); err == nil {
		err = e
	}
	return err
}

func (f File) dropState() error {
	if err := f.Root.Remove(f.statePath()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// stateOf describes a resource; size is -1 where it is unknown. A body that neither has a size nor comes in parts, such
// as a text in TYPE A or one that was compressed on the way, is not gone on with.
func stateOf(r scheme.Request, res *scheme.Resource) state {
	size, known := res.Attr.Size.Get()
	if !known {
		size = -1
	}
	return state{URL: r.URL.Redacted(), Size: size, Modified: res.Attr.Modified.UTC(), ETag: res.Attr.ETag,
		Ranges: known || res.Attr.Ranges, Begun: time.Now().UTC()}
}

// same reports whether nothing that both know differs. A weak entity tag says nothing about octets (RFC 9110 8.8.1). A
// resource that changed after the part was begun differs; where clocks are apart that is one transfer too many.
func (s state) same(t state) bool {
	switch {
	case s.Size >= 0 && t.Size >= 0 && s.Size != t.Size:
		return false
	case strong(s.ETag) && strong(t.ETag) && s.ETag != t.ETag:
		return false
	case s.Modified.IsZero():
		return !t.Modified.After(s.Begun)
	}
	return t.Modified.IsZero() || s.Modified.Equal(t.Modified)
}

func strong(etag string) bool { return len(etag) > 1 && etag[0] == '"' }

// local makes an error of this machine's own trouble. The names in those of Root's methods begin at Root, and are completed.
func (f File) local(err error) error {
	if err == nil {
		return nil
	}
	var one *fs.PathError
	var two *os.LinkError
	switch {
	case f.Dir == "":
	case errors.As(err, &one) && filepath.Base(one.Path) == one.Path: // that of an open file is whole
		one.Path = path.Join(f.Dir, one.Path)
	case errors.As(err, &two) && filepath.Base(two.Old) == two.Old:
		two.Old, two.New = path.Join(f.Dir, two.Old), path.Join(f.Dir, two.New)
	}
	return scheme.Fail(scheme.CodeLocal, "%w", err)
}
