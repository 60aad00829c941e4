package localsite

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"locator"
	"locator/scheme"
	"locator/scheme/file"
)

// A Map maps URLs to others, most of them of files. The zero value maps only relative references
// in files to the files beside them. It is safe for concurrent use as long as nobody changes it.
type Map struct {
	// Root is the folder of the site; empty means none.
	Root string
	// Base is the URL of Root. Without it, the site has no URL: only references without a host are
	// mapped to Root. Without Root, references in files are resolved against Base.
	Base  locator.URL
	Rules []Rule // are tried first; the first one that applies counts
	// Index are the names of the file that a folder shows; nil means DefaultIndex.
	Index []string
	// Suffixes are those that a URL may leave out; nil means DefaultSuffixes.
	Suffixes []string
	// Stat is os.Stat for tests; nil means os.Stat.
	Stat func(name string) (fs.FileInfo, error)

	only []string // files and folders to look for; nil means all
}

// Rule replaces the beginning of a URL.
type Rule struct {
	From string // the beginning of a URL, as in "//host/docs/" with its scheme before it, up to the end of a name
	To   string // of another URL, or the path of a file or folder
}

// DefaultIndex returns the names of the file that a folder shows.
func DefaultIndex() []string { return []string{"index.html", "index.htm", "index.xhtml"} }

// DefaultSuffixes returns the suffixes that a URL may leave out.
func DefaultSuffixes() []string { return []string{".html", ".htm", ".md"} }

// ParseRule parses a rule: what to replace, a blank, and by what.
func ParseRule(text string) (Rule, error) {
	from, to, ok := strings.Cut(strings.TrimSpace(text), " ")
	to = strings.TrimSpace(to)
	if !ok || to == "" {
		return Rule{}, scheme.Fail(scheme.CodeUsage, "%q is not two texts with a blank between them, such as %q", text, "//host/docs/ ./site/")
	}
	return Rule{From: from, To: to}, nil
}

// rest returns what follows From in a URL. ok is false if From ends within a host or a name there:
// "http://a.example" is no beginning of "http://a.example.net/".
func (r Rule) rest(text string) (rest string, ok bool) {
	const ends = ":/?#=&"
	rest, ok = strings.CutPrefix(text, r.From)
	return rest, ok && (rest == "" || strings.IndexByte("/?#", rest[0]) >= 0 || strings.TrimRight(r.From, ends) != r.From)
}

// New returns the map of a site with a folder and a URL, either of which may be empty, and rules as
// ParseRule has them.
func New(root, base string, rules []string) (*Map, error) {
	m := &Map{Root: root}
	if in, err := os.Stat(root); root != "" && (err != nil || !in.IsDir()) {
		return nil, scheme.Fail(scheme.CodeUsage, "the root of the site is no folder: %s", root)
	}
	if base != "" {
		var err error
		if m.Base, err = locator.Current.Parse(base); err != nil {
			return nil, scheme.Fail(scheme.CodeUsage, "the URL of the site: %w", err)
		}
	}
	for _, text := range rules {
		r, err := ParseRule(text)
		if err != nil {
			return nil, err
		}
		m.Rules = append(m.Rules, r)
	}
	return m, nil
}

// Restrict lets the map look only for files that may be read although strangers write the links:
// those of the site, and those of names that exist. It returns these files and folders. They are
// absolute, so that another process may use them, and without symbolic links, too. The list is never
// nil.
func (m *Map) Restrict(names []string) []string {
	m.only = []string{}
	names = slices.Clone(names)
	for _, r := range m.Rules {
		to := r.To
		if u, err := locator.Current.Parse(to); err == nil {
			if name, ok := filePath(u); ok {
				to = name
			}
		}
		names = append(names, to)
	}
	for _, name := range append(names, m.Root) {
		at, err := filepath.Abs(name)
		real, missing := filepath.EvalSymlinks(at)
		if name == "" || err != nil || missing != nil {
			continue
		}
		if m.only = append(m.only, at); real != at {
			m.only = append(m.only, real)
		}
	}
	return m.only
}

// noURL is the URL of a site without one. It is never accessed.
func noURL() locator.URL {
	u, err := locator.Build(&locator.HTTP{Login: locator.Login{Hostport: locator.Hostport{Host: "site.invalid"}}, Segments: []string{""}})
	if err != nil {
		panic(err) // it is constant
	}
	return u
}

// base returns the URL of Root, with a slash at its end.
func (m *Map) base() locator.URL {
	if m.Base.IsZero() {
		return noURL()
	}
	path, _ := m.Base.Path()
	if path != "" && !strings.HasSuffix(path, "/") {
		path += "/"
	}
	u, err := m.Base.WithoutFragment().WithPath(locator.Some(path))
	if err != nil {
		return m.Base
	}
	return u
}

// URL returns what relative references in a file are resolved against; zero if that is unknown, as
// in standard input.
func (m *Map) URL(name string) locator.URL {
	if m.Root == "" || name == "-" {
		if !m.Base.IsZero() || name == "-" {
			return m.Base // zero for standard input without one
		}
		return FileURL(name)
	}
	rel, ok := within(m.Root, name)
	if !ok {
		return FileURL(name)
	}
	u, err := m.base().JoinPath(strings.Split(filepath.ToSlash(rel), "/")...)
	if err != nil {
		return locator.URL{}
	}
	return u
}

// within returns the path of a file below a folder.
func within(folder, name string) (rel string, ok bool) {
	folder, err := filepath.Abs(folder)
	if err != nil {
		return "", false
	}
	if name, err = filepath.Abs(name); err != nil {
		return "", false
	}
	rel, err = filepath.Rel(folder, name)
	return rel, err == nil && filepath.IsLocal(rel)
}

// Outside reports whether u is the URL of a file in none of the folders, or reached through a
// symbolic link that leads out of them. The folders are named as Restrict does. It is false for
// other URLs.
func Outside(u locator.URL, folders ...string) bool {
	if _, ok := u.View().(*locator.File); !ok {
		return false
	}
	below := func(name string, ok bool) bool {
		return ok && slices.ContainsFunc(folders, func(folder string) bool {
			_, below := within(folder, name)
			return below
		})
	}
	name, ok := filePath(u)
	return !below(name, ok) || !below(existingPath(name))
}

// existingPath returns a path without symbolic links; without what does not exist at its end. ok is
// false if that is unknown.
func existingPath(name string) (real string, ok bool) {
	for {
		real, err := filepath.EvalSymlinks(name)
		up := filepath.Dir(name)
		if err == nil || up == name || !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR) {
			return real, err == nil
		}
		name = up
	}
}

// Target returns the URL to check instead of u: that of a file if u is of the site. reference is
// what u was resolved from, if it is a reference in a file of that name: see Find in package
// find/format. A URL without a name is in no file: it was named itself, or is one of a list. ok is false if u is of the site and cannot be the URL of a file, and, without a
// Root, for a reference that depends on where the site begins.
func (m *Map) Target(u locator.URL, reference, name string) (to locator.URL, ok bool) {
	text := u.Text()
	for _, r := range m.Rules {
		rest, applies := r.rest(text)
		if !applies {
			continue
		}
		if to, err := locator.Current.Parse(r.To + rest); err == nil {
			return m.existing(to), true
		}
		return m.file(r.To, rest)
	}
	base := m.base()
	if base.Scheme() == u.Scheme() && strings.EqualFold(base.ASCIIHost(), u.ASCIIHost()) && base.WithoutDefaults().Port() == u.WithoutDefaults().Port() {
		at, _ := base.Path()
		path, _ := u.Path()
		switch rest, below := strings.CutPrefix(path, at); {
		case m.Root == "":
		case below:
			if fragment, ok := u.Fragment(); ok {
				rest += "#" + fragment
			}
			return m.file(m.Root, rest)
		case m.Base.IsZero():
			return locator.URL{}, false
		}
	}
	_, isFile := u.View().(*locator.File)
	switch {
	case isFile && name == "": // as it was written
		return u, true
	case isFile && reference != "":
		if m.Root == "" {
			beside, err := m.URL(name).Resolve(reference) // differs if the document names its base
			if err != nil || strings.HasPrefix(reference, "/") || beside.WithoutFragment().Text() != u.WithoutFragment().Text() {
				return locator.URL{}, false
			}
		}
		return m.existing(withoutSearch(u)), true
	}
	return m.existing(u), true
}

// withoutSearch returns the URL of a file without the search that a reference had.
func withoutSearch(u locator.URL) locator.URL {
	text, _, search := strings.Cut(u.WithoutFragment().Text(), "?")
	if !search {
		return u
	}
	if fragment, ok := u.Fragment(); ok {
		text += "#" + fragment
	}
	without, err := locator.Current.Parse(text)
	if err != nil {
		return u
	}
	return without
}

// file returns the URL of a file below a folder, or of the folder. rest is the end of a URL.
func (m *Map) file(folder, rest string) (u locator.URL, ok bool) {
	rest, fragment, hasFragment := strings.Cut(rest, "#")
	rest, _, _ = strings.Cut(rest, "?")
	name := folder
	for segment := range strings.SplitSeq(rest, "/") {
		segment = locator.Decode(segment)
		if segment != "" && segment != "." && !filepath.IsLocal(segment) || strings.ContainsAny(segment, "/\x00"+string(filepath.Separator)) {
			return u, false
		}
		name = filepath.Join(name, segment)
	}
	if u = m.existing(FileURL(name)); u.IsZero() {
		return u, false
	}
	if hasFragment {
		with, err := u.WithFragment(locator.Some(fragment))
		return with, err == nil
	}
	return u, true
}

// existing returns the URL of the file that a server sends for u, if u is a file: the index of a
// folder, or one with a suffix that u leaves out. Otherwise it returns u.
func (m *Map) existing(u locator.URL) locator.URL {
	name, ok := filePath(u)
	if !ok || m.only != nil && Outside(u, m.only...) {
		return u
	}
	stat := m.Stat
	if stat == nil {
		stat = os.Stat
	}
	isFile := func(name string) bool {
		in, err := stat(name)
		return err == nil && in.Mode().IsRegular()
	}
	var names []string
	switch in, err := stat(name); {
	case err != nil:
		suffixes := m.Suffixes
		if suffixes == nil {
			suffixes = DefaultSuffixes()
		}
		for _, s := range suffixes {
			names = append(names, strings.TrimSuffix(name, string(filepath.Separator))+s)
		}
	case in.IsDir():
		index := m.Index
		if index == nil {
			index = DefaultIndex()
		}
		for _, s := range index {
			names = append(names, filepath.Join(name, s))
		}
	}
	for _, other := range names {
		if !isFile(other) {
			continue
		}
		to := FileURL(other)
		if fragment, ok := u.Fragment(); ok && !to.IsZero() {
			if with, err := to.WithFragment(locator.Some(fragment)); err == nil {
				to = with
			}
		}
		return to
	}
	return u
}

// filePath returns the path of the file of a URL on this machine.
func filePath(u locator.URL) (name string, ok bool) {
	v, ok := u.View().(*locator.File)
	if !ok || v.Host != "" && !strings.EqualFold(v.Host, "localhost") {
		return "", false
	}
	name, err := file.Path(v.Segments)
	return name, err == nil
}

// FileURL returns the URL of a file; zero if it has none.
func FileURL(name string) locator.URL {
	name, err := filepath.Abs(name)
	if err != nil {
		return locator.URL{}
	}
	u, err := locator.Build(&locator.File{Segments: strings.Split(strings.TrimPrefix(filepath.ToSlash(name), "/"), "/")})
	if err != nil {
		return locator.URL{}
	}
	return u
}
