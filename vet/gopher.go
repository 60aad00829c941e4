package vet

import (
	"strings"

	"locator"
)

func findFilledForm(u locator.URL, found func(string)) {
	if v, ok := locator.As[*locator.Gopher](u); ok {
		if _, filled := v.Form(); filled {
			found("the URL contains a filled form, which access sends")
		}
	}
}

// findUnknownPlus knows the strings of RFC 1738 3.4.5 to 3.4.9: "+" and a view, "!" or "$" and the
// names of attributes, "?". A string with delimiters is a form, or findControlOctet reports it.
func findUnknownPlus(u locator.URL, found func(string)) {
	v, ok := locator.As[*locator.Gopher](u)
	if !ok {
		return
	}
	plus := v.Plus.Or("")
	if plus == "" || plus == "?" || strings.ContainsAny(plus, "\r\n\x00\t") {
		return
	}
	switch known := !strings.ContainsFunc(plus[1:], func(r rune) bool { return r < ' ' || r > '~' }); plus[0] {
	case '+':
		if known {
			return
		}
	case '!', '$':
		if rest := plus[1:]; known && (rest == "" || rest[0] == '+') {
			return
		}
	}
	found("the Gopher+ string has none of the known forms")
}
