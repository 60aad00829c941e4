package mailfmt

import (
	"net/mail"
	"strings"
	"unicode/utf8"

	"locator/internal/hint"
	"locator/internal/hostname"
	"locator/internal/mailtext"
	"locator/internal/octet"
	"locator/scheme"
	"locator/wire"
)

// maxName bounds the name of a field, in bytes.
const maxName = 76

// checkText refuses what would end a field, and texts that are not UTF-8.
func (h *header) checkText() error {
	for i := range h.fields {
		f := &h.fields[i]
		if !mailtext.IsFieldName(f.name) || strings.Contains(f.name, ":") || len(f.name) > maxName {
			return scheme.Fail(f.code, "%s: %q is not the name of a header field: letters, digits and \"-\"", f.where, wire.Excerpt(f.name, 60))
		}
		for j := range len(f.value) {
			switch c := f.value[j]; {
			case c == '\r' || c == '\n':
				return f.refuse("a line end in the value would begin another field; write the value on one line")
			case c < ' ' && c != '\t' || c == 0x7F:
				return f.refuse("the value has the control character %s; remove it", wire.Escape(string(c)))
			}
		}
		if !utf8.ValidString(f.value) {
			return f.refuse("the value is not UTF-8; convert the message, for example with iconv -t UTF-8")
		}
	}
	return nil
}

// check checks each field by itself, and that none occurs twice.
func (h *header) check(r *rules) error {
	seen := make(map[string]bool)
	for i := range h.fields {
		f := &h.fields[i]
		name := strings.ToLower(f.name)
		k, ok := kinds[name]
		switch {
		case r.forbidden[name] != "":
			return f.refuse("%s", r.forbidden[name])
		case seen[name] && ok && !k.many:
			return f.refuse("it occurs twice; remove one")
		case f.value == "" && (r.news || k.syntax != unstructured):
			return f.refuse("it has no value; write one, or remove the field")
		}
		seen[name] = true
		if err := f.check(k.syntax, r); err != nil {
			return err
		}
	}
	for _, name := range r.required {
		if !h.has(name) {
			return hint.Fail(r.hints[name], scheme.CodeUsage, "the message has no field %s%s", name, r.how[name])
		}
	}
	return nil
}

// check checks the syntax of a field.
func (f *field) check(s syntax, r *rules) error {
	switch s {
	case addresses:
		_, err := f.addresses(r)
		return err
	case date:
		if _, err := mail.ParseDate(f.value); err != nil {
			return f.refuse("not a date, such as \"Mon, 02 Jan 2006 15:04:05 +0000\"")
		}
	case messageID:
		if !r.isID(f.value) {
			return f.refuse("not a message-id, such as <words@example.org>, of at most %d bytes", r.maxID)
		}
	case messageIDs:
		for _, id := range strings.Fields(f.value) {
			if r.news && !r.isID(id) {
				return f.refuse("%s is not a message-id, such as <words@example.org>; separate several by blanks", wire.Excerpt(id, 80))
			}
		}
	case newsgroups:
		if f.is("Followup-To") && strings.EqualFold(f.value, "poster") {
			return nil
		}
		for _, name := range groupsOf(f.value) {
			if !isGroup(name) {
				return f.refuse("%q is not the name of a newsgroup: words of letters, digits, \"+\", \"-\" and \"_\", joined by dots; separate several by commas", wire.Excerpt(name, 80))
			}
		}
	}
	if s != unstructured && s != addresses && !octet.IsASCII(f.value) {
		return f.refuse("it can only have ASCII characters")
	}
	return nil
}

// addresses returns the addresses of a field, with the domains in ASCII.
func (f *field) addresses(r *rules) ([]*mail.Address, error) {
	list, err := parseAddresses(f.value)
	if name, _, angle := strings.Cut(f.value, "<"); err != nil && angle && strings.Contains(name, ",") && !strings.ContainsAny(name, `"@`) {
		return nil, f.refuse("put the name in quotation marks, since it has a comma: \"Last, First\" <name@example.org>")
	}
	if err != nil {
		return nil, f.refuse("not a mail address, such as Name <name@example.org>: %s", strings.TrimPrefix(err.Error(), "mail: "))
	}
	for _, a := range list {
		// A name is decoded, and its field may be encoded anew.
		if i := strings.IndexFunc(a.Name, func(c rune) bool { return c < ' ' && c != '\t' || c == 0x7F }); i >= 0 {
			return nil, f.refuse("the name of an address has the control character %s, which could begin another header field; remove it", wire.Escape(a.Name[i:i+1]))
		}
		at := strings.LastIndexByte(a.Address, '@')
		local, domain := a.Address[:at], a.Address[at+1:]
		if !octet.IsASCII(domain) {
			ascii, err := hostname.ToASCII(domain)
			if err != nil {
				return nil, f.refuse("%s is not a domain name", wire.Excerpt(domain, 80))
			}
			a.Address = local + "@" + ascii
		}
		if r.news && !octet.IsASCII(local) {
			return nil, f.refuse("the address of an article can only have ASCII characters")
		}
	}
	return list, nil
}

// isDotAtom reports whether s is a dot-atom-text (RFC 5322 3.2.3).
func isDotAtom(s string) bool {
	for word := range strings.SplitSeq(s, ".") {
		if word == "" {
			return false
		}
		for i := range len(word) {
			if c := word[i]; !octet.IsAlphanumeric(c) && !strings.ContainsRune("!#$%&'*+-/=?^_`{|}~", rune(c)) {
				return false
			}
		}
	}
	return true
}

// groupsOf returns the names in a list of newsgroups (RFC 5536 3.1.4).
func groupsOf(value string) []string {
	var list []string
	for name := range strings.SplitSeq(value, ",") {
		list = append(list, strings.Trim(name, " \t"))
	}
	return list
}

// isGroup reports whether s is the name of a newsgroup (RFC 5536 3.1.4).
func isGroup(s string) bool {
	for word := range strings.SplitSeq(s, ".") {
		if word == "" {
			return false
		}
		for i := range len(word) {
			if c := word[i]; !octet.IsAlphanumeric(c) && c != '+' && c != '-' && c != '_' {
				return false
			}
		}
	}
	return true
}
