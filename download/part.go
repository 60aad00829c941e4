package download

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path"

	"locator/internal/diskfile"
	"locator/internal/symlink"
	"locator/scheme"
	"locator/transfer"
)

// part is the open file of an incomplete download. It is locked: nobody else writes to it.
type part struct {
	h    *os.File
	mode fs.FileMode // Options.Mode
	keep bool        // rename leaves it open and locked, except on Windows
}

// maxOpens bounds how often openPart tries again because the part was replaced while it was being opened.
const maxOpens = 10

// partMode are the permissions of a part and of its state. Whatever the file will have, nobody else reads it or writes to it until it
// has its name.
const partMode = 0o600

// openPart opens the part and locks it against other downloads, of other processes too. If create is true, it makes the part if there is
// none. mode are the permissions of a new file.
func (f File) openPart(create bool, mode fs.FileMode) (*part, error) {
	for range maxOpens {
		h, fresh, err := f.openRegular(f.partName(), os.O_RDWR, create, partMode)
		if err != nil {
			return nil, err
		}
		if h == nil {
			continue
		}
		locked, err := f.lockPart(h, fresh)
		if locked && err == nil && !fresh {
			err = f.local(chmod(h, partMode))
		}
		if locked && err == nil {
			return &part{h: h, mode: mode}, nil
		}
		if locked {
			diskfile.Unlock(h)
		}
		h.Close()
		if err != nil {
			return nil, err
		}
	}
	return nil, scheme.Fail(scheme.CodeLocal, "another program keeps replacing %s", f.shown(f.partName()))
}

// openRegular opens a file of ours, or makes it if create is true; fresh reports which. The file is nil if another program made or removed it
// at the same time. It follows no link, and no file is made where a link leads.
func (f File) openRegular(name string, flag int, create bool, perm fs.FileMode) (h *os.File, fresh bool, err error) {
	if create {
		h, err = f.Root.OpenFile(name, flag|os.O_CREATE|os.O_EXCL, perm)
		if !errors.Is(err, fs.ErrExist) {
			return h, true, f.local(err)
		}
	}
	if err := f.checkRegular(name); err != nil {
		return nil, false, err
	}
	h, err = f.Root.OpenFile(name, flag, 0)
	switch {
	case create && errors.Is(err, fs.ErrNotExist):
		return nil, false, nil
	case err != nil:
		return nil, false, f.local(err)
	case !f.named(h, name):
		h.Close()
		return nil, false, nil
	}
	return h, false, nil
}

// checkRegular returns an error if a name exists and is not a regular file of ours with a single name. Writing through a link would
// change a file that the caller did not name, and who owns a part can change the file when it is complete. The index may be that of
// another user, unless everyone can make one in the folder.
func (f File) checkRegular(name string) error {
	in, err := f.Root.Lstat(name)
	switch {
	case err != nil:
		return nil
	case !in.Mode().IsRegular():
		return scheme.Fail(scheme.CodeLocal, "%s exists and is not a regular file; remove it", f.shown(name))
	case diskfile.HasOtherName(in):
		return scheme.Fail(scheme.CodeLocal, "%s exists and has another hard link; remove it", f.shown(name))
	case !symlink.Owned(in) && (name != transfer.IndexName || f.shared()):
		return scheme.Fail(scheme.CodeLocal, "%s exists and belongs to another user; remove it", f.shown(name))
	}
	return nil
}

// shared reports whether the folder of the file is one in which everyone can make files, such as /tmp.
func (f File) shared() bool {
	in, err := f.Root.Stat(path.Dir(f.Name))
	return err == nil && symlink.Shared(in)
}

// lockPart locks an open part. It returns false if the name belongs to another file by now, because the download that wrote
// to the part has ended.
func (f File) lockPart(h *os.File, fresh bool) (bool, error) {
	mine, err := h.Stat()
	if err != nil {
		return false, f.local(err)
	}
	if !mine.Mode().IsRegular() || diskfile.HasOtherName(mine) || !fresh && !symlink.Owned(mine) { // checkRegular rejects it in the next round
		return false, nil
	}
	if err := lock(h); errors.Is(err, diskfile.ErrLocked) {
		return false, scheme.Fail(scheme.CodeLocal, "another download is writing to %s", f.shown(f.partName()))
	} else if err != nil {
		return false, f.local(err)
	}
	if !f.named(h, f.partName()) {
		diskfile.Unlock(h)
		return false, nil
	}
	return true, nil
}

// named reports whether an open file has this name. A link is another file.
func (f File) named(h *os.File, name string) bool {
	in, err := f.Root.Lstat(name)
	if err != nil {
		return false
	}
	mine, err := h.Stat()
	return err == nil && os.SameFile(in, mine)
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
	diskfile.Unlock(p.h)
	p.h.Close()
}

// commit gives the part its final permissions and its name.
func (p *part) commit(f File) error {
	if err := p.setMode(f); err != nil {
		return err
	}
	if !f.Sync {
		return p.rename(f)
	}
	if err := f.step.sync(p.h, f.partName()); err != nil {
		return err
	}
	if err := p.rename(f); err != nil {
		return err
	}
	return f.step.syncFolder(f.Root, path.Dir(f.Name))
}
