package http

import (
	nethttp "net/http"

	"locator"
	"locator/scheme"
)

// redirects reports whether the answer leads to another URL (RFC 9110 15.4).
func (a *answer) redirects() bool {
	switch a.StatusCode {
	case nethttp.StatusMovedPermanently, nethttp.StatusFound, nethttp.StatusSeeOther, nethttp.StatusTemporaryRedirect,
		nethttp.StatusPermanentRedirect:
		return true
	case nethttp.StatusMultipleChoices:
		return a.Header.Get("Location") != ""
	}
	return false
}

// referral is the Referral that a redirect stands for. The client decides whether to follow it.
func (a *answer) referral() (*scheme.Resource, error) {
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

// location reads the field Location. A target without a fragment takes over that of the URL (RFC 9110 10.2.2).
func (a *answer) location() (locator.URL, error) {
	text := a.Header.Get("Location")
	if text == "" {
		return locator.URL{}, a.nonsense("a redirect without a target (Location)")
	}
	u, err := follow(a.x.r.URL, text)
	if err != nil {
		return u, a.nonsense("a redirect to what is no URL: %s", show(locator.Redact(text)))
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
