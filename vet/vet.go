package vet

import (
	"errors"
	"slices"
	"strconv"

	"locator"
	"locator/repair"
)

// Severity says how much a [Finding] matters.
type Severity uint8

// The severities.
const (
	SeverityInfo    Severity = iota // good to know
	SeverityWarning                 // probably not what is wanted, or not safe to pass on
	SeverityDanger                  // access refuses it; if only "explain --compare" finds it: not safe to pass on
)

// String returns "info", "warning" or "danger".
func (s Severity) String() string {
	switch s {
	case SeverityInfo:
		return "info"
	case SeverityWarning:
		return "warning"
	}
	return "danger"
}

// Finding is one hazard of a URL.
type Finding struct {
	Code     string // name of the hazard; docs/internals/hazards.md lists them
	Message  string // what it is in this URL; never contains the password
	Section  string // of RFC 1738, or another RFC by its name, as in "RFC 1035 2.3.4"
	Severity Severity
}

// URL returns the hazards of a URL, in the order of docs/internals/hazards.md. It returns nil for
// the zero URL.
//
// If [locator.Current] parses the text of u in another way, the hazards of that reading are
// reported too: RFC 1738 finds no host in "https://0x7f.1/", but every client does.
func URL(u locator.URL) []Finding {
	if u.IsZero() {
		return nil
	}
	readings := []locator.URL{u}
	if later, err := locator.Current.Parse(u.Text()); err == nil && later != u {
		readings = append(readings, later)
	}
	var found []Finding
	for _, h := range hazards() {
		if h.find == nil { // found only by comparing parsers
			continue
		}
		for _, reading := range readings {
			h.find(reading, func(message string) {
				f := Finding{Code: h.code, Message: message, Section: h.section, Severity: h.severity}
				if !slices.Contains(found, f) {
					found = append(found, f)
				}
			})
		}
	}
	return found
}

// findLaterSyntax reports a URL that only RFC 1738 accepts, since nothing else in it is known to be
// what a program sees.
func findLaterSyntax(u locator.URL, found func(string)) {
	if _, err := locator.Current.Parse(u.Text()); err != nil {
		err = repair.Suggest(locator.Current, u.Text(), err)
		text := "the syntax of today rejects the URL"
		if e := (*locator.SyntaxError)(nil); errors.As(err, &e) {
			text += " at byte " + strconv.Itoa(e.Offset) + ": " + e.Msg
		}
		found(text)
	}
}

// shorten bounds the length of a part in a message, and masks the passwords of URLs within it.
func shorten(s string) string {
	s = locator.Redact(s)
	const most = 40
	if len(s) <= most {
		return s
	}
	return s[:most] + "..."
}
