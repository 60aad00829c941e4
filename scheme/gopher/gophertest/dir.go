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

// Dir serves a folder in addition to the files of Start. The menu of a folder is its gophermap if
// it has one, else the list of its names. Names that begin with a dot and files of more than 64 MiB
// are not served. No selector and no symbolic link can reach files outside the folder.
func Dir(name string) Option { return func(s *Server) { s.dirName = name } }

const (
	maxFile       = 64 << 20 // bytes
	maxMap        = 1 << 20
	maxFound      = 1000 // items of a search
	maxDepth      = 16   // of a search; a symbolic link may be a loop
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

// served reports whether a path of the folder may be requested. Its selector must fit into a line.
func served(p string) bool {
	if !fs.ValidPath(p) || tidy(p) != p {
		return false
	}
	for name := range strings.SplitSeq(p, "/") {
		if p != "." && name[0] == '.' || name == mapName {
			return false
		}
	}
	return true
}

// onDisk returns the node of a selector in the folder.
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

// diskNode returns the node of a path without its content.
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
	return n, true
}

// read reads a file of the folder. ok is false if there is none, or if it has more than most bytes.
func (s *Server) read(p string, most int64) (text string, ok bool) {
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

// isPlainText reports whether a file without a suffix is a text.
func isPlainText(text string) bool {
	head := text[:min(len(text), sniffedOctets)]
	for len(head) > 0 && len(head) < len(text) && !utf8.RuneStart(text[len(head)]) {
		head = head[:len(head)-1] // keep only complete characters
	}
	return utf8.ValidString(head) && !strings.ContainsRune(head, 0)
}

// listed returns the nodes of a folder, folders first, sorted by name. A folder that cannot be read
// is empty.
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

// mapOf returns the gophermap of a folder.
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

// writeMap writes the items of a gophermap, with the sign of Gopher+ items.
func (s *Server) writeMap(b *strings.Builder, m *gophermap) {
	for _, it := range m.lines {
		plus := ""
		if n, ok := s.find(it.selector); it.host == "" && ok && s.behavior.plus && n.typ != '7' && it.typ != 'i' {
			plus = "+"
			if n.form != nil {
				plus = "?"
			}
		}
		b.WriteString(it.text(host, int(s.Port()), plus))
	}
}

// below returns the nodes of a folder: those of Start and those on disk.
func (s *Server) below(n *node) []*node {
	nodes := n.children
	if s.dir != nil && n.path != "" {
		nodes = append(slices.Clone(s.listed(n)), nodes...)
	}
	return nodes
}
