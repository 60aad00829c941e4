package locator

import "strings"

const ftpProductions = `
ftpurl         = "ftp://" login [ "/" fpath [ ";type=" ftptype ]]
fpath          = fsegment *[ "/" fsegment ]
fsegment       = *[ uchar | "?" | ":" | "@" | "&" | "=" ]
ftptype        = "A" | "I" | "D" | "a" | "i" | "d"
`

// ftpCurrent is RFC 1738 with the characters and the authority of RFC 3986: no RFC defines the scheme anew. A "?" stays
// part of a name, and a ";" but that of the typecode stays an escape.
const ftpCurrent = `
ftpurl         = "ftp://" authority [ "/" fpath [ %s";type=" ftptype ] ]
fpath          = fsegment *( "/" fsegment )
fsegment       = *( uchar / "?" / ":" / "@" / "&" / "=" )
ftptype        = "A" / "I" / "D"
`

// ftp reads what follows "ftp:", or the colon of its TLS twin.
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
	} else if i < len(r.s) {
		return r.fail(i, "fsegment", "", "")
	}
	return r.path(i)
}

const ftpTypeMark = ";type="

// ftpType reads ";type=" and the typecode.
func (r *reader) ftpType(i int) int {
	const hint = `end with ";type=a", ";type=i" or ";type=d"; a ";" in a name is written %3B`
	for j := range len(ftpTypeMark) {
		if !r.at(i, ftpTypeMark[j]) {
			return r.fail(i, "ftpurl", `";type="`, hint)
		}
		i++
	}
	if i >= len(r.s) || strings.IndexByte("AIDaid", r.s[i]) < 0 {
		return r.fail(i, "ftptype", "a, i or d", hint)
	}
	if i++; i < len(r.s) {
		return r.fail(i, "ftpurl", "the end of the URL", hint)
	}
	return i
}

// ftpPath splits the url-path; name and typecode are absent where it is.
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

func (u URL) ftpView() *FTP {
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

func (u URL) ftpParts() []Part {
	dirs, name, typecode := u.ftpPath()
	return []Part{listPart("dirs", dirs), textPart("name", name), textPart("type", typecode)}
}

// Scheme is "ftp" or "ftps".
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
		b.fail(0, "ftptype", "3.2.2", quoteOctet(v.Type)+" is no typecode", `use "a", "i" or "d", or 0 for none`)
	}
	if !ok {
		return
	}
	for _, dir := range v.Dirs {
		b.text("/")
		b.segment(dir, fpathClass)
	}
	b.text("/")
	b.segment(name, fpathClass)
	if v.Type != 0 {
		b.text(ftpTypeMark + string(rune(v.Type)))
	}
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
		b = appendLower(append(b, ftpTypeMark...), t)
	}
	return b
}
