package locator

import (
	"fmt"
	"log/slog"
	"strings"
)

// nfsCurrent is the BNF of RFC 2224 with the characters of RFC 3986. A path is relative to the public filehandle; one that begins with
// "//" after the host is absolute. Relative URLs have no host.
const nfsCurrent = `
nfsurl         = "nfs:" ( "//" hostport [ nfs-path ] / [ "/" ] [ pchar *( pchar / "/" ) ] )
nfs-path       = "/" *( pchar / "/" )
`

// NFS is the view of an nfs URL (RFC 2224).
type NFS struct {
	Hostport          // empty in a relative URL
	Relative bool     // it begins with neither a host nor a "/"
	Segments []string // split at "/" before decoding; several that begin with an empty one are an absolute path; nil for no path
}

// String returns the redacted URL that Build writes, or its error.
func (v NFS) String() string { return viewString(&v) }

// Format prints String for every verb, as the other views do.
func (v NFS) Format(f fmt.State, verb rune) { formatView(f, verb, &v) }

// MarshalText returns the whole URL that [Build] writes, with the password; nothing for the zero view. JSON uses it. The error is that of Build.
func (v NFS) MarshalText() ([]byte, error) { return viewText(&v) }

// UnmarshalText reads what MarshalText writes. It fails like [URL.UnmarshalText], or if the URL has another view.
func (v *NFS) UnmarshalText(text []byte) error { return unmarshalView(v, text) }

// LogValue returns the redacted URL for package slog.
func (v NFS) LogValue() slog.Value { return logView(&v) }

// nfs parses what follows "nfs:".
func (r *reader) nfs(i int) int {
	if strings.HasPrefix(r.s[i:], "//") {
		begin := i + 2
		if i = r.hostport(begin); i < 0 {
			return r.without(begin-1, begin) // "nfs:/"
		}
		if i == len(r.s) {
			return r.noPath(i)
		}
	} else {
		if !r.at(i, '/') {
			i-- // the colon stands where the "/" would
		}
		r.u.host, r.u.hostEnd, r.u.portEnd = uint32(i), uint32(i), uint32(i)
	}
	if i = r.whole(i+1, hpathClass, "nfs-path"); i < 0 {
		return -1
	}
	return r.path(i)
}

// isRelative reports whether an nfs URL is a rel_path (RFC 2224).
func (u URL) isRelative() bool { return u.has&hasPath != 0 && u.text[u.portEnd] == ':' }

func (*NFS) of(u URL) View {
	d := u.decoder()
	v := &NFS{Hostport: u.hostport(), Relative: u.isRelative()}
	if path, ok := u.Path(); ok {
		v.Segments = d.all(strings.Split(path, "/"))
	}
	return v
}

func (*NFS) parts(u URL) []Part {
	segments := []string(nil)
	if path, ok := u.Path(); ok {
		segments = strings.Split(path, "/")
	}
	return []Part{textPart("part", Some(u.SchemePart())), listPart("segments", segments)}
}

// Scheme returns "nfs".
func (v *NFS) Scheme() string { return "nfs" }

func (v *NFS) build(b *builder) {
	switch {
	case v.Host == "" && v.Port != "":
		b.fail(0, "host", "RFC 2224", "there is a port but no host", "set Host")
	case v.Host == "" && v.Segments == nil:
		b.fail(0, "nfs-path", "RFC 2224", "there is neither a host nor a path", `use one empty segment for "/"`)
	case v.Host != "" && v.Relative:
		b.fail(0, "nfs-path", "RFC 2224", "a relative path has no host before it", "leave Relative unset")
	case v.Segments != nil && len(v.Segments) == 0:
		b.fail(0, "nfs-path", "RFC 2224", "a path has at least one segment", `use nil for no path, and one empty segment for "/"`)
	case v.Host == "" && len(v.Segments) > 1 && v.Segments[0] == "":
		b.fail(0, "nfs-path", "RFC 2224", "without a host the first of several segments cannot be empty", "set Host")
	}
	if v.Host != "" {
		b.text("//")
		b.hostport(v.Hostport)
	}
	for i, segment := range v.Segments {
		if i > 0 || !v.Relative {
			b.text("/")
		}
		b.item(segment, hpathClass, '/')
	}
}

// commandParts: no file name holds a NUL.
func (v *NFS) commandParts(look lookFunc) {
	for _, s := range v.Segments {
		look("file name", s, "\x00")
	}
}

func (u URL) nfsCanonical(b []byte) []byte {
	path, ok := u.Path()
	if u.HasHost() {
		b = u.appendHostport(append(b, "//"...))
	}
	if ok && !u.isRelative() {
		b = append(b, '/')
	}
	return appendUndone(b, path, undoUnreserved)
}
