package ftp

import (
	"strconv"
	"strings"
	"time"

	"locator/scheme"
)

// listParser parses the lines of LIST. RFC 959 leaves their format to the server, so each known format is tried, beginning
// with the one that matched last.
type listParser struct {
	now  time.Time
	last int
	mvs  mvsState
}

// forms are the known formats. Each rejects the lines of the others.
var forms = [...]func(p *listParser, line string) (item, verdict){
	(*listParser).unix, (*listParser).dos, (*listParser).eplf, (*listParser).vms, (*listParser).mvsLine,
}

func (p *listParser) parse(line string) (item, verdict) {
	if strings.TrimSpace(line) == "" {
		return item{}, skipped
	}
	for i := range forms {
		n := (p.last + i) % len(forms)
		it, v := forms[n](p, line)
		if v == unknown {
			continue
		}
		p.last = n
		if it.name == "." || it.name == ".." || it.name == "" {
			v = skipped
		}
		return it, v
	}
	return item{}, unknown
}

// token is a word of a line, and the offset of its end.
type token struct {
	text string
	end  int
}

// tokens splits a line at white space into at most max words.
func tokens(line string, max int) []token {
	var list []token
	for i := 0; i < len(line) && len(list) < max; {
		if line[i] == ' ' || line[i] == '\t' {
			i++
			continue
		}
		start := i
		for i < len(line) && line[i] != ' ' && line[i] != '\t' {
			i++
		}
		list = append(list, token{line[start:i], i})
	}
	return list
}

// maxWords bounds the words of a line that are searched for the date: names of owners may hold spaces.
const maxWords = 24

// unix parses the output of "ls -l" on many systems, NetWare and the Macintosh included: first the kind and the permissions,
// the size directly before the date, then one space and the name.
func (p *listParser) unix(line string) (item, verdict) {
	if n, ok := strings.CutPrefix(line, "total "); ok && number(strings.TrimSpace(n)) >= 0 {
		return item{}, skipped
	}
	if !permissions(line) {
		return item{}, unknown
	}
	words := tokens(line, maxWords)
	it, v := p.unixWords(line, words, false)
	if v == unknown {
		it, v = p.unixWords(line, words, true)
	}
	return it, v
}

// unixWords finds the size and the date. With anyMonth the month is recognised by its position alone, which could also be that
// of a numeric group and a size.
func (p *listParser) unixWords(line string, words []token, anyMonth bool) (item, verdict) {
	for i := 1; i+1 < len(words); i++ {
		size := number(words[i].text)
		if size < 0 {
			continue
		}
		t, n := date(words[i+1:], p.now, anyMonth)
		if n == 0 {
			continue
		}
		end := words[i+n].end
		if end >= len(line) {
			return item{}, unknown
		}
		it := item{name: line[end+1:], attr: scheme.Attr{Modified: t, Precision: precision(words[i+1 : i+1+n]), Mode: modeOf(line)}}
		if strings.IndexByte(line[:3], '[') > 0 { // NetWare pads the column before the name
			it.name = strings.TrimLeft(it.name, " ")
		}
		device := strings.HasSuffix(words[i-1].text, ",") // "8, 0": major and minor numbers
		if !device {
			it.owners(words[1:i])
		}
		switch line[0] {
		case 'd':
			it.dir = true
		case '-':
			it.file = true
			if !device {
				it.attr.Size = scheme.Known(size)
			}
		case 'l':
			it.link(size)
		}
		return it, understood
	}
	return item{}, unknown
}

// permissions reports whether a line begins with a file kind and permissions: "drwxr-xr-x", "-rw-r--r--+", "d [RWCEAFMS]".
func permissions(line string) bool {
	if len(line) < 10 || strings.IndexByte("-dlbcpsDCMn", line[0]) < 0 {
		return false
	}
	if strings.HasPrefix(line[1:], " [") || line[1] == '[' {
		return strings.IndexByte(line, ']') > 0
	}
	for _, c := range line[1:10] {
		if !strings.ContainsRune("rwxsStTlLa-", c) {
			return false
		}
	}
	return true
}

// link splits "name -> target" of a symbolic link. The size of a link is the length of its target, which identifies the arrow
// if there are several.
func (it *item) link(size int64) {
	const arrow = " -> "
	for at := 0; ; {
		i := strings.Index(it.name[at:], arrow)
		if i < 0 {
			break
		}
		if at += i; int64(len(it.name)-at-len(arrow)) == size {
			it.cut(at, len(arrow))
			return
		}
		at++
	}
	if at := strings.Index(it.name, arrow); at >= 0 {
		it.cut(at, len(arrow))
	}
}

func (it *item) cut(at, n int) {
	it.pointTo(it.name[at+n:])
	it.name = it.name[:at]
}

func (it *item) pointTo(target string) {
	it.target = target
	it.attr.More = append(it.attr.More, scheme.Attribute{Name: "target", Value: target})
}

// number parses decimal digits. It returns -1 for anything else.
func number(s string) int64 {
	if s == "" || len(s) > 18 {
		return -1
	}
	for i := range len(s) {
		if !digit(s[i]) {
			return -1
		}
	}
	n, _ := strconv.ParseInt(s, 10, 64)
	return n
}

// dos parses the format of DOS and of Microsoft's server: "02-08-05  02:25PM <DIR> name", "2005-02-08 14:25 1,234 name".
func (p *listParser) dos(line string) (item, verdict) {
	w := tokens(line, 3)
	if len(w) < 3 || len(line) <= w[2].end || !digit(line[0]) {
		return item{}, unknown
	}
	t, ok := dosTime(w[0].text, w[1].text)
	if !ok {
		return item{}, unknown
	}
	it := item{attr: scheme.Attr{Modified: t, Precision: scheme.PrecisionMinute}}
	switch what := strings.ToUpper(w[2].text); what {
	case "<DIR>":
		it.dir = true
	case "<JUNCTION>", "<SYMLINK>", "<SYMLINKD>":
	default:
		size := number(strings.ReplaceAll(what, ",", ""))
		if size < 0 {
			return item{}, unknown
		}
		it.file, it.attr.Size = true, scheme.Known(size)
	}
	// One space separates a size and the name; after <DIR> the column is padded with spaces.
	if it.name = line[w[2].end+1:]; !it.file {
		it.name = strings.TrimLeft(it.name, " ")
	}
	return it, understood
}

// eplf parses Bernstein's easily parsed LIST format: "+i8388621.48594,m825718503,r,s280,\tname".
func (p *listParser) eplf(line string) (item, verdict) {
	facts, ok := strings.CutPrefix(line, "+")
	if !ok {
		return item{}, unknown
	}
	facts, name, ok := strings.Cut(facts, "\t")
	if !ok {
		return item{}, unknown
	}
	it := item{name: name}
	for fact := range strings.SplitSeq(facts, ",") {
		if fact == "" {
			continue
		}
		switch value := fact[1:]; fact[0] {
		case '/':
			it.dir = true
		case 'r':
			it.file = true
		case 's':
			if n := number(value); n >= 0 {
				it.attr.Size = scheme.Known(n)
			}
		case 'm':
			if n := number(value); n >= 0 {
				it.attr.Modified = time.Unix(n, 0).UTC()
			}
		case 'i':
			it.attr.More = append(it.attr.More, scheme.Attribute{Name: "unique", Value: value})
		case 'u':
			if mode, ok := strings.CutPrefix(value, "p"); ok {
				it.attr.More = append(it.attr.More, scheme.Attribute{Name: "UNIX.mode", Value: mode})
			}
		}
	}
	if it.dir {
		it.file, it.attr.Size = false, scheme.Count{}
	}
	return it, understood
}
