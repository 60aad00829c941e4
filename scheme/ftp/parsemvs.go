package ftp

import (
	"slices"
	"strings"
	"time"

	"locator/internal/octet"
	"locator/scheme"
)

// mvsState is the heading that was seen: below it, lines of MVS are recognised by less.
type mvsState uint8

const (
	mvsNone     mvsState = iota
	mvsDatasets          // Volume Unit Referred Ext Used Recfm Lrecl BlkSz Dsorg Dsname
	mvsMembers           // Name VV.MM Created Changed Size Init Mod Id
	mvsJobs              // JOBNAME JOBID OWNER STATUS CLASS
)

// mvsHeadings are the first two words of the headings.
var mvsHeadings = map[[2]string]mvsState{
	{"Volume", "Unit"}: mvsDatasets, {"Name", "VV.MM"}: mvsMembers, {"Name", "Size"}: mvsMembers, {"JOBNAME", "JOBID"}: mvsJobs,
}

// mvsWords bounds the words of a line of MVS.
const mvsWords = 20

// mvsLine parses the formats of MVS: datasets, of which partitioned ones are directories, their
// members, and jobs. Sizes are in tracks, records or none, so the number of bytes stays unknown.
func (p *listParser) mvsLine(line string) (item, verdict) {
	w := tokens(line, mvsWords)
	if len(w) > 1 {
		if state, ok := mvsHeadings[[2]string{w[0].text, w[1].text}]; ok {
			p.mvs = state
			return item{}, skipped
		}
	}
	for _, form := range [...]func(string, []token) (item, bool){mvsDataset, mvsElsewhere, mvsMember, mvsModule, mvsJob} {
		if it, ok := form(line, w); ok {
			return it, understood
		}
	}
	switch {
	case p.mvs == mvsDatasets:
		return mvsOther(w)
	case p.mvs == mvsMembers && !blank(line[0]) && len(w) == 1:
		return item{name: w[0].text, file: true}, understood
	}
	return item{}, unknown
}

// mvsPlain parses lines without a heading from a server that is known to be MVS: a member without
// statistics is a name alone.
func (p *listParser) mvsPlain(line string) (item, verdict) {
	w := tokens(line, mvsWords)
	if len(w) > 1 {
		return mvsOther(w)
	}
	if !consists(w[0].text, capitals+digits+"$#@-") {
		return item{}, unknown
	}
	return item{name: w[0].text, file: true}, understood
}

// organisations are the organisations of datasets (Dsorg) and whether one can be listed.
var organisations = map[string]bool{"PO": true, "PO-E": true, "PS": false, "PS-E": false, "PS-L": false, "DA": false}

// dsname returns the name of a dataset, which is the last word.
func dsname(w []token) string { return strings.Trim(w[len(w)-1].text, "'") }

// mvsDataset parses "WYOSPT 3420   2003/05/21  1  200  FB      80  8053  PS  NAME". Large numbers
// run together. The day is that of the last access ("Referred"), so that the time of modification
// stays unknown.
func mvsDataset(_ string, w []token) (item, bool) {
	n := len(w)
	if n < 8 || n > 10 || len(w[0].text) > 6 || len(w[1].text) > 5 || !octet.IsDigit(w[1].text[0]) {
		return item{}, false
	}
	referred := w[2].text[:min(len(w[2].text), len("2006/01/02"))]
	f, mark := dateFields(referred)
	dated := mark == '/' && (!yearMonthDay.in(f).IsZero() || !monthDayYear.in(f).IsZero())
	if !dated && w[2].text != "**NONE**" || !consists(w[n-5].text, capitals) ||
		!consists(w[n-4].text, digits) || !consists(w[n-3].text, digits) {
		return item{}, false
	}
	for _, t := range append(w[3:n-5:n-5], token{text: w[2].text[len(referred):]}) {
		if strings.Trim(t.text, digits+"+?") != "" {
			return item{}, false
		}
	}
	it := item{name: dsname(w)}
	if dated {
		it.attr.More = []scheme.Attribute{{Name: "referred", Value: referred}}
	}
	dir, known := organisations[w[n-2].text]
	it.dir, it.file = dir, known && !dir
	return it, true
}

// mvsElsewhere parses a dataset without attributes: migrated, on tape, in VSAM, or the beginning of
// names that can be listed like a directory. The name of one on tape is in the column of names.
func mvsElsewhere(line string, w []token) (item, bool) {
	const nameColumn = 56
	it := item{name: dsname(w)}
	gap := inColumn(w) || strings.Contains(line, "\t")
	switch first := strings.ToUpper(w[0].text); {
	case len(w) == 2 && gap && (first == "MIGRATED" || first == "ARCIVE" || first == "ARCHIVE"): // access shows what it is
	case len(w) == 3 && gap && first == "PSEUDO" && w[1].text == "Directory":
		it.dir = true
	case len(w) == 3 && w[1].text == "Tape" && len(w[0].text) <= 6 && w[2].end == nameColumn+len(w[2].text):
		it.file = true
	case len(w) == 4 && w[2].text == "VSAM" && len(w[0].text) <= 6 && len(w[1].text) == 4 && number(w[1].text) > 0:
		it.file = true
	default:
		return item{}, false
	}
	return it, true
}

// inColumn reports whether the last word is in a column of its own, two spaces or more after the
// others.
func inColumn(w []token) bool {
	n := len(w)
	return n > 1 && w[n-1].end-len(w[n-1].text)-w[n-2].end >= 2
}

// mvsOther parses a dataset by its name alone below the heading of datasets: GDG, an error message,
// an organisation of other systems.
func mvsOther(w []token) (item, verdict) {
	it := item{name: dsname(w)}
	if !inColumn(w) || !consists(it.name, capitals+strings.ToLower(capitals)+digits+".$#@-") {
		return item{}, unknown
	}
	words := w[:len(w)-1]
	is := func(s string) bool { return slices.ContainsFunc(words, func(t token) bool { return t.text == s }) }
	switch {
	case is("VSAM"), is("Tape"):
		it.file = true
	case is("Pseudo") && is("Directory"):
		it.dir = true
	}
	return it, understood
}

// mvsMember parses "NAME  01.01 2004/06/22 2004/06/22 16:32   128   128    0 USER".
func mvsMember(_ string, w []token) (item, bool) {
	if len(w) < 5 || len(w[1].text) != 5 || w[1].text[2] != '.' {
		return item{}, false
	}
	_, err := time.Parse("2006/01/02", w[2].text)
	day, err2 := time.Parse("2006/01/02", w[3].text)
	c, ok := clock(w[4].text)
	if err != nil || err2 != nil || !ok {
		return item{}, false
	}
	return item{name: w[0].text, file: true, attr: date{time: day, words: 1}.at(c).attr()}, true
}

// mvsModule parses a load module: "NAME   00B308 000411 ALIAS 00 FO   RN RU   31    ANY": size and
// place in six hexadecimal digits, perhaps an alias, and the authorization code in two.
func mvsModule(_ string, w []token) (item, bool) {
	const hex = digits + "ABCDEF"
	if len(w) < 5 || len(w[1].text) != 6 || len(w[2].text) != 6 || !consists(w[1].text+w[2].text, hex) {
		return item{}, false
	}
	for _, code := range w[3:5] {
		if len(code.text) == 2 && consists(code.text, hex) {
			return item{name: w[0].text, file: true}, true
		}
	}
	return item{}, false
}

// mvsJob parses a job of JES: "USER1  JOB01906  OUTPUT    3 Spool Files", or with the owner before
// the status. It is retrieved by its number.
func mvsJob(_ string, w []token) (item, bool) {
	if len(w) < 3 || len(w[1].text) != 8 || !consists(strings.TrimLeft(w[1].text, "JOBTSUC"), digits) || octet.IsDigit(w[1].text[0]) {
		return item{}, false
	}
	for _, status := range w[2:min(4, len(w))] {
		switch status.text {
		case "INPUT", "ACTIVE", "OUTPUT", "HELD":
			return item{name: w[1].text, file: true}, true
		}
	}
	return item{}, false
}
