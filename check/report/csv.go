package report

import (
	"bufio"
	"encoding/csv"
	"strconv"
	"strings"
	"time"

	"locator/check"
	"locator/wire"
)

// writeCSV writes one row per URL. Its places are one field, with a semicolon and a blank between
// two.
func writeCSV(w *bufio.Writer, r Report) error {
	c := csv.NewWriter(w)
	if err := c.Write([]string{
		"url", "verdict", "why", "scheme", "status", "reply", "final", "to", "addr", "type", "bytes", "ms", "attempts", "at", "before",
		"since", "fails", "note", "sources",
	}); err != nil {
		return err
	}
	err := r.each(func(result *check.Result) error {
		places := make([]string, 0, len(result.Sources))
		for _, p := range result.Sources {
			if p.File != "" {
				places = append(places, placeText(p))
			}
		}
		size := ""
		if result.Bytes >= 0 {
			size = strconv.FormatInt(result.Bytes, 10)
		}
		fields := []string{
			result.URL, string(result.Verdict), string(result.Why), result.Scheme, result.Status, result.Reply, result.Final, result.To,
			result.Addr, result.Type, size, strconv.FormatInt(result.MS, 10), strconv.Itoa(result.Attempts), csvTime(result.At),
			string(result.Before), csvTime(result.Since), strconv.Itoa(result.Fails), result.Note, strings.Join(places, "; "),
		}
		for i, field := range fields {
			fields[i] = csvField(field)
		}
		return c.Write(fields)
	})
	c.Flush()
	if err == nil {
		err = c.Error()
	}
	return err
}

// csvField returns a text as the field of a table that a spreadsheet opens. One that would be a
// formula gets an apostrophe in front, which makes it a text: so do those that begin with "=", "+",
// "-" or "@", also as full-width characters and after blanks. Control characters are escaped, TAB,
// CR and LF included.
func csvField(s string) string {
	s = wire.TextLine(s)
	if text := strings.TrimLeft(s, " \u00a0\u3000"); text != "" && strings.ContainsRune("=+-@＝＋－＠", []rune(text[:min(len(text), 4)])[0]) {
		return "'" + s
	}
	return s
}

func csvTime(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}
