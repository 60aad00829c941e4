package main

import "os"

// below is an open folder in a folder. A name in it is looked up in one step, however deep it lies.
type below struct {
	of    *folder
	root  *os.Root
	dir   string
	files int // that go into it at the moment
}

// maxBelow bounds how many are open that no file goes into.
const maxBelow = 16

// open opens a folder for a file, and makes it where it is missing. The caller holds the lock.
func (f *folder) open(dir string) (*below, error) {
	if dir == "" {
		return &below{of: f, root: f.root}, nil
	}
	b := f.below[dir]
	if b == nil {
		if err := f.root.MkdirAll(dir, 0o777); err != nil {
			return nil, err
		}
		root, err := f.root.OpenRoot(dir)
		if err != nil {
			return nil, err
		}
		b = &below{of: f, root: root, dir: dir}
		f.below[dir] = b
	}
	b.files++
	return b, nil
}

// leave says that a file no longer goes into a folder. The caller holds the lock.
func (f *folder) leave(b *below) {
	if b.dir == "" {
		return
	}
	b.files--
	for dir, other := range f.below {
		if len(f.below) <= maxBelow {
			return
		}
		if other.files == 0 && other != b { // the next file goes where the last one went
			other.root.Close()
			delete(f.below, dir)
		}
	}
}

// release says that the file is there, or will not be.
func (p place) release() {
	if b := p.in; b != nil {
		b.of.mu.Lock()
		defer b.of.mu.Unlock()
		b.of.leave(b)
	}
}
