package ftp

import (
	"strings"
	"time"

	"locator/internal/octet"
	"locator/scheme"
)

// The dialects of small computers and of devices: a size, a date and a clock in columns, and the
// name. TestListings reads their lines in testdata/listings.txt, as those of all dialects.

// dos parses the format of DOS and of Microsoft's server: "02-08-05  02:25PM <DIR> name",
// "2005-02-08 14:25 1,234 name", "02/08/2005  02:25 PM <DIR> name".
func (p *listParser) dos(line string) (item, verdict) {
	w := tokens(line, 4)
	if len(w) < 3 || !octet.IsDigit(line[0]) {
		return item{}, unknown
	}
	day, at, w := w[0].text, w[1].text, w[2:]
	if w[0].text == "AM" || w[0].text == "PM" {
		at, w = at+w[0].text, w[1:]
	}
	c, half, ok := clock12(at)
	if !ok || len(w) == 0 || len(line) <= w[0].end {
		return item{}, unknown
	}
	t, ok := p.dosDay(day, half)
	if !ok {
		return item{}, unknown
	}
	it := item{attr: date{time: t, precision: 24 * time.Hour, words: 1}.at(c).attr()}
	switch what := strings.ToUpper(w[0].text); what {
	case "<DIR>":
		it.dir = true
	case "<JUNCTION>", "<SYMLINK>", "<SYMLINKD>":
	default:
		n, known, ok := sizeWord(what)
		if !ok || what[0] == '-' {
			return item{}, unknown
		}
		if it.file = true; known {
			it.attr.Size = scheme.Known(n)
		}
	}
	// One space separates a size and the name; after <DIR> the column is padded with spaces.
	if it.name = nameAfter(line, w[0]); !it.file {
		it.name = paddedAfter(line, w[0])
	}
	return it, understood
}

// dosDay parses a day: with '-', or beside a clock of 12 hours, the month is first, as Microsoft's
// server has it.
func (p *listParser) dosDay(s string, half bool) (time.Time, bool) {
	if f, mark := dateFields(s); len(f) == 3 && len(f[0]) < 3 && (mark == '-' || half) {
		t := monthDayYear.in(f)
		return t, !t.IsZero()
	}
	return p.threeNumbers(s)
}

// windows3 parses the formats of servers for Windows 3: name, size or <DIR>, "11-16-94 17:16" or
// "Nov 16 1994 17:16", attributes.
func (p *listParser) windows3(line string) (item, verdict) {
	w := tokens(line, 8)
	if len(w) < 4 || blank(line[0]) {
		return item{}, unknown
	}
	var d date
	if f, mark := dateFields(w[2].text); len(w) == 4 && (mark == '-' || mark == '/') { // the month is first
		d = date{time: monthDayYear.in(f), words: 1}
	} else if len(w) > 5 && monthNumber(w[2].text) > 0 {
		d = p.named(w[2:5])
	}
	if d.words == 0 || d.time.IsZero() {
		return item{}, unknown
	}
	day := d.words
	d = d.clocked(w[2:])
	if rest := w[2+d.words:]; d.words == day || d.precision != time.Minute || len(rest) > 1 || len(rest) == 1 && !consists(rest[0].text, "ARSH") {
		return item{}, unknown
	}
	it := item{name: w[0].text, attr: d.attr()}
	switch size := number(w[1].text); {
	case w[1].text == "<DIR>":
		it.dir = true
	case size >= 0:
		it.file, it.attr.Size = true, scheme.Known(size)
	default:
		return item{}, unknown
	}
	return it, understood
}

// os2 parses the format of OS/2: size, attributes, DIR, month-day-year, clock, name. The year
// counts from 1900: "103".
func (p *listParser) os2(line string) (item, verdict) {
	w := tokens(line, 5)
	if len(w) < 3 || number(w[0].text) < 0 {
		return item{}, unknown
	}
	it := item{file: true}
	i := 1
	for ; i < len(w) && (w[i].text == "DIR" || consists(w[i].text, "ARSH")); i++ {
		it.dir = it.dir || w[i].text == "DIR"
	}
	if i+1 >= len(w) {
		return item{}, unknown
	}
	f, mark := dateFields(w[i].text)
	c, ok := clock(w[i+1].text)
	t := monthDayYear.in(f)
	if t.IsZero() || mark != '-' || !ok {
		return item{}, unknown
	}
	it.name, it.attr = paddedAfter(line, w[i+1]), date{time: t, words: 1}.at(c).attr()
	if it.file = !it.dir; it.file {
		it.attr.Size = scheme.Known(number(w[0].text))
	}
	return it, understood
}

// vshell parses the format of older versions of VShell: "206876  Apr 04, 2000 21:06 name"; a
// directory ends with a slash.
func (p *listParser) vshell(line string) (item, verdict) {
	w := tokens(line, 5)
	if len(w) < 5 || number(w[0].text) < 0 || !strings.HasSuffix(w[2].text, ",") {
		return item{}, unknown
	}
	d := p.named(w[1:])
	if d.words != 4 || d.time.IsZero() {
		return item{}, unknown
	}
	it := item{name: nameAfter(line, w[4]), attr: d.attr()}
	if it.name, it.dir = strings.CutSuffix(it.name, "/"); !it.dir {
		it.file, it.attr.Size = true, scheme.Known(number(w[0].text))
	}
	return it, understood
}

// vxworks parses the format of VxWorks: size, "Feb-28-1998", clock, name, and <DIR> after the name
// of a directory.
func (p *listParser) vxworks(line string) (item, verdict) {
	w := tokens(line, 4)
	if len(w) == 4 && (w[0].text == "size" && w[1].text == "date" && w[2].text == "time" && w[3].text == "name" ||
		consists(w[0].text+w[1].text+w[2].text+w[3].text, "-")) {
		return item{}, skipped
	}
	if len(w) < 3 || number(w[0].text) < 0 || octet.IsDigit(w[1].text[0]) {
		return item{}, unknown
	}
	d := p.dashed(w[1:])
	if d.words != 2 || d.precision != 0 {
		return item{}, unknown
	}
	it := item{name: paddedAfter(line, w[2]), attr: d.attr()}
	if it.name, it.dir = strings.CutSuffix(it.name, "<DIR>"); it.dir {
		it.name = strings.TrimRight(it.name, " ")
	} else {
		it.file, it.attr.Size = true, scheme.Known(number(w[0].text))
	}
	return it, understood
}

// nortel parses the format of wfFtp on Nortel's routers: "name  1014196  06/03/04  Thur.
// 10:20:03". The day of the week tells the order of the date.
func (p *listParser) nortel(line string) (item, verdict) {
	w := tokens(line, 6)
	if len(w) != 5 || blank(line[0]) || number(w[1].text) < 0 || len(w[3].text) < 3 || octet.IsDigit(w[3].text[0]) {
		return item{}, unknown
	}
	f, mark := dateFields(w[2].text)
	c, ok := clock(w[4].text)
	if len(f) != 3 || mark != '/' || !ok {
		return item{}, unknown
	}
	it := item{name: w[0].text, file: true}
	weekday := strings.TrimRight(w[3].text, ".")
	for _, o := range [...]dateOrder{monthDayYear, dayMonthYear, yearMonthDay} {
		t := o.in(f)
		if t.IsZero() || !strings.EqualFold(t.Weekday().String()[:3], weekday[:min(3, len(weekday))]) {
			continue
		}
		if !it.attr.Modified.IsZero() { // in two orders
			it.attr = scheme.Attr{}
			break
		}
		it.attr = date{time: t, words: 1}.at(c).attr()
	}
	if it.attr.Modified.IsZero() && !isWeekday(weekday) {
		return item{}, unknown
	}
	it.attr.Size = scheme.Known(number(w[1].text))
	return it, understood
}

// isWeekday reports whether s is an abbreviation of a day of the week in English.
func isWeekday(s string) bool {
	for d := time.Sunday; d <= time.Saturday; d++ {
		if name := d.String(); len(s) >= 3 && len(s) <= len(name) && strings.EqualFold(name[:len(s)], s) {
			return true
		}
	}
	return false
}
