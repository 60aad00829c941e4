package download

import (
	"errors"
	"io"
	"io/fs"
	"os"

	"locator/scheme"
)

// part is the open file of an incomplete download. It is locked: nobody else writes to it.
type part struct {
	h        *os.File
	replaces bool        // a file with the final name exists; the new one gets its permissions
	mode     fs.FileMode // the permissions of that file
}

// maxOpens bounds how often openPart tries again because the part was replaced while it was being opened.
const maxOpens = 10

// ownerWrites are the permissions that resuming a part needs.
const ownerWrites = 0o600

// errLocked says that another process or goroutine holds the lock.
var errLocked = errors.New("locked")

// openPart opens the part and locks it against other downloads, of other processes too. If it is to replace a file, it has
// the permissions of that file from the start, so that nobody can read it who may not read the file.
func (f File) openPart(flag int) (*part, error) {
	p := &part{}
	mode := fs.FileMode(0o666)
	if old, err := f.Root.Lstat(f.Name); err == nil && old.Mode().IsRegular() {
		p.replaces, p.mode = true, old.Mode().Perm()
		mode = p.mode | ownerWrites
	}
	for range maxOpens {
		if err := f.checkRegular(f.partName()); err != nil {
			return nil, err
		}
		h, err := f.Root.OpenFile(f.partName(), flag, mode)
		if err != nil {
			return nil, f.local(err)
		}
		locked, err := f.lockPart(h)
		if locked && err == nil && p.replaces { // the umask removed some permissions, or the part is an old one
			err = f.local(h.Chmod(mode))
		}
		if locked && err == nil {
			p.h = h
			return p, nil
		}
		if locked {
			unlock(h)
		}
		h.Close()
		if err != nil {
			return nil, err
		}
	}
	return nil, scheme.Fail(scheme.CodeLocal, "another program keeps replacing %s", f.shown(f.partName()))
}

// checkRegular returns an error if a name exists and is not a regular file with a single name. Writing through a link would
// change a file that the caller did not name.
func (f File) checkRegular(name string) error {
	in, err := f.Root.Lstat(name)
	switch {
	case err != nil:
		return nil
	case !in.Mode().IsRegular():
		return scheme.Fail(scheme.CodeLocal, "%s exists and is not a regular file; remove it", f.shown(name))
	case hasOtherName(in):
		return scheme.Fail(scheme.CodeLocal, "%s exists and has another hard link; remove it", f.shown(name))
	}
	return nil
}

// lockPart locks an open part. It returns false if the name belongs to another file by now, because the download that wrote
// to the part has ended.
func (f File) lockPart(h *os.File) (bool, error) {
	mine, err := h.Stat()
	if err != nil {
		return false, f.local(err)
	}
	if !mine.Mode().IsRegular() || hasOtherName(mine) { // created just now: checkRegular rejects it in the next round
		return false, nil
	}
	if err := lock(h); errors.Is(err, errLocked) {
		return false, scheme.Fail(scheme.CodeLocal, "another download is writing to %s", f.shown(f.partName()))
	} else if err != nil {
		return false, f.local(err)
	}
	named, err := f.Root.Lstat(f.partName()) // a link is another file, too
	if err != nil || !os.SameFile(mine, named) {
		unlock(h)
		return false, nil
	}
	return true, nil
}

// size returns the number of bytes stored so far.
func (p *part) size() int64 {
	in, err := p.h.Stat()
	if err != nil {
		return 0
	}
	return in.Size()
}

// truncate keeps the first n bytes; writing continues behind them. It leaves a file of that size alone: ext4 takes truncating
// to zero for the start of a replacement, and flushes the file to disk on close.
func (p *part) truncate(n int64) error {
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

// commit gives the part its final name, with the permissions of the file that it replaces.
func (p *part) commit(f File) error {
	if p.replaces && p.mode != p.mode|ownerWrites {
		if err := p.h.Chmod(p.mode); err != nil {
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
