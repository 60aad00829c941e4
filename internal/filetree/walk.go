package filetree

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"locator/internal/ignore"
)

// Options says what a walk visits.
type Options struct {
	Hidden   bool // also files and folders whose names begin with a dot
	NoIgnore bool // also what ignore rules leave out, and the folder .git
	Follow   bool // follow symbolic links
	Depth    int  // folders below the root that are entered; 0: all

	Want    func(path string) bool     // reports whether a file is visited; nil: all are. The path counts from the root, with slashes.
	Enter   func(path string) bool     // the same for a folder
	Skipped func(name, reason string)  // is called for what is left out for another reason than rules and flags; may be nil
	Failed  func(name string, _ error) // is called for what cannot be read; may be nil
}

// Walk calls visit for each regular file below a folder, in the order of the names in each folder.
// It ends early when visit returns false or the context ends. Names begin with that of the folder.
func Walk(ctx context.Context, root string, o Options, visit func(name string) bool) {
	w := &walker{Options: o, ctx: ctx, visit: visit}
	entries, err := os.ReadDir(root)
	if err != nil {
		w.failed(root, err)
	}
	var rules *ignore.Rules
	if !o.NoIgnore {
		if rules, err = ignore.Open(root, func(file string, err error) {
			w.failed(file, &fs.PathError{Op: "open", Path: file, Err: err})
		}); err != nil {
			w.failed(root, err)
			return
		}
	}
	if o.Follow {
		if s, err := os.Stat(root); err == nil {
			w.above = append(w.above, s)
		}
	}
	prefix := root
	if !os.IsPathSeparator(root[len(root)-1]) {
		prefix += string(filepath.Separator)
	}
	w.folder(prefix, "", entries, rules, 1)
}

// walker is one walk.
type walker struct {
	Options
	ctx   context.Context
	visit func(name string) bool
	above []os.FileInfo // the folder and those around it; only where links are followed
}

func (w *walker) failed(name string, err error) {
	if w.Failed != nil {
		w.Failed(name, err)
	}
}

func (w *walker) skipped(name, reason string) {
	if w.Skipped != nil {
		w.Skipped(name, reason)
	}
}

// folder visits the entries of a folder. prefix is its name and path its path from the root; both
// end in a slash, unless path is empty. It returns false if the walk is to end.
func (w *walker) folder(prefix, path string, entries []fs.DirEntry, rules *ignore.Rules, depth int) bool {
	for _, e := range entries {
		if w.ctx.Err() != nil {
			return false
		}
		name := e.Name()
		if !w.Hidden && strings.HasPrefix(name, ".") || !w.NoIgnore && name == ".git" {
			continue
		}
		full, kind := prefix+name, e.Type()
		if kind&fs.ModeSymlink != 0 {
			if !w.Follow {
				w.skipped(full, "symbolic link")
				continue
			}
			s, err := os.Stat(full)
			if err != nil {
				w.failed(full, err)
				continue
			}
			kind = s.Mode().Type()
		}
		switch {
		case rules != nil && rules.Ignored(name, kind.IsDir()):
		case kind.IsDir():
			if !w.enter(full, path+name, name, rules, depth) {
				return false
			}
		case !kind.IsRegular():
			w.skipped(full, "not a regular file")
		case w.Want != nil && !w.Want(path+name):
		case !w.visit(full):
			return false
		}
	}
	return true
}

// errLoop is the error of a link that leads to a folder around it.
var errLoop = errors.New("symbolic link to a folder that contains it")

// enter visits a folder within another.
func (w *walker) enter(full, path, name string, rules *ignore.Rules, depth int) bool {
	if w.Depth > 0 && depth > w.Depth || w.Enter != nil && !w.Enter(path) {
		return true
	}
	if w.Follow {
		s, err := os.Stat(full)
		if err != nil {
			w.failed(full, err)
			return true
		}
		for _, a := range w.above {
			if os.SameFile(a, s) {
				w.failed(full, &fs.PathError{Op: "open", Path: full, Err: errLoop})
				return true
			}
		}
		w.above = append(w.above, s)
		defer func() { w.above = w.above[:len(w.above)-1] }()
	}
	entries, err := os.ReadDir(full)
	if err != nil {
		w.failed(full, err)
	}
	if rules != nil {
		rules = rules.Enter(name, entries)
	}
	return w.folder(full+string(filepath.Separator), path+"/", entries, rules, depth+1)
}
