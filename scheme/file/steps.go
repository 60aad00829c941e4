package file

import (
	"locator"
	"locator/scheme"
	"locator/wire"
)

// Steps tells what access to u would open: "OPEN /path". There is no dialogue. What the names of this machine are is
// known to access alone, so that any host but localhost gives an error.
func (Scheme) Steps(u locator.URL) ([]string, error) {
	v, ok := locator.As[*locator.File](u)
	if !ok {
		return nil, scheme.Fail(scheme.CodeMalformed, "a %s URL is no file URL", u.Scheme())
	}
	if !ours(v.Host, nil) {
		return nil, scheme.Fail(scheme.CodeRefused, "the file is on the host %s; it is opened only where that is a name of this machine (RFC 1738 3.10)",
			wire.Escape(v.Host))
	}
	name, err := pathOf(v.Segments)
	if err != nil {
		return nil, err
	}
	return []string{"OPEN " + wire.Escape(name)}, nil
}
