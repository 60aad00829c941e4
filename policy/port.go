package policy

import (
	"cmp"
	"slices"

	"locator"
	"locator/scheme"
)

// port refuses a port that is reserved for another protocol, whose server might execute a request as commands (P1, RFC 1738
// 6).
func (s *Standard) port(name string, port uint16) error {
	if port == 0 {
		return scheme.Fail(scheme.CodeRefused, "port 0 is not valid; ports are 1 to 65535")
	}
	if !locator.IsForeignPort(name, port) || slices.Contains(s.opt.AllowPorts, port) ||
		slices.Contains(s.opt.OwnPorts[name], port) {
		return nil
	}
	return scheme.Fail(scheme.CodeRefused, "port %d is refused for the scheme %s: it belongs to another protocol; to allow it, use --allow-port %d", port, cmp.Or(name, "unknown"), port)
}
