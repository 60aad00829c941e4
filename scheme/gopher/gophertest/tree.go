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
	name     string // in menus
	typ      byte
	selector string
	content  string
	modified time.Time
	children []*node
	abstract string
	views    []View
	form     *Form
	path     string // in the folder of Dir; "" if it is not on disk, "." for the root
	length   int64  // length of the file on disk, whose content has not been read
}

// View is one of the representations of an item.
type View struct {
	Type     string // media type
	Language string // as in "En_US", or ""
	Content  string
}

// Form is an electronic form (the Gopher+ document 2.8).
type Form struct {
	Ask []string // the lines of +ASK

	// Handle returns the reply to the data of a filled form, without its end mark. The data is ""
	// if the form is requested without data. If Handle is nil, the reply is the data between the
	// lines "BEGIN ANSWERS" and "END ANSWERS".
	Handle func(data string) string
}

// typeOf returns the item type of a file.
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

// fill builds the tree.
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

// shown returns a name in valid UTF-8.
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

// add adds a node to a folder. Its selector is its path, with its type before it if the Behavior
// requires that.
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
	if s.behavior.typed {
		// UMN gopherd begins selectors with the type of the transfer: 9 for every binary.
		if !slices.Contains([]byte("017"), typ) {
			typ = '9'
		}
		selector = string(rune(typ)) + selector
	}
	return selector
}

// find returns the node of a selector.
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

// search returns the nodes whose names have the words, down to depth folders below dir.
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

// size returns the length of the content in bytes.
func (n *node) size() int64 { return max(n.length, int64(len(n.content))) }

// isText reports whether the node is sent as a text.
func (n *node) isText() bool { return n.typ == '0' || n.typ == '4' || n.typ == '6' }

// media returns the media type of the reply to a plain request.
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
