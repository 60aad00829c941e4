package file

import (
	"locator"
	"locator/scheme"
	"locator/wire"
)

// Steps returns what an access to u would open: "OPEN /path". It returns an error for any host except localhost, since the
// names of the local host are known only during an access.
func (Scheme) Steps(u locator.URL) ([]string, error) {
	v, ok := locator.As[*locator.File](u)
	if !ok {
		return nil, scheme.Fail(scheme.CodeMalformed, "a %s URL is not a file URL", u.Scheme())
	}
	if !isLocalHost(v.Host, nil) {
		return nil, scheme.Fail(scheme.CodeRefused, "the file is on the host %s; it is opened only if that is a name of the local host (RFC 1738 3.10)",
			wire.Escape(v.Host))
	}
	name, err := pathOf(v.Segments)
	if err != nil {
		return nil, err
	}
	return []string{"OPEN " + wire.Escape(name)}, nil
}
