package ignore

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Rules are the rules that hold in one folder: those of its files and of the files in the folders
// above.
type Rules struct {
	folder string // absolute, with slashes, and with one at the end
	own    *level // of .ignore files
	git    *level // of git's files; nil outside of work trees
	inTree bool   // within a work tree of git
	failed func(file string, err error)
}

// level has the rules of one file. Those of the file before it count only where none of them
// matches.
type level struct {
	before *level
	prefix int // length of the folder that the file is for
	rules  []rule
	size   int // estimate of the memory of these rules and of those before, in bytes
}

// ErrTooLarge is the error of a file that has too many rules, by itself or together with those of
// the folders above.
var ErrTooLarge = errors.New("too many ignore rules; the file was not used")

// Bounds of what is read, in bytes.
const (
	maxFile  = 4 << 20
	maxSize  = 32 << 20 // of the rules that hold in one folder, those of git and the others each
	ruleSize = 128      // of a rule beside its text
)

// Open returns the rules that hold in a folder. As in ripgrep, .gitignore files count only within a
// work tree of git, and .ignore files everywhere. A file that cannot be read has no rules. failed
// is called for a file that is not used as it is too large, here and by Enter.
func Open(folder string, failed func(file string, err error)) (*Rules, error) {
	abs, err := filepath.Abs(folder)
	if err != nil {
		return nil, err
	}
	abs = filepath.ToSlash(abs)
	root := filepath.ToSlash(filepath.VolumeName(abs)) + "/"
	r := (&Rules{failed: failed}).enter(root, exists)
	for name := range strings.SplitSeq(strings.TrimPrefix(abs, root), "/") {
		if name != "" {
			r = r.enter(r.folder+name+"/", exists)
		}
	}
	return r, nil
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

// Enter returns the rules that hold in a folder within that of r. entries is what is in it, sorted
// by name.
func (r *Rules) Enter(name string, entries []fs.DirEntry) *Rules {
	folder := r.folder + name + "/"
	return r.enter(folder, func(file string) bool {
		_, found := slices.BinarySearchFunc(entries, file[len(folder):], func(e fs.DirEntry, name string) int { return strings.Compare(e.Name(), name) })
		return found
	})
}

// enter returns the rules of a folder below that of r; has reports whether one of its files exists.
func (r *Rules) enter(folder string, has func(file string) bool) *Rules {
	in := *r
	in.folder = folder
	if has(folder + ".git") {
		in.inTree, in.git = true, nil
	}
	if has(folder+".gitignore") && in.inTree {
		in.git = in.with(in.git, folder, folder+".gitignore")
	}
	if has(folder + ".ignore") {
		in.own = in.with(in.own, folder, folder+".ignore")
	}
	return &in
}

// with returns a level with the rules of a file above l.
func (r *Rules) with(l *level, folder, file string) *level {
	size := 0
	if l != nil {
		size = l.size
	}
	text := readText(file)
	rules, fits := []rule(nil), len(text) <= maxFile
	if size += len(text); fits {
		rules, fits = parseRules(text, (maxSize-size)/ruleSize)
	}
	switch {
	case !fits:
		r.failed(file, ErrTooLarge)
	case rules != nil:
		return &level{before: l, prefix: len(folder), rules: rules, size: size + ruleSize*len(rules)}
	}
	return l
}

// readText returns the text of a regular file, or more than maxFile bytes of a larger one; "" if it
// cannot be read.
func readText(name string) string {
	if s, err := os.Stat(name); err != nil || !s.Mode().IsRegular() {
		return ""
	}
	h, err := os.Open(name)
	if err != nil {
		return ""
	}
	defer h.Close()
	b, err := io.ReadAll(io.LimitReader(h, maxFile+1))
	if err != nil {
		return ""
	}
	return string(b)
}

// Ignored reports whether a file or folder is left out. name is its name in the folder of r.
func (r *Rules) Ignored(name string, folder bool) bool {
	if r.own == nil && r.git == nil {
		return false
	}
	path := r.folder + name
	for _, l := range [...]*level{r.own, r.git} {
		for ; l != nil; l = l.before {
			for i := len(l.rules) - 1; i >= 0; i-- {
				if x := &l.rules[i]; x.matches(path[l.prefix:], name, folder) {
					return !x.include
				}
			}
		}
	}
	return false
}

// matches reports whether a rule is about a file or folder. path counts from the folder of the
// rule.
func (x *rule) matches(path, name string, folder bool) bool {
	switch {
	case x.folders && !folder:
		return false
	case x.path:
		return x.test(path)
	}
	return x.test(name)
}
