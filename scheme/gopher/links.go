package gopher

import (
	"strconv"
	"strings"

	"locator"
	"locator/scheme"
	"locator/scheme/internal/outlink"
)

// external returns the URL of an item whose selector has one. ok is false if the selector has none.
// The URL is zero if it is not valid or if menus may not link to its scheme.
func (it item) external(here server) (u locator.URL, ok bool) {
	if text, found := urlSelector(it.selector); found {
		return outlink.Parse(text), true
	}
	switch it.typ {
	case 'w':
		if name, _, found := strings.Cut(it.selector, "://"); found && name != "" && strings.Trim(name, "abcdefghijklmnopqrstuvwxyz") == "" {
			return outlink.Parse(it.selector), true
		}
	case 'h', '1':
		// QUIRK: early links to the web have the selector "GET /path" and the port of the web
		// server (umn-2.3.0, 01).
		if path, found := strings.CutPrefix(it.selector, "GET /"); found {
			p, ok := it.where(here)
			if !ok {
				return locator.URL{}, true
			}
			text := "http://" + p.host
			if p.port != 80 {
				text += ":" + strconv.Itoa(int(p.port))
			}
			return outlink.Parse(text + "/" + path), true
		}
	}
	return locator.URL{}, false
}

// urlSelector returns the URL of a selector "URL:http://...".
//
// QUIRK: some servers write "/URL:", "URI:" or "URL=", in either case.
func urlSelector(selector string) (string, bool) {
	s := strings.TrimPrefix(selector, "/")
	if s == "" || s[0]|0x20 != 'u' {
		return "", false
	}
	for _, begin := range [...]string{"URL:", "URI:", "URL="} {
		if len(s) >= len(begin) && strings.EqualFold(s[:len(begin)], begin) {
			return s[len(begin):], true
		}
	}
	return "", false
}

// kindOfURL returns the kind of the resource of a URL, as far as the URL shows it.
func kindOfURL(u locator.URL) scheme.Kind {
	if v, ok := locator.As[*locator.Gopher](u); ok {
		if t := v.Type.Or("1"); t != "" {
			return typeOf(t[0]).kind
		}
	}
	return outlink.Kind(u)
}
