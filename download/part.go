package download

import (
	"io"
	"io/fs"

	"locator"
	"locator/scheme"
)

// damagedSuffix is appended to the name of an attachment that could not be decoded to its end.
const damagedSuffix = ".damaged"

// maxNames bounds the search for a free name.
const maxNames = 10_000

// A Part is an attachment of a message that was saved.
type Part struct {
	Path    string
	Bytes   int64
	Damaged error // of the data, which could not be decoded to its end; the file has another name then
}

// SavePart saves an attachment of the message at u under a safe name that no file has, or with
// replace under any.
func (d *Folder) SavePart(u locator.URL, name string, body io.Reader, replace bool, mode fs.FileMode) (p Part, err error) {
	f, err := d.freeFile(u, name, replace)
	if err != nil {
		return p, err
	}
	defer f.Close()
	in := &errorReader{r: body}
	if p.Bytes, err = Write(f, mode, func(w io.Writer) (int64, error) { return io.Copy(w, in) }); err != nil {
		return p, scheme.Fail(scheme.CodeLocal, "%w", err)
	}
	p.Path, p.Damaged = f.Path(), in.err
	if in.err == nil {
		return p, nil
	}
	damaged, err := d.freeFile(u, name+damagedSuffix, replace)
	if err != nil {
		return p, err
	}
	defer damaged.Close()
	if err := f.Root.Rename(f.Name, damaged.Name); err != nil {
		return p, scheme.Fail(scheme.CodeLocal, "%w", err)
	}
	p.Path = damaged.Path()
	return p, nil
}

// freeFile returns a file that does not exist, or any with replace.
func (d *Folder) freeFile(u locator.URL, name string, replace bool) (File, error) {
	for range maxNames {
		f, err := d.File(u, []string{name})
		if err != nil {
			return f, err
		}
		if _, err := f.Root.Lstat(f.Name); err != nil || replace {
			return f, nil
		}
		f.Close()
	}
	return File{}, scheme.Fail(scheme.CodeLocal, "%s: there are more than %d files of this name", name, maxNames)
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
