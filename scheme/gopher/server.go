package gopher

import (
	"strconv"
	"strings"
)

// server is a host and port and how they are reached.
type server struct {
	host   string // as a URL has it
	port   uint16
	secure bool // over TLS
}

// defaultPort is the port of gopher (RFC 1738 3.4.1).
const defaultPort = 70

// portText returns the port as a URL has it: "" for the default port.
func portText(port uint16) string {
	if port == defaultPort {
		return ""
	}
	return strconv.Itoa(int(port))
}

// where returns the server of an item in a menu that here has sent. ok is false if no connection
// can be made to the port of the item. A menu cannot say that a server uses TLS, so an item of the
// same host and port is reached as here was.
//
// QUIRK: the host may be missing; the server then means itself. The port may be missing; it is 70
// if the item has a host.
func (it item) where(here server) (p server, ok bool) {
	p = here
	if it.host != "" {
		p = server{host: it.host, port: defaultPort}
		if strings.Contains(it.host, ":") && !strings.HasPrefix(it.host, "[") {
			p.host = "[" + it.host + "]" // IPv6
		}
	}
	if it.port != "" {
		n, err := strconv.ParseUint(it.port, 10, 16)
		if err != nil || n == 0 {
			return p, false
		}
		p.port = uint16(n)
	}
	p.secure = here.secure && p.port == here.port && strings.EqualFold(p.host, here.host)
	return p, true
}

// errorHost is the host of items that are errors.
const errorHost = "error.host"

// dummy reports whether the host of the item is one that servers write in lines without a link.
//
// QUIRK: "(NULL)" (pygopherd, 01; its selector is "fake"), "null.host" (gophernicus, 01),
// "error.host" (umn-2.3.0, 26; pygopherd, 10). The others are used by servers that were not
// measured.
func (it item) dummy() bool {
	switch strings.ToLower(it.host) {
	case "fake", "(null)", "null.host", errorHost, "invalid", ".":
		return true
	}
	return false
}
