package locator

import (
	"strconv"
	"strings"
)

// Severity says how much a [Finding] matters.
type Severity uint8

// The severities.
const (
	Info    Severity = iota // good to know
	Warning                 // likely not what is wanted, or not safe to pass on
	Danger                  // access refuses it; of what only explain --compare finds: do not pass it on
)

// String is "info", "warning" or "danger".
func (s Severity) String() string {
	switch s {
	case Info:
		return "info"
	case Warning:
		return "warning"
	}
	return "danger"
}

// Finding is a hazard of a URL (RFC 1738 6): the grammar allows it, but a reader or a peer may come to harm.
type Finding struct {
	Code     string // names the hazard: docs/hazards.md lists them
	Message  string // what it is in this URL; never the password
	Section  string // of RFC 1738, or another RFC by its name, as in "RFC 1035 2.3.4"
	Severity Severity
}

// Vet finds the hazards of a URL, in the order of docs/hazards.md. It looks at the text alone: no name is resolved and
// no peer is asked. The zero URL has none.
func Vet(u URL) []Finding {
	var found []Finding
	if u.IsZero() {
		return nil
	}
	for _, h := range hazards() {
		if h.find == nil { // what one reader alone cannot see
			continue
		}
		h.find(u, func(message string) {
			found = append(found, Finding{Code: h.code, Message: message, Section: h.section, Severity: h.severity})
		})
	}
	return found
}

// findPassword sees more than the common syntax allows, where a scheme is not predefined.
func findPassword(u URL, found func(string)) {
	if password, _ := u.Password(); password != "" || u.Redacted() != u.text {
		found("the URL holds a password")
	}
}

// findHostLikeUser looks at the part of the user that would be the host if the user were the rest of a URL.
func findHostLikeUser(u URL, found func(string)) {
	user, ok := u.User()
	if !ok {
		return
	}
	front := Decode(user)
	if i := strings.IndexAny(front, `/\?#:&;=,`); i >= 0 {
		front = front[:i]
	}
	if strings.Contains(front, ".") && isHost(front) {
		found(`the user "` + shorten(front) + `" reads like a host; the host is "` + shorten(u.ASCIIHost()) + `"`)
	}
}

// isHost reports whether s is a host (RFC 1738 5).
func isHost(s string) bool {
	_, ok := scanWholeHost(s)
	return ok
}

func findUserinfo(u URL, found func(string)) {
	if _, ok := u.User(); ok && (u.Scheme() == "http" || u.Scheme() == "https") {
		found(`a user stands before the host, which is "` + shorten(u.ASCIIHost()) + `"`)
	}
}

func findNoPort(u URL, found func(string)) {
	if _, ok := u.PortNumber(); !ok && u.Port() != "" {
		found("there is no port " + shorten(u.Port()) + ": ports are 1 to 65535")
	}
}

func findPortZeros(u URL, found func(string)) {
	if port := u.Port(); len(port) > 1 && port[0] == '0' {
		found("the port " + shorten(port) + " has leading zeros")
	}
}

func findOtherPort(u URL, found func(string)) {
	if port, ok := otherPort(u); ok && !foreignPort(u, port) {
		found("port " + strconv.Itoa(int(port)) + defaultIs(u))
	}
}

func findRefusedPort(u URL, found func(string)) {
	if port, ok := otherPort(u); ok && foreignPort(u, port) {
		found("port " + strconv.Itoa(int(port)) + " belongs to another protocol" + defaultIs(u))
	}
}

// otherPort is the port of u where it has one that is not the default.
func otherPort(u URL) (port uint16, ok bool) {
	port, ok = u.PortNumber()
	return port, ok && u.Port() != "" && port != DefaultPort(u.Scheme())
}

// foreignPort is IsForeignPort for the schemes whose own ports are known here.
func foreignPort(u URL, port uint16) bool {
	return SyntaxOf(u.Scheme()) != nil && IsForeignPort(u.Scheme(), port)
}

func defaultIs(u URL) string {
	if port := DefaultPort(u.Scheme()); port != 0 {
		return "; the default of " + u.Scheme() + " is " + strconv.Itoa(int(port))
	}
	return "; the scheme has no default that is known here"
}

// shorten keeps a message short, whatever the length of a part.
func shorten(s string) string {
	const most = 40
	if len(s) <= most {
		return s
	}
	return s[:most] + "..."
}
