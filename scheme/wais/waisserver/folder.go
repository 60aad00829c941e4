package waisserver

import (
	"fmt"
	"io/fs"
	"os"
	"strings"

	"locator/internal/filetree"
)

// maxFiles bounds the files of a folder.
const maxFiles = 100_000

// Folder returns a database of the regular files in a folder and below it, and a function that
// closes the folder. Names that begin with a dot are left out. What cannot be read is left out,
// too, and skipped is called with the reason. No document-id and no symbolic link can reach files
// outside the folder.
func Folder(name, dir string, skipped func(err error)) (db *Database, closeDir func() error, err error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, nil, err
	}
	files, err := walk(root.FS(), func(name string) (Content, error) { return filetree.OpenIn(root, name, 0) }, skipped)
	if err == nil {
		db, err = newDatabase(name, files, skipped)
	}
	if err != nil {
		root.Close()
		return nil, nil, err
	}
	return db, root.Close, nil
}

// walk returns the files of Folder.
func walk(folder fs.FS, open func(name string) (Content, error), skipped func(err error)) (files []File, err error) {
	return files, fs.WalkDir(folder, ".", func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil && p == ".":
			return err
		case err != nil: // of a folder that cannot be read
			skipped(err)
			return nil
		case p != "." && strings.HasPrefix(d.Name(), "."):
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		case !d.Type().IsRegular():
			return nil
		case len(files) == maxFiles:
			return fmt.Errorf("waisserver: more than %d files", maxFiles)
		}
		info, err := d.Info()
		if err == nil {
			var c Content
			if c, err = open(p); err == nil {
				err = c.Close()
			}
		}
		if err != nil {
			skipped(err)
			return nil
		}
		files = append(files, File{Name: p, Size: info.Size(), Modified: info.ModTime(), Open: func() (Content, error) { return open(p) }})
		return nil
	})
}
