package check

import (
	"slices"
	"strings"

	"locator"
	"locator/client"
	"locator/scheme"
)

// NewLink returns the link for a URL that stands at a place. A malformed one, and one of an unknown
// scheme, is decided at once. keepFragment makes two URLs different that differ in the fragment.
func NewLink(c *client.Client, parse func(string) (locator.URL, error), text string, at Place, keepFragment bool) Link {
	u, err := parse(text)
	if err != nil {
		l := Link{Key: text, URL: text, Place: at}
		name, _, ok := strings.Cut(text, ":")
		if _, known := c.Registry().Lookup(strings.ToLower(name)); ok && !known && locator.SyntaxOf(strings.ToLower(name)) == nil && isScheme(name) {
			l.Done = decided(l, Skipped, WhyUnsupported, "the scheme is not supported")
			l.Done.Scheme = strings.ToLower(name)
			return l
		}
		l.Done = decided(l, Broken, WhyMalformed, locator.Redact(err.Error()))
		return l
	}
	l := Link{URL: u.Text(), Place: at}
	key := u.Canonical() // without the fragment
	if fragment := fragmentOf(u); fragment != "" && keepFragment {
		if with, err := key.WithFragment(locator.Some(fragment)); err == nil {
			key = with
		}
	}
	l.Key = key.String()
	if err := c.Supports(scheme.OpCheck, scheme.Request{URL: u}); client.CodeOf(err) == scheme.CodeUnsupported {
		l.Done = decided(l, Skipped, WhyUnsupported, "the scheme is not supported")
		l.Done.Scheme = u.Scheme()
		return l
	}
	l.Host = strings.ToLower(u.ASCIIHost())
	return l
}

// link returns the link for a URL that stands at a place; ok is false if it is not of Schemes. target
// returns the URL to check instead, or that there is none; it may be nil.
func (c *Checker) link(text string, at Place, target func(locator.URL) (locator.URL, bool)) (l Link, ok bool) {
	name, _, _ := strings.Cut(text, ":")
	if c.Schemes != nil && !slices.Contains(c.Schemes, strings.ToLower(name)) {
		return l, false
	}
	if c.Excluded != nil && c.Excluded(text) {
		l = Link{Key: text, URL: text, Place: at}
		l.Done = decided(l, Skipped, WhyExcluded, "")
		return l, true
	}
	if target != nil {
		if u, err := c.parse(text); err == nil {
			if u, ok = target(u); !ok {
				l = Link{Key: text, URL: text, Place: at}
				l.Done = decided(l, Skipped, WhyExcluded, "no file has this URL, or it depends on where the site begins")
				return l, true
			}
			text = u.Text()
		}
	}
	l = NewLink(c.Client, c.parse, text, at, c.Fragments)
	if l.Done == nil && c.skips != nil && c.skips(l.Host) {
		l.Done = decided(l, Skipped, WhyExcluded, "")
	}
	if c.Folders != nil && l.Done == nil {
		if u, err := c.parse(text); err == nil && c.outside(u) { // another machine may check the run, too
			l.Done = decided(l, Skipped, WhyExcluded, noteOutside)
		}
	}
	return l, true
}

// isScheme reports whether text is a scheme name (RFC 1738 2.1).
func isScheme(text string) bool {
	return text != "" && strings.Trim(strings.ToLower(text), "abcdefghijklmnopqrstuvwxyz0123456789+-.") == "" && strings.Trim(text[:1], "0123456789+-.") != ""
}

// decided returns the result of a link that is not checked.
func decided(l Link, v Verdict, why Why, note string) *Result {
	return &Result{URL: locator.Redact(l.URL), Verdict: v, Why: why, Bytes: -1, Note: note}
}
