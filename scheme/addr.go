package scheme

import "locator"

// Addr returns the host and port of u in the form that [Env.Dial] expects. It fails with
// CodeMalformed if u has no host, and with CodeRefused if the port is not a number from 1 to 65535,
// which the grammar allows (RFC 1738 3.1).
func Addr(u locator.URL) (string, error) {
	addr, ok := u.Addr()
	switch {
	case ok:
		return addr, nil
	case u.Host() == "":
		return "", Fail(CodeMalformed, "the URL has no host")
	}
	return "", Fail(CodeRefused, "invalid port %q: not a number from 1 to 65535", u.Port())
}
