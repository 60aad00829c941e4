package ftp

import (
	"strconv"
	"strings"
	"time"
)

// listParser parses the lines of LIST. RFC 959 leaves their format to the server, so each known
// dialect is tried, beginning with the one that matched last.
type listParser struct {
	now    time.Time
	system string    // the reply to SYST in upper case; "" if it is not known
	last   int       // index of the dialect that matched last
	order  dateOrder // of dates in numbers, once a line has shown it
	mvs    mvsState
	begun  bool // a VMS entry that continues on the next line
}

// A dialect is a format of LIST. It rejects the lines of the others.
type dialect struct {
	name   string
	parse  func(p *listParser, line string) (item, verdict)
	system string // the dialect is recognised only if the reply to SYST contains this word
}

// dialects are the known formats.
var dialects = [...]dialect{
	{name: "ls -l", parse: (*listParser).unix},
	{name: "DOS", parse: (*listParser).dos},
	{name: "EPLF", parse: (*listParser).eplf},
	{name: "facts", parse: (*listParser).facts},
	{name: "VMS", parse: (*listParser).vms},
	{name: "MVS", parse: (*listParser).mvsLine},
	{name: "OS/400", parse: (*listParser).os400},
	{name: "z/VM", parse: (*listParser).zvm},
	{name: "byte file system", parse: (*listParser).bfs},
	{name: "OS/2", parse: (*listParser).os2},
	{name: "Windows 3", parse: (*listParser).windows3},
	{name: "VShell", parse: (*listParser).vshell},
	{name: "VxWorks", parse: (*listParser).vxworks},
	{name: "Nortel", parse: (*listParser).nortel},
	{name: "NonStop", parse: (*listParser).nonstop},
	{name: "Connect:Enterprise", parse: (*listParser).enterprise},
	{name: "OS-9", parse: (*listParser).os9},
	{name: "octal mode", parse: (*listParser).octal},
	{name: "MVS without heading", parse: (*listParser).mvsPlain, system: "MVS"},
}

func (p *listParser) parse(line string) (item, verdict) {
	if strings.TrimSpace(line) == "" {
		return item{}, skipped
	}
	for i := range dialects {
		n := (p.last + i) % len(dialects)
		d := dialects[n]
		if d.system != "" && !strings.Contains(p.system, d.system) {
			continue
		}
		it, v := d.parse(p, line)
		if v == unknown {
			continue
		}
		p.last, p.begun = n, v == begun
		switch {
		case v != understood:
		case it.name == "." || it.name == ".." || it.name == "":
			v = skipped
		case strings.Trim(it.name, " ") == "": // a name of spaces, or an empty one in a padded column
			v = unknown
		}
		return it, v
	}
	p.begun = false
	return item{}, unknown
}

// token is a word of a line, and the offset of its end.
type token struct {
	text string
	end  int
}

// tokens splits a line at white space into at most max words.
func tokens(line string, max int) []token {
	list := make([]token, 0, min(max, 12))
	for i := 0; i < len(line) && len(list) < max; {
		if blank(line[i]) {
			i++
			continue
		}
		start := i
		for i < len(line) && !blank(line[i]) {
			i++
		}
		list = append(list, token{line[start:i], i})
	}
	return list
}

func blank(c byte) bool { return c == ' ' || c == '\t' }

// nameAfter returns the name that follows a word and the one space after it.
func nameAfter(line string, w token) string { return line[min(w.end+1, len(line)):] }

// paddedAfter returns the name that follows a word and a column padded with white space.
func paddedAfter(line string, w token) string { return strings.TrimLeft(line[w.end:], " \t") }

// number parses decimal digits. It returns -1 for anything else.
func number(s string) int64 {
	if len(s) > 18 || !consists(s, digits) {
		return -1
	}
	n, _ := strconv.ParseInt(s, 10, 64)
	return n
}

const (
	digits   = "0123456789"
	capitals = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
)

// consists reports whether s is not empty and has only bytes of set.
func consists(s, set string) bool { return s != "" && strings.Trim(s, set) == "" }

// sizeWord parses the size in a line. known is false for a size that is approximate or cannot be
// right: "1.2K", "-528".
func sizeWord(s string) (n int64, known, ok bool) {
	if n = number(s); n >= 0 {
		return n, true, true
	}
	if s[0] >= 'A' { // most words are names
		return 0, false, false
	}
	if n, ok = grouped(s); ok {
		return n, true, true
	}
	if rest, negative := strings.CutPrefix(s, "-"); negative { // from servers that count in 32 bits
		return 0, false, number(rest) >= 0
	}
	return 0, false, approximate(s)
}

// grouped parses a number whose digits are grouped in thousands: "1,234".
func grouped(s string) (int64, bool) {
	groups := strings.Split(s, ",")
	if len(groups) < 2 || len(groups[0]) > 3 {
		return 0, false
	}
	for i, g := range groups {
		if number(g) < 0 || i > 0 && len(g) != 3 {
			return 0, false
		}
	}
	n := number(strings.Join(groups, ""))
	return n, n >= 0
}

// approximate reports whether s is a rounded size, "1.2K" or "2KB" or "3 MiB" without its space.
func approximate(s string) bool {
	n := strings.TrimRight(strings.TrimSuffix(strings.ToUpper(s), "B"), "I")
	n = strings.TrimRight(n, "KMGT")
	whole, part, dot := strings.Cut(strings.Replace(n, ",", ".", 1), ".")
	return consists(whole, digits) && (!dot || consists(part, digits)) && len(n) >= len(s)-3
}
