package ftptest

import (
	"slices"
	"strings"
	"time"

	"locator/schemetest/peer"
)

// node is a file or directory of the tree.
type node struct {
	children map[string]*node // nil for a file
	content  []byte
	modified time.Time
	link     *link // nil unless it is a link to a directory, whose children it shares
}

// link is a link to a directory.
type link struct {
	path, target []string
	dele, rmd    string // the replies
}

func newDir(t time.Time) *node { return &node{children: make(map[string]*node), modified: t} }

func (n *node) dir() bool { return n.children != nil }

// names returns the names in a directory, sorted.
func (n *node) names() []string {
	list := make([]string, 0, len(n.children))
	for name := range n.children {
		list = append(list, name)
	}
	slices.Sort(list)
	return list
}

// plant returns the tree of the files.
func plant(files []peer.File) *node {
	root := newDir(time.Date(1994, 12, 1, 0, 0, 0, 0, time.UTC))
	for _, f := range files {
		at := root
		for i, name := range f.Path {
			if i == len(f.Path)-1 {
				at.children[name] = &node{content: []byte(f.Content), modified: f.Modified}
				break
			}
			next := at.children[name]
			if next == nil {
				next = newDir(f.Modified)
				at.children[name] = next
			}
			at = next
		}
	}
	return root
}

// add adds a link to a directory.
func (n *node) add(l link) {
	to, last := n.find(l.target), len(l.path)-1
	n.find(l.path[:last]).children[l.path[last]] = &node{children: to.children, modified: to.modified, link: &l}
}

// find returns the node at an absolute path, or nil.
func (n *node) find(path []string) *node {
	for _, name := range path {
		if n = n.children[name]; n == nil {
			return nil
		}
	}
	return n
}

// resolve returns the argument of a command as an absolute path: relative to cwd, with "/" between
// directories and ".." for the parent, as on Unix.
func resolve(cwd []string, arg string) []string {
	path := slices.Clone(cwd)
	if strings.HasPrefix(arg, "/") {
		path = nil
	}
	for part := range strings.SplitSeq(arg, "/") {
		switch part {
		case "", ".":
		case "..":
			path = path[:max(0, len(path)-1)]
		default:
			path = append(path, part)
		}
	}
	return path
}

// show formats an absolute path.
func show(path []string) string { return "/" + strings.Join(path, "/") }
