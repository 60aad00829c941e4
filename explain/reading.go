package explain

import (
	"errors"
	"fmt"
	"strings"

	"locator"
	"locator/repair"
)

// MaxLength is the length of the longest URL that is read, in bytes.
const MaxLength = 16 << 20

// Reading is a text and the result of parsing it. A password in its URL is shown as ****, unless
// passwords is set in the call of a method.
type Reading struct {
	Text   string               // that was parsed; only its beginning if it is too long
	Cut    int                  // bytes of the wrapper before the URL, such as <URL:
	URL    locator.URL          // zero if Err is not nil
	Parser *locator.Parser      // nil if the text is too long
	Err    *locator.SyntaxError // its offset counts in Text; nil if URL is valid

	Repaired locator.URL     // the result of Repair
	Changes  []repair.Change // their offsets count in Text; nil if there was no repair
}

// Read parses a URL that may be wrapped.
func Read(p *locator.Parser, text string) Reading {
	if len(text) > MaxLength {
		bad := &locator.SyntaxError{Offset: MaxLength, Msg: fmt.Sprintf("it is longer than %d bytes", MaxLength)}
		return Reading{Text: Shorten(text), Err: bad}
	}
	inner, cut := locator.Unwrap(text)
	u, err := p.Parse(inner)
	r := Reading{Text: text, Cut: cut, URL: u, Parser: p}
	if bad := (*locator.SyntaxError)(nil); errors.As(err, &bad) {
		moved := *bad
		moved.Offset += cut
		r.Err = &moved
	}
	return r
}

// Shorten returns a text, or the beginning of one that is longer than MaxLength, for messages.
func Shorten(text string) string {
	if len(text) <= MaxLength {
		return text
	}
	return strings.ToValidUTF8(text[:200], "") + "..."
}

// Repair sets Repaired and Changes if the text needs a repair and if one is possible.
func (r *Reading) Repair() {
	if r.Parser == nil { // it is too long
		return
	}
	inner, cut := locator.Unwrap(r.Text)
	u, changes, err := repair.Parse(r.Parser, inner)
	if err != nil {
		return
	}
	for i := range changes {
		changes[i].Offset += cut
	}
	r.Repaired, r.Changes = u, changes
}

// Suggested returns Err with the URL that was probably meant in its Hint, as [repair.Suggest] does;
// nil if the text is a URL.
func (r *Reading) Suggested() *locator.SyntaxError {
	if r.Err == nil || r.Parser == nil {
		return r.Err
	}
	inner, _ := locator.Unwrap(r.Text)
	bad, _ := errors.AsType[*locator.SyntaxError](repair.Suggest(r.Parser, inner, r.Err))
	return bad
}

// Malformed reports whether the text is not a URL and was not repaired.
func (r *Reading) Malformed() bool { return r.Err != nil && r.Changes == nil }

// Shown returns the text.
func (r *Reading) Shown(passwords bool) string {
	switch {
	case passwords:
		return r.Text
	case r.Err != nil:
		return locator.Redact(r.Text)
	}
	inner, masked := r.URL.Text(), r.URL.Redacted()
	if masked == inner {
		return r.Text
	}
	return r.Text[:r.Cut] + masked + r.Text[r.Cut+len(inner):]
}

// Password returns the password.
func (r *Reading) Password(passwords bool) locator.Optional {
	password, ok := r.URL.Password()
	switch {
	case !ok:
		return locator.Optional{}
	case password == "" || passwords:
		return locator.Some(password)
	}
	return locator.Some("****")
}

// Canonical returns the canonical text of the URL.
func (r *Reading) Canonical(passwords bool) string {
	return r.Masked(passwords).Canonical().Text()
}

// Masked returns the URL whose parts may be shown. The passwords of a URL within the URL are masked
// too: they are in the path, the search or the fragment.
func (r *Reading) Masked(passwords bool) locator.URL {
	text := r.URL.Redacted()
	if passwords || text == r.URL.Text() {
		return r.URL
	}
	u, err := r.Parser.Parse(text)
	if err != nil { // a masked URL is valid; tests check that
		return locator.URL{}
	}
	return u
}

// RepairedText returns the text of the repaired URL.
func (r *Reading) RepairedText(passwords bool) string {
	if passwords {
		return r.Repaired.Text()
	}
	return r.Repaired.Redacted()
}
