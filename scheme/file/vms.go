package file

import (
	"fmt"
	"strings"

	"locator"
	"locator/internal/hostname"
	"locator/internal/octet"
)

// FromVMS converts an absolute VMS file name, DEVICE:[DIR.SUBDIR]NAME.TYPE;VERSION, to the view of
// its file URL (RFC 1738 3.10). The path of the URL is /device/dir/subdir/name.type;version in
// lower case, since VMS names are case-insensitive, with the ";" escaped. A character quoted with
// "^" in the VMS name (ODS-5) is unquoted in the segment. The name must have a device; a directory
// without a name has an empty last segment. A node ("NODE::"), a relative directory and a rooted
// one ("[A.][B]") have no URL form and are an error. The error is a *locator.SyntaxError whose
// Offset is a position in spec.
func FromVMS(host, spec string) (*locator.File, error) {
	r := vmsReader{s: spec}
	device := r.until(":[<]>;")
	switch {
	case r.err != nil:
	case device == "" || r.next() != ':':
		r.fail("a device and its colon are missing", `begin with the device, as in "DISK$USER:[MY.NOTES]NOTE.TXT"`)
	}
	r.i++
	f := &locator.File{Host: host, Segments: []string{device}}
	if r.next() == ':' {
		r.fail("a node has no URL form", "give the node as host, and the name without it")
	}
	if open := r.next(); open == '[' || open == '<' {
		f.Segments = append(f.Segments, r.dirs(open+2)...) // "]" and ">" are two bytes later in ASCII
	}
	f.Segments = append(f.Segments, r.name())
	if r.err != nil {
		return nil, r.err
	}
	if _, err := locator.Build(f); err != nil {
		return nil, err
	}
	return f, nil
}

// vmsReader parses a VMS file name.
type vmsReader struct {
	s   string
	i   int
	err *locator.SyntaxError
}

func (r *vmsReader) fail(msg, hint string) {
	if r.err == nil {
		r.err = &locator.SyntaxError{
			Offset: min(r.i, len(r.s)), Scheme: "file", Rule: "VMS file name", Section: "3.10", Msg: msg, Hint: hint,
		}
	}
}

// next returns the next byte without reading it, or 0 at the end.
func (r *vmsReader) next() byte {
	if r.i >= len(r.s) {
		return 0
	}
	return r.s[r.i]
}

// dirs parses "DIR.SUBDIR" and the closing bracket.
func (r *vmsReader) dirs(closing byte) (list []string) {
	for {
		r.i++ // the bracket or dot before
		begin := r.i
		dir := r.until(".[<]>:;/")
		if dir == "" || r.s[begin:r.i] == "-" {
			r.fail("a relative directory has no URL form", "write all directories, starting at the device")
		}
		list = append(list, dir)
		if c := r.next(); c != '.' {
			if c != closing {
				r.fail("the directory is not closed", `close it with "`+string(rune(closing))+`"`)
			}
			r.i++
			return list
		}
	}
}

// name parses "NAME.TYPE;VERSION".
func (r *vmsReader) name() string {
	name := r.until("[<]>:;/")
	if r.next() == ';' {
		r.i++
		name += ";" + r.until("[<]>:;/")
	}
	if r.i < len(r.s) {
		r.fail(octet.Quote(r.next())+" is not allowed there", `quote it with "^" if it is part of the name`)
	}
	return name
}

// until parses characters up to one of the delimiters and returns them unquoted and in lower case.
func (r *vmsReader) until(delimiters string) string {
	var b strings.Builder
	for r.err == nil && r.i < len(r.s) && strings.IndexByte(delimiters, r.s[r.i]) < 0 {
		c := r.s[r.i]
		r.i++
		if c == '^' {
			c = r.quoted()
		}
		b.WriteByte(c)
	}
	return octet.Lower(b.String())
}

// quoted parses the text after "^": two hexadecimal digits, "_" for a space, or the character
// itself.
func (r *vmsReader) quoted() byte {
	isHex := func(i int) bool { return i < len(r.s) && octet.IsHex(r.s[i]) }
	switch c := r.next(); {
	case isHex(r.i) && isHex(r.i+1):
		r.i += 2
		return octet.Hex(r.s[r.i-2])<<4 | octet.Hex(r.s[r.i-1])
	case r.i >= len(r.s) || c != '-' && hostname.IsLabel(c):
		r.fail(`"^" does not quote a character there`, `write two hexadecimal digits or one special character after "^"`)
		return 0
	case c == '_':
		r.i++
		return ' '
	default:
		r.i++
		return c
	}
}

// VMS returns the VMS file name for the segments, in upper case. It returns "" if the device or a
// directory is empty. It is the inverse of [FromVMS], except for case and a quoted last dot or
// version mark.
func VMS(f *locator.File) string {
	n := len(f.Segments)
	if n < 2 {
		return ""
	}
	var b strings.Builder
	for i, s := range f.Segments[:n-1] {
		if s == "" {
			return ""
		}
		switch i {
		case 0:
		case 1:
			b.WriteString(":[")
		default:
			b.WriteByte('.')
		}
		if s == "-" {
			b.WriteByte('^') // an unquoted "-" is the parent directory
		}
		vmsQuote(&b, s, -1)
	}
	if n == 2 {
		b.WriteByte(':')
	} else {
		b.WriteByte(']')
	}
	name, version := f.Segments[n-1], ""
	if i := strings.LastIndexByte(name, ';'); i >= 0 && strings.Trim(name[i+1:], "0123456789") == "" {
		name, version = name[:i], name[i:]
	}
	vmsQuote(&b, name, strings.LastIndexByte(name, '.'))
	b.WriteString(version)
	return b.String()
}

// vmsQuote writes s in upper case. It quotes with "^" all characters except letters, digits, "$",
// "-", "_" and the dot at offset dot.
func vmsQuote(b *strings.Builder, s string, dot int) {
	for i := range len(s) {
		c := s[i]
		switch {
		case 'a' <= c && c <= 'z':
			b.WriteByte(c - 'a' + 'A')
		case hostname.IsLabel(c) || c == '$' || c == '_' || i == dot:
			b.WriteByte(c)
		case c == ' ':
			b.WriteString("^_")
		case c > ' ' && c < 0x7F:
			b.WriteByte('^')
			b.WriteByte(c)
		default:
			fmt.Fprintf(b, "^%02X", c)
		}
	}
}
