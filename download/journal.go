package download

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"unicode/utf8"

	"locator/internal/diskfile"
	"locator/scheme"
)

// A Journal is a file that remembers which messages were read, so that a later run reads only the others: by their numbers in
// numbered lists, and the rest by URL. A line is added for each message. It is locked while it is open.
type Journal struct {
	f     File
	h     *os.File
	lists map[string]*scheme.Have
	urls  map[string]bool
	begun *begun // the last message was begun and is not known to be complete; nil is none
	lines int    // in the file
	wait  []byte // lines to write
}

// begun says where a message begins in the file that the journal belongs to, and with which bytes.
type begun struct {
	At   int64  `json:"at"`
	Head []byte `json:"head"` // at most maxHead bytes of a message
}

// journalLine is a line of the file: one of its fields is set.
type journalLine struct {
	List  string `json:"list,omitempty"` // the numbers from First to Last of the list were read
	First int64  `json:"first,omitempty"`
	Last  int64  `json:"last,omitempty"`
	ID    string `json:"id,omitempty"` // of Last

	URL        string `json:"url,omitempty"`        // was read
	Renumbered string `json:"renumbered,omitempty"` // what is above about this list is void
	Begun      *begun `json:"begun,omitempty"`
}

const (
	maxJournal     = 256 << 20 // bytes of a file
	maxJournalLine = 64 << 10
	maxLines       = 20_000 // above that, the file is written anew
)

// OpenJournal opens the journal with that path, or makes it. The folder must exist. The caller must Close it. The error has code
// CodeLocal; it matches fs.ErrExist if another run has opened it.
func OpenJournal(name string) (*Journal, error) {
	f, err := OpenFile(name)
	if err != nil {
		return nil, err
	}
	j, err := f.openJournal()
	if err != nil {
		f.Close()
	}
	return j, err
}

// openJournal opens the journal in a file. The journal closes f.
func (f File) openJournal() (*Journal, error) {
	j := &Journal{f: f, lists: make(map[string]*scheme.Have), urls: make(map[string]bool)}
	if err := j.open(); err != nil {
		return nil, err
	}
	torn, err := j.read()
	if err == nil && (torn || j.lines > maxLines) {
		err = j.compact()
	}
	if err != nil {
		j.h.Close()
		return nil, err
	}
	return j, nil
}

// open opens and locks the file.
func (j *Journal) open() error {
	for range maxOpens {
		h, _, err := j.f.openRegular(j.f.Name, os.O_RDWR|os.O_APPEND, true, partMode)
		if err != nil {
			return err
		}
		if h == nil {
			continue
		}
		if err := lock(h); err != nil {
			h.Close()
			return scheme.Fail(scheme.CodeLocal, "another run is writing to %s: %w", j.f.shown(j.f.Name), fs.ErrExist)
		}
		if j.f.named(h, j.f.Name) {
			j.h = h
			return nil
		}
		h.Close()
	}
	return scheme.Fail(scheme.CodeLocal, "another program keeps replacing %s", j.f.shown(j.f.Name))
}

// read reads the lines. torn reports that the last one is incomplete: it is as if it had not been written.
func (j *Journal) read() (torn bool, err error) {
	if in, err := j.h.Stat(); err != nil || in.Size() > maxJournal {
		return false, scheme.Fail(scheme.CodeLocal, "%s has more than %d bytes; remove it", j.f.shown(j.f.Name), maxJournal)
	}
	in := bufio.NewReaderSize(j.h, maxJournalLine)
	for {
		line, err := in.ReadSlice('\n')
		if err == io.EOF {
			return len(line) > 0, nil
		}
		var l journalLine
		if err == nil {
			err = json.Unmarshal(line, &l)
		}
		if err != nil {
			return false, scheme.Fail(scheme.CodeLocal, "line %d of %s is not one of a record of what was read; remove the file to read everything again", j.lines+1, j.f.shown(j.f.Name))
		}
		j.lines++
		j.apply(l)
	}
}

// apply changes the state by a line.
func (j *Journal) apply(l journalLine) {
	if j.begun = l.Begun; l.Begun != nil {
		return
	}
	switch {
	case l.Renumbered != "":
		delete(j.lists, l.Renumbered)
	case l.URL != "":
		j.urls[l.URL] = true
	case l.List != "" && l.First <= l.Last && l.Last > 0:
		h := j.lists[l.List]
		if h == nil {
			h = &scheme.Have{List: l.List}
			j.lists[l.List] = h
		}
		if n := len(h.Spans); n == 0 || l.Last >= h.Spans[n-1].Last {
			h.ID = l.ID
		}
		h.Spans = join(h.Spans, scheme.Span{First: l.First, Last: l.Last})
	}
}

// join adds a span to sorted spans.
func join(spans []scheme.Span, x scheme.Span) []scheme.Span {
	i, _ := slices.BinarySearchFunc(spans, x.First, func(s scheme.Span, first int64) int { // the first one that is not wholly before x
		if s.Last < first-1 {
			return -1
		}
		return 1
	})
	k := i
	for ; k < len(spans) && spans[k].First <= x.Last+1; k++ {
		x.First, x.Last = min(x.First, spans[k].First), max(x.Last, spans[k].Last)
	}
	return slices.Replace(spans, i, k, x)
}

// Have returns what was read of numbered lists, for [scheme.BulkOptions] and [scheme.ListOptions]. It is valid until the next call of a
// method.
func (j *Journal) Have() []scheme.Have {
	var have []scheme.Have
	for _, list := range slices.Sorted(maps.Keys(j.lists)) {
		have = append(have, *j.lists[list])
	}
	return have
}

// HasURL reports whether the message at a URL was read. It knows those without a Position.
func (j *Journal) HasURL(url string) bool { return j.urls[url] }

// Renumbered forgets a list, as [scheme.BulkOptions] tells.
func (j *Journal) Renumbered(list string) { j.add(journalLine{Renumbered: list}) }

// Add records that a message was read: under its position or, if that is unknown, its URL. It is written with the next Flush, or when
// much is waiting.
func (j *Journal) Add(p scheme.Position, id, url string) error {
	if p.List == "" {
		j.add(journalLine{URL: url})
	} else {
		j.add(journalLine{List: p.List, First: min(p.First, p.Number), Last: p.Number, ID: cutID(id)})
	}
	if len(j.wait) < maxJournalLine {
		return nil
	}
	return j.Flush()
}

// maxID bounds the message-ids in lines, in bytes.
const maxID = 1000

// cutID returns a message-id, "" for one that a line cannot hold.
func cutID(id string) string {
	if len(id) > maxID || !utf8.ValidString(id) {
		return ""
	}
	return id
}

// add applies a line, and writes it with the next flush.
func (j *Journal) add(l journalLine) {
	j.apply(l)
	text, _ := json.Marshal(l) // strings and numbers only
	j.wait = append(append(j.wait, text...), '\n')
	j.lines++
}

// begin records that a message begins at an offset with head.
func (j *Journal) begin(at int64, head []byte) error {
	j.add(journalLine{Begun: &begun{at, bytes.Clone(head[:min(len(head), maxHead)])}})
	return j.Flush()
}

// maxHead is how many bytes of a message its record has.
const maxHead = 200

// Flush writes what was recorded.
func (j *Journal) Flush() error {
	if len(j.wait) == 0 {
		return nil
	}
	if j.lines > maxLines {
		return j.compact()
	}
	if _, err := j.h.Write(j.wait); err != nil {
		return j.f.local(err)
	}
	j.wait = j.wait[:0]
	if j.f.Sync {
		return j.f.local(j.h.Sync())
	}
	return nil
}

// compact writes the file anew, with one line for each span.
func (j *Journal) compact() error {
	begun := j.begun
	j.lines, j.wait = 0, nil
	_, err := Write(j.f, partMode, func(w io.Writer) (int64, error) {
		out := bufio.NewWriter(w)
		put := func(l journalLine) {
			text, _ := json.Marshal(l)
			out.Write(append(text, '\n'))
			j.lines++
		}
		for _, h := range j.Have() {
			for i, s := range h.Spans {
				id := ""
				if i == len(h.Spans)-1 {
					id = h.ID
				}
				put(journalLine{List: h.List, First: s.First, Last: s.Last, ID: id})
			}
		}
		for _, u := range slices.Sorted(maps.Keys(j.urls)) {
			put(journalLine{URL: u})
		}
		if begun != nil {
			put(journalLine{Begun: begun})
		}
		return 0, out.Flush()
	})
	if err != nil {
		return j.f.local(err)
	}
	j.h.Close()
	return j.open()
}

// Close writes what was recorded, and closes the file.
func (j *Journal) Close() error {
	err := j.Flush()
	diskfile.Unlock(j.h)
	return errors.Join(err, j.f.local(j.h.Close()), j.f.Close())
}

// owns reports whether a tail of the file begins with the message that was begun, or with a part of it. Another program may have
// written the tail.
func (b *begun) owns(tail []byte) bool {
	return bytes.HasPrefix(tail, b.Head) || bytes.HasPrefix(b.Head, tail)
}
