package gophertest

import (
	"path"
	"slices"
	"strings"
	"time"

	"locator/schemetest/peer"
)

// node is a file, a folder, a search or a form.
type node struct {
	name     string // as a menu shows it
	typ      byte
	selector string
	content  string
	modified time.Time
	children []*node
	abstract string
	views    []View
	form     *Form
	find     func(words string) string // of a search; nil is the one over all names
	path     string                    // in the folder of Dir; "" is none, "." its root
	length   int64                     // octets of the file there, whose content is not read yet
}

// View is one of the representations of an item.
type View struct {
	Type     string // media type
	Language string // as in "En_US", or ""
	Content  string
}

// typeOf is the item type of a file.
func (s *Server) typeOf(name string) byte {
	if t, ok := s.types[name]; ok {
		return t
	}
	switch path.Ext(name) {
	case ".txt", ".md":
		return '0'
	case ".html", ".htm":
		return 'h'
	case ".gif":
		return 'g'
	case ".png", ".jpg", ".jpeg":
		return 'I'
	case ".hqx":
		return '4'
	case ".uu":
		return '6'
	}
	return '9'
}

// fill makes the tree.
func (s *Server) fill(files []peer.File) {
	s.root = &node{typ: '1'}
	if s.dir != nil {
		s.root.path = "."
	}
	s.bySelector = map[string]*node{"": s.root}
	for _, f := range files {
		dir := s.root
		for i := range f.Path[:len(f.Path)-1] {
			dir = s.folder(dir, f.Path[:i+1])
		}
		name := f.Path[len(f.Path)-1]
		s.add(dir, &node{name: shown(name), typ: s.typeOf(name), content: f.Content, modified: f.Modified}, f.Path)
		s.files[strings.Join(f.Path, "\x00")] = f.Content
	}
}

// shown is a name as a menu in UTF-8 can show it.
func shown(name string) string { return strings.ToValidUTF8(name, "\uFFFD") }

func (s *Server) folder(parent *node, p []string) *node {
	name := p[len(p)-1]
	for _, c := range parent.children {
		if c.typ == '1' && c.name == shown(name) {
			return c
		}
	}
	n := &node{name: shown(name), typ: '1'}
	s.add(parent, n, p)
	return n
}

// add puts a node into a folder. Its selector is its path, behind its type where the manners have it so.
func (s *Server) add(parent *node, n *node, p []string) {
	n.selector = s.selector(n.typ, p)
	parent.children = append(parent.children, n)
	s.bySelector[n.selector] = n
}

func (s *Server) selector(typ byte, p []string) string {
	if len(p) == 0 {
		return ""
	}
	selector := "/" + strings.Join(p, "/")
	if s.manners.typed {
		// UMN gopherd begins with what the item is sent as: 9 for every binary.
		if !slices.Contains([]byte("017"), typ) {
			typ = '9'
		}
		selector = string(rune(typ)) + selector
	}
	return selector
}

// find finds a node by the selector of a request.
func (s *Server) find(selector string) (*node, bool) {
	if n, ok := s.bySelector[selector]; ok {
		return n, true
	}
	if selector == "/" {
		return s.root, true
	}
	if n, ok := s.bySelector[strings.TrimSuffix(selector, "/")]; ok && n.typ == '1' {
		return n, true
	}
	return s.onDisk(selector)
}

// search finds the nodes whose names hold the words, in so many folders below each other.
func (s *Server) search(dir *node, words string, depth int) []*node {
	var found []*node
	for _, n := range s.below(dir) {
		if n.typ != '7' && strings.Contains(strings.ToLower(n.name), strings.ToLower(words)) {
			found = append(found, n)
		}
		if n.typ == '1' && depth > 0 && len(found) < maxFound {
			found = append(found, s.search(n, words, depth-1)...)
		}
	}
	return found
}

// size is the length of the content, in octets.
func (n *node) size() int64 { return max(n.length, int64(len(n.content))) }

// isText reports whether a node is sent as a text.
func (n *node) isText() bool { return n.typ == '0' || n.typ == '4' || n.typ == '6' }

// media is the media type of what a plain request gives.
func (n *node) media() string {
	switch {
	case len(n.views) > 0:
		return n.views[0].Type
	case n.typ == '1' || n.typ == '7':
		return "application/gopher-menu"
	case n.typ == 'h':
		return "text/html"
	case n.typ == 'g' || n.typ == 'I':
		return "image/gif"
	case n.isText():
		return "text/plain"
	}
	return "application/octet-stream"
}
