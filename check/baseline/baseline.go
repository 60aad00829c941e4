package baseline

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"locator/check"
	"locator/internal/jsontext"
)

// Bounds of a file.
const (
	maxLine    = 1 << 20
	maxEntries = 100_000
	maxBytes   = 64 << 20
)

// here begins the URL of a file below the folder of the baseline. It is doubled before a malformed
// URL that begins with it.
const here = "./"

// ErrTooLarge is the error for a baseline of more than 100,000 URLs or 64 MiB.
var ErrTooLarge = errors.New("the baseline is too large")

// An Entry is a URL that is known not to work.
type Entry struct {
	URL     string        `json:"url"` // without its password; in a file, "./" is the folder of the baseline
	Verdict check.Verdict `json:"verdict"`
	Why     check.Why     `json:"why"`
	Date    string        `json:"date"` // since when it is known, as 2006-01-02
	Note    string        `json:"note"` // of people; it is kept
}

// A Baseline is a set of entries. The nil Baseline is empty. It is safe for concurrent use.
type Baseline struct {
	entries map[string]Entry // by key
}

// key returns the URL as JSON can have it.
func key(url string) string { return string([]rune(url)) }

// Read reads a baseline. The error names the line that is malformed.
func Read(r io.Reader) (*Baseline, error) { return readFrom(r, "") }

// readFrom is Read; folder is the URL that "./" stands for, or "".
func readFrom(r io.Reader, folder string) (*Baseline, error) {
	b := &Baseline{entries: make(map[string]Entry)}
	limited := &io.LimitedReader{R: r, N: maxBytes + 1}
	lines := bufio.NewScanner(limited)
	lines.Buffer(nil, maxLine)
	n := 0
	for lines.Scan() {
		n++
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		e, err := parseEntry(lines.Bytes())
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		if rest, ok := strings.CutPrefix(e.URL, here); ok && folder != "" {
			if e.URL = rest; !strings.HasPrefix(rest, here) {
				e.URL = folder + rest
			}
		}
		if b.entries[key(e.URL)] = e; len(b.entries) > maxEntries {
			return nil, ErrTooLarge
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("line %d: %w", n+1, err)
	}
	if limited.N == 0 {
		return nil, ErrTooLarge
	}
	return b, nil
}

func parseEntry(line []byte) (e Entry, err error) {
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	if err := d.Decode(&e); err != nil {
		return Entry{}, fmt.Errorf("not an entry of a baseline: %w", err)
	}
	if _, err := d.Token(); err != io.EOF {
		return Entry{}, errors.New("more than one entry")
	}
	if e.URL == "" {
		return Entry{}, errors.New("no url")
	}
	if !slices.Contains(check.Verdicts(), e.Verdict) {
		return Entry{}, fmt.Errorf("%q is not a verdict", e.Verdict)
	}
	if e.Why != "" && !slices.Contains(check.Whys(), e.Why) {
		return Entry{}, fmt.Errorf("%q is not a reason", e.Why)
	}
	if _, err := time.Parse(time.DateOnly, e.Date); err != nil {
		return Entry{}, fmt.Errorf("%q is not a date such as 2006-01-02", e.Date)
	}
	return e, nil
}

// Write writes the baseline in the form that Read reads.
func (b *Baseline) Write(w io.Writer) error { return b.writeTo(w, "") }

// writeTo is Write; folder is the URL that is written as "./", or "".
func (b *Baseline) writeTo(w io.Writer, folder string) error {
	var line []byte
	total := 0
	for _, e := range b.Entries() {
		if rest, ok := strings.CutPrefix(e.URL, folder); folder != "" && (ok || strings.HasPrefix(e.URL, here)) {
			e.URL = here + rest
		}
		line = append(line[:0], '{')
		line = jsontext.AppendText(line, "url", e.URL)
		line = jsontext.AppendText(line, "verdict", string(e.Verdict))
		if e.Why != "" {
			line = jsontext.AppendText(line, "why", string(e.Why))
		}
		line = jsontext.AppendText(line, "date", e.Date)
		if e.Note != "" {
			line = jsontext.AppendText(line, "note", e.Note)
		}
		line = append(line, "}\n"...)
		if total += len(line); len(line) >= maxLine || total > maxBytes {
			return ErrTooLarge
		}
		if _, err := w.Write(line); err != nil {
			return err
		}
	}
	return nil
}

// Entries returns the entries, sorted by URL.
func (b *Baseline) Entries() []Entry {
	if b == nil {
		return nil
	}
	list := make([]Entry, 0, len(b.entries))
	for _, k := range slices.Sorted(maps.Keys(b.entries)) {
		list = append(list, b.entries[k])
	}
	return list
}

// Knows reports whether the baseline has the URL with that verdict. Broken and failing are the same
// to it: which of them a URL is depends on how often it was checked.
func (b *Baseline) Knows(r *check.Result) bool {
	if b == nil {
		return false
	}
	e, ok := b.entries[key(r.URL)]
	return ok && kind(e.Verdict) == kind(r.Verdict)
}

func kind(v check.Verdict) check.Verdict {
	if v == check.Failing {
		return check.Broken
	}
	return v
}
