package gophertest

import (
	"path"
	"strconv"
	"strings"
)

// A gophermap is a menu as its author writes it. A line without TAB is a text. Any other line is
//
//	Type Name TAB Selector TAB Host TAB Port
//
// where everything after the name is optional. The selector is then the name, and host and port are
// those of the server. A selector of the server itself that does not begin with "/" is relative to
// the folder of the map. Other lines, unless they name a file that does not exist, which makes them
// texts:
//
//	# text     a comment
//	!Title     the title of the menu, on the first line
//	-file      hides that file in the listing (*)
//	:ext=T     sets item type T for files with that suffix in the listing
//	=file      includes that gophermap
//	*          the listing of the folder, and the end
//	.          the end
//
// The format comes from bucktooth; gophernicus and others have extended it.
type gophermap struct {
	dir      string // of the map, below the root; "" means the root
	exists   func(name string) bool
	lines    []mapLine
	hidden   map[string]bool
	types    map[string]byte // by suffix
	listing  bool            // the map has a "*" line
	ended    bool
	included int
}

// mapLine is an item of a gophermap with all fields. An item of the server itself has no host.
type mapLine struct {
	typ      byte
	name     string
	selector string
	host     string
	port     int
	plus     string // "+" or "?" if the author wrote it
}

const (
	mapName      = "gophermap"
	titleMark    = "TITLE" // the selector of the line that is the title of a menu
	maxMapLines  = 10000
	maxIncludes  = 16
	standardPort = 70
)

// parseMap parses a gophermap of the folder dir. exists reports whether the folder has a name,
// include reads another map of it.
func parseMap(text, dir string, exists func(name string) bool, include func(name string) (string, bool)) *gophermap {
	m := &gophermap{dir: dir, exists: exists, hidden: make(map[string]bool), types: make(map[string]byte)}
	m.read(text, include)
	return m
}

func (m *gophermap) read(text string, include func(name string) (string, bool)) {
	first := m.included == 0
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if m.ended || len(m.lines) >= maxMapLines {
			return
		}
		if strings.Contains(line, "\t") {
			m.lines = append(m.lines, m.item(line))
		} else if !m.directive(line, first, include) {
			m.lines = append(m.lines, mapLine{typ: 'i', name: line})
		}
		first = false
	}
}

// directive executes a line without TAB. It returns false if the line is a text.
func (m *gophermap) directive(line string, first bool, include func(name string) (string, bool)) bool {
	switch {
	case line == "":
	case line == ".":
		m.ended = true
		return true
	case line == "*":
		m.listing, m.ended = true, true
		return true
	case line[0] == '#':
		return true
	case line[0] == '!' && first:
		m.lines = append(m.lines, mapLine{typ: 'i', name: line[1:], selector: titleMark})
		return true
	case line[0] == '-' && m.exists(line[1:]):
		m.hidden[line[1:]] = true
		return true
	case line[0] == ':':
		ext, typ, ok := strings.Cut(line[1:], "=")
		if ok && ext != "" && len(typ) == 1 && isType(typ[0]) {
			m.types["."+ext] = typ[0]
			return true
		}
	case line[0] == '=' && m.included < maxIncludes:
		if text, ok := include(line[1:]); ok {
			m.included++
			m.read(text, include)
			return true
		}
	}
	return false
}

// item parses a line that has a TAB.
func (m *gophermap) item(line string) mapLine {
	fields := append(strings.SplitN(line, "\t", 6), "", "", "", "")
	it := mapLine{typ: 'i', selector: tidy(fields[1]), host: strings.TrimSpace(tidy(fields[2]))}
	if fields[0] != "" && isType(fields[0][0]) {
		it.typ, it.name = fields[0][0], fields[0][1:]
	}
	if it.typ == 'i' || it.typ == '3' {
		it.selector, it.host = "", ""
		return it
	}
	if p, err := strconv.ParseUint(strings.TrimSpace(fields[3]), 10, 16); err == nil {
		it.port = int(p)
	}
	if fields[4] == "+" || fields[4] == "?" {
		it.plus = fields[4]
	}
	if it.host != "" {
		if it.port == 0 {
			it.port = standardPort
		}
		return it
	}
	if it.selector == "" {
		it.selector = it.name
	}
	if it.typ != '8' && it.typ != 'T' && it.typ != '2' && !isFurther(it.selector) {
		it.selector = path.Join("/", m.dir, it.selector)
	}
	return it
}

// isFurther reports whether a selector is not relative to the folder: it is absolute, or a link out
// of gopherspace.
func isFurther(selector string) bool {
	return strings.HasPrefix(selector, "/") || strings.HasPrefix(selector, "URL:") || strings.HasPrefix(selector, "GET ")
}

// isType reports whether a byte can be an item type.
func isType(c byte) bool { return c > ' ' && c < 0x7F }

// text returns the line in a menu of a server at host and port.
func (it mapLine) text(host string, port int, plus string) string {
	if it.typ == 'i' || it.typ == '3' {
		return string(rune(it.typ)) + tidy(it.name) + "\t" + it.selector + "\terror.host\t1\r\n"
	}
	if it.host != "" {
		host = it.host
	}
	if it.port != 0 {
		port = it.port
	}
	line := string(rune(it.typ)) + tidy(it.name) + "\t" + tidy(it.selector) + "\t" + tidy(host) + "\t" + strconv.Itoa(port)
	if it.plus != "" {
		plus = it.plus
	}
	if plus != "" {
		line += "\t" + plus
	}
	return line + "\r\n"
}

// tidy removes what would end a field or a line of a menu.
func tidy(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\r' || r == '\n' || r == '\t' || r == 0 {
			return -1
		}
		return r
	}, s)
}
