package locator

import "strings"

const fileProductions = `
fileurl        = "file://" [ host | "localhost" ] "/" fpath
fpath          = fsegment *[ "/" fsegment ]
fsegment       = *[ uchar | "?" | ":" | "@" | "&" | "=" ]
`

func fileSyntax() *Syntax {
	return &Syntax{Name: "file", Hierarchical: true, Rule: "fileurl", Section: "3.10", Productions: fileProductions}
}

// file reads what follows "file:".
func (r *reader) file(i int) int {
	if i = r.slashes(i, "fileurl"); i < 0 {
		return -1
	}
	if i = r.fileHost(i); i < 0 {
		return -1
	}
	if i = r.whole(i+1, fpathClass, "fsegment"); i < 0 {
		return -1
	}
	return r.path(i)
}

// fileHost reads the host of a file URL, which may be empty, up to the "/" that has to follow.
func (r *reader) fileHost(i int) int {
	end, ok := i, true
	switch {
	case i == len(r.s):
		return r.fail(i, "host", `a host or "/"`, `write "file:///" and the path of a file of this machine`)
	case r.s[i] == '/':
	case r.current && r.s[i] == '[':
		if end = r.ipv6(i); end < 0 {
			return -1
		}
	default:
		end, ok = r.scanHost(i)
	}
	switch {
	case !ok:
		return r.fail(end, "host", needHost, hintHost)
	case !r.at(end, '/'):
		return r.fail(end, "fileurl", `"/" and a path`, `a file URL has a host or none, then "/"; it has no port`)
	}
	r.setHost(i, end, end)
	return end
}

func (u URL) fileView() *File {
	path, _ := u.Path()
	return &File{Host: u.Host(), Segments: decodeAll(strings.Split(path, "/"))}
}

func (u URL) fileParts() []Part {
	path, _ := u.Path()
	return []Part{listPart("segments", strings.Split(path, "/"))}
}

// Scheme is "file".
func (v *File) Scheme() string { return "file" }

func (v *File) build(b *builder) {
	b.text("//")
	if v.Host != "" {
		b.host(v.Host)
	}
	if len(v.Segments) == 0 {
		b.fail(0, "fpath", "3.10", "a file URL has at least one segment", `use one empty segment for "/"`)
	}
	for _, segment := range v.Segments {
		b.text("/")
		b.segment(segment, fpathClass)
	}
}

func (u URL) fileCanonical(b []byte) []byte {
	b = append(b, "//"...)
	if host := lower(u.Host()); host != "localhost" {
		b = append(b, host...)
	}
	path, _ := u.Path()
	return appendUndone(append(b, '/'), path, undoUnreserved)
}
