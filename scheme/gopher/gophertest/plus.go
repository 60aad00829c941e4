package gophertest

import (
	"fmt"
	"math"
	"path"
	"slices"
	"strings"
	"time"
)

// plusReply returns the reply to "+", "!" and "$" (the Gopher+ document 2.2 to 2.6).
func (s *Server) plusReply(r request, n *node) string {
	m := s.behavior
	verb, arg := r.command[0], r.command[1:]
	switch verb {
	case '!':
		if m.bare && arg != "" {
			return s.plainReply(r, n)
		}
		only := names(arg)
		if m.all {
			only = nil
		}
		return m.plusText("+", s.attributes(n, only))
	case '$':
		return m.plusText("+", s.allAttributes(n, names(arg)))
	case '+':
		return s.content(r, n, arg)
	}
	return m.plusError(1, "Malformed command")
}

// allAttributes returns the blocks of the items of a menu, and only the descriptor for items of
// other servers.
func (s *Server) allAttributes(dir *node, only []string) string {
	var b strings.Builder
	own, ok := &gophermap{listing: true}, dir.path != ""
	if ok {
		if own, ok = s.mapOf(dir); !ok {
			own = &gophermap{listing: true}
		}
	}
	for _, it := range own.lines {
		if it.typ == 'i' || it.typ == '3' {
			continue
		}
		if n, ok := s.find(it.selector); ok && it.host == "" {
			b.WriteString(s.attributes(n, only))
			continue
		}
		b.WriteString("+INFO: " + it.text(host, int(s.Port()), ""))
	}
	if own.listing {
		for _, c := range s.below(dir) {
			if c.path == "" || !own.hidden[path.Base(c.path)] {
				b.WriteString(s.attributes(c, only))
			}
		}
	}
	return b.String()
}

// names returns the attributes that are requested, none for all.
func names(arg string) []string {
	var list []string
	for name := range strings.SplitSeq(arg, "+") {
		if name != "" {
			list = append(list, "+"+name)
		}
	}
	return list
}

// content returns an item in the view that is requested.
func (s *Server) content(r request, n *node, name string) string {
	m := s.behavior
	switch {
	case n.form != nil:
		data := ""
		if r.hasData {
			data = r.data
		}
		text := n.form.answered(data)
		if hasMark(text) { // which would end the text
			return fmt.Sprintf("+%d\r\n%s", len(text), text)
		}
		return m.plusText("+", text)
	case n.typ == '7':
		return m.plusText("+", s.found(r.search))
	case n.typ == '1' && strings.HasPrefix(name, "application/gopher+-menu"):
		r.command = "$"
		return s.plusReply(r, n)
	case n.typ == '1':
		return m.plusText("+", s.menu(n))
	}
	content := n.content
	if i := slices.IndexFunc(n.views, func(v View) bool { return v.matches(name) }); i >= 0 {
		content = n.views[i].Content
	} else if name != "" && (len(n.views) > 0 || !strings.EqualFold(strings.Fields(name)[0], n.media())) {
		return m.plusError(1, fmt.Sprintf(m.absent, untyped(n.selector)))
	}
	if n.isText() && !m.counted {
		return "+-1\r\n" + m.text(content)
	}
	reply := fmt.Sprintf("+%d\r\n%s", len(content), content)
	if n.isText() && m.extra {
		reply += ".\r\n"
	}
	return reply
}

// matches reports whether the view has that name. The name may omit the language; "" means the
// first view.
func (v View) matches(name string) bool {
	kind, language, _ := strings.Cut(name, " ")
	return name == "" || strings.EqualFold(kind, v.Type) && (language == "" || language == v.Language)
}

// hasMark reports whether a line of the text is a single dot.
func hasMark(text string) bool {
	for line := range strings.Lines(text) {
		if strings.TrimRight(line, "\r\n") == "." {
			return true
		}
	}
	return false
}

// answered returns the reply to the data of a form.
func (f *Form) answered(data string) string {
	if f.Handle != nil {
		return f.Handle(data)
	}
	if data != "" && !strings.HasSuffix(data, "\r\n") {
		data += "\r\n"
	}
	return "BEGIN ANSWERS\r\n" + data + "END ANSWERS\r\n"
}

// attributes returns the blocks of an item.
func (s *Server) attributes(n *node, only []string) string {
	var b strings.Builder
	block := func(name string, lines ...string) {
		if len(lines) == 0 || len(only) > 0 && !slices.Contains(only, name) {
			return
		}
		b.WriteString(name + ":\r\n")
		for _, l := range lines {
			b.WriteString(" " + l + "\r\n")
		}
	}
	b.WriteString("+INFO: " + s.item(n) + "\r\n")
	admin := []string{"Admin: " + s.behavior.admin}
	if !n.modified.IsZero() {
		admin = append(admin, "Mod-Date: "+n.modified.UTC().Format(time.ANSIC)+" <"+n.modified.UTC().Format("20060102150405")+">")
	}
	block("+ADMIN", admin...)
	block("+VIEWS", s.viewLines(n)...)
	if n.abstract != "" {
		block("+ABSTRACT", strings.Split(n.abstract, "\n")...)
	}
	if n.form != nil {
		block("+ASK", n.form.Ask...)
	}
	return b.String()
}

func (s *Server) viewLines(n *node) []string {
	views := n.views
	if len(views) == 0 {
		views = []View{{Type: n.media(), Language: s.behavior.speaks}}
	}
	var lines []string
	for _, v := range views {
		line := v.Type
		if v.Language != "" {
			line += " " + v.Language
		}
		length := int64(len(v.Content))
		if len(n.views) == 0 {
			length = n.size()
		}
		size := fmt.Sprintf("%.1fk", float64(length)/1024)
		if s.behavior.rough {
			size = strings.TrimPrefix(fmt.Sprintf("%.1fk", math.Ceil(float64(length)/102.4)/10), "0")
		}
		switch {
		case n.typ == '1' || n.typ == '7':
			size = "0k"
		case s.behavior.exact:
			size = fmt.Sprintf("%db", length)
		}
		lines = append(lines, line+": <"+size+">")
	}
	return lines
}
