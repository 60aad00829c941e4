package locator

import (
	"fmt"
	"log/slog"
	"strings"

	"locator/internal/octet"
)

const ftpProductions = `
ftpurl         = "ftp://" login [ "/" fpath [ ";type=" ftptype ]]
fpath          = fsegment *[ "/" fsegment ]
fsegment       = *[ uchar | "?" | ":" | "@" | "&" | "=" ]
ftptype        = "A" | "I" | "D" | "a" | "i" | "d"
`

// ftpCurrent is RFC 1738 with the characters and the authority of RFC 3986; no later RFC defines
// the scheme. A "?" is part of a name, and a ";" must be escaped except before the typecode.
const ftpCurrent = `
ftpurl         = "ftp://" authority [ "/" fpath [ %s";type=" ftptype ] ]
fpath          = fsegment *( "/" fsegment )
fsegment       = *( uchar / "?" / ":" / "@" / "&" / "=" )
ftptype        = "A" / "I" / "D"
`

const ftpTypeMark = ";type="

// FTP is the view of an ftp or ftps URL (RFC 1738 3.2).
type FTP struct {
	Secure bool // ftps: the connection starts with TLS (an extension)
	Login
	Dirs []string // <cwd1> to <cwdN>; any may be empty
	Name Optional // absent if there is no url-path
	Type byte     // 'a', 'i', 'd', or 0 for none: then it must be guessed (RFC 1738 3.2.3)
}

// String returns the redacted URL that Build writes, or its error.
func (v FTP) String() string { return viewString(&v) }

// Format prints String for every verb, so that a password is never shown.
func (v FTP) Format(f fmt.State, verb rune) { formatView(f, verb, &v) }

// MarshalText returns the whole URL that [Build] writes, with the password; nothing for the zero
// view. JSON uses it. The error is that of Build.
func (v FTP) MarshalText() ([]byte, error) { return viewText(&v) }

// UnmarshalText reads what MarshalText writes. It fails like [URL.UnmarshalText], or if the URL has
// another view.
func (v *FTP) UnmarshalText(text []byte) error { return unmarshalView(v, text) }

// LogValue returns the redacted URL for package slog.
func (v FTP) LogValue() slog.Value { return logView(&v) }

// ftp parses what follows the colon of ftp or ftps.
func (r *reader) ftp(i int) int {
	if i = r.slashes(i, "ftpurl"); i < 0 {
		return -1
	}
	if i = r.login(i); i < 0 || i == len(r.s) {
		return r.noPath(i)
	}
	if i = r.span(i+1, fpathClass); i < 0 {
		return -1
	}
	if r.at(i, ';') {
		if i = r.ftpType(i); i < 0 {
			return -1
		}
	} else if r.end(i, "fsegment") < 0 {
		return -1
	}
	return r.path(i)
}

// ftpType parses ";type=" and the typecode.
func (r *reader) ftpType(i int) int {
	const hint = `end with ";type=a", ";type=i" or ";type=d"; a ";" in a name is written %3B`
	begin := i
	for j := range len(ftpTypeMark) {
		if !r.at(i, ftpTypeMark[j]) {
			return r.failFrom(begin, i, "ftpurl", `";type="`, hint)
		}
		i++
	}
	if i >= len(r.s) || strings.IndexByte("AIDaid", r.s[i]) < 0 {
		return r.failFrom(begin, i, "ftptype", "a, i or d", hint)
	}
	if i++; i < len(r.s) {
		return r.fail(i, "ftpurl", "the end of the URL", hint)
	}
	return i
}

// ftpPath splits the url-path. Name and typecode are absent if there is none.
func (u URL) ftpPath() (dirs []string, name, typecode Optional) {
	path, ok := u.Path()
	if !ok {
		return nil, name, typecode
	}
	path, typecode = cutOptional(path, ftpTypeMark)
	dirs = strings.Split(path, "/")
	last := len(dirs) - 1
	return dirs[:last:last], Some(dirs[last]), typecode
}

func (*FTP) of(u URL) View {
	dirs, name, typecode := u.ftpPath()
	d := u.decoder()
	v := &FTP{Secure: u.row().TLS, Login: u.login(&d), Name: d.optional(name)}
	if len(dirs) > 0 {
		v.Dirs = d.all(dirs)
	}
	if t, ok := typecode.Get(); ok {
		v.Type = t[0] | 0x20
	}
	return v
}

func (*FTP) parts(u URL) []Part {
	dirs, name, typecode := u.ftpPath()
	return []Part{listPart("dirs", dirs), textPart("name", name), textPart("type", typecode)}
}

// Scheme returns "ftp", or "ftps" if Secure is set.
func (v *FTP) Scheme() string { return schemes.name(ftpGrammar, v.Secure) }

func (v *FTP) build(b *builder) {
	b.login(v.Login)
	name, ok := v.Name.Get()
	switch {
	case !ok && len(v.Dirs) > 0:
		b.fail(0, "fpath", "3.2.2", "there are directories but no name after them", "set Name; it may be empty")
	case !ok && v.Type != 0:
		b.fail(0, "ftptype", "3.2.2", "there is a typecode but no url-path", "set Name; it may be empty")
	case v.Type != 0 && strings.IndexByte("aid", v.Type) < 0:
		b.fail(0, "ftptype", "3.2.2", octet.Quote(v.Type)+" is not a typecode", `use "a", "i" or "d", or 0 for none`)
	}
	if !ok {
		return
	}
	b.segments(v.Dirs, fpathClass)
	b.segments([]string{name}, fpathClass)
	if v.Type != 0 {
		b.text(ftpTypeMark + string(rune(v.Type)))
	}
}

func (v *FTP) commandParts(look lookFunc) {
	v.Login.commandParts(look)
	for _, dir := range v.Dirs {
		look("directory", dir, lineEnds)
	}
	look("name", v.Name.Or(""), lineEnds)
}

func (u URL) ftpCanonical(b []byte) []byte {
	b = u.appendLogin(b, undoUnreserved)
	path, ok := u.Path()
	if !ok {
		return b
	}
	path, typecode := cutOptional(path, ftpTypeMark)
	b = appendUndone(append(b, '/'), path, undoUnreserved)
	if t, ok := typecode.Get(); ok {
		b = octet.AppendLower(append(b, ftpTypeMark...), t)
	}
	return b
}
