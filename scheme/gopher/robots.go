package gopher

import (
	"strings"

	"locator"
)

// Robots returns where a server keeps its robots.txt, and what its rules call u. RFC 9309 speaks of http; servers of
// gopher have the file at the selector "robots.txt" and write its rules as paths.
func (s Scheme) Robots(u locator.URL) (file locator.URL, path string, err error) {
	v, ok := locator.As[*locator.Gopher](u)
	if !ok {
		return file, "", notGopher()
	}
	at := u.Scheme() + "://" + u.Host()
	if port := u.Port(); port != "" {
		at += ":" + port
	}
	file, err = locator.Current.Parse(at + "/0robots.txt")
	return file, "/" + strings.TrimPrefix(v.Selector.Or(""), "/"), err
}
