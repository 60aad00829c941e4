package locator

import (
	"fmt"
	"log/slog"
	"strings"
)

// midCurrent and cidCurrent are RFC 2392 2. Reserved characters of a message-id or content-id are escaped; by erratum 454,
// "cid:foo4%25foo1@bar.net" is the content-id foo4%foo1@bar.net.
const midCurrent = `
midurl         = "mid:" url-addr-spec [ "/" url-addr-spec ]
` + addrSpecCurrent

const cidCurrent = `
cidurl         = "cid:" url-addr-spec
` + addrSpecCurrent

const addrSpecCurrent = `
url-addr-spec  = 1*mid-right-char "@" 1*mid-right-char
mid-right-char = uchar / ";" / ":" / "&" / "="
`

// Mid is the view of a mid URL (RFC 2392): a message, or a part of it.
type Mid struct {
	MessageID string // without its angle brackets
	ContentID Optional
}

// String returns the redacted URL that Build writes, or its error.
func (v Mid) String() string { return viewString(&v) }

// Format prints String for every verb, as the other views do.
func (v Mid) Format(f fmt.State, verb rune) { formatView(f, verb, &v) }

// MarshalText returns the whole URL that [Build] writes, with the password; nothing for the zero view. JSON uses it. The error is that of Build.
func (v Mid) MarshalText() ([]byte, error) { return viewText(&v) }

// UnmarshalText reads what MarshalText writes. It fails like [URL.UnmarshalText], or if the URL has another view.
func (v *Mid) UnmarshalText(text []byte) error { return unmarshalView(v, text) }

// LogValue returns the redacted URL for package slog.
func (v Mid) LogValue() slog.Value { return logView(&v) }

// Cid is the view of a cid URL (RFC 2392): a part of the message that contains the URL.
type Cid struct {
	ContentID string // without its angle brackets
}

// String returns the redacted URL that Build writes, or its error.
func (v Cid) String() string { return viewString(&v) }

// Format prints String for every verb, as the other views do.
func (v Cid) Format(f fmt.State, verb rune) { formatView(f, verb, &v) }

// MarshalText returns the whole URL that [Build] writes, with the password; nothing for the zero view. JSON uses it. The error is that of Build.
func (v Cid) MarshalText() ([]byte, error) { return viewText(&v) }

// UnmarshalText reads what MarshalText writes. It fails like [URL.UnmarshalText], or if the URL has another view.
func (v *Cid) UnmarshalText(text []byte) error { return unmarshalView(v, text) }

// LogValue returns the redacted URL for package slog.
func (v Cid) LogValue() slog.Value { return logView(&v) }

// mid parses what follows "mid:".
func (r *reader) mid(i int) int {
	if i = r.addrSpec(i); i >= 0 && r.at(i, '/') {
		i = r.addrSpec(i + 1)
	}
	return r.wholeID(i)
}

// cid parses what follows "cid:".
func (r *reader) cid(i int) int { return r.wholeID(r.addrSpec(i)) }

// wholeID requires the end of the URL at i.
func (r *reader) wholeID(i int) int {
	if i >= 0 && i < len(r.s) {
		return r.fail(i, "url-addr-spec", "", "")
	}
	return r.noPath(i)
}

// addrSpec parses unique@host.
func (r *reader) addrSpec(i int) int {
	const need, hint = `an identifier, "@" and its host`, "write it without its angle brackets"
	begin := i
	if i = r.span(i, midClass); i < 0 {
		return -1
	}
	if i == begin || !r.at(i, '@') {
		return r.failFrom(begin-1, i, "url-addr-spec", need, hint)
	}
	right := i + 1
	if i = r.span(right, midClass); i == right {
		return r.failFrom(begin-1, i, "url-addr-spec", "the host of an identifier", hint)
	}
	return i
}

func (*Mid) of(u URL) View {
	message, content := cutOptional(u.SchemePart(), "/")
	d := u.decoder()
	return &Mid{MessageID: d.text(message), ContentID: d.optional(content)}
}

func (*Mid) parts(u URL) []Part {
	message, content := cutOptional(u.SchemePart(), "/")
	return []Part{textPart("part", Some(u.SchemePart())), textPart("message", Some(message)), textPart("content", content)}
}

func (*Cid) of(u URL) View { return &Cid{ContentID: Decode(u.SchemePart())} }

func (*Cid) parts(u URL) []Part {
	return []Part{textPart("part", Some(u.SchemePart())), textPart("content", Some(u.SchemePart()))}
}

// Scheme returns "mid".
func (v *Mid) Scheme() string { return "mid" }

func (v *Mid) build(b *builder) {
	b.addrSpec(v.MessageID, "message-id")
	if content, ok := v.ContentID.Get(); ok {
		b.text("/")
		b.addrSpec(content, "content-id")
	}
}

// Scheme returns "cid".
func (v *Cid) Scheme() string { return "cid" }

func (v *Cid) build(b *builder) {
	b.addrSpec(v.ContentID, "content-id")
}

// addrSpec writes unique@host.
func (b *builder) addrSpec(s, rule string) {
	at := lastAt(s)
	if at < 1 {
		b.fail(0, rule, "RFC 2392 2", "an identifier has the form unique@host", "write it without its angle brackets")
		return
	}
	b.escaped(s[:at], midClass)
	b.text("@")
	b.escaped(s[at+1:], midClass)
}

// lastAt returns the offset of the last "@" that is not the last byte, -1 if there is none.
func lastAt(s string) int { return strings.LastIndexByte(s[:max(len(s)-1, 0)], '@') }

func (v *Mid) commandParts(lookFunc) {}

func (v *Cid) commandParts(lookFunc) {}
