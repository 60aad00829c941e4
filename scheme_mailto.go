package locator

import (
	"fmt"
	"log/slog"
	"slices"
	"strings"

	"locator/internal/octet"
)

const mailtoProductions = `
mailtourl      = "mailto:" encoded822addr
encoded822addr = 1*xchar               ; further defined in RFC822
`

// mailtoCurrent is RFC 6068 2 with erratum 7919: of the sub-delims in an address only "," needs an
// escape. The grammar does not check addresses, as in RFC 1738, so "/" and an empty address are
// valid; access and package vet check them. A value may contain "/", "?" and "=".
const mailtoCurrent = `
mailtourl      = "mailto:" [ to ] [ hfields ]
to             = address *( "," address )
address        = *( unreserved / pct-encoded / "$" / "+" / "!" / "*" / "'" / "(" / ")" / ";" / ":" / "@" / "&" / "=" / "/" )
hfields        = "?" hfield *( "&" hfield )
hfield         = hfname "=" hfvalue
hfname         = *qchar
hfvalue        = *( qchar / "=" )
qchar          = uchar / ";" / ":" / "@" / "/" / "?" / iprivate
`

// Mailto is the view of a mailto URL (RFC 1738 3.5, RFC 6068). Parsed by RFC1738 it has only
// Address. Parsed by Current it has To and Headers, and Address repeats the address if there is
// exactly one. Build uses To and Headers if one of them is set.
type Mailto struct {
	Address string // an RFC 822 addr-spec, decoded, unchecked
	// To holds the addresses before the "?" and those of the header fields named "to", decoded,
	// unchecked. It is not nil if Current parsed the URL. Recipients in fields such as "cc" are in
	// Headers.
	To      []string
	Headers []Pair // the other header fields, decoded (RFC 6068 2); "body" is the body
}

// String returns the redacted URL that Build writes, or its error.
func (v Mailto) String() string { return viewString(&v) }

// Format prints String for every verb, so that a password is never shown.
func (v Mailto) Format(f fmt.State, verb rune) { formatView(f, verb, &v) }

// MarshalText returns the whole URL that [Build] writes, with the password; nothing for the zero
// view. JSON uses it. The error is that of Build.
func (v Mailto) MarshalText() ([]byte, error) { return viewText(&v) }

// UnmarshalText reads what MarshalText writes. It fails like [URL.UnmarshalText], or if the URL has
// another view.
func (v *Mailto) UnmarshalText(text []byte) error { return unmarshalView(v, text) }

// LogValue returns the redacted URL for package slog.
func (v Mailto) LogValue() slog.Value { return logView(&v) }

// mailto parses what follows "mailto:".
func (r *reader) mailto(i int) int {
	if r.current {
		return r.mailtoLater(i)
	}
	begin := i
	if i = r.whole(i, xcharClass, "encoded822addr"); i < 0 {
		return -1
	}
	if i == begin {
		return r.fail(i, "encoded822addr", "a mail address", "")
	}
	return r.noPath(i)
}

// mailtoLater is mailto by RFC 6068.
func (r *reader) mailtoLater(i int) int {
	r.u.has |= isLater
	if i = r.span(i, toClass); i < 0 {
		return -1
	}
	to := i
	if i < len(r.s) && r.s[i] != '?' {
		return r.fail(i, "to", "", "")
	}
	for i < len(r.s) { // at the "?" or "&" before a header field
		begin := i
		r.u.has |= hasSearch
		if i = r.span(i+1, hfnameClass); i < 0 {
			return -1
		}
		if !r.at(i, '=') {
			if i < len(r.s) && r.s[i] != '&' {
				return r.fail(i, "hfname", "", "")
			}
			return r.failFrom(begin, i, "hfield", `"=" and a value`, `a header field is "name=value"; a "?" in an address is written %3F`)
		}
		if i = r.span(i+1, hfvalueClass); i < 0 {
			return -1
		}
		if i < len(r.s) && r.s[i] != '&' {
			return r.fail(i, "hfvalue", "", "")
		}
	}
	r.noPath(i)
	r.u.pathEnd = uint32(to)
	return i
}

// mailtoFields returns the addresses and the header fields as written. The addresses are those
// before the "?" and those of every field named "to", which is not among the fields returned
// (RFC 6068 2).
func (u URL) mailtoFields() (to []string, fields []Pair) {
	to = splitAddresses(u.text[u.colon+1 : u.pathEnd])
	search, ok := u.Search()
	if !ok {
		return to, nil
	}
	fields = slices.DeleteFunc(splitPairs(search, "&"), func(f Pair) bool {
		found := isTo(Decode(f.Name))
		if found {
			to = append(to, splitAddresses(f.Value)...)
		}
		return found
	})
	if len(fields) == 0 {
		fields = nil // as in a URL without fields
	}
	return to, fields
}

// splitAddresses returns the addresses of a list as written, none for an empty one.
func splitAddresses(list string) []string {
	if list == "" {
		return []string{}
	}
	return strings.Split(list, ",")
}

// isTo reports whether a header field holds recipients, as the addresses before the "?" do.
func isTo(name string) bool { return octet.Lower(name) == "to" }

func (*Mailto) of(u URL) View {
	if u.has&isLater == 0 {
		return &Mailto{Address: Decode(u.SchemePart())}
	}
	d := u.decoder()
	to, fields := u.mailtoFields()
	v := &Mailto{To: d.all(to), Headers: d.fields(fields)}
	if len(v.To) == 1 {
		v.Address = v.To[0]
	}
	return v
}

func (*Mailto) parts(u URL) []Part {
	if u.has&isLater == 0 {
		return []Part{textPart("address", Some(u.SchemePart()))}
	}
	to, fields := u.mailtoFields()
	address := Optional{}
	if len(to) == 1 {
		address = Some(to[0])
	}
	return []Part{textPart("address", address), listPart("to", to), pairsPart("headers", fields)}
}

// Scheme returns "mailto".
func (v *Mailto) Scheme() string { return "mailto" }

// build escapes "?" and "," in an address, which have a meaning in RFC 6068 only.
func (v *Mailto) build(b *builder) {
	if v.To == nil && v.Headers == nil {
		if v.Address == "" {
			b.fail(0, "encoded822addr", "3.5", "the address is empty", "set Address to a mail address")
		}
		b.item(v.Address, toClass, ',')
		return
	}
	b.later = true
	if v.Address != "" && (len(v.To) != 1 || v.To[0] != v.Address) {
		b.fail(0, "to", "RFC 6068 2", "Address is another one than that of To", "set To alone")
	}
	for i, address := range v.To {
		if i > 0 {
			b.text(",")
		} else if len(v.To) == 1 && address == "" {
			b.fail(0, "to", "RFC 6068 2", "the only address is empty", "leave To empty, or name an address")
		}
		b.item(address, toClass, ',')
	}
	for i, f := range v.Headers {
		if isTo(f.Name) {
			b.fail(0, "hfname", "RFC 6068 2", `a header field named "to" has recipients`, "put the recipients in To")
		}
		b.text([]string{"?", "&"}[min(i, 1)])
		b.escaped(f.Name, hfnameClass)
		b.text("=")
		b.escaped(f.Value, hfvalueClass)
	}
}

// commandParts: the lines of a body end with CR LF (RFC 6068 5).
func (v *Mailto) commandParts(look lookFunc) {
	if v.To == nil {
		look("address", v.Address, lineEnds)
	}
	for _, to := range v.To {
		look("address", to, lineEnds)
	}
	for _, f := range v.Headers {
		look("name of a header field", f.Name, lineEnds+" \t:")
		if octet.Lower(f.Name) != "body" {
			look("header field", f.Value, lineEnds)
		}
	}
}
