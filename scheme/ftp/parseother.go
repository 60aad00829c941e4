package ftp

import (
	"slices"
	"strings"
	"time"

	"locator/scheme"
)

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

// facts parses a line of MLSD, which some servers send for LIST, too.
func (p *listParser) facts(line string) (item, verdict) {
	if !typed(line) {
		return item{}, unknown
	}
	return mlsdParser{}.parse(line)
}

// unstructured are the codes of files of HP NonStop that have no records: objects, text of EDIT,
// text of C. Others may have some.
var unstructured = []string{"100", "101", "180", "500", "700", "800"}

// nonstop parses the format of HP NonStop: name, code, end of file, date, clock, owner, protection
// in quotes. The end of file counts the bytes on the disk, of which a transfer leaves some out if
// the file has records.
func (p *listParser) nonstop(line string) (item, verdict) {
	w := tokens(line, 9)
	if len(w) > 3 && w[0].text == "File" && w[1].text == "Code" && w[2].text == "EOF" {
		return item{}, skipped
	}
	if len(w) > 2 && w[1].text == "O" { // open
		w = append(w[:1:1], w[2:]...)
	}
	if len(w) < 7 || !consists(strings.TrimRight(w[1].text, "APL+"), digits) || number(w[2].text) < 0 ||
		!strings.HasPrefix(w[len(w)-1].text, `"`) || !strings.HasSuffix(w[len(w)-1].text, `"`) || blank(line[0]) {
		return item{}, unknown
	}
	d := p.dashed(w[3:])
	if d.words != 2 {
		return item{}, unknown
	}
	it := item{name: w[0].text, file: true, attr: d.attr()}
	for _, part := range w[5 : len(w)-1] {
		it.attr.Owner += part.text
	}
	it.attr.More = []scheme.Attribute{{Name: "code", Value: w[1].text}, {Name: "eof", Value: w[2].text}}
	if slices.Contains(unstructured, w[1].text) {
		it.attr.Size = scheme.Known(number(w[2].text))
	}
	return it, understood
}

// enterprise parses the format of Connect:Enterprise: ten flags and the protocol, the mode of the
// batch, its owner, its number, its size, a date, its name.
func (p *listParser) enterprise(line string) (item, verdict) {
	const flags = 10
	w := tokens(line, maxWords)
	if len(w) < 8 || line[0] != '-' || len(w[0].text) <= flags || !consists(w[0].text[:flags], capitals+"-") ||
		!consists(w[0].text[flags:], capitals) || number(w[3].text) < 0 || number(w[4].text) < 0 {
		return item{}, unknown
	}
	d := p.named(w[5:])
	if d.words == 0 || d.time.IsZero() {
		return item{}, unknown
	}
	it := item{name: nameAfter(line, w[4+d.words]), file: true, attr: d.attr()}
	it.attr.Owner, it.attr.Size = w[2].text, scheme.Known(number(w[4].text))
	it.attr.More = []scheme.Attribute{{Name: "batch", Value: w[3].text}}
	return it, understood
}

// os9 parses the format of Microware OS-9: owner, year/month/day, clock without a mark, attributes,
// sector, size, name. The size is decimal or hexadecimal, so it stays unknown; the clock is left
// out.
func (p *listParser) os9(line string) (item, verdict) {
	w := tokens(line, 7)
	if len(w) < 7 || len(w[2].text) != 4 || number(w[2].text) < 0 || len(w[3].text) != 8 || !consists(w[3].text, "dsewr-") ||
		!consists(w[4].text+w[5].text, digits+"abcdefABCDEF") {
		return item{}, unknown
	}
	f, mark := dateFields(w[1].text)
	t := yearMonthDay.in(f)
	if t.IsZero() || mark != '/' {
		return item{}, unknown
	}
	it := item{name: nameAfter(line, w[5]), attr: scheme.Attr{Modified: t, Precision: 24 * time.Hour, Owner: w[0].text}}
	it.dir = w[3].text[0] == 'd'
	it.file = !it.dir
	return it, understood
}
