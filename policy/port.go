package policy

import (
	"slices"

	"locator"
	"locator/scheme"
)

// port refuses a port that is reserved for another protocol, whose server might execute a request as commands (P1, RFC 1738
// 6).
func (s *Standard) port(name string, port uint16) error {
	if port == 0 {
		return scheme.Fail(scheme.CodeRefused, "port 0 is not valid; ports are 1 to 65535 (RFC 1738 3.1)")
	}
	if !locator.IsForeignPort(name, port) || slices.Contains(s.opt.AllowPorts, port) ||
		slices.Contains(s.opt.OwnPorts[name], port) {
		return nil
	}
	why := "it is reserved for another protocol (RFC 1738 6)"
	if family(name) == "http" {
		why = "it belongs to another protocol (a bad port of the Fetch standard; RFC 1738 6)"
	}
	if name == "" {
		name = "unknown"
	}
	return scheme.Fail(scheme.CodeRefused, "port %d is refused for the scheme %s: %s; to allow it, use allow-port %d", port, name, why, port)
}
