package locator

import (
	"strings"

	"locator/internal/octet"
)

// ReservedName is a name that RFC 1738 section 4 reserves for a later scheme, or that a later RFC made of one.
type ReservedName struct {
	Name    string
	Meaning string
	RFC     string // the RFC that defined it since, as in "2392"; "" if none; that of mailserver (6196) defines no parts
}

// Reserved returns the reserved names in the order of RFC 1738 section 4. z39.50r and z39.50s are what became of z39.50.
func Reserved() []ReservedName {
	return []ReservedName{
		{"afs", "Andrew File System global file names", ""},
		{"mid", "Message identifiers for electronic mail", "2392"},
		{"cid", "Content identifiers for MIME body parts", "2392"},
		{"nfs", "Network File System (NFS) file names", "2224"},
		{"tn3270", "Interactive 3270 emulation sessions", "6270"},
		{"mailserver", "Access to data available from mail servers", "6196"},
		{"z39.50", "Access to ANSI Z39.50 services", ""},
		{"z39.50r", "Retrieval by ANSI Z39.50", "2056"},
		{"z39.50s", "Sessions of ANSI Z39.50", "2056"},
	}
}

// IsReserved returns the reserved name of a scheme, in either case. ok is false if the scheme is not reserved.
func IsReserved(scheme string) (name ReservedName, ok bool) {
	scheme = octet.Lower(scheme)
	for _, name := range Reserved() {
		if name.Name == scheme {
			return name, true
		}
	}
	return ReservedName{}, false
}

// IsExperimental reports whether a scheme is free for experiments: its name begins with "x-", in either case (RFC 1738 4).
func IsExperimental(scheme string) bool { return strings.HasPrefix(octet.Lower(scheme), "x-") }
