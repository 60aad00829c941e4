package mailto

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"locator"
	"locator/internal/addrspec"
	"locator/internal/mailtext"
	"locator/internal/octet"
	"locator/scheme"
	"locator/scheme/message"
	"locator/wire"
)

// fields is the table of the header fields that a draft takes from a URL (RFC 6068 3 and 4), by
// their names in lower case. "to" is not one of them: its addresses are those of the URL.
var fields = map[string]struct {
	name string // as the message has it
	add  func(d *place, name, value string) error
}{
	"body":        {"body", (*place).addBody},
	"subject":     {"Subject", (*place).addSubject},
	"keywords":    {"Keywords", (*place).addKeywords},
	"cc":          {"Cc", (*place).addCc},
	"bcc":         {"Bcc", (*place).addBcc},
	"in-reply-to": {"In-Reply-To", (*place).addInReplyTo},
}

// place is what a URL means: a draft in the making.
type place struct {
	message.Draft
	hasBody bool
	dropped []string            // names of fields
	known   map[string]bool     // dropped
	lists   map[string][]string // the values of fields that a URL may set again and again, to be joined
}

// newDraft returns the draft of a URL. It fails with CodeRefused if a part has a CR, LF or NUL that
// would begin another field, and with CodeMalformed if a recipient is not a mail address.
func newDraft(u locator.URL) (*message.Draft, error) {
	v, ok := locator.As[*locator.Mailto](u)
	if !ok {
		return nil, scheme.Fail(scheme.CodeUnsupported, "not a mailto URL")
	}
	d := &place{Draft: message.Draft{Keep: true}, known: make(map[string]bool), lists: make(map[string][]string)}
	to := v.To
	if to == nil {
		to = []string{v.Address}
	}
	addresses, err := d.addresses("address", to)
	if err != nil {
		return nil, err
	}
	d.To = texts(addresses)
	for _, f := range v.Headers {
		if err := d.add(f.Name, f.Value); err != nil {
			return nil, err
		}
	}
	for name, values := range d.lists {
		d.Header[d.index(name)].Value = strings.Join(values, ", ")
	}
	d.noteDropped()
	return &d.Draft, nil
}

// add adds a header field, or leaves it out.
func (d *place) add(name, value string) error {
	if err := wire.Check("name of a header field", name, ""); err != nil {
		return refused(err)
	}
	f, ok := fields[octet.Lower(name)]
	if !ok {
		d.drop(name)
		return nil
	}
	if f.name != "body" {
		if err := wire.Check(f.name, value, controls); err != nil {
			return refused(err)
		}
	}
	return f.add(d, f.name, value)
}

// controls are the control characters that no header field contains, besides CR, LF and NUL
// (RFC 5322 2.2).
const controls = "\x01\x02\x03\x04\x05\x06\a\b\v\f\x0e\x0f\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1a\x1b\x1c\x1d\x1e\x1f\x7f"

// drop leaves a field out.
func (d *place) drop(name string) {
	if shown := quoted(name); !d.known[shown] {
		d.known[shown], d.dropped = true, append(d.dropped, shown)
	}
}

// maxDropped bounds how many fields a note names.
const maxDropped = 20

// noteDropped says which fields were left out.
func (d *place) noteDropped() {
	if len(d.dropped) == 0 {
		return
	}
	names := strings.Join(d.dropped[:min(len(d.dropped), maxDropped)], ", ")
	if more := len(d.dropped) - maxDropped; more > 0 {
		names += " and " + strconv.Itoa(more) + " others"
	}
	d.note("left out of the message: " + names + "; a link may set subject, body, cc, in-reply-to and keywords, each once")
}

func (d *place) note(text string) {
	if !slices.Contains(d.Notes, text) { // few differ
		d.Notes = append(d.Notes, text)
	}
}

// addSubject adds a text. A second one is left out.
func (d *place) addSubject(name, value string) error {
	if d.index(name) >= 0 {
		d.drop("a second " + name)
		return nil
	}
	value, err := decoded(name, value)
	if value != "" {
		d.Header = append(d.Header, message.Field{Name: name, Value: value})
	}
	return err
}

// addKeywords adds words to those that the draft has.
func (d *place) addKeywords(name, value string) error {
	value, err := decoded(name, value)
	if value != "" {
		d.join(name, value)
	}
	return err
}

// decoded returns a text with its encoded words decoded. It fails if they hide a control character.
func decoded(name, value string) (string, error) {
	value = mailtext.Header(value, "")
	if err := wire.Check(name, value, controls); err != nil {
		return "", refused(err)
	}
	return value, nil
}

// addCc adds recipients.
func (d *place) addCc(name, value string) error {
	list, err := d.addresses(name, []string{value})
	if err == nil && len(list) > 0 {
		d.join(name, strings.Join(texts(list), ", "))
	}
	return err
}

// addBcc notes recipients that the others do not see. They are not in the Header: a link must not
// add them unnoticed.
func (d *place) addBcc(name, value string) error {
	list, err := d.addresses(name, []string{value})
	d.Bcc = append(d.Bcc, texts(list)...)
	return err
}

// addInReplyTo adds message-ids.
func (d *place) addInReplyTo(name, value string) error {
	ids := strings.Fields(value)
	if len(ids) == 0 || d.index(name) >= 0 || slices.ContainsFunc(ids, func(id string) bool { return !isMessageID(id) }) {
		d.drop(name)
		return nil
	}
	d.Header = append(d.Header, message.Field{Name: name, Value: strings.Join(ids, " ")})
	return nil
}

// isMessageID reports whether s has the form of a message-id (RFC 5322 3.6.4): printable ASCII with
// an @, in angle brackets.
func isMessageID(s string) bool {
	inside, opens := strings.CutPrefix(s, "<")
	inside, closes := strings.CutSuffix(inside, ">")
	left, right, at := strings.Cut(inside, "@")
	return opens && closes && at && left != "" && right != "" && strings.IndexFunc(inside, func(c rune) bool { return c <= ' ' || c > '~' || c == '<' || c == '>' }) < 0
}

// addBody sets the text. Its lines end in CR LF in a URL (RFC 6068 5), and in LF in a draft.
func (d *place) addBody(name, value string) error {
	if strings.IndexByte(value, 0) >= 0 {
		return refused(&wire.UnsafeError{What: name, Octet: 0})
	}
	if d.hasBody {
		d.drop("a second " + name)
		return nil
	}
	if !utf8.ValidString(value) {
		if text, err := charmap.Windows1252.NewDecoder().String(value); err == nil {
			value = text
			d.note("the text of the URL is not UTF-8; it is read as Windows-1252")
		}
	}
	d.hasBody, d.Body = true, lineEnds.Replace(value)
	return nil
}

// lineEnds makes every line end an LF. A mailer that reads a lone CR or LF of a URL as a line end
// shows the same lines.
var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// index returns the index of a field in the Header, or -1.
func (d *place) index(name string) int {
	return slices.IndexFunc(d.Header, func(a message.Field) bool { return a.Name == name })
}

// join adds to the value of a field.
func (d *place) join(name, value string) {
	if d.lists[name] == nil {
		d.Header = append(d.Header, message.Field{Name: name})
	}
	d.lists[name] = append(d.lists[name], value)
}

// addresses returns the addresses in the parts of a list. RFC 6068 allows addr-specs only; names,
// comments and groups beside them, which RFC 2368 allowed, are dropped, so that a link cannot
// disguise an address by a name.
func (d *place) addresses(what string, parts []string) ([]addrspec.Address, error) {
	var list []addrspec.Address
	var failed error
	for _, part := range parts {
		if err := wire.Check(what, part, ""); err != nil {
			return nil, refused(err)
		}
		if part == "" {
			continue
		}
		a, err := addrspec.Parse(part)
		if err != nil && failed == nil {
			failed = notAddress(part, err)
		}
		list = append(list, a)
	}
	if failed == nil {
		return list, nil
	}
	list, err := addrspec.ParseList(strings.Join(parts, ","))
	if err != nil {
		return nil, failed
	}
	d.note("the " + what + " of the URL is more than addresses; the addresses alone are taken")
	return list, nil
}

// notAddress is the error for a recipient that is not an address.
func notAddress(text string, err error) error {
	hint := ""
	if strings.Contains(text, ";") {
		hint = "; addresses are separated by commas"
	}
	text = strings.TrimPrefix(locator.Redact("mailto:"+text), "mailto:")
	return scheme.Fail(scheme.CodeMalformed, "%s is not a mail address: %w%s", quoted(text), err, hint)
}

// texts returns the addr-specs of addresses.
func texts(list []addrspec.Address) []string {
	all := make([]string, 0, len(list))
	for _, a := range list {
		all = append(all, a.String())
	}
	return all
}

// maxShown bounds the part of a text that an error quotes, in bytes before escaping.
const maxShown = 100

// quoted is a text in quotes, escaped for an error or a note.
func quoted(text string) string { return `"` + wire.Excerpt(text, maxShown) + `"` }

// refused is an error with the code CodeRefused.
func refused(err error) error { return scheme.Fail(scheme.CodeRefused, "%w", err) }
