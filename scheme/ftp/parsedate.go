package ftp

import (
	"strings"
	"time"

	"locator/internal/octet"
	"locator/scheme"
)

// Dates of LIST are in the server's time zone, which LIST does not show: they are taken as UTC.
// MLSD uses UTC.

// A date is what the words at the beginning of a list say about a time.
type date struct {
	time      time.Time // zero if the words are a date, but an ambiguous one
	precision time.Duration
	words     int  // number of words; 0 if they are not a date
	zoned     bool // the time zone is known
	padded    bool // spaces may follow, as in a column that also has longer dates
}

// attr returns the attributes of an entry with this date. Without a zone a time may be wrong by
// hours, so that it is never taken as exact.
func (d date) attr() scheme.Attr {
	if d.time.IsZero() {
		return scheme.Attr{}
	}
	if d.precision == 0 && !d.zoned {
		d.precision = time.Minute
	}
	return scheme.Attr{Modified: d.time, Precision: d.precision}
}

// short reports whether a date of three words has no clock and is narrower than the column: AIX
// prints "Mar 11 2007" where other systems print "Mar 11  2007", and one space more before the
// name.
func (d date) short(first, last token) bool {
	return d.words == 3 && d.precision == 24*time.Hour && last.end-(first.end-len(first.text)) == len("Mar 11 2007")
}

// halfDay reports whether AM or PM after a date may belong to its clock. It may also begin the
// name: that is ambiguous.
func (d date) halfDay(after []token) bool {
	hour := d.time.Hour()
	return d.precision != 24*time.Hour && (d.time.IsZero() || hour > 0 && hour <= 12) &&
		len(after) > 1 && (after[0].text == "AM" || after[0].text == "PM")
}

// clocked returns the date with the time of the day in the next word of w, if that is one.
func (d date) clocked(w []token) date {
	if d.words == 0 || d.words >= len(w) {
		return d
	}
	if c, ok := clock(w[d.words].text); ok {
		d = d.at(c)
		d.words++
	}
	return d
}

// at returns the date with a time of the day.
func (d date) at(c timeOfDay) date {
	d.precision, d.padded = c.precision, false
	if !d.time.IsZero() {
		d.time = d.time.Add(c.time)
	}
	return d
}

// date parses a date at the beginning of w: only what is surely one.
func (p *listParser) date(w []token) date {
	for _, form := range [...]func([]token) date{p.named, p.inNumbers, p.dashed, p.monthDay, p.counted} {
		if d := form(w); d.words > 0 {
			return d
		}
	}
	return date{}
}

// vagueDate parses what is a date by its position in a line: "3 29 03:26", and a month in an
// unknown language, whose time is then zero.
func (p *listParser) vagueDate(w []token) date {
	if len(w) < 3 {
		return date{}
	}
	first, second := w[0].text, w[1].text
	if a, b := smallNumber(first, ""), smallNumber(second, ""); a > 0 && b > 0 {
		c, ok := clock(w[2].text)
		switch {
		case !ok:
			return date{}
		case a > 12:
			a, b = b, a
		case b <= 12 && a != b: // the order is not known
			return date{words: 3}
		}
		if calendar(2000, a, b, 0).IsZero() {
			return date{}
		}
		return p.lately(a, b, c, 3)
	}
	month, day := first, dayNumber(second)
	if day == 0 {
		month, day = second, dayNumber(first)
	}
	if day == 0 || octet.IsDigit(month[0]) {
		return date{}
	}
	if strings.Contains(month, "/") { // QUIRK: a server prints where a shortcut leads, and nothing between that and the month
		if m := monthNumber(month[max(0, len(month)-3):]); m > 0 {
			return p.ended(m, day, w[2].text, 3)
		}
	}
	if _, ok := clock(w[2].text); ok || len(w[2].text) == 4 && yearOf(w[2].text) > 0 {
		return date{words: 3}
	}
	return date{}
}

// inNumbers parses "1994-12-01", "1994/12/01 00:00", "1994-12-01 00:00:00.000000000 +0100",
// "24.12.1994 17:12".
func (p *listParser) inNumbers(w []token) date {
	if len(w) == 0 {
		return date{}
	}
	t, ok := p.threeNumbers(w[0].text)
	if !ok {
		return date{}
	}
	d := date{time: t, precision: 24 * time.Hour, words: 1, padded: true}.clocked(w)
	if d.words == 2 && len(w) > 2 && len(w[2].text) == 5 && (w[2].text[0] == '+' || w[2].text[0] == '-') {
		if zone, err := time.Parse("-0700", w[2].text); err == nil {
			_, east := zone.Zone()
			d.time, d.words, d.zoned = d.time.Add(-time.Duration(east)*time.Second), 3, true
		}
	}
	return d
}

// dashed parses a date with the name of its month in one word: "01-jun-99", "30-DEC-1996 17:44",
// "Feb-28-1998".
func (p *listParser) dashed(w []token) date {
	if len(w) == 0 || strings.Count(w[0].text, "-") != 2 {
		return date{}
	}
	f := strings.Split(w[0].text, "-")
	month, day := monthNumber(f[1]), f[0]
	if month == 0 {
		month, day = monthNumber(f[0]), f[1]
	}
	t := calendar(yearOf(f[2]), month, smallNumber(day, ""), 0)
	if t.IsZero() {
		return date{}
	}
	return date{time: t, precision: 24 * time.Hour, words: 1, padded: true}.clocked(w)
}

// monthDay parses "09-26 13:45" and "09-26 2000", as ls prints in the style "iso".
func (p *listParser) monthDay(w []token) date {
	if len(w) < 2 {
		return date{}
	}
	m, d, ok := strings.Cut(w[0].text, "-")
	month, day := smallNumber(m, ""), smallNumber(d, "")
	if !ok || len(m) != 2 || len(d) != 2 || calendar(2000, month, day, 0).IsZero() {
		return date{}
	}
	return p.ended(month, day, w[1].text, 2)
}

// named parses a month by its name, a day, and a year or a clock: "Nov 20 09:39", "20 Nov 1994",
// "26. Juli, 20:10", "Oct 08, 2002 09:47", "Nov 20 09:39:45 1994".
func (p *listParser) named(w []token) date {
	if len(w) < 3 {
		return date{}
	}
	month, day := w[0].text, dayNumber(w[1].text)
	if day == 0 {
		month, day = w[1].text, dayNumber(month)
	}
	if day == 0 {
		return date{}
	}
	m := monthNumber(month)
	if m == 0 {
		return date{}
	}
	d := p.ended(m, day, w[2].text, 3)
	switch {
	case len(w) == 3 || d.words == 0:
	case strings.HasSuffix(w[1].text, ",") && d.precision == 24*time.Hour:
		d = d.clocked(w)
	case d.precision == 0 && yearOf(w[3].text) > 0 && len(w[3].text) == 4: // "ls -lT" of BSD
		c, _ := clock(w[2].text)
		d.time, d.words = calendar(yearOf(w[3].text), m, day, c.time), 4
	}
	return d
}

// ended returns the date of a month and day and the word after them, a year or a clock.
func (p *listParser) ended(month, day int, word string, words int) date {
	if year := yearOf(word); year > 0 && len(word) == 4 {
		return date{time: calendar(year, month, day, 0), precision: 24 * time.Hour, words: words}
	}
	if c, ok := clock(word); ok {
		return p.lately(month, day, c, words)
	}
	if len(word) == 4 && number(word) > 0 { // a year that cannot be right
		return date{words: words}
	}
	return date{}
}

// lately returns a date without a year, which is in the last twelve months. The server's clock may
// be ahead, for example by its time zone.
func (p *listParser) lately(month, day int, c timeOfDay, words int) date {
	t := calendar(p.now.Year(), month, day, c.time)
	if t.IsZero() || t.After(p.now.Add(24*time.Hour)) {
		t = calendar(p.now.Year()-1, month, day, c.time)
	}
	return date{time: t, precision: c.precision, words: words}
}

// calendar returns a time, zero if there is no such day.
func calendar(year, month, day int, clock time.Duration) time.Time {
	t := time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
	if year == 0 || month < 1 || month > 12 || t.Day() != day {
		return time.Time{}
	}
	return t.Add(clock)
}

// yearOf parses a year of four digits from 1900 on, of two digits from 1970 to 2069, or a number of
// years since 1900: "103". It returns 0 if s is not a year.
func yearOf(s string) int {
	n := int(number(s))
	switch {
	case len(s) == 4 && n >= 1858: // the epoch of VMS
		return n
	case len(s) == 3 && s[0] == '1':
		return 1900 + n
	case len(s) == 2 && n >= 70:
		return 1900 + n
	case len(s) == 2 && n >= 0:
		return 2000 + n
	}
	return 0
}

// dayNumber parses a day of the month, which may have a suffix ("20.", or the Japanese character
// for day). It returns 0 if s is not a day.
func dayNumber(s string) int {
	if n := smallNumber(s, ".,"); n <= 31 {
		return n
	}
	return 0
}

// smallNumber parses a number of one or two digits, followed only by bytes of tail. It returns 0 if
// s is not such a number.
func smallNumber(s string, tail string) int {
	s = strings.TrimRight(s, tail)
	if len(s) > 2 {
		return 0
	}
	return max(0, int(number(s)))
}

// A timeOfDay is what a clock shows.
type timeOfDay struct {
	time      time.Duration // since midnight; 24 hours is the midnight at the end of the day
	precision time.Duration
}

// clock parses "9:39", "09:39", "24:00", "09:39:45", "09:39:45.123". In "9:3", a digit may be
// missing: only the day is known.
func clock(s string) (timeOfDay, bool) {
	s, _, _ = strings.Cut(s, ".")
	parts := strings.Split(s, ":")
	if len(parts) < 2 || len(parts) > 3 {
		return timeOfDay{}, false
	}
	c := timeOfDay{precision: time.Minute}
	switch {
	case len(parts) == 3:
		c.precision = 0
	case len(parts[0]) <= 2 && number(parts[0]) >= 0 && number(parts[0]) < 24 && len(parts[1]) == 1 && number(parts[1]) >= 0:
		return timeOfDay{precision: 24 * time.Hour}, true
	}
	unit := time.Hour
	for i, p := range parts {
		v := number(p)
		if v < 0 || v > 59 || len(p) > 2 || i > 0 && len(p) != 2 {
			return timeOfDay{}, false
		}
		c.time += time.Duration(v) * unit
		unit /= 60
	}
	return c, c.time <= 24*time.Hour
}

// clock12 parses a clock that may be followed by AM or PM: 12AM is midnight.
func clock12(s string) (c timeOfDay, half, ok bool) {
	upper := strings.ToUpper(s)
	plain := strings.TrimSuffix(strings.TrimSuffix(upper, "AM"), "PM")
	if c, ok = clock(plain); !ok || plain == upper {
		return c, false, ok
	}
	if c.time >= 12*time.Hour {
		c.time -= 12 * time.Hour
	}
	if strings.HasSuffix(upper, "PM") {
		c.time += 12 * time.Hour
	}
	return c, true, c.time < 24*time.Hour
}
