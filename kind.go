package locator

import "math/bits"

// kind tells the predefined schemes apart.
type kind uint8

const (
	kindNone kind = iota // the zero URL; a text that is no scheme
	kindFTP
	kindHTTP
	kindGopher
	kindMailto
	kindNews
	kindNNTP
	kindTelnet
	kindWAIS
	kindFile
	kindProspero

	// What only Current knows.
	kindHTTPS
	kindTN3270
	kindMid
	kindCid
	kindNFS
	kindZ3950R
	kindZ3950S
	kindFTPS // this and the next are extras: no RFC has them
	kindGophers

	kindOther
)

// kindNames are the schemes in lower case, by kind.
var kindNames = [...]string{
	kindFTP: "ftp", kindHTTP: "http", kindGopher: "gopher", kindMailto: "mailto", kindNews: "news", kindNNTP: "nntp",
	kindTelnet: "telnet", kindWAIS: "wais", kindFile: "file", kindProspero: "prospero",
	kindHTTPS: "https", kindTN3270: "tn3270", kindMid: "mid", kindCid: "cid", kindNFS: "nfs",
	kindZ3950R: "z39.50r", kindZ3950S: "z39.50s", kindFTPS: "ftps", kindGophers: "gophers", kindOther: "",
}

// maxKindName is the length of the longest of kindNames. Their octets fit in a number, and are compared so.
const maxKindName = 8

// kindKey is a name of up to eight octets, in lower case, as a number; the first octet is the lowest.
func kindKey(name string) (key uint64) {
	for i := range len(name) {
		c := name[i]
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		key |= uint64(c) << (8 * i)
	}
	return key
}

// kindTable finds the kind of a name by its key, with one comparison.
type kindTable struct {
	factor uint64
	slots  [64]struct {
		key    uint64
		length int
		kind   kind
	}
}

func newKindTable() *kindTable {
	t := &kindTable{factor: 0x9E3779B97F4A7C15}
	for !t.fill() {
		t.factor += 2
	}
	return t
}

// fill enters all names. It is false if two of them take the same slot.
func (t *kindTable) fill() bool {
	clear(t.slots[:])
	for k, name := range kindNames {
		slot := &t.slots[t.slot(kindKey(name))]
		switch {
		case name == "": // none, or another
		case slot.kind != kindNone:
			return false
		default:
			slot.key, slot.length, slot.kind = kindKey(name), len(name), kind(k)
		}
	}
	return true
}

func (t *kindTable) slot(key uint64) uint64 { return key * t.factor >> 58 }

// find is the kind that a name of that key and length has; ok is false for one that is not predefined, or not in lower case.
func (t *kindTable) find(key uint64, length int) (k kind, ok bool) {
	slot := &t.slots[t.slot(key)]
	return slot.kind, length > 0 && slot.key == key && slot.length == length
}

// kindsByKey is never written to.
var kindsByKey = newKindTable()

// kindOf is the kind of the scheme with that name, in either case (RFC 1738 2.1).
func kindOf(name string) kind {
	switch {
	case name == "":
		return kindNone
	case len(name) > maxKindName:
		return kindOther
	}
	if k, ok := kindsByKey.find(kindKey(name), len(name)); ok {
		return k
	}
	return kindOther
}

// kindAt is the kind of the scheme that the text begins with, and where its colon is. Where ok is false, the scheme may be
// in upper case, none at all, or one that is not predefined.
func kindAt(s string) (k kind, colon int, ok bool) {
	if len(s) <= maxKindName {
		return kindNone, 0, false
	}
	octets := uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
	const ones = 0x0101010101010101
	other := octets ^ ':'*ones                       // 0 where a colon is
	zeros := (other - ones) &^ other & (0x80 * ones) // its lowest bit marks the first
	colon = bits.TrailingZeros64(zeros) / 8          // 8 for none of them
	k, ok = kindsByKey.find(octets&(1<<(8*colon)-1), colon)
	return k, colon, ok && s[colon] == ':'
}
