package main

import (
	"errors"
	"fmt"
	"strings"

	"locator"
	"locator/repair"
	"locator/scheme"
)

// reading is one URL of the input and the result of parsing it.
type reading struct {
	text string // the input
	line int    // of the list; 0 for an argument
	cut  int    // bytes of the wrapper before the URL
	url  locator.URL
	by   *locator.Parser
	bad  *locator.SyntaxError // its offset counts in text; nil if url is valid

	repaired locator.URL     // the result, if it was repaired
	changes  []repair.Change // their offsets count in text
}

// repair repairs a URL if it needs that and if it is possible.
func (r *reading) repair() {
	if r.by == nil { // it is too long
		return
	}
	inner, cut := locator.Unwrap(r.text)
	u, changes, err := repair.Parse(r.by, inner)
	if err != nil {
		return
	}
	for i := range changes {
		changes[i].Offset += cut
	}
	r.repaired, r.changes = u, changes
}

// readURL parses a URL that may be wrapped.
func readURL(p *locator.Parser, text string) reading {
	if len(text) > maxURL {
		bad := &locator.SyntaxError{Offset: maxURL, Msg: fmt.Sprintf("it is longer than %d bytes", maxURL)}
		return reading{text: shorten(text), bad: bad}
	}
	inner, cut := locator.Unwrap(text)
	u, err := p.Parse(inner)
	r := reading{text: text, cut: cut, url: u, by: p}
	if bad := (*locator.SyntaxError)(nil); errors.As(err, &bad) {
		moved := *bad
		moved.Offset += cut
		r.bad = &moved
	}
	return r
}

// shorten returns the begin of a text that is longer than a URL may be, for messages.
func shorten(text string) string {
	if len(text) <= maxURL {
		return text
	}
	return strings.ToValidUTF8(text[:200], "") + "..."
}

// suggested returns why the URL is malformed, and what was probably meant; nil if it is not.
func (r *reading) suggested() *locator.SyntaxError {
	if r.bad == nil || r.by == nil {
		return r.bad
	}
	inner, _ := locator.Unwrap(r.text)
	bad, _ := errors.AsType[*locator.SyntaxError](repair.Suggest(r.by, inner, r.bad))
	return bad
}

// failure returns the error for an invalid URL.
func (r *reading) failure() error {
	var err error = r.suggested()
	if inner, _ := locator.Unwrap(r.text); r.bad.Offset <= len(r.text) && accepts(locator.Current, inner) {
		err = fmt.Errorf("%w; --syntax current accepts it", err)
	}
	return &scheme.Error{Op: "parse", URL: r.shown(false), Code: scheme.CodeMalformed, Err: err}
}

// accepts reports whether a parser accepts a text.
func accepts(p *locator.Parser, text string) bool {
	_, err := p.Parse(text)
	return err == nil
}

// shown returns the input, with its password masked unless passwords is set.
func (r *reading) shown(passwords bool) string {
	switch {
	case passwords:
		return r.text
	case r.bad != nil:
		return locator.Redact(r.text)
	}
	inner, masked := r.url.Text(), r.url.Redacted()
	if masked == inner {
		return r.text
	}
	return r.text[:r.cut] + masked + r.text[r.cut+len(inner):]
}

// password returns the password, masked unless passwords is set.
func (r *reading) password(passwords bool) locator.Optional {
	password, ok := r.url.Password()
	switch {
	case !ok:
		return locator.Optional{}
	case password == "" || passwords:
		return locator.Some(password)
	}
	return locator.Some("****")
}

// canonical returns the canonical text, with its password masked unless passwords is set.
func (r *reading) canonical(passwords bool) string {
	return r.masked(passwords).Canonical().Text()
}

// masked returns the URL whose parts may be shown: with passwords masked unless passwords is set. Those of a URL within the URL stand in
// the path, the search or the fragment.
func (r *reading) masked(passwords bool) locator.URL {
	text := r.url.Redacted()
	if passwords || text == r.url.Text() {
		return r.url
	}
	u, err := r.by.Parse(text)
	if err != nil { // no masked URL is invalid; tests hold that
		return locator.URL{}
	}
	return u
}

func optionalOf(s string, ok bool) locator.Optional {
	if !ok {
		return locator.Optional{}
	}
	return locator.Some(s)
}

func (r *reading) malformed() bool { return r.bad != nil && r.changes == nil }

// repairedText returns a repaired URL, with its password masked unless passwords is set.
func repairedText(u locator.URL, passwords bool) string {
	if passwords {
		return u.Text()
	}
	return u.Redacted()
}
