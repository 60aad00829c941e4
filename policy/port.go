package policy

import (
	"cmp"
	"fmt"
	"slices"

	"locator"
	"locator/internal/hint"
	"locator/scheme"
)

// port refuses a port that is reserved for another protocol, whose server might execute a request
// as commands (P1, RFC 1738 6), and with [Options].OwnPorts each port that is not known to be of
// the scheme's protocol. own are the ports of the registered scheme.
func (s *Standard) port(name string, own []uint16, port uint16) error {
	if port == 0 {
		return scheme.Fail(scheme.CodeRefused, "port 0 is not valid; ports are 1 to 65535")
	}
	if slices.Contains(own, port) || slices.Contains(s.opt.AllowPorts, port) {
		return nil
	}
	why := ""
	switch {
	case s.opt.OwnPorts && family(name) != "http" && !isOwn(name, port):
		why = "only the ports of its own protocol are allowed"
	case !locator.IsForeignPort(name, port):
		return nil
	case isOfOther(port):
		why = "it belongs to another protocol"
	default:
		why = "ports below 1024 are reserved for other protocols"
	}
	return hint.Fail(fmt.Sprintf("%s=%d", hint.AllowPorts, port), scheme.CodeRefused, "port %d is refused for the scheme %s: %s", port, cmp.Or(name, "unknown"), why)
}

// dialPort is port for a connection. A server that the user configured may have any port that is
// not known to belong to another protocol, such as 26 for mail: no URL chose it.
func (s *Standard) dialPort(d scheme.Dial, port uint16) error {
	if d.Purpose == scheme.ForServer && port != 0 && !isOfOther(port) {
		return nil
	}
	return s.port(d.Scheme, d.Ports, port)
}

// isOwn reports whether package locator knows a port as one of the scheme's protocol.
func isOwn(name string, port uint16) bool {
	s := locator.SyntaxOf(name)
	return s != nil && slices.Contains(s.Ports, port)
}

// isOfOther reports whether a port is known to belong to another protocol than http.
func isOfOther(port uint16) bool { return locator.IsForeignPort("http", port) }
