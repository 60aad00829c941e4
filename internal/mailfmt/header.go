package mailfmt

import (
	"bufio"
	"bytes"
	"io"
	"mime"
	"net/mail"
	"slices"
	"strings"

	"golang.org/x/text/encoding/unicode"

	"locator/internal/addrspec"
	"locator/internal/hint"
	"locator/internal/mailtext"
	"locator/scheme"
	"locator/scheme/message"
	"locator/wire"
)

// header is the header of a message while it is completed.
type header struct{ fields []field }

// field is a header field.
type field struct {
	name  string
	value string // unfolded
	raw   string // the lines as the user wrote them, with CR LF; "" for a field that is made here, whose value is text
	where string // its origin, for errors
	code  scheme.Code
}

func (f *field) is(name string) bool { return strings.EqualFold(f.name, name) }

// refuse is an error about a field.
func (f *field) refuse(format string, args ...any) error {
	what := f.where
	if !strings.EqualFold(strings.TrimLeft(what, "-"), f.name) {
		what += ": field " + wire.Excerpt(f.name, 60)
	}
	return scheme.Fail(f.code, "%s: "+format, append([]any{what}, args...)...)
}

// find returns the index of a field, -1 if there is none.
func (h *header) find(name string) int {
	return slices.IndexFunc(h.fields, func(f field) bool { return f.is(name) })
}

func (h *header) has(name string) bool { return h.find(name) >= 0 }

// get returns the value of a field.
func (h *header) get(name string) string {
	if i := h.find(name); i >= 0 {
		return h.fields[i].value
	}
	return ""
}

func (h *header) add(f field) { h.fields = append(h.fields, f) }

func (h *header) remove(name string) {
	h.fields = slices.DeleteFunc(h.fields, func(f field) bool { return f.is(name) })
}

// readHeader reads the header lines with the empty line after them. It returns how many bytes they
// have.
//
// The lines are a header if the first is a field with a known name, or if all are fields, one of
// them with a known name, and an empty line follows. Otherwise they are text.
func readHeader(in *bufio.Reader) (*header, int64, error) {
	start, err := in.Peek(maxHeader)
	if err != nil && err != io.EOF {
		return nil, 0, unreadable(err)
	}
	skipped := 0
	if bytes.HasPrefix(start, []byte("\xEF\xBB\xBF")) { // a byte order mark, which editors write
		skipped = 3
	}
	if first, rest, _ := bytes.Cut(start[skipped:], []byte("\n")); bytes.HasPrefix(first, []byte("From ")) {
		if h, _, _ := parseHeader(string(rest)); len(h.fields) > 0 && known(h.fields[0].name) {
			return nil, 0, scheme.Fail(scheme.CodeUsage, "the message begins like one in an mbox file; remove the line that begins with \"From \"")
		}
	}
	h, n, bad := parseHeader(string(start[skipped:]))
	n += skipped
	if err == nil && n == maxHeader { // there is more, and no empty line yet
		bad = -1
	}
	first := len(h.fields) > 0 && known(h.fields[0].name)
	some := slices.ContainsFunc(h.fields, func(f field) bool { return known(f.name) })
	switch {
	case bad < 0 && some:
		return nil, 0, scheme.Fail(scheme.CodeUsage, "the header lines of the message are longer than %d KiB, the limit", maxHeader>>10)
	case bad > 0 && first:
		return nil, 0, scheme.Fail(scheme.CodeUsage, "line %d of the message is not a header field, such as \"Subject: words\"; write an empty line between the header and the text, or before a text without header lines", bad)
	case bad != 0 || !some && len(h.fields) > 0:
		return &header{}, int64(skipped), nil
	}
	return h, int64(n), nil
}

// parseHeader parses lines up to the empty one. It returns how many bytes it took, and the number
// of the first line that is not a field, or 0.
func parseHeader(s string) (h *header, n, bad int) {
	h = &header{}
	line := 0
	for l := range strings.Lines(s) {
		line++
		text := strings.TrimSuffix(strings.TrimSuffix(l, "\n"), "\r")
		switch {
		case text == "":
			return h, n + len(l), 0
		case (text[0] == ' ' || text[0] == '\t') && len(h.fields) > 0:
			f := &h.fields[len(h.fields)-1]
			f.raw += text + "\r\n"
			f.value += text
		default:
			name, value, ok := strings.Cut(text, ":")
			if !ok || !mailtext.IsFieldName(name) {
				return h, n, line
			}
			h.add(field{name: name, value: value, raw: text + "\r\n", where: lineOf(line), code: scheme.CodeUsage})
		}
		n += len(l)
	}
	return h, n, 0
}

func lineOf(n int) string { return "line " + digits(n) + " of the message" }

// overlay adds what the user and the URL say to the header lines.
func (h *header) overlay(d *message.Draft, o Options) error {
	for i := range h.fields {
		h.fields[i].value = strings.Trim(h.fields[i].value, " \t")
	}
	for _, f := range o.Fields {
		h.remove(f.Name)
	}
	for _, f := range o.Fields {
		h.add(field{name: f.Name, value: strings.Trim(f.Value, " \t"), where: f.Where, code: scheme.CodeUsage})
	}
	return h.addDraft(d)
}

// merge is overlay, and adds what every message has.
func (h *header) merge(d *message.Draft, o Options) error {
	if err := h.overlay(d, o); err != nil {
		return err
	}
	if !h.has("From") {
		if o.Mail == "" {
			return hint.Fail(hint.From, scheme.CodeLocal, "no author is known")
		}
		h.add(field{name: "From", value: o.Mail, where: "the configured mail address", code: scheme.CodeLocal})
	}
	if !h.has("Date") {
		h.add(field{name: "Date", value: o.Now.UTC().Format("Mon, 02 Jan 2006 15:04:05 -0700"), code: scheme.CodeLocal})
	}
	if err := h.checkText(); err != nil {
		return err
	}
	if !h.has("Message-ID") {
		id, err := newID(&h.fields[h.find("From")])
		if err != nil {
			return err
		}
		h.add(field{name: "Message-ID", value: id, code: scheme.CodeLocal})
	}
	if d.News {
		h.lock(o.CancelSecret)
	}
	return nil
}

// addDraft adds the fields of the URL. Its recipients must be among those that the user names, if
// the user names some.
func (h *header) addDraft(d *message.Draft) error {
	const where = "the URL"
	if len(d.To) > 0 {
		to := field{name: "To", value: strings.Join(d.To, ", "), where: where, code: scheme.CodeRefused}
		if h.has("To") || h.has("Cc") || h.has("Bcc") {
			if err := h.names(d.To); err != nil {
				return err
			}
		} else {
			h.add(to)
		}
	}
	for _, a := range d.Header {
		if !h.has(a.Name) {
			h.add(field{name: a.Name, value: strings.Trim(a.Value, " \t"), where: where, code: scheme.CodeRefused})
		}
	}
	return nil
}

// names checks that the user's recipients include those of the URL.
func (h *header) names(to []string) error {
	all := make(map[string]bool)
	for i := range h.fields {
		if f := &h.fields[i]; kinds[strings.ToLower(f.name)].syntax == addresses {
			if list, err := parseAddresses(f.value); err == nil && (f.is("To") || f.is("Cc") || f.is("Bcc")) {
				for _, a := range list {
					all[keyOf(mailboxOf(a))] = true
				}
			}
		}
	}
	for _, addr := range to {
		if want, err := addrspec.Parse(addr); err != nil || !all[keyOf(toASCII(want))] {
			return scheme.Fail(scheme.CodeUsage, "the URL names %s, whom the fields To, Cc and Bcc of the message leave out; add the address there, or remove these fields", wire.Excerpt(addr, 200))
		}
	}
	return nil
}

// mailboxOf returns the address of a mailbox, whose local part has no quotes, with the domain in
// ASCII.
func mailboxOf(a *mail.Address) addrspec.Address {
	at := strings.LastIndexByte(a.Address, '@')
	return toASCII(addrspec.Address{Local: a.Address[:max(at, 0)], Domain: a.Address[at+1:]})
}

// toASCII returns an address with the domain in ASCII, if that is a name.
func toASCII(a addrspec.Address) addrspec.Address {
	if ascii, err := a.ToASCII(); err == nil {
		return ascii
	}
	return a
}

// keyOf returns the same text for addresses that differ in case only.
func keyOf(a addrspec.Address) string { return strings.ToLower(a.String()) }

// parseAddresses parses a list of addresses. Bytes of a character set that is not known become
// U+FFFD.
func parseAddresses(value string) ([]*mail.Address, error) {
	p := mail.AddressParser{WordDecoder: &mime.WordDecoder{CharsetReader: func(charset string, in io.Reader) (io.Reader, error) {
		e := mailtext.Encoding(charset)
		if e == nil {
			e = unicode.UTF8
		}
		return e.NewDecoder().Reader(in), nil
	}}}
	list, err := p.ParseList(value)
	if err == nil || strings.Contains(value, `"`) || !strings.Contains(value, ipv6Literal) {
		return list, err
	}
	// Package mail parses IPv6 literals without their tag only (RFC 5321 4.1.3).
	if list, err = p.ParseList(strings.ReplaceAll(value, ipv6Literal, "@[")); err != nil {
		return nil, err
	}
	for _, a := range list {
		if at := strings.LastIndex(a.Address, "@["); at >= 0 && strings.Contains(a.Address[at:], ":") {
			a.Address = a.Address[:at] + ipv6Literal + a.Address[at+len("@["):]
		}
	}
	return list, nil
}

const ipv6Literal = "@[IPv6:"
