package http

import (
	nethttp "net/http"
	"slices"
	"strings"

	"locator"
	"locator/internal/octet"
	"locator/scheme"
)

// redirects reports whether the response is a redirect (RFC 9110 15.4).
func (a *response) redirects() bool {
	switch a.StatusCode {
	case nethttp.StatusMovedPermanently, nethttp.StatusFound, nethttp.StatusSeeOther, nethttp.StatusTemporaryRedirect,
		nethttp.StatusPermanentRedirect:
		return true
	case nethttp.StatusMultipleChoices:
		return a.Header.Get("Location") != ""
	}
	return false
}

// referral returns a redirect as a Referral. The client decides whether to follow it.
func (a *response) referral() (*scheme.Resource, error) {
	u, err := a.location()
	if err != nil {
		return nil, err
	}
	return &scheme.Resource{
		URL:       a.x.r.URL,
		Kind:      scheme.KindReferral,
		Next:      []scheme.Entry{{Name: u.Redacted(), URL: u}},
		Permanent: a.StatusCode == nethttp.StatusMovedPermanently || a.StatusCode == nethttp.StatusPermanentRedirect,
		Status:    a.code(),
		Hop:       scheme.HopRedirect,
		Attr:      scheme.Attr{More: a.fields},
	}, nil
}

// location returns the URL in the Location field. If it has no fragment, it inherits that of the
// request URL (RFC 9110 10.2.2).
func (a *response) location() (locator.URL, error) {
	text := a.Header.Get("Location")
	if text == "" {
		return locator.URL{}, a.protocolError("redirect without a Location")
	}
	u, err := resolve(a.x.r.URL, text)
	if err != nil {
		return u, a.protocolError("redirect to an invalid URL: %s", quoteText(locator.Redact(text)))
	}
	if slices.Contains(pageSchemes, u.Scheme()) {
		return u, a.protocolError("redirect to a URL that only a page may have: %s", quoteText(u.Redacted()))
	}
	if fragment, ok := a.x.r.URL.Fragment(); ok {
		if _, has := u.Fragment(); !has {
			if with, err := u.WithFragment(locator.Some(fragment)); err == nil {
				u = with
			}
		}
	}
	return u, nil
}

// pageSchemes are the schemes of URLs that have a meaning only within a page. No browser follows a
// redirect to one (HTML Standard, "navigate"; Fetch Standard, "scheme fetch").
var pageSchemes = []string{"about", "blob", "data", "javascript"}

// resolve resolves a reference from a server relative to base (RFC 3986 5.2).
func resolve(base locator.URL, ref string) (locator.URL, error) {
	return base.Resolve(escapeInvalid(slashed(ref)))
}

// slashed replaces the backslashes before the query of a reference of http by slashes.
//
// QUIRK: Servers on Windows send them, and every browser takes them for slashes (URL Standard,
// "special scheme").
func slashed(ref string) string {
	end := strings.IndexAny(ref, "?#")
	if end < 0 {
		end = len(ref)
	}
	name, _, ok := strings.Cut(ref[:end], ":")
	if name = strings.ToLower(strings.TrimSpace(name)); ok && !strings.ContainsAny(name, `/\`) && name != "http" && name != "https" {
		return ref
	}
	return strings.ReplaceAll(ref[:end], `\`, "/") + ref[end:]
}

// escapeInvalid percent-encodes the bytes that are invalid in a URL.
//
// QUIRK: Location fields and links contain blanks, UTF-8, brackets and bare "%". Every browser
// escapes them (URL Standard, "percent-encode after encoding").
func escapeInvalid(ref string) string {
	ref = strings.Trim(ref, " \t\r\n\f")
	from, to := authority(ref)
	return octet.EscapeInvalid(ref, func(i int) bool {
		switch ref[i] {
		case '%':
			_, ok := octet.At(ref, i)
			return !ok
		case '[', ']':
			return i < from || i >= to
		}
		return false
	})
}

// authority returns the position of the authority in a reference, in which brackets enclose an
// address (RFC 3986 appendix B). It follows a "//" at the start or after the scheme.
func authority(ref string) (from, to int) {
	from = strings.Index(ref, "//")
	if from < 0 || from > 0 && strings.IndexAny(ref, ":/?#") != from-1 {
		return 0, 0
	}
	from += len("//")
	if n := strings.IndexAny(ref[from:], "/?#"); n >= 0 {
		return from, from + n
	}
	return from, len(ref)
}
