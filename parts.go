package locator

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"
)

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
	Pairs []Pair   // of PartPairs, never nil
}

// textPart returns a part of one text.
func textPart(name string, text Optional) Part { return Part{Name: name, Text: text} }

// listPart returns a part of several texts of one kind.
func listPart(name string, list []string) Part {
	return Part{Name: name, Kind: PartList, List: append([]string{}, list...)}
}

// pairsPart returns a part of names and values.
func pairsPart(name string, pairs []Pair) Part {
	return Part{Name: name, Kind: PartPairs, Pairs: append([]Pair{}, pairs...)}
}

// cutOptional cuts s at the first sep. after is absent if there is no sep.
func cutOptional(s, sep string) (before string, after Optional) {
	before, rest, ok := strings.Cut(s, sep)
	return before, optional(rest, ok)
}

// splitPairs splits "name=value" fields that sep separates.
func splitPairs(s, sep string) []Pair {
	pairs := make([]Pair, 0, strings.Count(s, sep)+1)
	for field := range strings.SplitSeq(s, sep) {
		name, value, _ := strings.Cut(field, "=")
		pairs = append(pairs, Pair{Name: name, Value: value})
	}
	return pairs
}

// Optional is a part that may be absent. RFC 1738 3.1 tells absent from empty: "ftp://@host/" has an empty user, "ftp://host/" has
// none. The zero value is absent. Optionals can be compared with ==.
type Optional struct {
	text string
	set  bool
}

// Some returns a part that is present, even if it is empty.
func Some(s string) Optional { return Optional{text: s, set: true} }

// Get returns the part and whether it is present.
func (o Optional) Get() (string, bool) { return o.text, o.set }

// IsSet reports whether the part is present.
func (o Optional) IsSet() bool { return o.set }

// MarshalJSON writes the part as a string, or null if it is absent. It fails if the part is not UTF-8, which a string in JSON cannot hold; a
// URL or its [View] can be marshalled then.
func (o Optional) MarshalJSON() ([]byte, error) {
	if !o.set {
		return []byte("null"), nil
	}
	if !utf8.ValidString(o.text) {
		return nil, fmt.Errorf("locator: the part %q is not UTF-8: marshal the URL or its view", o.text)
	}
	return json.Marshal(o.text)
}

// UnmarshalJSON reads what MarshalJSON writes.
func (o *Optional) UnmarshalJSON(text []byte) error {
	var s *string
	if err := json.Unmarshal(text, &s); err != nil {
		return err
	}
	*o = Optional{}
	if s != nil {
		*o = Some(*s)
	}
	return nil
}

// Or returns the part, or s if it is absent.
func (o Optional) Or(s string) string {
	if o.set {
		return o.text
	}
	return s
}
