package ftp

import (
	"strings"
	"time"

	"locator/scheme"
)

// vms parses the format of OpenVMS: "README.TXT;1  2/4  30-DEC-1996 17:44  [SYSTEM]  (RWED,RWED,RE,RE)". A long name has a
// line of its own, with the attributes on the next line. Sizes are in blocks, so the number of bytes stays unknown.
func (p *listParser) vms(line string) (item, verdict) {
	if strings.HasPrefix(line, "Directory ") && strings.Contains(line, "[") ||
		strings.HasPrefix(line, "Total of ") || strings.HasPrefix(line, "Grand total of ") {
		return item{}, skipped
	}
	w := tokens(line, 4)
	if line[0] == ' ' || line[0] == '\t' { // the attributes of a long name
		if len(w) >= 2 && blocks(w[0].text) && !vmsDate(w[1:]).IsZero() {
			return item{}, skipped
		}
		return item{}, unknown
	}
	name, version, ok := strings.Cut(w[0].text, ";")
	if !ok || number(version) < 1 || !strings.Contains(name, ".") {
		return item{}, unknown
	}
	it := item{name: w[0].text, file: true}
	if dir, ok := strings.CutSuffix(name, ".DIR"); ok {
		it.name, it.dir, it.file = dir, true, false
	}
	switch {
	case len(w) == 1:
	case strings.HasPrefix(w[1].text, "%"): // an error instead of the attributes
	case len(w) >= 3 && blocks(w[1].text):
		it.attr.Modified, it.attr.Precision = vmsDate(w[2:]), precision(w[2:])
		it.attr.More = []scheme.Attribute{{Name: "blocks", Value: w[1].text}}
	default:
		return item{}, unknown
	}
	return it, understood
}

// blocks reports whether s is a number of blocks: "2", or used and allocated as in "2/4".
func blocks(s string) bool {
	used, allocated, both := strings.Cut(s, "/")
	return number(used) >= 0 && (!both || number(allocated) >= 0)
}

// vmsDate parses "30-DEC-1996" and "17:44" or "17:44:12". It returns zero if they are no date.
func vmsDate(w []token) time.Time {
	t, err := time.Parse("2-Jan-2006", w[0].text)
	if err != nil || t.Year() < 1858 { // the epoch of VMS
		return time.Time{}
	}
	if len(w) > 1 {
		since, _ := clock(w[1].text)
		t = t.Add(since)
	}
	return t
}

// mvsState is the header that was seen: without it, the lines of MVS cannot be recognised.
type mvsState uint8

const (
	mvsNone     mvsState = iota
	mvsDatasets          // Volume Unit Referred Ext Used Recfm Lrecl BlkSz Dsorg Dsname
	mvsMembers           // Name VV.MM Created Changed Size Init Mod Id
)

// mvsWords is the number of words of a line about a dataset.
const mvsWords = 10

// mvsLine parses the formats of MVS: datasets, of which partitioned ones are directories, and their members.
func (p *listParser) mvsLine(line string) (item, verdict) {
	w := tokens(line, mvsWords)
	switch {
	case len(w) > 1 && w[0].text == "Volume" && w[1].text == "Unit":
		p.mvs = mvsDatasets
		return item{}, skipped
	case len(w) > 1 && w[0].text == "Name" && (w[1].text == "VV.MM" || w[1].text == "Size"):
		p.mvs = mvsMembers
		return item{}, skipped
	case p.mvs == mvsDatasets && len(w) > 1:
		return mvsDataset(line, w)
	case p.mvs == mvsMembers && !strings.ContainsAny(line[:1], " \t"):
		return mvsMember(w), understood
	}
	return item{}, unknown
}

func mvsDataset(line string, w []token) (item, verdict) {
	all := strings.Fields(line)
	it := item{name: strings.Trim(all[len(all)-1], "'")}
	switch {
	case w[0].text == "MIGRATED" || w[0].text == "ARCIVE" || w[0].text == "ARCHIVE": // on tape: access shows what it is
		return it, understood
	case len(w) < 6:
		return it, unknown
	}
	if t, err := time.Parse("2006/01/02", w[2].text); err == nil {
		it.attr.Modified, it.attr.Precision = t, scheme.PrecisionDay
	}
	switch organisation := all[len(all)-2]; organisation {
	case "PO", "PO-E":
		it.dir = true
	case "PS", "DA":
		it.file = true
	}
	return it, understood
}

func mvsMember(w []token) item {
	it := item{name: w[0].text, file: true}
	if len(w) >= 5 {
		day, err := time.Parse("2006/01/02", w[3].text)
		if since, ok := clock(w[4].text); err == nil && ok {
			it.attr.Modified, it.attr.Precision = day.Add(since), precision(w[4:5])
		}
	}
	return it
}
