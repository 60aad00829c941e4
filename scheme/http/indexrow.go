package http

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"golang.org/x/net/html"

	"locator/scheme"
)

// rowReader collects what an index page says next to a link. A rounded size ("1.2K") counts as
// unknown.
//
// QUIRK: index pages do not state the time zone of their dates. nginx writes UTC, Apache local
// time; UTC is assumed. caddy 2.6.2 states it.
type rowReader struct {
	before string          // the text before the link, in its line of the source
	iis    bool            // the text before the link describes it
	after  strings.Builder // the text after the link
	line   strings.Builder // the text after the last newline
	order  string          // the attribute data-order of the cell that is being read
	cell   int             // where that cell begins in after
	size   scheme.Count    // from a data-order
	time   time.Time       // from a <time datetime>
}

// maxRow is how many bytes of the text next to a link are read.
const maxRow = 512

// text adds a text. pending reports whether a link precedes it.
func (r *rowReader) text(s string, pending bool) {
	if pending && r.after.Len() < maxRow {
		r.after.WriteString(s[:min(len(s), maxRow)])
	}
	if i := strings.LastIndexByte(s, '\n'); i >= 0 {
		r.line.Reset()
		s = s[i+1:]
	}
	if r.line.Len() < maxRow {
		r.line.WriteString(s[:min(len(s), maxRow)])
	}
}

// tag reads the attributes of a tag.
//
// QUIRK: caddy 2.6.2 rounds the sizes that it shows, and writes them exactly for its own script:
// <td data-order="24">. It writes the time as <time datetime=" 2020-09-22T18:40:00Z">, with the
// blank.
func (r *rowReader) tag(name string, z *html.Tokenizer) {
	for more := name == "td" || name == "time"; more; {
		var key, value []byte
		key, value, more = z.TagAttr()
		switch name + " " + string(key) {
		case "td data-order":
			r.order, r.cell = string(value), r.after.Len()
		case "time datetime":
			r.time, _ = time.Parse(time.RFC3339, strings.TrimSpace(string(value)))
		}
	}
}

// shownSize is a size for people. A data-order beside anything else may be the number of anything.
var shownSize = regexp.MustCompile(`^[0-9.,]+ ?([KMGTPE]?i?B|bytes?)?$`)

// endCell is called at the end of each cell of a table.
func (r *rowReader) endCell() {
	if n, ok := parseSize(r.order); ok && shownSize.MatchString(strings.TrimSpace(r.after.String()[r.cell:])) {
		r.size = scheme.Known(n)
	}
	r.order = ""
}

// attr returns the date and size of the row. plain is set if the row has the form of mini_httpd.
func (r *rowReader) attr(now time.Time) (a scheme.Attr, plain bool) {
	if a, ok := parseWebfs(r.before, now); ok {
		return a, false
	}
	if r.iis {
		a, _ := parseIIS(r.before)
		return a, false
	}
	a, plain = parseRow(strings.Fields(r.after.String()))
	if !r.time.IsZero() {
		a.Modified, a.Precision = r.time.UTC(), 0
	}
	if _, ok := r.size.Get(); ok {
		a.Size = r.size
	}
	return a, plain
}

// dateLayouts are the date formats of servers.
var dateLayouts = [...]string{
	"02-Jan-2006", // nginx, Apache before 2.4
	"2006-01-02",  // Apache 2.4, merecat
	"2006-Jan-02", // lighttpd
	plainLayout,
}

// plainLayout is the date format of mini_httpd and micro_httpd, whose rows do not distinguish
// folders from files.
const plainLayout = "02Jan2006"

// parseRow finds the date and the size in the text after a link.
//
// QUIRK: the size follows the date; in the tables of merecat 2.32 it comes first and is followed by
// nothing but the date.
func parseRow(f []string) (a scheme.Attr, plain bool) {
	for i := 0; i+1 < len(f); i++ {
		t, layout, ok := date(f[i], f[i+1])
		if !ok {
			continue
		}
		plain = layout == plainLayout
		a.Modified, a.Precision = t, time.Minute
		switch {
		case i+2 < len(f):
			if n, ok := parseSize(f[i+2]); ok {
				a.Size = scheme.Known(n)
			}
		case i == 1:
			if n, ok := parseSize(f[0]); ok {
				a.Size = scheme.Known(n)
			}
		}
		break
	}
	return a, plain
}

// date parses a day and a time of day. layout is the one of dateLayouts that fits.
func date(day, clock string) (t time.Time, layout string, ok bool) {
	for _, layout := range dateLayouts {
		for _, c := range [...]string{" 15:04", " 15:04:05"} {
			if t, err := time.Parse(layout+c, day+" "+clock); err == nil {
				return t, layout, true
			}
		}
	}
	return time.Time{}, "", false
}

// parseIIS parses the text before a link of IIS.
//
// QUIRK: IIS 7 to 10 write "10/13/2009 10:10 AM  1234 " before the link, all entries in one line,
// and "<dir>" as the size of a folder. The date has the form of the server's language. The text
// before the first link distinguishes a page of IIS from others, where the same text describes the
// link before it.
func parseIIS(text string) (a scheme.Attr, ok bool) {
	f := strings.Fields(text)
	if len(f) < 3 {
		return a, false
	}
	size := f[len(f)-1]
	day := strings.Join(f[max(0, len(f)-4):len(f)-1], " ")
	t, err := time.Parse("1/2/2006 3:04 PM", day)
	if err != nil {
		if t, _, ok = date(f[len(f)-3], f[len(f)-2]); !ok {
			return a, false
		}
	}
	n, known := parseSize(size)
	if !known && size != "<dir>" {
		return a, false
	}
	a.Modified, a.Precision = t, time.Minute
	if known {
		a.Size = scheme.Known(n)
	}
	return a, true
}

// parseWebfs parses the text before a link of webfs.
//
// QUIRK: webfs 1.21 writes "-rw-r--r--  root  root  Sep 22  2020    24  B  " before the link: a
// date of the current year has the time in place of the year, and a size from 10 kB on is rounded.
func parseWebfs(text string, now time.Time) (a scheme.Attr, ok bool) {
	f := strings.Fields(text)
	if len(f) < 7 || len(f[0]) != 10 || strings.Trim(f[0][1:], "rwxsStT-") != "" {
		return a, false
	}
	day, last := f[3]+" "+f[4], f[5]
	if t, err := time.Parse("Jan 02 2006", day+" "+last); err == nil {
		a.Modified, a.Precision = t, 24*time.Hour
	} else if t, err := time.Parse("2006 Jan 02 15:04", strconv.Itoa(now.UTC().Year())+" "+day+" "+last); err == nil {
		if t.After(now.Add(24 * time.Hour)) { // of the end of last year
			t = t.AddDate(-1, 0, 0)
		}
		a.Modified, a.Precision = t, time.Minute
	} else {
		return a, false
	}
	if n, ok := parseSize(f[6]); ok && len(f) == 8 && f[7] == "B" {
		a.Size = scheme.Known(n)
	}
	return a, true
}
