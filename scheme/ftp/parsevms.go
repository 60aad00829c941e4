package ftp

import (
	"strings"

	"locator/internal/octet"
	"locator/scheme"
)

// maxVMSWords bounds the words of a line of VMS: the name of an owner may hold spaces.
const maxVMSWords = 12

// vms parses the format of OpenVMS: "README.TXT;1  2/4  30-DEC-1996 17:44  [SYSTEM]
// (RWED,RWED,RE,RE)". A long name has a line of its own, with the attributes on the next line.
// Sizes are in blocks, so the number of bytes stays unknown.
func (p *listParser) vms(line string) (item, verdict) {
	if vmsHeading(line) {
		return item{}, skipped
	}
	w := tokens(line, maxVMSWords)
	if p.begun {
		if it, ok := p.vmsFacts(w); (ok || vmsError(paddedAfter(line, token{}))) && !strings.Contains(w[0].text, ";") {
			return it, continued
		}
	}
	if blank(line[0]) {
		return item{}, unknown
	}
	name, version, ok := strings.Cut(w[0].text, ";")
	if !ok || number(version) < 1 || name == "" {
		return item{}, unknown
	}
	it, dated := p.vmsFacts(w[1:])
	below := 0
	if name[0] == '[' { // CMU prints the directory before each name
		if below = strings.IndexByte(name, ']') + 1; below == 0 || below == len(name) {
			return item{}, unknown
		}
	}
	name = name[below:]
	it.name, it.file = w[0].text[below:], true
	if dir := len(name) - len(".DIR"); dir > 0 && strings.EqualFold(name[dir:], ".DIR") {
		it.name, it.listed, it.dir, it.file = name[:dir], it.name, true, false
	}
	switch typed := strings.Contains(name, "."); {
	case dated:
	case len(w) == 1:
		it.file = it.file && typed
		return it, begun
	case typed && vmsError(paddedAfter(line, w[0])):
	default:
		return item{}, unknown
	}
	return it, understood
}

// vmsError reports whether a text is an error message instead of the attributes.
func vmsError(text string) bool {
	for _, start := range [...]string{"%", "<%", "No privilege", "insufficient privilege"} {
		if strings.HasPrefix(text, start) {
			return true
		}
	}
	return false
}

// vmsHeading reports whether a line is the heading of a listing of VMS, its sum, or the message
// that there is no file: "DISK:[DIR]", "Directory DISK:[DIR]", "Total of 2 files", "*.*;
// <%RMS-E-FNF, file not found>".
func vmsHeading(line string) bool {
	disk, dir, found := strings.Cut(strings.TrimPrefix(line, "Directory "), ":[")
	return found && consists(disk, capitals+digits+"$_-") && strings.IndexByte(dir, ']') == len(dir)-1 ||
		strings.HasPrefix(line, "*.*;") && strings.Contains(line, "file not found") ||
		strings.HasPrefix(line, "Total of ") || strings.HasPrefix(line, "Grand total of ") ||
		strings.HasPrefix(line, "Total ") && (strings.HasSuffix(line, " files") || strings.HasSuffix(line, " file"))
}

// vmsFacts parses what follows the name: blocks, a date, an owner in brackets and the protection in
// parentheses, in any order. It fails without a date, and for a word of another form.
func (p *listParser) vmsFacts(w []token) (it item, ok bool) {
	for i := 0; i < len(w); i++ {
		text := w[i].text
		switch {
		case strings.HasPrefix(text, "["):
			it.vmsOwner(text)
			for !strings.Contains(w[i].text, "]") && i+1 < len(w) && w[i+1].text[0] != '(' {
				i++
			}
		case strings.HasPrefix(text, "("):
			return it, ok
		case !ok && vmsDay(text):
			d := p.dashed(w[i:])
			if d.words == 0 { // a month in an unknown language
				d = date{words: 1}.clocked(w[i:])
			}
			it.attr.Modified, it.attr.Precision, ok = d.attr().Modified, d.attr().Precision, true
			i += d.words - 1
		case blocks(text):
			it.attr.More = []scheme.Attribute{{Name: "blocks", Value: text}}
		case !ok || i+1 == len(w) || w[i+1].text[0] != '(': // else an owner without brackets
			return it, false
		}
	}
	return it, ok
}

// vmsOwner sets the owner, "[GROUP,OWNER]" or "[OWNER]".
func (it *item) vmsOwner(text string) {
	name, closed := strings.CutSuffix(text[1:], "]")
	if !closed {
		return
	}
	if group, owner, both := strings.Cut(name, ","); both {
		it.attr.Group, it.attr.Owner = group, owner
	} else {
		it.attr.Owner = name
	}
}

// vmsDay reports whether s has the form of a day, "30-DEC-1996". The month may be in an unknown
// language.
func vmsDay(s string) bool {
	f := strings.Split(s, "-")
	return len(f) == 3 && smallNumber(f[0], "") > 0 && len(f[1]) >= 3 && !octet.IsDigit(f[1][0]) && len(f[2]) == 4 && yearOf(f[2]) > 0
}

// blocks reports whether s is a size of VMS: blocks, or blocks used and allocated as in "2/4",
// stars for too large a number, or a number with a unit.
func blocks(s string) bool {
	used, allocated, both := strings.Cut(s, "/")
	if both {
		return consists(used, digits) && consists(allocated, digits)
	}
	return consists(s, digits) || consists(s, "*") || approximate(s)
}
