package gophertest

import (
	"fmt"
	"path"
	"strings"
)

// host is the name of the server in menus.
const host = "127.0.0.1"

// item returns the line of a menu (RFC 1436 3.4), with a "+" if the server supports Gopher+.
func (s *Server) item(n *node) string {
	line := fmt.Sprintf("%c%s\t%s\t%s\t%d", n.typ, tidy(n.name), n.selector, host, s.Port())
	switch {
	case !s.behavior.plus || n.typ == '7':
	case n.form != nil:
		line += "\t?"
	default:
		line += "\t+"
	}
	return line
}

// info returns a menu line that is only text.
func info(text string) string { return "i" + text + "\t\terror.host\t1\r\n" }

// menu returns the menu of a folder without the end mark.
func (s *Server) menu(dir *node) string {
	var b strings.Builder
	m := &gophermap{listing: true}
	if dir.path != "" {
		if own, ok := s.mapOf(dir); ok {
			m = own
		}
		s.writeMap(&b, m)
	} else if dir == s.root {
		b.WriteString(info("A small tree"))
	}
	if !m.listing {
		return b.String()
	}
	for _, n := range s.below(dir) {
		if t := m.types[path.Ext(n.path)]; t != 0 && n.typ != '1' {
			n.typ = t
		}
		if n.path == "" || !m.hidden[path.Base(n.path)] {
			b.WriteString(s.item(n) + "\r\n")
		}
	}
	return b.String()
}

// found returns the result of the search over all names.
func (s *Server) found(words string) string {
	var b strings.Builder
	for _, n := range s.search(s.root, words, maxDepth) {
		b.WriteString(s.item(n) + "\r\n")
	}
	return b.String()
}

// page returns the reply for a client that requests the selector of a link to the web instead of
// following it.
func page(url string) string {
	url = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&#34;").Replace(url)
	return "<html><head><title>A link</title></head><body>This item is at <a href=\"" + url + "\">" + url + "</a>.</body></html>\n"
}
