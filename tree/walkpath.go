package tree

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"locator"
	"locator/scheme"
)

// setRoot sets base and dir, the root of the tree: the listed directory, whose URL may lack the
// final slash, or the directory of a page.
func (w *walk) setRoot(at, first locator.URL) {
	w.base = &at
	w.dir, _ = at.Segments()
	n := len(w.dir)
	if n == 0 {
		return
	}
	if s, _ := first.Segments(); w.dir[n-1] == "" || len(s) <= n || !slices.Equal(s[:n], w.dir) {
		w.dir = w.dir[:n-1]
	}
}

// path returns the names from the root to an entry of the folder at path. ok is false if the entry
// is outside the tree.
func (w *walk) path(e scheme.Entry, path []string) (names []string, ok bool) {
	if !sameServer(w.base.Canonical(), e.URL.Canonical()) {
		return nil, false
	}
	s, ok := e.URL.Segments()
	if !ok {
		return append(slices.Clone(path), cmp.Or(w.c.FileName(e.URL, false), e.Name)), true
	}
	n := len(w.dir)
	if len(s) <= n || !slices.Equal(s[:n], w.dir) {
		return nil, false
	}
	names = slices.Clone(s[n:])
	if last := len(names) - 1; names[last] == "" {
		names = names[:last]
	}
	for _, name := range names { // names that could leave the directory
		if name == "" || name == "." || name == ".." || strings.ContainsAny(name, "/\x00") {
			return nil, false
		}
	}
	if search, ok := e.URL.Search(); ok && len(names) > 0 {
		names[len(names)-1] += "?" + locator.Decode(search)
	}
	return names, len(names) > 0 && len(names) <= w.o.Depth+DefaultDepth // an entry's name may be a whole path
}

// sameServer reports whether two URLs have the same scheme, host and port.
func sameServer(a, b locator.URL) bool {
	return a.Scheme() == b.Scheme() && hostPort(a) == hostPort(b)
}

// hostPort returns the host and port of a URL as a map key.
func hostPort(u locator.URL) string {
	port, _ := u.PortNumber()
	return strings.ToLower(u.Host()) + ":" + strconv.Itoa(int(port))
}
