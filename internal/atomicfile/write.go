package atomicfile

import (
	"io"
	"io/fs"
)

// Write replaces the contents of the file name, or makes it with those permissions, by what write
// writes: completely, or not at all.
func Write(name string, mode fs.FileMode, write func(io.Writer) error) error {
	f, err := Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	if old, err := f.Root.Stat(f.Name); err == nil {
		mode = old.Mode().Perm()
	}
	p, err := f.OpenPart(true, mode)
	if err != nil {
		return err
	}
	defer p.Close()
	if err := p.Truncate(0); err != nil {
		return f.Local(err)
	}
	if err := write(p.File); err != nil {
		return err
	}
	return p.Commit(f)
}
