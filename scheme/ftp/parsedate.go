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
		return calendar(int(year), m, day), 3
	}
	since, ok := clock(last)
	if !ok {
		return t, 0
	}
	// A date without a year is in the last twelve months. The server's clock may be ahead, for example by its time zone.
	t = calendar(now.Year(), m, day)
	if t.IsZero() || t.Add(since).After(now.Add(24*time.Hour)) {
		t = calendar(now.Year()-1, m, day)
	}
	if !t.IsZero() {
		t = t.Add(since)
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
	since, ok := clock(w[1].text)
	if !ok {
		return t, 1
	}
	t = t.Add(since)
	if len(w) > 2 && len(w[2].text) == 5 && (w[2].text[0] == '+' || w[2].text[0] == '-') {
		if zone, err := time.Parse("-0700", w[2].text); err == nil {
			_, east := zone.Zone()
			return t.Add(-time.Duration(east) * time.Second), 3
		}
	}
	return t, 2
}

// calendar returns a day, zero if there is none.
func calendar(year, month, day int) time.Time {
	t := time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
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

// clock parses "9:39", "09:39", "09:39:45", "09:39:45.123" as the time since midnight.
func clock(s string) (since time.Duration, ok bool) {
	s, _, _ = strings.Cut(s, ".")
	parts := strings.Split(s, ":")
	if len(parts) < 2 || len(parts) > 3 {
		return 0, false
	}
	unit := time.Hour
	for i, p := range parts {
		n := number(p)
		if n < 0 || n > 59 || len(p) > 2 || i > 0 && len(p) != 2 {
			return 0, false
		}
		since += time.Duration(n) * unit
		unit /= 60
	}
	if since >= 24*time.Hour {
		return 0, false
	}
	return since, true
}

// dosTime parses "02-08-05" or "02-08-2005" (month first) or "2005-02-08", with "02:25PM" or "14:25".
func dosTime(day, at string) (t time.Time, ok bool) {
	at = strings.ToUpper(at)
	plain := strings.TrimSuffix(strings.TrimSuffix(at, "AM"), "PM")
	since, ok := clock(plain)
	if plain != at { // the 12-hour clock: 12AM is midnight
		if since %= 12 * time.Hour; strings.HasSuffix(at, "PM") {
			since += 12 * time.Hour
		}
	}
	for _, layout := range []string{"1-2-06", "1-2-2006", "2006-1-2"} {
		if t, err := time.Parse(layout, strings.ReplaceAll(day, "/", "-")); err == nil && t.Year() >= 1970 {
			return t.Add(since), ok
		}
	}
	return t, false
}
