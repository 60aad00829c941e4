package gopher

import (
	"path"
	"strings"

	"locator"
)

// FileName is the last part of the selector, without the item type and the Gopher+ string. A file
// that is unwrapped loses the suffix of its wrapping.
func (s Scheme) FileName(u locator.URL, decoded bool) string {
	v, ok := locator.As[*locator.Gopher](u)
	if !ok {
		return ""
	}
	name := strings.TrimRight(v.Selector.Or(""), "/")
	name = name[strings.LastIndexByte(name, '/')+1:]
	typ := v.Type.Or("1")
	if !decoded || len(typ) != 1 {
		return name
	}
	for _, suffix := range typeOf(typ[0]).wrapped {
		if end := path.Ext(name); strings.EqualFold(end, suffix) && len(end) < len(name) {
			return name[:len(name)-len(end)]
		}
	}
	return name
}

// ListingName returns the name that servers use for the file of a menu.
func (s Scheme) ListingName(locator.URL) string { return "gophermap" }

// Robots returns where a server keeps its robots.txt, and what its rules call u. RFC 9309 speaks of
// http; servers of gopher have the file at the selector "robots.txt" and write its rules as paths.
func (s Scheme) Robots(u locator.URL) (file locator.URL, path string, err error) {
	v, ok := locator.As[*locator.Gopher](u)
	if !ok {
		return file, "", notGopher()
	}
	file, err = locator.Build(&locator.Gopher{Secure: v.Secure, Hostport: v.Hostport, Type: locator.Some("0"), Selector: locator.Some("robots.txt")})
	return file, "/" + strings.TrimPrefix(v.Selector.Or(""), "/"), err
}
