package client

import (
	"slices"
	"strings"

	"locator"
	"locator/scheme"
)

// ListingName returns the name for a file with the bytes of the listing at u, "" if its scheme is
// no [scheme.ListingNamer]. The name is not safe for a file system.
func (c *Client) ListingName(u locator.URL) string {
	if s, ok := c.opt.Registry.Lookup(u.Scheme()); ok {
		if n, ok := s.(scheme.ListingNamer); ok {
			return n.ListingName(u)
		}
	}
	return ""
}

// FileName returns the name for a file with the contents of u: the name chosen by the scheme (see
// [scheme.FileNamer]), or the last path segment that is not empty. It returns "" if the URL has no
// name. The name is not safe for a file system.
func (c *Client) FileName(u locator.URL, decoded bool) string {
	if s, ok := c.opt.Registry.Lookup(u.Scheme()); ok {
		if n, ok := s.(scheme.FileNamer); ok {
			return n.FileName(u, decoded)
		}
	}
	if segments, ok := u.Segments(); ok {
		for _, name := range slices.Backward(segments) {
			if name != "" {
				return name
			}
		}
		return ""
	}
	path, _ := u.Path()
	path = strings.TrimRight(path, "/")
	return locator.Decode(path[strings.LastIndexByte(path, '/')+1:])
}
