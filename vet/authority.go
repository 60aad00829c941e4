package vet

import (
	"strconv"
	"strings"

	"locator"
)

// findPassword also finds what looks like a password where the scheme is unknown and the URL has no
// authority.
func findPassword(u locator.URL, found func(string)) {
	if password, _ := u.Password(); password != "" || u.Redacted() != u.Text() {
		found("the URL contains a password")
	}
}

// findHostLikeUser looks at the part of the user that would be the host if the user were the rest
// of a URL.
func findHostLikeUser(u locator.URL, found func(string)) {
	user, ok := u.User()
	if !ok {
		return
	}
	front := locator.Decode(user)
	if i := strings.IndexAny(front, "/\\?#:&;=, \t\r\n\x00"); i >= 0 {
		front = front[:i]
	}
	if strings.Contains(front, ".") && isHost(front) {
		found(`the user "` + shorten(front) + `" looks like a host; the host is "` + shorten(u.ASCIIHost()) + `"`)
	}
}

// isHost reports whether s is a host by RFC 1738 5.
func isHost(s string) bool {
	u, err := locator.RFC1738.Parse("telnet://" + s)
	return err == nil && u.Host() == s
}

func findUserinfo(u locator.URL, found func(string)) {
	if _, ok := u.User(); ok && isWeb(u) {
		found(`there is a user before the host, which is "` + shorten(u.ASCIIHost()) + `"`)
	}
}

func findURLAsHost(u locator.URL, found func(string)) {
	if hasURLAsHost(u) {
		found("the host is " + shorten(u.ASCIIHost()) + ", the scheme of another URL")
	}
}

// hasURLAsHost reports whether a URL follows the "//" of another one: "http://http://host/" has the
// host "http" and no port. Without the colon, the path begins with the "//" of the second URL.
func hasURLAsHost(u locator.URL) bool {
	if !u.HasHost() || locator.SyntaxOf(u.ASCIIHost()) == nil {
		return false
	}
	path, _ := u.Path()
	authority := strings.TrimPrefix(u.SchemePart(), "//")
	if i := strings.IndexAny(authority, "/?"); i >= 0 {
		authority = authority[:i]
	}
	return strings.HasSuffix(authority, ":") || strings.HasPrefix(path, "/")
}

func findNoPort(u locator.URL, found func(string)) {
	if _, ok := u.PortNumber(); !ok && u.Port() != "" {
		found("port " + shorten(u.Port()) + " does not exist; ports are 1 to 65535")
	}
}

func findPortZeros(u locator.URL, found func(string)) {
	if port := u.Port(); len(port) > 1 && port[0] == '0' {
		found("the port " + shorten(port) + " has leading zeros")
	}
}

func findOtherPort(u locator.URL, found func(string)) {
	if port, ok := otherPort(u); ok && !foreignPort(u, port) {
		found("port " + strconv.Itoa(int(port)) + defaultIs(u))
	}
}

func findRefusedPort(u locator.URL, found func(string)) {
	if port, ok := otherPort(u); ok && foreignPort(u, port) {
		found("port " + strconv.Itoa(int(port)) + " belongs to another protocol" + defaultIs(u))
	}
}

// otherPort returns the port of u if it has one that is not the default.
func otherPort(u locator.URL) (port uint16, ok bool) {
	port, ok = u.PortNumber()
	return port, ok && u.Port() != "" && port != locator.DefaultPort(u.Scheme())
}

// foreignPort is locator.IsForeignPort for the schemes whose own ports are known.
func foreignPort(u locator.URL, port uint16) bool {
	return locator.SyntaxOf(u.Scheme()) != nil && locator.IsForeignPort(u.Scheme(), port)
}

func defaultIs(u locator.URL) string {
	if port := locator.DefaultPort(u.Scheme()); port != 0 {
		return "; the default of " + u.Scheme() + " is " + strconv.Itoa(int(port))
	}
	return "; the default of the scheme is unknown"
}
