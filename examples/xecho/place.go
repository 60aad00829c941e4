package xecho

import (
	"strconv"
	"strings"

	"locator"
	"locator/scheme"
)

// place is what a URL of x-echo denotes.
type place struct {
	host string // host with its port, if any, as written
	addr string // host:port to connect to
	name string // decoded
}

// folder reports whether the name is that of a folder.
func (p place) folder() bool { return p.name == "" || strings.HasSuffix(p.name, "/") }

// placeOf returns the place that a URL denotes. The parser checks only the generic form of "x-"
// schemes, so placeOf checks the rules of this one.
func placeOf(u locator.URL) (p place, err error) {
	path, ok := u.Path()
	if _, login := u.User(); !u.HasHost() || !ok || login {
		return place{}, scheme.Fail(scheme.CodeMalformed, "x-echo URLs have the form x-echo://host:port/name")
	}
	p = place{host: u.Host(), name: locator.Decode(path)}
	if u.Port() != "" {
		p.host += ":" + u.Port()
	} else if u, err = u.WithPort(strconv.Itoa(Port)); err != nil {
		return place{}, err
	}
	p.addr, err = scheme.Addr(u)
	return p, err
}

// URL returns the URL of a name on a host, which may have a port and is written as in URLs.
func URL(host, name string) (locator.URL, error) {
	return locator.Build(&locator.Other{Name: "x-echo", Part: "//" + host + "/" + escape(name)})
}

// escape escapes every byte except letters, digits, "/" and a few safe characters as %XX (RFC 1738
// 2.2).
func escape(name string) string {
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	for i := range len(name) {
		switch c := name[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', strings.IndexByte("/-_.", c) >= 0:
			b.WriteByte(c)
		default:
			b.Write([]byte{'%', hex[c>>4], hex[c&15]})
		}
	}
	return b.String()
}
