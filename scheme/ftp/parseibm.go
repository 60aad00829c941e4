package ftp

import (
	"strings"
	"time"

	"locator/internal/octet"
	"locator/scheme"
)

// os400Types are the types of objects of OS/400 and what they are for access. The size of a stream
// file alone counts the bytes of a transfer; that of others is the storage they take.
var os400Types = map[string]struct{ dir, file, bytes bool }{
	"*DIR": {dir: true}, "*DDIR": {dir: true}, "*LIB": {dir: true}, "*FLR": {dir: true},
	"*STMF": {file: true, bytes: true}, "*DSTMF": {file: true, bytes: true}, "*FILE": {file: true}, "*MEM": {file: true}, "*DOC": {file: true},
}

// os400 parses the format of OS/400: owner, size, date, clock, type, name. An anonymous login sees
// no owner, and an object may have no size or date. The order of the date is that of the server's
// job.
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
	if d.words != 2 || len(facts) != 2 || d.precision == 24*time.Hour {
		return item{}, unknown
	}
	it.attr.Modified, it.attr.Precision = d.attr().Modified, d.attr().Precision
	return it, understood
}

// os400Name sets the name: a directory ends with a slash, a member has that of its file before it,
// and the names in a listing of files alone are absolute.
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

// zvm parses the formats of z/VM and of CMS: "PROFILE  EXEC  V  65  107  2 2005-10-04 15:28:42
// OWNER": file name, file type, format of the records, their length, records, blocks. CMS has the
// mode of the file, "A1", before the format. A directory has no type, the format DIR and hyphens.
// Only for the format F, of records of the same length, the number of bytes is known.
func (p *listParser) zvm(line string) (item, verdict) {
	w := tokens(line, 10)
	if len(w) > 1 && w[0].text == "Filename" && w[1].text == "FileType" {
		return item{}, skipped
	}
	at := 1
	for at < min(len(w), 4) && w[at].text != "F" && w[at].text != "V" && w[at].text != "DIR" {
		at++
	}
	columns := at // before the format
	if at > 1 && len(w) > at && len(w[at-1].text) == 2 && consists(w[at-1].text[:1], capitals) && octet.IsDigit(w[at-1].text[1]) {
		columns--
	}
	if columns > 2 || len(w) < at+6 || len(w) > at+7 {
		return item{}, unknown
	}
	it := item{name: w[0].text, dir: w[at].text == "DIR"}
	if it.dir != (columns == 1) {
		return item{}, unknown
	}
	if !it.dir {
		it.file, it.name = true, w[0].text+"."+w[1].text
	}
	for _, n := range w[at+1 : at+4] {
		if it.dir && n.text != "-" || it.file && number(n.text) < 0 {
			return item{}, unknown
		}
	}
	d := p.cmsDate(w[at+4:])
	if d.words != 2 {
		return item{}, unknown
	}
	it.attr = d.attr()
	if length, records := number(w[at+1].text), number(w[at+2].text); w[at].text == "F" && length < 1<<31 && records < 1<<31 {
		it.attr.Size = scheme.Known(length * records)
	}
	if owner := w[at+6:]; len(owner) > 0 && owner[0].text != "-" {
		it.attr.Owner = owner[0].text
	}
	return it, understood
}

// cmsDate parses "2005-10-04 15:28:42" and "10/04/05 15:28:42". The month is first: CMS knows no
// other order with '/'.
func (p *listParser) cmsDate(w []token) date {
	if len(w) < 2 {
		return date{}
	}
	f, mark := dateFields(w[0].text)
	if mark != '/' {
		return p.inNumbers(w)
	}
	t := monthDayYear.in(f)
	if t.IsZero() {
		return date{}
	}
	return date{time: t, words: 1}.clocked(w)
}

// bfs parses the format of the byte file system of z/VM: "10/04/2005 15:28:42 F 1 65758 'name'": F
// for a file or D for a directory, links, size.
func (p *listParser) bfs(line string) (item, verdict) {
	w := tokens(line, 5)
	if len(w) < 5 {
		return item{}, unknown
	}
	d := p.cmsDate(w)
	name, quoted := strings.CutPrefix(paddedAfter(line, w[4]), "'")
	name, closed := strings.CutSuffix(name, "'")
	if d.words != 2 || !quoted || !closed {
		return item{}, unknown
	}
	it := item{name: name, attr: d.attr()}
	switch size := number(w[4].text); {
	case w[2].text == "D" && w[3].text == "-" && w[4].text == "-":
		it.dir = true
	case w[2].text == "F" && number(w[3].text) >= 0 && size >= 0:
		it.file, it.attr.Size = true, scheme.Known(size)
	default:
		return item{}, unknown
	}
	return it, understood
}
