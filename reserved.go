package locator

// ReservedName is a scheme name that RFC 1738 section 4 reserves.
type ReservedName struct{ Name, Meaning, RFC string }

// Reserved lists the reserved names.
func Reserved() []ReservedName { panic("stub") }

// IsReserved reports whether the scheme is a reserved name.
func IsReserved(scheme string) (ReservedName, bool) { panic("stub") }

// IsExperimental reports whether the scheme is an "x-" name (RFC 1738 4).
func IsExperimental(scheme string) bool { panic("stub") }
