package locator

import (
	"locator/internal/octet"
	"strings"
)

// ReservedName is a scheme name that RFC 1738 section 4 reserves for later, or that a later RFC made of one.
type ReservedName struct {
	Name    string
	Meaning string
	RFC     string // the RFC that settled it since, as in "2392"; "" if none did; that of mailserver defines nothing (6196)
}

// Reserved lists the reserved names in the order of RFC 1738 section 4; z39.50r and z39.50s are what became of z39.50.
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

// IsReserved finds a scheme, in either case, among the reserved names.
func IsReserved(scheme string) (name ReservedName, ok bool) {
	scheme = octet.Lower(scheme)
	for _, name := range Reserved() {
		if name.Name == scheme {
			return name, true
		}
	}
	return ReservedName{}, false
}

// IsExperimental reports whether a scheme is free for experiments: its name begins with "x-", in either case (RFC 1738
// 4).
func IsExperimental(scheme string) bool { return strings.HasPrefix(octet.Lower(scheme), "x-") }
