package policy

import (
	"slices"

	"locator"
	"locator/scheme"
)

// port refuses a port that is set aside for another protocol, whose server might take a request for commands (P1, RFC
// 1738 6).
func (s *Standard) port(name string, port uint16) error {
	if port == 0 {
		return scheme.Fail(scheme.CodeRefused, "port 0 is no port: ports are 1 to 65535 (RFC 1738 3.1)")
	}
	if !locator.IsForeignPort(name, port) || slices.Contains(s.opt.AllowPorts, port) ||
		slices.Contains(s.opt.OwnPorts[name], port) || slices.Contains(furtherPorts(name), port) {
		return nil
	}
	why := "it is reserved for another protocol (RFC 1738 6)"
	if name == "http" || name == "https" {
		why = "it belongs to another protocol (a bad port of the Fetch standard; RFC 1738 6)"
	}
	if name == "" {
		name = "unknown"
	}
	return scheme.Fail(scheme.CodeRefused, "port %d is refused to the scheme %s: %s; if it is meant, allow it with allow-port %d", port, name, why, port)
}

// furtherPorts are the well-known ports of schemes that are no part of RFC 1738, but speak a protocol of it or carry
// what it needs. Source: the IANA service name and port number registry.
func furtherPorts(name string) []uint16 {
	switch name {
	case "ftps":
		return []uint16{21, 990}
	case "gophers":
		return []uint16{70}
	case "snews", "nntps":
		return []uint16{119, 563}
	case "telnets", "tn3270":
		return []uint16{23, 992}
	case "smtp", "smtps":
		return []uint16{25, 465, 587}
	case "z39.50r", "z39.50s":
		return []uint16{210}
	case "nfs":
		return []uint16{2049}
	}
	return nil
}
