package vet

import "locator"

// hazard is one row of the table of hazards. docs/internals/hazards.md explains each, with an
// example.
type hazard struct {
	code     string
	severity Severity
	section  string
	find     func(u locator.URL, found func(message string)) // nil if only a comparison of parsers finds it
}

// hazards returns the table, in the order of docs/internals/hazards.md.
func hazards() []hazard {
	return []hazard{
		{"password", SeverityWarning, "6", findPassword},
		{"host-like-user", SeverityWarning, "RFC 3986 7.6", findHostLikeUser},
		{"userinfo", SeverityWarning, "RFC 9110 4.2.4", findUserinfo},
		{"other-port", SeverityInfo, "6", findOtherPort},
		{"refused-port", SeverityDanger, "6", findRefusedPort},
		{"no-port", SeverityDanger, "3.1", findNoPort},
		{"port-zeros", SeverityInfo, "RFC 3986 6.2.3", findPortZeros},
		{"no-address", SeverityDanger, "3.1", findNoAddress},
		{"numeric-host", SeverityDanger, "RFC 3986 7.4", findNumericHost},
		{"ambiguous-address", SeverityWarning, "3.1", findAmbiguousAddress},
		{"unusable-address", SeverityDanger, "RFC 1122 3.2.1.3", findUnusableAddress},
		{"local-address", SeverityInfo, "6", findLocalAddress},
		{"single-label", SeverityInfo, "RFC 1535", findSingleLabel},
		{"special-address", SeverityInfo, "RFC 6890", findSpecialAddress},
		{"odd-host", SeverityWarning, "RFC 1123 2.1", findOddHost},
		{"url-as-host", SeverityWarning, "RFC 3986 3.2", findURLAsHost},
		{"option-host", SeverityWarning, "RFC 1123 2.1", findOptionHost},
		{"bad-idna", SeverityWarning, "RFC 5891 5.4", findBadIDNA},
		{"mapped-host", SeverityWarning, "RFC 5895 2", findMappedHost},
		{"mixed-script", SeverityWarning, "RFC 3987 8", findMixedScript},
		{"long-name", SeverityWarning, "RFC 1035 2.3.4", findLongName},
		{"control-octet", SeverityDanger, "6", findControlOctet},
		{"encoded-control", SeverityWarning, "RFC 3986 7.3", findEncodedControl},
		{"hidden-dots", SeverityWarning, "RFC 3986 7.3", findHiddenDots},
		{"encoded-slash", SeverityInfo, "RFC 3986 7.3", findEncodedSlash},
		{"double-escape", SeverityWarning, "RFC 3986 2.4", findDoubleEscape},
		{"invisible", SeverityWarning, "RFC 3987 4.1", findInvisible},
		{"filled-form", SeverityWarning, "3.4.9", findFilledForm},
		{"unknown-plus", SeverityWarning, "3.4.3", findUnknownPlus},
		{"unsafe-header", SeverityWarning, "RFC 6068 4", findUnsafeHeader},
		{"stray-delimiter", SeverityWarning, "RFC 6068 2", findStrayDelimiter},
		{"no-mail-address", SeverityWarning, "3.5", findNoMailAddress},
		{"mail-authority", SeverityWarning, "RFC 6068 2", findMailAuthority},
		{"more-recipients", SeverityWarning, "RFC 6068 2", findMoreRecipients},
		{"active-scheme", SeverityWarning, "6", findActiveScheme},
		{"later-syntax", SeverityWarning, "RFC 3986 3", findLaterSyntax},
		{"readers-differ", SeverityDanger, "RFC 3986 7.6", nil},
	}
}
