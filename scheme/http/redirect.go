package http

import (
	nethttp "net/http"

	"locator"
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

// location returns the URL in the Location field. If it has no fragment, it inherits that of the request URL (RFC 9110
// 10.2.2).
func (a *response) location() (locator.URL, error) {
	text := a.Header.Get("Location")
	if text == "" {
		return locator.URL{}, a.protocolError("redirect without a Location")
	}
	u, err := resolve(a.x.r.URL, text)
	if err != nil {
		return u, a.protocolError("redirect to an invalid URL: %s", quoteText(locator.Redact(text)))
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
