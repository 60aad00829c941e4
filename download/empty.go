package download

import (
	"io"
	"os"
	"slices"

	"locator/scheme"
	"locator/tree"
)

// findEmpty lets a walk collect the folders that are empty on the server, or have nothing that is
// wanted.
func (m *mirror) findEmpty(o *tree.WalkOptions) {
	listed := o.Listed
	o.Listed = func(folder []string, complete bool) {
		if !m.filled && len(m.o.Prefix)+len(folder) > 0 {
			m.empty = append(m.empty, slices.Clone(folder))
		}
		m.filled = false
		if listed != nil {
			listed(folder, complete)
		}
	}
}

// makeEmpty makes the folders that are empty on the server.
func (m *mirror) makeEmpty() {
	for _, folder := range m.empty {
		if m.isBlocked(scheme.Entry{URL: m.r.URL}, folder, folder, true) {
			continue
		}
		if err := m.to.makeFolder(slices.Concat(m.o.Prefix, folder), keyOf(m.r.URL)); err != nil {
			m.fail(m.r.URL, err)
			return
		}
	}
}

// makeFolder makes the folder with the server's names if it does not exist, and records that it
// belongs to the mirror from.
func (f *Folder) makeFolder(names []string, from string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	local, err := f.localDir(names)
	if err != nil {
		return err
	}
	if _, err := f.root.Lstat(local); err == nil {
		return nil
	}
	d, err := f.openDir(local)
	if err != nil {
		return f.at(local).local(err)
	}
	f.release(d)
	if f.index == nil {
		return nil
	}
	return f.record(record{File: name(local), URL: from, From: from, Size: -1, Folder: true}, names)
}

// isEmpty reports whether nothing is in a folder.
func isEmpty(root *os.Root, name string) bool {
	h, err := root.Open(name)
	if err != nil {
		return false
	}
	defer h.Close()
	_, err = h.Readdirnames(1)
	return err == io.EOF
}
