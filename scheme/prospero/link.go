package prospero

import (
	"io/fs"
	"strconv"
	"strings"
	"time"

	"locator"
	"locator/internal/held"
	"locator/scheme"
	"locator/wire"
)

// link is a LINK line and the ATTRIBUTE lines that follow it.
type link struct {
	kind   string // L; U: the links of this directory belong to the one that was listed; I: not shown
	target string // FILE, DIRECTORY, EXTERNAL ...
	name   string
	typ    string // of the host
	place  place
	attrs  attributes
	left   held.Budget // for attrs
}

// parseLink parses a LINK line. Words after the version are ignored, as clients always did.
func parseLink(tokens []string) (link, bool) {
	if len(tokens) < 8 || tokens[0] != "LINK" {
		return link{}, false
	}
	l := link{kind: tokens[1], target: strings.ToUpper(tokens[2]), name: tokens[3], typ: tokens[4], place: place{nameType: tokens[6], name: tokens[7], hop: true}, left: attributeBudget}
	if len(tokens) > 8 {
		l.place.version = tokens[8]
	}
	l.place.host, l.place.port = splitHost(tokens[5])
	return l, true
}

// entry returns the entry of a listing for a link. ok is false if it is not shown.
func (l link) entry(server place) (scheme.Entry, bool) {
	e := scheme.Entry{Name: l.name, Kind: scheme.KindNote, Attr: l.attrs.attr()}
	switch {
	case l.kind == "I" || l.target == "NULL":
		return e, false
	case l.target == "SYMBOLIC": // a name in the virtual system of a user, whatever the type of the host
		e.Target = l.place.host + ":" + l.place.name
	case l.target == "EXTERNAL":
		// RFC 1738 3.11: what has no Prospero server behind it has no prospero URL.
		var names []string
		for _, m := range l.attrs.methods(l.place) {
			if u, kind, ok := m.url(server); ok {
				e.URL, e.Kind = u, kind
				return e, true
			}
			names = append(names, m.name)
		}
		e.Name += " (" + noMethod(names) + ")"
	case strings.EqualFold(l.typ, hostType):
		if l.place.port == "" {
			l.place.port = defaultPort
		}
		if u, ok := l.place.url(); ok {
			e.URL, e.Kind = u, targetKind(l.target)
		} else {
			e.Name += " (the server named the host " + wire.Excerpt(l.place.host, 100) + ", which no URL can have)"
		}
	default:
		e.Name += " (only hosts of type " + hostType + " can be accessed)"
	}
	return e, true
}

// targetKind returns the kind of a target that a Prospero server has.
func targetKind(target string) scheme.Kind {
	switch target {
	case "FILE":
		return scheme.KindObject
	case "DIRECTORY":
		return scheme.KindListing
	}
	return scheme.KindUnknown
}

// attribute is an ATTRIBUTE line.
type attribute struct {
	appliesTo string // OBJECT, LINK, CACHED ...
	space     string // FIELD, INTRINSIC or APPLICATION
	name      string
	values    []string
}

// parseAttribute parses an ATTRIBUTE line. ok is false for one that belongs to the value of
// another, whose first word is ATTRIBUTE>.
func parseAttribute(tokens []string) (attribute, bool) {
	if len(tokens) < 4 || tokens[0] != "ATTRIBUTE" {
		return attribute{}, false
	}
	a := attribute{appliesTo: tokens[1], space: tokens[2], name: tokens[3], values: tokens[4:]}
	// QUIRK: the server of 1994 leaves the type of a value out for fields that it knows
	// (internal/capture/testdata/prospero/v-list).
	if len(a.values) > 0 && (a.space != "FIELD" || len(a.values) > 1) {
		switch a.values[0] {
		case "SEQUENCE", "LINK", "FILTER", "ASCII":
			a.values = a.values[1:]
		}
	}
	return a, true
}

// attributes are those of a link or of an object, in the server's order.
type attributes []attribute

// attributeBudget is the memory of the attributes of a link or an object. A few bytes of a line are
// a token, which needs more memory.
const attributeBudget = 1 << 20

// add appends an attribute. It fails if they would need more memory than left.
func (list *attributes) add(a attribute, left *held.Budget) error {
	if !left.Take(held.Strings(a.values...) + held.Strings(a.appliesTo, a.space, a.name, "")) {
		return scheme.Fail(scheme.CodeBroken, "the attributes of a link or an object exceed the limit of %d bytes", attributeBudget)
	}
	*list = append(*list, a)
	return nil
}

// value returns the first value of an attribute.
func (list attributes) value(name string) string {
	for _, a := range list {
		if a.name == name && len(a.values) > 0 {
			return strings.Join(a.values, " ")
		}
	}
	return ""
}

// attr returns the attributes that other protocols have, too, and all others.
func (list attributes) attr() scheme.Attr {
	a := scheme.Attr{Owner: list.value("NATIVE-OWNER"), Group: list.value("NATIVE-GROUP"), Mode: parseModes(list.value("UNIX-MODES"))}
	size, unit, _ := strings.Cut(list.value("SIZE"), " ")
	if n, err := strconv.ParseUint(size, 10, 62); err == nil && (unit == "bytes" || unit == "") {
		a.Size = scheme.Known(int64(n))
	}
	a.Modified = parseTime(list.value("LAST-MODIFIED"))
	for _, x := range list {
		if x.name != contents {
			a.More = append(a.More, scheme.Attribute{Block: x.space, Name: x.name, Value: strings.Join(x.values, " ")})
		}
	}
	return a
}

// parseTime parses a time such as 19940517120000Z. It returns zero for any other text.
func parseTime(s string) time.Time {
	t, err := time.Parse("20060102150405Z", s)
	if err != nil {
		return time.Time{}
	}
	return t
}

// parseModes parses modes such as -rw-r--r--. It returns 0 for any other text.
func parseModes(s string) (m fs.FileMode) {
	if len(s) != 10 {
		return 0
	}
	for i, c := range []byte(s[1:]) {
		if c != '-' {
			m |= 1 << (8 - i)
		}
	}
	return m
}

// isDirectory reports whether UNIX-MODES says so.
func (list attributes) isDirectory() bool { return strings.HasPrefix(list.value("UNIX-MODES"), "d") }

// method is a way to get an object.
type method struct {
	name  string
	place place
	extra []string
}

// methods returns the access methods of an object, in the server's order. What a method leaves
// empty is that of the object.
func (list attributes) methods(of place) (all []method) {
	for _, a := range list {
		if a.name != "ACCESS-METHOD" || len(a.values) < 5 {
			continue
		}
		m := method{name: strings.ToUpper(a.values[0]), place: of, extra: a.values[5:]}
		m.place.hop, m.place.version, m.place.selects = true, "", nil
		if a.values[2] != "" {
			m.place.host, m.place.port = splitHost(a.values[2])
		}
		if a.values[4] != "" {
			m.place.name = a.values[4]
		}
		all = append(all, m)
	}
	return all
}

// methodURLs returns the URL of a method, and the kind of what it locates. A method that is not
// here cannot be used.
var methodURLs = map[string]func(m method) (locator.View, scheme.Kind){
	"AFTP":   func(m method) (locator.View, scheme.Kind) { return m.ftp(strings.TrimPrefix(m.place.name, "/")) },
	"FTP":    func(m method) (locator.View, scheme.Kind) { return m.ftp(m.place.name) },
	"GOPHER": method.gopher,
	"TELNET": func(m method) (locator.View, scheme.Kind) {
		return &locator.Telnet{Login: locator.Login{Hostport: m.hostport()}}, scheme.KindSession
	},
	"TN3270": method.tn3270,
	"WAIS":   method.wais,
}

// noMethod returns why an object with these access methods cannot be accessed.
func noMethod(names []string) string {
	if len(names) == 0 {
		return "the server names no access method"
	}
	return "none of the access methods can be used: " + wire.Excerpt(strings.Join(names, ", "), 100)
}

// url returns the URL of a method. ok is false if it has none.
func (m method) url(server place) (u locator.URL, kind scheme.Kind, ok bool) {
	if m.name == "LOCAL" {
		// The name is one of the client's file system, so only a server on this computer can mean
		// this one.
		if !isLoopback(server.host) || !strings.HasPrefix(m.place.name, "/") {
			return u, kind, false
		}
		u, err := locator.Build(&locator.File{Segments: strings.Split(m.place.name[1:], "/")})
		return u, scheme.KindObject, err == nil
	}
	make, ok := methodURLs[m.name]
	if !ok || m.place.host == "" {
		return u, kind, false
	}
	v, kind := make(m)
	if v == nil {
		return u, kind, false
	}
	u, err := locator.Build(v)
	return u, kind, err == nil
}

// hostport returns the host of a method in lower case, and its port.
func (m method) hostport() locator.Hostport {
	return locator.Hostport{Host: strings.ToLower(m.place.host), Port: m.place.port}
}

// ftp returns the URL of a path. An empty first directory is the root, %2F.
func (m method) ftp(path string) (locator.View, scheme.Kind) {
	v, kind := &locator.FTP{Login: locator.Login{Hostport: m.hostport()}, Type: 'i'}, scheme.KindObject
	if len(m.extra) > 0 {
		switch strings.ToUpper(m.extra[0]) {
		case "TEXT":
			v.Type = 'a'
		case "DIRECTORY":
			v.Type, kind = 'd', scheme.KindListing
		}
	}
	dirs := strings.Split(path, "/")
	if strings.HasPrefix(path, "/") {
		dirs = append([]string{"/" + dirs[1]}, dirs[2:]...)
	}
	v.Dirs, v.Name = dirs[:len(dirs)-1], locator.Some(dirs[len(dirs)-1])
	return v, kind
}

// tn3270 returns a view without parts of its own; that of telnet checks the host.
func (m method) tn3270() (locator.View, scheme.Kind) {
	u, err := locator.Build(&locator.Telnet{Login: locator.Login{Hostport: m.hostport()}})
	if err != nil {
		return nil, scheme.KindUnknown
	}
	return &locator.Other{Name: "tn3270", Part: u.SchemePart()}, scheme.KindSession
}

// gopher returns the URL of a selector. The type is that of the method, else the first character of
// the selector.
func (m method) gopher() (locator.View, scheme.Kind) {
	typ := "1"
	if m.place.name != "" {
		typ = m.place.name[:1]
	}
	if len(m.extra) > 0 && m.extra[0] != "" {
		typ = m.extra[0]
	}
	switch strings.ToUpper(typ) {
	case "TEXT":
		typ = "0"
	case "BINARY":
		typ = "9"
	}
	kind := scheme.KindObject
	switch typ[0] {
	case '1':
		kind = scheme.KindListing
	case '7':
		kind = scheme.KindQuery
	}
	return &locator.Gopher{Hostport: m.hostport(), Type: locator.Some(typ[:1]), Selector: locator.Some(m.place.name)}, kind
}

// wais returns the URL of WAIS-GW/host(port)/type/database/docid, whose document-id is escaped
// already.
func (m method) wais() (locator.View, scheme.Kind) {
	parts := strings.SplitN(m.place.name, "/", 5)
	if len(parts) < 5 || parts[0] != "WAIS-GW" {
		return nil, scheme.KindUnknown
	}
	host, port := splitHost(parts[1])
	return &locator.WAIS{Hostport: locator.Hostport{Host: strings.ToLower(host), Port: port}, Kind: locator.WAISDocument, Type: parts[2], Database: parts[3],
		Path: locator.Decode(parts[4])}, scheme.KindObject
}

// shown returns a line for an entry that could not be read.
func shown(tokens []string) string { return wire.Excerpt(strings.Join(tokens, " "), 300) }
