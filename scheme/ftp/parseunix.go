package ftp

import (
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"time"

	"locator/scheme"
)

// maxWords bounds the words of a line that are searched for the date: names of owners may hold
// spaces.
const maxWords = 24

// unix parses the output of "ls -l" on many systems, NetWare and the Macintosh included: first the
// kind and the permissions, the size directly before the date, then one space and the name.
func (p *listParser) unix(line string) (item, verdict) {
	if line == ".:" || total(line) { // the first is the heading of "ls -lR"
		return item{}, skipped
	}
	line = numbered(line)
	if !permissions(line) {
		return item{}, unknown
	}
	words := tokens(line, maxWords)
	for _, date := range []func([]token) date{p.date, p.vagueDate} {
		if it, ok := unixWords(line, words, date); ok {
			return it, understood
		}
	}
	return dateless(line, words)
}

// numbered returns a line without the spaces and the numbers before the permissions: the inode and
// the blocks, as "ls -lis" has them.
func numbered(line string) string {
	line = strings.TrimLeft(line, " \t")
	for range 2 {
		if rest := strings.TrimLeft(line, digits); len(rest) < len(line) && rest != "" && blank(rest[0]) {
			line = strings.TrimLeft(rest, " \t")
		}
	}
	return line
}

// totals are the words before the sum of blocks that ls prints first, in the languages of servers.
var totals = []string{"total", "totale", "totalt", "totaal", "insgesamt", "gesamt", "i alt", "celkem", "celkom", "razem", "łącznie", "toplam",
	"yhteensä", "samtals", "összesen", "skupaj", "ukupno", "kokku", "viso", "kopā", "tổng cộng", "итого", "всего", "общо", "всього", "разом",
	"укупно", "σύνολο", "合計", "总计", "总用量", "總計", "總用量", "합계", "총"}

// total reports whether a line is the sum of blocks: "total 12", "total 12K".
func total(line string) bool {
	line = strings.TrimSpace(line)
	words := strings.TrimRight(line, digits+"KMGTkiB.,")
	if words == "" || words == line {
		return false
	}
	_, _, ok := sizeWord(line[len(words):])
	return ok && blank(words[len(words)-1]) && slices.Contains(totals, strings.TrimRight(strings.ToLower(words), " \t:"))
}

// unixWords finds the size and the date. In a first pass date recognises only what is surely one.
func unixWords(line string, words []token, date func([]token) date) (item, bool) {
	for i := 1; i+1 < len(words); i++ {
		size, known, ok := sizeWord(words[i].text)
		if !ok && !endsInSize(words[i].text) {
			continue
		}
		d := date(words[i+1:])
		if d.words == 0 || !ok && d.time.IsZero() {
			continue
		}
		last := words[i+d.words]
		if last.end >= len(line) || d.halfDay(words[i+1+d.words:]) {
			return item{}, false
		}
		it := item{name: nameAfter(line, last), attr: d.attr()}
		it.attr.Mode = modeOf(line)
		if d.short(words[i+1], last) {
			it.name = strings.TrimPrefix(it.name, " ")
		}
		if d.padded || strings.IndexByte(line[:3], '[') > 0 { // NetWare pads the column before the name
			it.name = strings.TrimLeft(it.name, " ")
		}
		if device := strings.HasSuffix(words[i-1].text, ","); !device { // "8, 0": major and minor numbers
			it.owners(words[0].text, words[1:i])
		}
		it.unixKind(line[0], size, known)
		return it, true
	}
	return item{}, false
}

// endsInSize reports whether a column that is too wide has run into the size: "ftpadmin125435904".
// Where the size begins is not known.
func endsInSize(s string) bool {
	text := strings.TrimRight(s, digits)
	return text != "" && text != s && !strings.ContainsAny(text, "/:")
}

// dateless parses a line of ls without a date: kind, links, owner, group, size, and a name without
// spaces.
func dateless(line string, words []token) (item, verdict) {
	if len(words) != 6 || number(words[1].text) < 0 || monthNumber(words[5].text) > 0 || words[5].end != len(line) {
		return item{}, unknown
	}
	size, known, ok := sizeWord(words[4].text)
	if !ok {
		return item{}, unknown
	}
	it := item{name: words[5].text, attr: scheme.Attr{Mode: modeOf(line)}}
	it.owners(words[0].text, words[1:4])
	it.unixKind(line[0], size, known)
	return it, understood
}

// permissions reports whether a line begins with a file kind and permissions: "drwxr-xr-x",
// "-rw-r--r--+", "d [RWCEAFMS]", "drwxrwx" of HylaFAX, and "d--------" of CMX.
func permissions(line string) bool {
	if len(line) < 10 || strings.IndexByte("-dlbcpsDCMnaf", line[0]) < 0 {
		return false
	}
	if strings.HasPrefix(line[1:], " [") || line[1] == '[' {
		return strings.IndexByte("-d", line[0]) >= 0 && strings.IndexByte(line, ']') > 0
	}
	n := 10
	for _, short := range [...]int{7, 9} {
		if line[short] == ' ' {
			n = min(n, short)
		}
	}
	return consists(line[1:n], "rwxsStTlLa-")
}

// unixKind sets what depends on the kind of the file. Plan 9 marks files that grow with "a", some
// servers plain files with "f".
func (it *item) unixKind(kind byte, size int64, known bool) {
	switch kind {
	case 'd':
		it.dir = true
	case '-', 'a', 'f':
		it.file = true
		if known {
			it.attr.Size = scheme.Known(size)
		}
	case 'l':
		if !known {
			size = -1
		}
		it.link(size)
	}
}

// link splits "name -> target" of a symbolic link. The size of a link is the length of its target,
// which identifies the arrow if there are several.
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

// octal parses lines with numbers for everything: mode, owner, group, size and time in seconds
// since 1970. The type of the file is in the mode, as in stat(2).
func (p *listParser) octal(line string) (item, verdict) {
	w := tokens(line, 6)
	if len(w) < 6 || len(w[0].text) < 6 || len(w[0].text) > 7 || w[0].text[0] != '0' || !consists(w[0].text, "01234567") {
		return item{}, unknown
	}
	for _, n := range w[1:5] {
		if number(n.text) < 0 {
			return item{}, unknown
		}
	}
	mode, _ := strconv.ParseUint(w[0].text, 8, 32)
	it := item{name: paddedAfter(line, w[4]), attr: scheme.Attr{
		Mode: fs.FileMode(mode).Perm(), Owner: w[1].text, Group: w[2].text, Modified: time.Unix(number(w[4].text), 0).UTC()}}
	switch mode &^ 0o7777 {
	case 0o040000:
		it.dir = true
	case 0o100000:
		it.file, it.attr.Size = true, scheme.Known(number(w[3].text))
	}
	return it, understood
}
