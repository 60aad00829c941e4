package locator

import (
	"fmt"
	"log/slog"
	"strings"

	"locator/internal/octet"
)

const fileProductions = `
fileurl        = "file://" [ host | "localhost" ] "/" fpath
fpath          = fsegment *[ "/" fsegment ]
fsegment       = *[ uchar | "?" | ":" | "@" | "&" | "=" ]
`

// fileCurrent is RFC 8089 2 with the drive letters of its appendix E.2. RFC 1738 also allows "?" in
// a segment, and an empty first segment.
const fileCurrent = `
fileurl        = "file:" ( "//" [ host ] fpath / fpath-local / drive-letter fpath )
fpath-local    = "/" [ fchar *( fchar / "/" ) ]
fpath          = "/" *( fchar / "/" )
fchar          = pchar / "?"
drive-letter   = ALPHA ":"
`

// File is the view of a file URL (RFC 1738 3.10).
type File struct {
	Host     string   // "" and "localhost" both mean this machine
	Segments []string // at least one; the last is the name, empty for a directory
}

// String returns the redacted URL that Build writes, or its error.
func (v File) String() string { return viewString(&v) }

// Format prints String for every verb, so that a password is never shown.
func (v File) Format(f fmt.State, verb rune) { formatView(f, verb, &v) }

// MarshalText returns the whole URL that [Build] writes, with the password; nothing for the zero
// view. JSON uses it. The error is that of Build.
func (v File) MarshalText() ([]byte, error) { return viewText(&v) }

// UnmarshalText reads what MarshalText writes. It fails like [URL.UnmarshalText], or if the URL has
// another view.
func (v *File) UnmarshalText(text []byte) error { return unmarshalView(v, text) }

// LogValue returns the redacted URL for package slog.
func (v File) LogValue() slog.Value { return logView(&v) }

// file parses what follows "file:".
func (r *reader) file(i int) int {
	class := fpathClass
	if r.current {
		class = xcharClass
	}
	if r.current && !strings.HasPrefix(r.s[i:], "//") {
		i = r.fileLocal(i)
	} else if i = r.slashes(i, "fileurl"); i >= 0 {
		i = r.fileHost(i)
	}
	if i < 0 {
		return -1
	}
	if i = r.whole(i+1, class, "fsegment"); i < 0 {
		return -1
	}
	return r.path(i)
}

// fileLocal parses the start of a path without an authority, with or without a drive letter
// (RFC 8089 2 and E.2). It returns the offset of the byte before the path: the "/", or the colon of
// the scheme if a drive letter begins the path.
func (r *reader) fileLocal(i int) int {
	const hint = `write "file:///" and the path of a file of this machine`
	begin := i
	if !r.at(i, '/') {
		if i == len(r.s) || r.t[r.s[i]]&alphaClass == 0 {
			return r.fail(i, "fileurl", `"//", "/" or a drive letter`, hint)
		}
		if i++; !r.at(i, ':') {
			return r.fail(i, "fileurl", `the ":" of a drive letter`, hint)
		}
		if i++; !r.at(i, '/') {
			return r.fail(i, "fileurl", `the "/" after a drive letter`, hint)
		}
		i = begin - 1
	}
	r.u.host, r.u.hostEnd, r.u.portEnd = uint32(i), uint32(i), uint32(i)
	return i
}

// fileHost parses the host of a file URL, which may be empty, up to the "/" that must follow.
func (r *reader) fileHost(i int) int {
	end, ok, cut := i, true, i
	if r.current {
		cut = i - 1 // "file:/"
	}
	switch {
	case i == len(r.s):
		return r.failFrom(cut, i, "host", `a host or "/"`, `write "file:///" and the path of a file of this machine`)
	case r.s[i] == '/':
	case r.current && r.s[i] == '[':
		if end = r.literal(i); end < 0 {
			return r.without(cut, i)
		}
	case r.current:
		if end = r.span(i, hostClass); end < 0 {
			return -1
		}
		ok = end > i
	default:
		end, ok = r.scanHost(i)
	}
	switch {
	case !ok:
		return r.failFrom(cut, end, "host", needHost, hintHost)
	case !r.at(end, '/'):
		return r.failFrom(cut, end, "fileurl", `"/" and a path`, `a file URL has a host or none, then "/"; it has no port`)
	}
	r.setHost(i, end, end)
	return end
}

func (*File) of(u URL) View {
	path, _ := u.Path()
	d := u.decoder()
	return &File{Host: u.ASCIIHost(), Segments: d.all(strings.Split(path, "/"))}
}

func (*File) parts(u URL) []Part {
	path, _ := u.Path()
	return []Part{listPart("segments", strings.Split(path, "/"))}
}

// Scheme returns "file".
func (v *File) Scheme() string { return "file" }

func (v *File) build(b *builder) {
	b.text("//")
	if v.Host != "" {
		b.host(v.Host)
	}
	if len(v.Segments) == 0 {
		b.fail(0, "fpath", "3.10", "a file URL has at least one segment", `use one empty segment for "/"`)
	}
	b.segments(v.Segments, fpathClass)
}

// commandParts: no file name contains a NUL.
func (v *File) commandParts(look lookFunc) {
	for _, s := range v.Segments {
		look("file name", s, "\x00")
	}
}

func (u URL) fileCanonical(b []byte) []byte {
	b = append(b, "//"...)
	if octet.Lower(u.ASCIIHost()) != "localhost" {
		b = u.appendHostport(b)
	}
	path, _ := u.Path()
	return appendUndone(append(b, '/'), path, undoUnreserved)
}
