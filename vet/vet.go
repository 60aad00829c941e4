package vet

import "locator"

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

// URL returns the hazards of a URL, in the order of docs/internals/hazards.md. It returns nil for the zero URL.
func URL(u locator.URL) []Finding {
	var found []Finding
	if u.IsZero() {
		return nil
	}
	for _, h := range hazards() {
		if h.find == nil { // found only by comparing parsers
			continue
		}
		h.find(u, func(message string) {
			found = append(found, Finding{Code: h.code, Message: message, Section: h.section, Severity: h.severity})
		})
	}
	return found
}

// shorten bounds the length of a part in a message.
func shorten(s string) string {
	const most = 40
	if len(s) <= most {
		return s
	}
	return s[:most] + "..."
}
