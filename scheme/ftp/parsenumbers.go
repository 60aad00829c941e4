package ftp

import (
	"slices"
	"strings"
	"time"
)

// A dateOrder is the order of year, month and day in a date of numbers.
type dateOrder uint8

// The orders.
const (
	orderUnknown dateOrder = iota
	yearMonthDay
	dayMonthYear
	monthDayYear
)

// in returns the day that the numbers f name in that order; zero if there is none.
func (o dateOrder) in(f []string) time.Time {
	switch {
	case len(f) != 3:
	case o == yearMonthDay:
		return calendar(yearOf(f[0]), smallNumber(f[1], ""), smallNumber(f[2], ""), 0)
	case o == dayMonthYear:
		return calendar(yearOf(f[2]), smallNumber(f[1], ""), smallNumber(f[0], ""), 0)
	case o == monthDayYear:
		return calendar(yearOf(f[2]), smallNumber(f[0], ""), smallNumber(f[1], ""), 0)
	}
	return time.Time{}
}

// threeNumbers parses a date such as "1994-12-01", "01.12.94" or "12/01/94". ok is false if the
// text is not a date. If more than one order is possible and no line has shown which one the server
// uses, the time is zero: a wrong date is worse than none.
func (p *listParser) threeNumbers(s string) (t time.Time, ok bool) {
	f, mark := dateFields(s)
	if len(f) != 3 {
		return t, false
	}
	found := p.order
	possible := 0
	for _, o := range [...]dateOrder{yearMonthDay, dayMonthYear, monthDayYear} {
		day := o.in(f)
		switch {
		case day.IsZero():
			continue
		case possible > 0 && !day.Equal(t):
			return p.ambiguous(f, mark), true
		case possible == 0 && f[0] != f[1]:
			found = o
		}
		t = day
		possible++
	}
	if possible == 1 && len(f[0]) < 3 {
		p.order = found
	}
	return t, possible > 0
}

// ambiguous returns the day of a date that could have more than one order: the order of earlier
// lines, the order that is usual with points, or the only one that is not in the future.
func (p *listParser) ambiguous(f []string, mark byte) (past time.Time) {
	if t := p.order.in(f); !t.IsZero() {
		return t
	}
	if mark == '.' {
		return dayMonthYear.in(f)
	}
	for _, o := range [...]dateOrder{yearMonthDay, dayMonthYear, monthDayYear} {
		t := o.in(f)
		if t.IsZero() || t.After(p.now.Add(24*time.Hour)) || t.Equal(past) {
			continue
		}
		if !past.IsZero() {
			return time.Time{}
		}
		past = t
	}
	return past
}

// dateFields splits a date of numbers at its mark: '-', '.' or '/'.
func dateFields(s string) (fields []string, mark byte) {
	i := strings.IndexAny(s, "-./")
	if i < 0 {
		return nil, 0
	}
	fields = strings.Split(s, s[i:i+1])
	if slices.ContainsFunc(fields, func(f string) bool { return number(f) < 0 || len(f) > 4 }) {
		return nil, 0
	}
	return fields, s[i]
}

// counted parses a date whose numbers are marked by characters outside ASCII, as in Japanese,
// Chinese and Korean: month, day, and a year or a clock; or year, month, day. The characters of a
// date may be in one word.
func (p *listParser) counted(w []token) date {
	var marks []marked
	words := 0
	for words < len(w) && len(marks) < 3 {
		m := splitMarked(w[words].text)
		if m == nil {
			break
		}
		marks = append(marks, m...)
		words++
	}
	switch {
	case len(marks) == 3 && marks[0].year() && marks[1].mark:
		t := calendar(marks[0].n, marks[1].n, marks[2].n, 0)
		if t.IsZero() {
			return date{}
		}
		d := date{time: t, precision: 24 * time.Hour, words: words}.clocked(w)
		if d.words > words && !marks[0].mark { // the first number is the size
			return date{}
		}
		return d
	case len(marks) == 3 && marks[2].year() && marks[0].mark:
		t := calendar(marks[2].n, marks[0].n, marks[1].n, 0)
		if t.IsZero() {
			return date{}
		}
		return date{time: t, precision: 24 * time.Hour, words: words}
	case len(marks) == 2 && marks[0].mark && words < len(w):
		c, ok := clock(w[words].text)
		if !ok || calendar(2000, marks[0].n, marks[1].n, 0).IsZero() {
			return date{}
		}
		return p.lately(marks[0].n, marks[1].n, c, words+1)
	}
	return date{}
}

// marked is a number with or without a character that says what it counts.
type marked struct {
	n, digits int
	mark      bool
}

func (m marked) year() bool { return m.digits == 4 }

// maxMark is the number of bytes of a mark: one character in UTF-8, or in an older character set,
// of which the second byte may be ASCII.
const maxMark = 3

// splitMarked splits a word into numbers and their marks. It returns nil for any other word.
func splitMarked(s string) (list []marked) {
	for s != "" {
		rest := strings.TrimLeft(s, digits)
		m := marked{n: int(number(s[:len(s)-len(rest)])), digits: len(s) - len(rest)}
		next := strings.IndexAny(rest, digits)
		if next < 0 {
			next = len(rest)
		}
		m.mark = next > 0
		if m.n < 0 || m.digits > 4 || next > maxMark || m.mark && rest[0] < 0x80 {
			return nil
		}
		list, s = append(list, m), rest[next:]
	}
	return list
}
