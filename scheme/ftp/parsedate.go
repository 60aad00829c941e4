package ftp

import (
	"strings"
	"time"
)

// Dates of LIST. They are in the server's own time, and the server does not say which that is: they are read as UTC.
// MLSD has no such trouble.

// date reads a date at the begin of w and says of how many words it is, 0 where there is none. With anyMonth a month in
// an unknown language will do; the time is then unknown (zero).
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
	// Without a year it is one of the last twelve months. A server's clock may be ahead, by a time zone or so.
	t = calendar(now.Year(), m, day, h, min, sec)
	if t.IsZero() || t.After(now.Add(24*time.Hour)) {
		t = calendar(now.Year()-1, m, day, h, min, sec)
	}
	return t, 3
}

// isoDate reads "1994-12-01", "1994-12-01 00:00", "1994-12-01 00:00:00.000000000 +0100".
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

// calendar makes a time, zero where there is no such day.
func calendar(year, month, day, h, min, sec int) time.Time {
	t := time.Date(year, time.Month(month), day, h, min, sec, 0, time.UTC)
	if month == 0 || t.Day() != day {
		return time.Time{}
	}
	return t
}

// dayNumber reads a day of the month, which may have something after it ("20.", or the Japanese sign for day). 0 is
// none.
func dayNumber(s string) int { return leading(s, 31, ".,") }

// monthNumber reads an English month's first three letters, or a number with the Japanese sign for month. 0 is none.
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

// leading reads one or two digits from 1 to max, after which only the octets of tail or octets outside ASCII follow.
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

// clock reads "9:39", "09:39", "09:39:45", "09:39:45.123".
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

// dosTime reads "02-08-05" or "02-08-2005" (month first) or "2005-02-08", with "02:25PM" or "14:25".
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
	if plain != upper { // twelve hours: 12AM is midnight
		if h %= 12; strings.HasSuffix(upper, "PM") {
			h += 12
		}
	}
	t := calendar(int(year), int(month), int(dayOf), h, min, sec)
	return t, !t.IsZero()
}
