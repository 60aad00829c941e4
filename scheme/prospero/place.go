package prospero

import (
	"strconv"
	"strings"

	"locator"
	"locator/scheme"
	"locator/scheme/prospero/internal/text"
	"locator/wire"
)

const (
	schemeName  = "prospero"
	defaultPort = "1525"
	nameType    = "ASCII" // of an hsoname; servers know no other
	hostType    = "INTERNET-D"
)

// place is a name at a server.
type place struct {
	host, port string
	nameType   string
	name       string // the hsoname: any bytes
	version    string // of the object; "" means the current one
	selects    []locator.Pair
	noListing  bool // the URL says that it is a file
	hop        bool // a server led here
}

// newPlace returns what a URL names.
func newPlace(u locator.URL) (place, error) {
	v, ok := locator.As[*locator.Prospero](u)
	if !ok {
		return place{}, scheme.Fail(scheme.CodeMalformed, "not a prospero URL")
	}
	if _, err := scheme.Addr(u); err != nil {
		return place{}, err
	}
	for part, octet := range locator.UnsafeOctets(v) { // the server ends lines at CR, and cannot read NUL
		return place{}, scheme.Fail(scheme.CodeRefused, "%w", &wire.UnsafeError{What: part, Octet: octet})
	}
	p := place{host: v.Host, port: v.Port, nameType: nameType, name: v.Name}
	if p.port == "" {
		p.port = defaultPort
	}
	for _, f := range v.Fields {
		switch strings.ToUpper(f.Name) {
		case "OBJECT-VERSION":
			if _, err := strconv.ParseUint(f.Value, 10, 32); err != nil {
				return place{}, scheme.Fail(scheme.CodeMalformed, "the field OBJECT-VERSION must be a number")
			}
			p.version = f.Value
		case "HSONAME-TYPE":
			p.nameType = f.Value
		case "HOST-TYPE":
			if !strings.EqualFold(f.Value, hostType) {
				return place{}, scheme.Fail(scheme.CodeUnsupported, "only hosts of type %s can be accessed", hostType)
			}
		case "TARGET":
			p.noListing = strings.EqualFold(f.Value, "FILE")
		case "LINK-TYPE", "DEST-EXP", "NAME-COMPONENT": // say nothing that a request needs
		default:
			p.selects = append(p.selects, f)
		}
	}
	return p, nil
}

// url returns the URL of a place. ok is false if no URL can have its host.
func (p place) url() (locator.URL, bool) {
	v := &locator.Prospero{Hostport: locator.Hostport{Host: strings.ToLower(p.host), Port: p.port}, Name: p.name}
	if p.port == defaultPort {
		v.Port = ""
	}
	if strings.Contains(p.host, ":") && !strings.HasPrefix(p.host, "[") {
		v.Host = "[" + v.Host + "]"
	}
	if p.version != "" && p.version != "0" {
		v.Fields = []locator.Pair{{Name: "OBJECT-VERSION", Value: p.version}}
	}
	u, err := locator.Build(v)
	return u, err == nil
}

// addr is the host and port to send to.
func (p place) addr() string {
	if strings.Contains(p.host, ":") && !strings.HasPrefix(p.host, "[") {
		return "[" + p.host + "]:" + p.port
	}
	return p.host + ":" + p.port
}

// splitHost splits the host of a link, such as "HOST(1525)".
func splitHost(s string) (host, port string) {
	host, rest, ok := strings.Cut(s, "(")
	if port, closed := strings.CutSuffix(rest, ")"); ok && closed {
		return host, port
	}
	return s, ""
}

// A command is a line of a request.
func command(words string, args ...string) string {
	for _, a := range args {
		words += " " + text.Quote(a)
	}
	return words + "\n"
}

// with adds the version and the selections of p to a command.
func (p place) with(words string, args ...string) string {
	if p.version != "" {
		args = append(args, p.version)
	}
	lines := command(words, args...)
	for _, f := range p.selects {
		if strings.EqualFold(f.Name, "ID") {
			kind, number, ok := strings.Cut(f.Value, " ")
			if !ok {
				kind, number = "REMOTE", f.Value
			}
			lines += command("SELECT OBJECT FIELD ID", kind, number)
			continue
		}
		lines += command("SELECT OBJECT FIELD", f.Name, "SEQUENCE", f.Value)
	}
	return lines
}

// preamble begins each request. No user is named.
func preamble() string {
	return command("VERSION 5", "locator") + command("AUTHENTICATE '' UNAUTHENTICATED", "anonymous")
}

// listRequest asks for the links of a directory, or for those at the end of a path of names below
// it.
func (p place) listRequest(names ...string) string {
	return p.with("DIRECTORY", p.nameType, p.name) + command("LIST ATTRIBUTES COMPONENTS", names...)
}

// infoRequest asks for attributes of an object.
func (p place) infoRequest(attributes string) string {
	return p.with("GET-OBJECT-INFO "+attributes, p.nameType, p.name)
}

// The attributes to ask for. A server that is asked for ACCESS-METHOD alone has none, and without
// UNIX-MODES it takes a directory for a file.
const (
	methodAttributes = "ACCESS-METHOD+SIZE+UNIX-MODES+LAST-MODIFIED"
	allAttributes    = "#ALL"
	contents         = "CONTENTS"
)

// lines returns the lines of a request for people. A line feed within quotes is escaped.
func lines(request string) (all []string) {
	quoted, begin := false, 0
	for i, c := range []byte(request) {
		switch {
		case c == '\'':
			quoted = !quoted
		case c == '\n' && !quoted:
			all = append(all, wire.Escape(request[begin:i]))
			begin = i + 1
		}
	}
	return all
}
