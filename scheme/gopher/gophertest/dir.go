package gophertest

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"unicode/utf8"
)

// Dir serves a folder, beside the files that Start is given: its files, and as menus its folders. A folder with a
// gophermap has that for its menu, any other the listing of its names. NAME.abstract holds the +ABSTRACT of the file
// NAME, NAME.ask the +ASK of its form (see [OnSubmit]); they and what begins with a dot are not served themselves. No
// selector leads out of the folder, and no symbolic link does. A file of more than 64 MiB is not served.
func Dir(name string) Option { return func(s *Server) { s.dirName = name } }

// OnSubmit handles the form of a selector, such as that of a file of [Dir] that has a NAME.ask: see [Form.Handle].
func OnSubmit(selector string, handle func(data string) string) Option {
	return func(s *Server) { s.handlers[selector] = handle }
}

// Search adds a search to the root. find gives what the words find as the lines of a gophermap of the root folder: each
// an item, or a text to read.
func Search(name string, find func(words string) string) Option {
	return func(s *Server) { s.extras = append(s.extras, &node{name: name, typ: '7', find: find}) }
}

const (
	maxFile       = 64 << 20 // octets
	maxMap        = 1 << 20
	maxFound      = 1000 // items of a search over all names
	maxDepth      = 16   // folders that it goes down; a symbolic link may lead up again
	abstractEnd   = ".abstract"
	askEnd        = ".ask"
	sniffedOctets = 512
)

// openDir opens the folder of Dir.
func (s *Server) openDir() (err error) {
	if s.dirName == "" {
		return nil
	}
	s.dir, err = os.OpenRoot(s.dirName)
	return err
}

// served reports whether a path of the folder may be asked for: its selector must fit into a line, too.
func served(p string) bool {
	if !fs.ValidPath(p) || tidy(p) != p {
		return false
	}
	for name := range strings.SplitSeq(p, "/") {
		if p != "." && name[0] == '.' || name == mapName {
			return false
		}
	}
	return !strings.HasSuffix(p, abstractEnd) && !strings.HasSuffix(p, askEnd)
}

// onDisk finds a selector in the folder.
func (s *Server) onDisk(selector string) (*node, bool) {
	if s.dir == nil {
		return nil, false
	}
	p := strings.Trim(untyped(selector), "/")
	if p == "" {
		p = "."
	}
	n, ok := s.diskNode(p)
	if !ok || n.typ == '1' || strings.HasSuffix(selector, "/") {
		return n, ok && n.typ == '1'
	}
	text, ok := s.read(p, maxFile)
	if n.content = text; s.types[path.Base(p)] == 0 && path.Ext(p) == "" && isPlainText(text) {
		n.typ = '0'
	}
	return n, ok
}

// diskNode makes the node of a path, without its content.
func (s *Server) diskNode(p string) (*node, bool) {
	if !served(p) {
		return nil, false
	}
	info, err := s.dir.Stat(p)
	if err != nil || !info.IsDir() && !info.Mode().IsRegular() {
		return nil, false
	}
	n := &node{name: shown(path.Base(p)), typ: '1', path: p, modified: info.ModTime()}
	names := strings.Split(p, "/")
	if p == "." {
		n.name, names = "", nil
	}
	if !info.IsDir() {
		n.typ, n.length = s.typeOf(path.Base(p)), info.Size()
	}
	n.selector = s.selector(n.typ, names)
	if text, ok := s.read(p+abstractEnd, maxMap); ok && p != "." {
		n.abstract = strings.TrimRight(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	}
	if text, ok := s.read(p+askEnd, maxMap); ok && p != "." {
		n.form = &Form{Ask: strings.FieldsFunc(text, func(r rune) bool { return r == '\r' || r == '\n' }), Handle: s.handlers["/"+p]}
		if n.typ == '9' {
			n.typ = '0'
		}
	}
	return n, true
}

// read reads a file of the folder; false where there is none, or it is longer than most.
func (s *Server) read(p string, most int64) (string, bool) {
	if info, err := s.dir.Stat(p); err != nil || !info.Mode().IsRegular() || info.Size() > most {
		return "", false
	}
	f, err := s.dir.Open(p)
	if err != nil {
		return "", false
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, most))
	return string(b), err == nil
}

// isPlainText reports whether a file without an ending is a text.
func isPlainText(text string) bool {
	head := text[:min(len(text), sniffedOctets)]
	for len(head) > 0 && len(head) < len(text) && !utf8.RuneStart(text[len(head)]) {
		head = head[:len(head)-1] // no character is cut in two
	}
	return utf8.ValidString(head) && !strings.ContainsRune(head, 0)
}

// listed are the nodes of a folder in the order of their names, folders first. A folder that cannot be read is empty.
func (s *Server) listed(dir *node) []*node {
	f, err := s.dir.Open(dir.path)
	if err != nil {
		return nil
	}
	defer f.Close()
	entries, err := f.ReadDir(maxMapLines)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil
	}
	var nodes []*node
	for _, e := range entries {
		if n, ok := s.diskNode(path.Join(dir.path, e.Name())); ok {
			nodes = append(nodes, n)
		}
	}
	slices.SortFunc(nodes, func(a, b *node) int {
		if (a.typ == '1') != (b.typ == '1') {
			if a.typ == '1' {
				return -1
			}
			return 1
		}
		return strings.Compare(a.name, b.name)
	})
	for _, n := range nodes {
		if n.typ == '9' && path.Ext(n.path) == "" && s.types[path.Base(n.path)] == 0 {
			if text, ok := s.read(n.path, maxMap); ok && isPlainText(text) {
				n.typ = '0'
			}
		}
	}
	return nodes
}

// mapOf is the gophermap of a folder.
func (s *Server) mapOf(dir *node) (*gophermap, bool) {
	if s.dir == nil {
		return nil, false
	}
	text, ok := s.read(path.Join(dir.path, mapName), maxMap)
	if !ok {
		return nil, false
	}
	return parseMap(text, dir.path, func(name string) bool {
		_, err := s.dir.Stat(path.Join(dir.path, name))
		return err == nil
	}, func(name string) (string, bool) { return s.read(path.Join(dir.path, name), maxMap) }), true
}

// writeMap writes the items of a gophermap, those of Gopher+ with its sign.
func (s *Server) writeMap(b *strings.Builder, m *gophermap) {
	for _, it := range m.lines {
		plus := ""
		if n, ok := s.find(it.selector); it.host == "" && ok && s.manners.plus && n.typ != '7' && it.typ != 'i' {
			plus = "+"
			if n.form != nil {
				plus = "?"
			}
		}
		b.WriteString(it.text(host, int(s.Port()), plus))
	}
}

// below are the nodes of a folder: those that Start was given, and those on disk.
func (s *Server) below(n *node) []*node {
	nodes := n.children
	if s.dir != nil && n.path != "" {
		nodes = append(slices.Clone(s.listed(n)), nodes...)
	}
	return nodes
}
