package present

import (
	"bytes"
	"fmt"
	"strconv"

	"locator"
	"locator/scheme"
	"locator/wire"
)

// Attributes is the object of the attributes of a resource. An unknown value is null.
type Attributes struct {
	URL        Octets      `json:"url"`
	Size       *int64      `json:"size"`
	Modified   *Octets     `json:"modified"`
	Type       *Octets     `json:"type"`
	ETag       *Octets     `json:"etag"`
	Attributes []Attribute `json:"attributes"`
	Line       int         `json:"line,omitempty"`
}

// Attribute is an attribute that only some protocols have.
type Attribute struct {
	Name  Octets  `json:"name"`
	Value Octets  `json:"value"`
	Block *Octets `json:"block"`
}

// AttributesOf returns the object of the attributes of u.
func AttributesOf(u locator.URL, attr scheme.Attr) Attributes {
	j := Attributes{URL: Octets(u.Redacted()), Size: Count(attr.Size), Modified: OrNull(TimeText(attr.Modified)),
		Type: OrNull(attr.Type), ETag: OrNull(attr.ETag), Attributes: []Attribute{}}
	for _, m := range attr.More {
		j.Attributes = append(j.Attributes, Attribute{Octets(m.Name), Octets(m.Value), OrNull(m.Block)})
	}
	return j
}

// AppendAttributes appends a line for each attribute of u that is known.
func AppendAttributes(b []byte, u locator.URL, attr scheme.Attr) []byte {
	b = appendPair(b, "url", u.Redacted())
	if n, ok := attr.Size.Get(); ok {
		b = appendPair(b, "size", strconv.FormatInt(n, 10))
	}
	for _, p := range [][2]string{{"modified", TimeText(attr.Modified)}, {"type", attr.Type}, {"etag", attr.ETag}} {
		if p[1] != "" {
			b = appendPair(b, p[0], p[1])
		}
	}
	for _, m := range attr.More {
		name := m.Name
		if m.Block != "" && m.Block != name {
			name = m.Block + " " + name
		}
		b = appendPair(b, name, m.Value)
	}
	return b
}

func appendPair(b []byte, name, value string) []byte {
	return append(bytes.TrimRight(fmt.Appendf(b, "%-14s %s", wire.TextLine(name), wire.TextLine(value)), " "), '\n') // the values of prospero may be empty
}
