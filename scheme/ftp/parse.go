package ftp

import (
	"strconv"
	"strings"

	"locator/scheme"
)

// item is a parsed line of a listing.
type item struct {
	name   string   // the bytes as received
	dirs   []string // directories between the listed one and the name
	inside bool     // in the directory that was the argument of NLST
	dir    bool
	file   bool // if neither dir nor file, access shows what it is
	attr   scheme.Attr
	target string // of a symbolic link
	listed string // the name in NLST, if it is another one
}

// verdict is what a parser returns about a line.
type verdict uint8

const (
	unknown    verdict = iota // not in the parser's form
	understood                // an item
	skipped                   // in its form, but no entry
	begun                     // an item, perhaps with its attributes on the next line
	continued                 // the attributes of the item that the line before began
)

// A parser parses the lines of a listing in their order.
type parser interface {
	parse(line string) (item, verdict)
}

// mlsdParser parses the lines of MLSD (RFC 3659 7.2): facts, a space, the name.
type mlsdParser struct{}

// QUIRK: a server has padded its lines with spaces. One space is ambiguous: RFC 3659 puts the name
// there.
func (mlsdParser) parse(line string) (item, verdict) {
	if facts := strings.TrimLeft(line, " "); facts != line && typed(facts) {
		if len(line)-len(facts) == 1 {
			return item{}, unknown
		}
		line = facts
	}
	it, ok := parseFacts(line)
	switch {
	case !ok:
		return it, unknown
	case it.name == "" || it.name == "." || it.name == "..":
		return it, skipped
	}
	return it, understood
}

// parseFacts parses a line of MLSD or MLST. An entry for the directory itself or its parent (cdir,
// pdir) gets the name ".".
func parseFacts(line string) (item, bool) {
	end := strings.IndexAny(line, " \t")
	if end < 0 || !factsEnd(line, end) {
		return item{}, false
	}
	facts, name := line[:end], line[end+1:]
	it := item{name: name}
	for fact := range strings.SplitSeq(strings.TrimSuffix(facts, ";"), ";") {
		key, value, ok := strings.Cut(fact, "=")
		if !ok {
			if facts != "" {
				return item{}, false
			}
			continue
		}
		switch strings.ToLower(key) {
		case "type":
			it.fileType(value)
		case "size":
			if n, err := strconv.ParseInt(value, 10, 64); err == nil && n >= 0 {
				it.attr.Size = scheme.Known(n)
			}
		case "modify":
			it.attr.Modified, _ = parseTime(value)
		case "media-type":
			it.attr.Type = value
		default:
			it.unixFact(key, value)
			it.attr.More = append(it.attr.More, scheme.Attribute{Name: key, Value: value})
		}
	}
	if it.dir {
		it.attr.Size = scheme.Count{} // servers count different things there, none of which is the length of a body
	}
	return it, true
}

// typed reports whether a line begins with facts among which is the type.
func typed(line string) bool {
	facts, _, ok := strings.Cut(line, "; ")
	return ok && !strings.ContainsAny(facts, " \t") && strings.Contains(";"+strings.ToLower(facts), ";type=")
}

// factsEnd reports whether the facts end before the white space at end.
//
// QUIRK: servers that follow drafts before number 7 of the RFC send no ";" after the last fact;
// others send a TAB instead of the space. A ";" after the space shows that a fact holds a space,
// against the RFC: then the name is ambiguous.
func factsEnd(line string, end int) bool {
	switch {
	case end == 0:
		return line[0] == ' '
	case line[end-1] == ';':
		return true
	}
	return strings.Contains(line[:end], "=") && !strings.Contains(line[end:], "; ")
}

// fileType parses the fact "type" (RFC 3659 7.5.1).
func (it *item) fileType(value string) {
	switch strings.ToLower(value) {
	case "file":
		it.file = true
	case "dir":
		it.dir = true
	case "cdir", "pdir":
		it.dir, it.name = true, "."
	default:
		// The RFC does not define symbolic links; both forms are in use.
		for _, link := range []string{"os.unix=slink:", "os.unix=symlink:"} {
			if len(value) > len(link) && strings.EqualFold(value[:len(link)], link) {
				it.pointTo(value[len(link):])
				return
			}
		}
		it.attr.More = append(it.attr.More, scheme.Attribute{Name: "type", Value: value})
	}
}

// nameParser parses the lines of NLST. RFC 959 does not say what a name is relative to.
//
// QUIRK: for "NLST sub", vsftpd 3.0.3, proftpd 1.3.8 and pure-ftpd 1.0.50 send "sub/name", the last
// also "sub/." and "sub/.."; other servers send "name" alone, or an absolute path.
type nameParser struct {
	of string // the argument of NLST, "" if it had none
}

func (p nameParser) parse(line string) (item, verdict) {
	it := item{}
	rest := line
	switch below, ok := strings.CutPrefix(line, p.of+"/"); {
	case p.of == "":
	case ok:
		it.inside, rest = true, below
	case line == p.of: // the argument is a file
	default:
		// For a pattern, names are beside it; for a directory, in it.
		it.inside = !strings.ContainsAny(p.of, "*?[")
	}
	if p.of == "" || !it.inside || rest == line {
		rest = strings.TrimPrefix(rest, "./")
		if strings.HasPrefix(rest, "/") { // an absolute path: its last segment is the name
			rest = rest[strings.LastIndexByte(rest, '/')+1:]
		}
	}
	parts := strings.Split(strings.TrimRight(rest, "/"), "/")
	it.name, it.dirs = parts[len(parts)-1], parts[:len(parts)-1]
	it.dir = strings.HasSuffix(rest, "/")
	if it.name == "" || it.name == "." || it.name == ".." {
		return it, skipped
	}
	return it, understood
}
