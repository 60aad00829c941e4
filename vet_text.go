package locator

import "strings"

// linePart is a part of a URL that becomes a field of a line to a peer.
type linePart struct {
	name  string
	text  string // decoded
	stops string // the octets that would end or split it
}

// splitters end a line in every protocol.
const splitters = "\r\n\x00"

// lineParts are the parts of a URL that access sends in lines. http sends path and search as they are written, telnet
// sends nothing, a file name is sent nowhere; wais counts its octets, and prospero quotes all of them but NUL.
func lineParts(u URL) []linePart {
	var parts []linePart
	add := func(name, text, stops string) { parts = append(parts, linePart{name, text, stops}) }
	switch v := u.View().(type) {
	case *FTP:
		add("user", v.User.Or(""), splitters)
		add("password", v.Password.Or(""), splitters)
		for _, dir := range v.Dirs {
			add("directory", dir, splitters)
		}
		add("name", v.Name.Or(""), splitters)
	case *Gopher: // its TABs are cut already: those before the Gopher+ string by the view
		add("type", v.Type.Or(""), splitters+"\t")
		add("selector", v.Selector.Or(""), splitters)
		add("search", v.Search.Or(""), splitters)
		if plus := v.Plus.Or(""); !isFilledForm(plus) {
			add("Gopher+ string", plus, splitters+"\t")
		}
	case *Mailto:
		add("address", v.Address, splitters)
	case *News: // a blank or TAB begins the next argument (RFC 3977 3.1)
		add("group", v.Group, splitters+"\t")
		add("message-id", v.Article, splitters+"\t")
	case *Prospero:
		add("name", v.Name, "\x00")
		for _, f := range v.Fields {
			add("field name", f.Name, "\x00")
			add("field value", f.Value, "\x00")
		}
	}
	return parts
}

func findControlOctet(u URL, found func(string)) {
	for _, p := range lineParts(u) {
		if i := strings.IndexAny(p.text, p.stops); i >= 0 {
			found("the " + p.name + " holds the octet " + escapeOctet(p.text[i]) + ", which would end or split a command")
		}
	}
}

// isFilledForm reports whether a Gopher+ string begins as the filled form of RFC 1738 3.4.9 does: "+", a view, TAB, the
// flag 1 and a data block.
func isFilledForm(plus string) bool {
	head, data, ok := strings.Cut(plus, "\r\n")
	view, flag, tab := strings.Cut(head, "\t")
	return ok && tab && flag == "1" && strings.HasPrefix(view, "+") && strings.HasPrefix(data, "+") &&
		!strings.ContainsAny(view, splitters) && !strings.Contains(data, "\x00")
}

func findFilledForm(u URL, found func(string)) {
	if v, ok := As[*Gopher](u); ok && isFilledForm(v.Plus.Or("")) {
		found("the URL holds a filled form, which access sends")
	}
}

func findNoMailAddress(u URL, found func(string)) {
	if v, ok := As[*Mailto](u); ok && !isAddrSpec(v.Address) {
		found("the address is none by RFC 822: a local part, an @ and a domain")
	}
}

// isAddrSpec reports whether s is an addr-spec of RFC 822 6.1, which mailto URLs hold (RFC 1738 3.5):
//
//	addr-spec  = local-part "@" domain
//	local-part = word *("." word)           word       = atom / quoted-string
//	domain     = sub-domain *("." sub-domain)  sub-domain = atom / domain-literal
//
// RFC 822 allows blanks and comments between all of these; here they are none of the address.
func isAddrSpec(s string) bool {
	i := dotted(s, 0, '"', '"')
	if i < 0 || i >= len(s) || s[i] != '@' {
		return false
	}
	return dotted(s, i+1, '[', ']') == len(s)
}

// dotted passes over atoms and quoted texts with dots between them, and gives the offset behind, or -1.
func dotted(s string, i int, open, end byte) int {
	for {
		begin := i
		if i < len(s) && s[i] == open {
			if i = quoted(s, i+1, end); i < 0 {
				return -1
			}
		} else {
			for i < len(s) && isAtomChar(s[i]) {
				i++
			}
		}
		if i == begin {
			return -1
		}
		if i >= len(s) || s[i] != '.' {
			return i
		}
		i++
	}
}

// quoted passes over a quoted-string or domain-literal from behind its first delimiter on.
func quoted(s string, i int, end byte) int {
	for i < len(s) {
		switch c := s[i]; {
		case c == end:
			return i + 1
		case c == '\r' || c == '[' && end == ']' || c > 0x7F:
			return -1
		case c == '\\':
			i++
			if i < len(s) && s[i] > 0x7F {
				return -1
			}
		}
		i++
	}
	return -1
}

// isAtomChar: any ASCII character but specials, space and controls (RFC 822 3.3).
func isAtomChar(c byte) bool {
	return c > ' ' && c < 0x7F && strings.IndexByte(`()<>@,;:\".[]`, c) < 0
}
