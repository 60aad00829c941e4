package locator

import (
	"encoding"
	"fmt"
	"log/slog"
	"reflect"
)

// View holds the decoded parts of a URL of one scheme: *FTP, *HTTP, *Gopher, *Mailto, *News, *NNTP, *Telnet, *WAIS, *File,
// *Prospero, or *Other for every other scheme. Parts are split before they are decoded (RFC 1738
// 3.2.2), so an encoded delimiter stays inside its part. Strings hold bytes, in no particular character
// set.
type View interface {
	// Scheme returns the name of the scheme in lower case.
	Scheme() string

	// MarshalText returns the whole URL that Build writes, with the password, so that JSON loses nothing. UnmarshalText reads it with
	// Current, which sets To of a Mailto as well. Package fmt and package slog show the redacted URL.
	encoding.TextMarshaler
	fmt.Stringer
	slog.LogValuer

	of(u URL) View         // the view of a URL of that scheme; the receiver is not used
	parts(u URL) []Part    // its parts as written; the receiver is not used
	build(b *builder)      // writes what follows the colon of the scheme
	commandParts(lookFunc) // calls it with every part that is sent decoded
}

// As returns the view of the URL as a V, such as *FTP. ok is false if the URL is of another scheme.
func As[V View](u URL) (v V, ok bool) {
	v, ok = u.View().(V)
	return v, ok
}

// Hostport is a host and port (RFC 1738 5).
type Hostport struct {
	// Host is a name, four digit groups, or in Current an IP literal in brackets, in the form of [URL.ASCIIHost].
	Host string
	Port string // digits as written, "" if absent; may exceed 65535 (RFC 1738 3.1)
}

// hostport returns the view of host and port.
func (u URL) hostport() Hostport { return Hostport{Host: u.ASCIIHost(), Port: u.Port()} }

// Login is the common Internet scheme syntax (RFC 1738 3.1).
type Login struct {
	User, Password Optional // a password requires a user
	Hostport
}

// String returns "user:****@host:port".
func (l Login) String() string {
	if password, ok := l.Password.Get(); ok && password != "" {
		l.Password = Some(mask)
	}
	b := builder{}
	b.login(l)
	if b.err != nil {
		return "(no login: " + b.err.Msg + ")"
	}
	return string(b.buf[len("//"):])
}

// Format prints String for every verb, so that a password is never shown.
func (l Login) Format(f fmt.State, verb rune) {
	formatRedacted(f, verb, l.String(), fmt.Sprintf("locator.Login{%q}", l.String()))
}

// login returns the view of user, password, host and port.
func (u URL) login(d *decoder) Login {
	return Login{
		User: d.optional(optional(u.User())), Password: d.optional(optional(u.Password())), Hostport: u.hostport(),
	}
}

// LogValue returns String for package slog.
func (l Login) LogValue() slog.Value { return slog.StringValue(l.String()) }

// Pair is a name and its value: a field of a prospero URL (RFC 1738 3.11), a header field of a mailto URL (RFC 6068 2), or a field
// of a WAIS document-id.
type Pair struct {
	Name, Value string
}

// viewString returns the redacted URL of a view.
func viewString(v View) string {
	u, err := Build(v)
	if err != nil {
		return "(" + err.Error() + ")"
	}
	return u.Redacted()
}

// formatView prints a view.
func formatView(f fmt.State, verb rune, v View) {
	s := viewString(v)
	formatRedacted(f, verb, s, fmt.Sprintf("%s view {%q}", v.Scheme(), s))
}

// viewText returns the whole URL of a view, nothing for the zero view.
func viewText(v View) ([]byte, error) {
	if reflect.ValueOf(v).Elem().IsZero() {
		return []byte{}, nil
	}
	u, err := Build(v)
	if err != nil {
		return nil, err
	}
	return u.MarshalText()
}

// unmarshalView sets v, with the grammar of Current, to the view of the URL text, and to the zero view if text is empty.
func unmarshalView[T any](v *T, text []byte) error {
	var u URL
	if err := u.UnmarshalText(text); err != nil {
		return err
	}
	if u.IsZero() {
		*v = *new(T)
		return nil
	}
	read, ok := any(u.View()).(*T)
	if !ok {
		return fmt.Errorf("locator: the URL %s is no %T", u, *v)
	}
	*v = *read
	return nil
}

// logView returns the redacted URL of a view.
func logView(v View) slog.Value { return slog.StringValue(viewString(v)) }
