package ftp

import (
	"strings"
	"time"
)

// Dates of LIST are in the server's time zone, which LIST does not tell: they are taken as UTC. MLSD uses UTC.

// date parses a date at the beginning of w and returns its number of words, 0 if there is no date. With anyMonth, a month in
// an unknown language is accepted; the time is then zero.
func date(w []token, now time.Time, anyMonth bool) (t time.Time, n int) {
	if len(w) > 0 {
		if t, n = isoDate(w); n > 0 {
			return t, n
		}
	}
	if len(w) < 3 {
		return t, 0
	}
	last := w[2].text
	m, day := monthNumber(w[0].text), dayNumber(w[1].text)
	if m == 0 || day == 0 {
		m, day = monthNumber(w[1].text), dayNumber(w[0].text) // "20 Nov 09:39"
	}
	if m == 0 || day == 0 {
		if !anyMonth {
			return t, 0
		}
		month := w[0].text
		if day = dayNumber(w[1].text); day == 0 {
			month, day = w[1].text, dayNumber(w[0].text)
		}
		if day == 0 || digit(month[0]) {
			return t, 0
		}
	}
	if year := number(last); year >= 1900 && year <= 9999 && len(last) == 4 {
		return calendar(int(year), m, day, 0, 0, 0), 3
	}
	h, min, sec, ok := clock(last)
	if !ok {
		return t, 0
	}
	// A date without a year is in the last twelve months. The server's clock may be ahead, for example by its time zone.
	t = calendar(now.Year(), m, day, h, min, sec)
	if t.IsZero() || t.After(now.Add(24*time.Hour)) {
		t = calendar(now.Year()-1, m, day, h, min, sec)
	}
	return t, 3
}

// isoDate parses "1994-12-01", "1994-12-01 00:00", "1994-12-01 00:00:00.000000000 +0100".
func isoDate(w []token) (t time.Time, n int) {
	t, err := time.Parse("2006-01-02", w[0].text)
	if err != nil {
		return t, 0
	}
	if len(w) < 2 {
		return t, 1
	}
	h, min, sec, ok := clock(w[1].text)
	if !ok {
		return t, 1
	}
	t = t.Add(time.Duration(h)*time.Hour + time.Duration(min)*time.Minute + time.Duration(sec)*time.Second)
	if len(w) > 2 && len(w[2].text) == 5 && (w[2].text[0] == '+' || w[2].text[0] == '-') {
		if zone, err := time.Parse("-0700", w[2].text); err == nil {
			_, east := zone.Zone()
			return t.Add(-time.Duration(east) * time.Second), 3
		}
	}
	return t, 2
}

// calendar returns a time, zero if there is no such day.
func calendar(year, month, day, h, min, sec int) time.Time {
	t := time.Date(year, time.Month(month), day, h, min, sec, 0, time.UTC)
	if month == 0 || t.Day() != day {
		return time.Time{}
	}
	return t
}

// dayNumber parses a day of the month, which may have a suffix ("20.", or the Japanese character for day). It returns 0 if s
// is none.
func dayNumber(s string) int { return leading(s, 31, ".,") }

// monthNumber parses the first three letters of an English month, or a number with the Japanese character for month. It
// returns 0 if s is neither.
func monthNumber(s string) int {
	const months = "janfebmaraprmayjunjulaugsepoctnovdec"
	if len(s) >= 3 {
		if i := strings.Index(months, strings.ToLower(s[:3])); i >= 0 && i%3 == 0 {
			return i/3 + 1
		}
	}
	if n := leading(s, 12, ""); n > 0 && s[len(s)-1] >= 0x80 {
		return n
	}
	return 0
}

// leading parses a number of one or two digits up to max, followed only by bytes of tail or bytes outside ASCII. It returns 0
// if s is no such number.
func leading(s string, max int, tail string) int {
	n, i := 0, 0
	for i < len(s) && i < 2 && digit(s[i]) {
		n = n*10 + int(s[i]-'0')
		i++
	}
	for _, c := range []byte(s[i:]) {
		if c < 0x80 && strings.IndexByte(tail, c) < 0 {
			return 0
		}
	}
	if n > max {
		return 0
	}
	return n
}

// clock parses "9:39", "09:39", "09:39:45", "09:39:45.123".
func clock(s string) (h, min, sec int, ok bool) {
	s, _, _ = strings.Cut(s, ".")
	parts := strings.Split(s, ":")
	if len(parts) < 2 || len(parts) > 3 {
		return 0, 0, 0, false
	}
	var n [3]int
	for i, p := range parts {
		v := number(p)
		if v < 0 || v > 59 || len(p) > 2 || i > 0 && len(p) != 2 {
			return 0, 0, 0, false
		}
		n[i] = int(v)
	}
	return n[0], n[1], n[2], n[0] < 24
}

// dosTime parses "02-08-05" or "02-08-2005" (month first) or "2005-02-08", with "02:25PM" or "14:25".
func dosTime(day, at string) (time.Time, bool) {
	f := strings.FieldsFunc(day, func(r rune) bool { return r == '-' || r == '/' })
	if len(f) != 3 || strings.ContainsAny(day, "+:.,") {
		return time.Time{}, false
	}
	y, m, d := f[2], f[0], f[1]
	if len(f[0]) == 4 {
		y, m, d = f[0], f[1], f[2]
	}
	year, month, dayOf := number(y), number(m), number(d)
	if len(y) == 2 {
		if year += 1900; year < 1970 {
			year += 100
		}
	}
	if year < 1970 || year > 9999 || month < 1 || month > 12 || dayOf < 1 || dayOf > 31 {
		return time.Time{}, false
	}
	upper := strings.ToUpper(at)
	plain := strings.TrimSuffix(strings.TrimSuffix(upper, "AM"), "PM")
	h, min, sec, ok := clock(plain)
	if !ok {
		return time.Time{}, false
	}
	if plain != upper { // the 12-hour clock: 12AM is midnight
		if h %= 12; strings.HasSuffix(upper, "PM") {
			h += 12
		}
	}
	t := calendar(int(year), int(month), int(dayOf), h, min, sec)
	return t, !t.IsZero()
}
