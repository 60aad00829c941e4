package locator

import "strings"

// PartKind says which field of a [Part] holds its value.
type PartKind uint8

// The kinds of parts.
const (
	PartText  PartKind = iota // Text, which may be absent
	PartList                  // List
	PartPairs                 // Pairs
)

// Part is one part of a URL as written: split, but still escaped.
type Part struct {
	Name  string
	Kind  PartKind
	Text  Optional // of PartText
	List  []string // of PartList, never nil
	Pairs []Field  // of PartPairs, never nil
}

// Parts are the parts of the url-path, or of what stands in its place, as written: split as the view of the scheme is,
// but still escaped. Their names and order are those of the "view" of the command "parse --json". User, password, host
// and port are not among them. The part named "part", which every scheme has that RFC 1738 does not predefine, holds the
// whole of it, password included; to show parts to anyone, take those of the Redacted text.
func (u URL) Parts() []Part {
	switch u.kind {
	case kindFTP, kindFTPS:
		return u.ftpParts()
	case kindHTTP, kindHTTPS:
		return u.httpParts()
	case kindGopher, kindGophers:
		return u.gopherParts()
	case kindMailto:
		return u.mailtoParts()
	case kindNews:
		return u.newsParts()
	case kindNNTP:
		return u.nntpParts()
	case kindTelnet:
		return u.telnetParts()
	case kindWAIS:
		return u.waisParts()
	case kindFile:
		return u.fileParts()
	case kindProspero:
		return u.prosperoParts()
	case kindTN3270:
		return u.tn3270Parts()
	case kindMid:
		return u.midParts()
	case kindCid:
		return u.cidParts()
	case kindNFS:
		return u.nfsParts()
	case kindZ3950R, kindZ3950S:
		return u.z3950Parts()
	case kindOther:
		return u.otherParts()
	}
	return nil
}

// textPart is a part of one text.
func textPart(name string, text Optional) Part { return Part{Name: name, Text: text} }

// listPart is a part of several texts of one kind.
func listPart(name string, list []string) Part {
	return Part{Name: name, Kind: PartList, List: append([]string{}, list...)}
}

// pairsPart is a part of names and values.
func pairsPart(name string, pairs []Field) Part {
	return Part{Name: name, Kind: PartPairs, Pairs: append([]Field{}, pairs...)}
}

// cutOptional cuts s at the first sep; after is absent where there is none.
func cutOptional(s, sep string) (before string, after Optional) {
	before, rest, ok := strings.Cut(s, sep)
	return before, optional(rest, ok)
}
