package locator

import "strings"

// ReservedName is a name that RFC 1738 section 4 reserves for a later scheme, or that a later RFC made of one.
type ReservedName struct {
	Name    string
	Meaning string
	RFC     string // the RFC that defined it since, as in "2392"; "" if none; that of mailserver (6196) defines no parts
	Instead string // what to use where no client knows the scheme; "" if nothing is known
}

// Reserved returns the reserved names in the order of RFC 1738 section 4. z39.50r and z39.50s are what became of z39.50.
func Reserved() []ReservedName {
	return []ReservedName{
		{Name: "afs", Meaning: "Andrew File System global file names"},
		{Name: "mid", Meaning: "Message identifiers for electronic mail", RFC: "2392"},
		{Name: "cid", Meaning: "Content identifiers for MIME body parts", RFC: "2392"},
		{Name: "nfs", Meaning: "Network File System (NFS) file names", RFC: "2224"},
		{Name: "tn3270", Meaning: "Interactive 3270 emulation sessions", RFC: "6270", Instead: "for mainframes; use an emulator of the IBM 3270 terminal, such as c3270 or x3270"},
		{Name: "mailserver", Meaning: "Access to data available from mail servers", RFC: "6196"},
		{Name: "z39.50", Meaning: "Access to ANSI Z39.50 services"},
		{Name: "z39.50r", Meaning: "Retrieval by ANSI Z39.50", RFC: "2056"},
		{Name: "z39.50s", Meaning: "Sessions of ANSI Z39.50", RFC: "2056"},
	}
}

// IsReserved returns the reserved name of a scheme, in either case. ok is false if the scheme is not reserved.
func IsReserved(scheme string) (name ReservedName, ok bool) {
	for _, name := range Reserved() {
		if len(name.Name) == len(scheme) && strings.EqualFold(name.Name, scheme) {
			return name, true
		}
	}
	return ReservedName{}, false
}

// IsExperimental reports whether a scheme is free for experiments: its name begins with "x-", in either case (RFC 1738 4).
func IsExperimental(scheme string) bool {
	return len(scheme) > 1 && strings.EqualFold(scheme[:2], "x-")
}
