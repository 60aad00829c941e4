package main

import (
	"errors"
	"io"

	"locator"
	"locator/download"
	"locator/internal/units"
	"locator/scheme"
	"locator/transfer"
)

// damagedSuffix is appended to the name of an attachment that could not be decoded to its end.
const damagedSuffix = ".damaged"

// savePart saves an attachment of a message under a safe name that no file has, and says so. What could be decoded of a damaged one
// is kept under another name. An attachment that exceeds --max-size ends the
// message.
func (b *batch) savePart(u locator.URL, name string, body io.Reader) error {
	b.parts.Lock()
	defer b.parts.Unlock()
	dir, err := b.folder(b.o.dir)
	if err != nil {
		return err
	}
	f, err := b.freeFile(dir, u, name)
	if err != nil {
		return err
	}
	defer f.Close()
	in := &errorReader{r: body}
	n, err := download.Write(f, b.app.Mode, func(w io.Writer) (int64, error) { return io.Copy(w, in) })
	if err != nil {
		return localError(err)
	}
	if in.err == nil {
		b.app.note("%s: saved (%s)", f.Path(), units.Size(n))
		return nil
	}
	damaged, err := b.freeFile(dir, u, name+damagedSuffix)
	if err != nil {
		return err
	}
	defer damaged.Close()
	if err := f.Root.Rename(f.Name, damaged.Name); err != nil {
		return scheme.Fail(scheme.CodeLocal, "%w", err)
	}
	b.app.note("%s: damaged; saved as far as it could be decoded (%s): %v", damaged.Path(), units.Size(n), in.err)
	if errors.Is(in.err, transfer.ErrQuota) {
		return in.err
	}
	return nil
}

// maxNames bounds the search for a free name.
const maxNames = 10_000

// freeFile returns a file that does not exist, or any with --force.
func (b *batch) freeFile(dir *download.Folder, u locator.URL, name string) (download.File, error) {
	for range maxNames {
		f, err := dir.File(u, []string{name})
		if err != nil {
			return f, err
		}
		if _, err := f.Root.Lstat(f.Name); err != nil || b.o.force {
			return f, nil
		}
		f.Close()
	}
	return download.File{}, scheme.Fail(scheme.CodeLocal, "%s: there are more than %d files of this name", name, maxNames)
}

// errorReader ends at an error of its reader, which it keeps.
type errorReader struct {
	r   io.Reader
	err error
}

// Read implements io.Reader.
func (e *errorReader) Read(p []byte) (int, error) {
	n, err := e.r.Read(p)
	if err != nil && err != io.EOF {
		e.err, err = err, io.EOF
	}
	return n, err
}
