package ftp

import (
	"strings"

	"locator/scheme"
)

// os400Types are the types of objects of OS/400 and what they are for access. The size of a stream file alone counts the bytes
// of a transfer; that of others is the storage they take.
var os400Types = map[string]struct{ dir, file, bytes bool }{
	"*DIR": {dir: true}, "*DDIR": {dir: true}, "*LIB": {dir: true}, "*FLR": {dir: true},
	"*STMF": {file: true, bytes: true}, "*DSTMF": {file: true, bytes: true}, "*FILE": {file: true}, "*MEM": {file: true}, "*DOC": {file: true},
}

// os400 parses the format of OS/400: owner, size, date, clock, type, name. An anonymous login sees no owner, and an object may
// have no size or date. The order of the date is that of the server's job.
func (p *listParser) os400(line string) (item, verdict) {
	w := tokens(line, 6)
	at := 0
	for at < len(w) && w[at].text[0] != '*' {
		at++
	}
	if at == len(w) || at > 4 || at == 0 && !blank(line[0]) || !consists(w[at].text[1:], capitals+digits) {
		return item{}, unknown
	}
	kind := os400Types[w[at].text]
	it := item{dir: kind.dir, file: kind.file}
	if !it.os400Name(paddedAfter(line, w[at])) {
		return item{}, unknown
	}
	facts := w[:at]
	if len(facts)%2 == 1 && !blank(line[0]) || len(facts) == 4 {
		it.attr.Owner, facts = facts[0].text, facts[1:]
	}
	if len(facts) == 3 {
		size := number(facts[0].text)
		if size < 0 {
			return item{}, unknown
		}
		if facts = facts[1:]; kind.bytes {
			it.attr.Size = scheme.Known(size)
		}
	}
	if len(facts) == 0 {
		return it, understood
	}
	d := p.inNumbers(facts)
	if d.words != 2 || len(facts) != 2 || d.precision == scheme.PrecisionDay {
		return item{}, unknown
	}
	it.attr.Modified, it.attr.Precision = d.attr().Modified, d.attr().Precision
	return it, understood
}

// os400Name sets the name: a directory ends with a slash, a member has that of its file before it, and the names in a listing of
// files alone are absolute.
func (it *item) os400Name(name string) bool {
	name = strings.TrimSuffix(name, "/")
	path := strings.Split(name, "/")
	if strings.HasPrefix(name, "/") {
		path = path[len(path)-1:]
	}
	it.name, it.dirs = path[len(path)-1], path[:len(path)-1]
	for _, part := range path {
		if part == "" || part == "." || part == ".." {
			return false
		}
	}
	return true
}

// zvm parses the format of z/VM: "PROFILE  EXEC  V  65  107  2 2005-10-04 15:28:42 OWNER": file name, file type, format of the
// records, their length, records, blocks. A directory has the type DIR and hyphens. Records are counted, not bytes.
func (p *listParser) zvm(line string) (item, verdict) {
	w := tokens(line, 9)
	if len(w) < 7 || len(w) > 9 {
		return item{}, unknown
	}
	it := item{}
	numbers := w[3:6]
	switch {
	case w[2].text == "F" || w[2].text == "V":
		it.file, it.name = true, w[0].text+"."+w[1].text
		for _, n := range numbers {
			if number(n.text) < 0 {
				return item{}, unknown
			}
		}
	case w[1].text == "DIR" && w[2].text == "-" && w[3].text == "-":
		it.dir, it.name = true, w[0].text
		for numbers = w[2:]; len(numbers) > 0 && numbers[0].text == "-"; numbers = numbers[1:] {
		}
		w = append(make([]token, 6), numbers...)
	default:
		return item{}, unknown
	}
	d := p.inNumbers(w[6:])
	if d.words != 2 {
		return item{}, unknown
	}
	it.attr = d.attr()
	if owner := w[6+d.words:]; len(owner) > 0 && owner[0].text != "-" {
		it.attr.Owner = owner[0].text
	}
	return it, understood
}
