package atomicfile

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path"

	"locator/internal/diskfile"
	"locator/internal/symlink"
	"locator/scheme"
)

// A Part is the open file of an incomplete download. It is locked: nobody else writes to it.
type Part struct {
	File *os.File
	Keep bool        // Commit leaves it open and locked, except on Windows
	mode fs.FileMode // of a new file
}

// MaxOpens bounds how often a file is opened again because it was replaced while it was being
// opened.
const MaxOpens = 10

// PartMode are the permissions of a part and of what describes it. Whatever the file will have,
// nobody else reads it or writes to it until it has its name.
const PartMode = 0o600

// OpenPart opens the part and locks it against other downloads, of other processes too. If create
// is true, it makes the part if there is none. mode are the permissions of a new file.
func (f Place) OpenPart(create bool, mode fs.FileMode) (*Part, error) {
	for range MaxOpens {
		h, fresh, err := f.OpenRegular(f.PartName(), os.O_RDWR, create, PartMode)
		if err != nil {
			return nil, err
		}
		if h == nil {
			continue
		}
		locked, err := f.lockPart(h, fresh)
		if locked && err == nil && !fresh {
			err = f.Local(chmod(h, PartMode))
		}
		if locked && err == nil {
			return &Part{File: h, mode: mode}, nil
		}
		if locked {
			diskfile.Unlock(h)
		}
		h.Close()
		if err != nil {
			return nil, err
		}
	}
	return nil, scheme.Fail(scheme.CodeLocal, "another program keeps replacing %s", f.Shown(f.PartName()))
}

// OpenRegular opens a file of the user, or makes it if create is true; fresh reports which. The
// file is nil if another program made or removed it at the same time. It follows no link, and no
// file is made where a link leads.
func (f Place) OpenRegular(name string, flag int, create bool, perm fs.FileMode) (h *os.File, fresh bool, err error) {
	if create {
		h, err = f.Root.OpenFile(name, flag|os.O_CREATE|os.O_EXCL, perm)
		if !errors.Is(err, fs.ErrExist) {
			return h, true, f.Local(err)
		}
	}
	if err := f.CheckRegular(name); err != nil {
		return nil, false, err
	}
	h, err = f.Root.OpenFile(name, flag, 0)
	switch {
	case create && errors.Is(err, fs.ErrNotExist):
		return nil, false, nil
	case err != nil:
		return nil, false, f.Local(err)
	case !f.Named(h, name):
		h.Close()
		return nil, false, nil
	}
	return h, false, nil
}

// CheckRegular returns an error if a name exists and is not a regular file of the user with a
// single name. Writing through a link would change a file that the caller did not name, and who
// owns a part can change the file when it is complete. The index may be that of another user,
// unless everyone can make one in the folder.
func (f Place) CheckRegular(name string) error {
	in, err := f.Root.Lstat(name)
	switch {
	case err != nil:
		return nil
	case !in.Mode().IsRegular():
		return scheme.Fail(scheme.CodeLocal, "%s exists and is not a regular file; remove it", f.Shown(name))
	case diskfile.HasOtherName(in):
		return scheme.Fail(scheme.CodeLocal, "%s exists and has another hard link; remove it", f.Shown(name))
	case !symlink.Owned(in) && (name != IndexName || f.shared()):
		return scheme.Fail(scheme.CodeLocal, "%s exists and belongs to another user; remove it", f.Shown(name))
	}
	return nil
}

// shared reports whether the folder of the file is one in which everyone can make files, such as
// /tmp.
func (f Place) shared() bool {
	in, err := f.Root.Stat(path.Dir(f.Name))
	return err == nil && symlink.Shared(in)
}

// lockPart locks an open part. It returns false if the name belongs to another file by now, because
// the download that wrote to the part has ended.
func (f Place) lockPart(h *os.File, fresh bool) (bool, error) {
	mine, err := h.Stat()
	if err != nil {
		return false, f.Local(err)
	}
	if !mine.Mode().IsRegular() || diskfile.HasOtherName(mine) || !fresh && !symlink.Owned(mine) { // CheckRegular rejects it in the next round
		return false, nil
	}
	if err := Lock(h); errors.Is(err, diskfile.ErrLocked) {
		return false, scheme.Fail(scheme.CodeLocal, "another download is writing to %s", f.Shown(f.PartName()))
	} else if err != nil {
		return false, f.Local(err)
	}
	if !f.Named(h, f.PartName()) {
		diskfile.Unlock(h)
		return false, nil
	}
	return true, nil
}

// Named reports whether an open file has this name. A link is another file.
func (f Place) Named(h *os.File, name string) bool {
	in, err := f.Root.Lstat(name)
	if err != nil {
		return false
	}
	mine, err := h.Stat()
	return err == nil && os.SameFile(in, mine)
}

// Size returns the number of bytes stored so far.
func (p *Part) Size() int64 {
	in, err := p.File.Stat()
	if err != nil {
		return 0
	}
	return in.Size()
}

// Truncate keeps the first n bytes; writing continues behind them. It leaves a file of that size
// alone: ext4 takes truncating to zero for the start of a replacement, and flushes the file to disk
// on close.
func (p *Part) Truncate(n int64) error {
	if p.Size() != n {
		if err := p.File.Truncate(n); err != nil {
			return err
		}
	}
	_, err := p.File.Seek(n, io.SeekStart)
	return err
}

// Close releases the lock and closes the file. The part stays.
func (p *Part) Close() {
	diskfile.Unlock(p.File)
	p.File.Close()
}

// Commit sets the final permissions of the part and renames it.
func (p *Part) Commit(f Place) error {
	if err := p.setMode(f); err != nil {
		return err
	}
	if !f.Sync {
		return p.rename(f)
	}
	if err := f.Step.Sync(p.File, f.PartName()); err != nil {
		return err
	}
	if err := p.rename(f); err != nil {
		return err
	}
	return f.Step.SyncFolder(f.Root, path.Dir(f.Name))
}
