package mailtext

import (
	"io"
	"iter"
	"mime"
	"net/mail"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/transform"
)

// Fields returns the fields of a header, in order. It joins folded lines (RFC 5322 2.2.3) and ends
// at the empty line, or at a line that is not a field.
func Fields(header string) iter.Seq2[string, string] {
	return func(yield func(name, value string) bool) {
		var name string
		var value strings.Builder
		for line := range strings.Lines(header) {
			line = strings.TrimRight(line, "\r\n")
			if line != "" && (line[0] == ' ' || line[0] == '\t') && name != "" {
				value.WriteString(line)
				continue
			}
			if name != "" && !yield(name, strings.TrimSpace(value.String())) {
				return
			}
			before, after, ok := strings.Cut(line, ":")
			if name = strings.TrimRight(before, " \t"); !ok || !IsFieldName(name) {
				return
			}
			value.Reset()
			value.WriteString(after)
		}
		if name != "" {
			yield(name, strings.TrimSpace(value.String()))
		}
	}
}

// IsFieldName reports whether s is a field name (RFC 5322 2.2).
func IsFieldName(s string) bool {
	for i := range len(s) {
		if s[i] <= ' ' || s[i] >= 0x7F {
			return false
		}
	}
	return s != ""
}

// Header returns the text of a field: with encoded words decoded (RFC 2047), tabs and line ends as
// blanks, and raw bytes read as UTF-8 (RFC 6532) or, if they are not, in charset. An empty charset
// is Windows-1252, which contains Latin-1.
//
// QUIRK: articles from before MIME have raw bytes in the character set of their author.
func Header(value, charset string) string {
	if strings.Contains(value, "=?") {
		d := mime.WordDecoder{CharsetReader: reader}
		if text, err := d.DecodeHeader(value); err == nil {
			value = text
		}
	}
	value = oneLine.Replace(value)
	if e := iso2022JP([]byte(value)); e != nil {
		return oneLine.Replace(decodeBy(e, value))
	}
	if utf8.ValidString(value) {
		return value
	}
	return decode(value, charset)
}

// oneLine keeps a value on its line. An encoded word can contain line ends, which would begin a
// field that nobody wrote.
var oneLine = strings.NewReplacer("\t", " ", "\r", " ", "\n", " ", "\x00", " ")

// decode reads text in a character set.
func decode(text, charset string) string { return decodeBy(orWindows1252(charset), text) }

func decodeBy(e encoding.Encoding, text string) string {
	out, err := e.NewDecoder().String(text)
	if err != nil {
		return text
	}
	return out
}

// reader implements mime.WordDecoder.CharsetReader.
func reader(charset string, in io.Reader) (io.Reader, error) {
	return transform.NewReader(in, orWindows1252(charset).NewDecoder()), nil
}

// maxDate bounds the length of a date.
const maxDate = 200

// zones are the names of time zones of RFC 5322 4.3, in hours from UTC. Package net/mail takes each
// for UTC.
var zones = map[string]int{"UT": 0, "UTC": 0, "GMT": 0, "Z": 0, "EST": -5, "EDT": -4, "CST": -6, "CDT": -5, "MST": -7, "MDT": -6, "PST": -8, "PDT": -7}

// Date parses a date (RFC 5322 3.3, 4.3). It returns the zero time if it is not a date. The time of
// a zone that is not known is taken for UTC, and is precise to the minute at most.
func Date(value string) (time.Time, time.Duration) {
	if len(value) > maxDate {
		return time.Time{}, 0
	}
	t, err := mail.ParseDate(value)
	if err != nil {
		return time.Time{}, 0
	}
	name, offset := t.Zone()
	hours, ok := zones[name]
	switch {
	case offset != 0 || name == "":
		return t.UTC(), 0
	case !ok:
		return t.UTC(), time.Minute
	}
	return t.UTC().Add(-time.Duration(hours) * time.Hour), 0
}
