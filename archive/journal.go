package archive

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"

	"locator/internal/atomicfile"
	"locator/internal/diskfile"
	"locator/scheme"
	"locator/scheme/message"
)

// A Journal is a file that remembers which messages were read, so that a later run reads only the
// others: by their numbers in numbered lists, and the rest by URL. It also has a short hash of each
// Message-ID. A line is added for each message, and the file is written anew when they take more
// room than what they say. It is locked while it is open.
type Journal struct {
	f    atomicfile.Place
	h    *os.File
	wait []byte // lines to write
	size int64  // of the file
	base int64  // its size when it was written anew
	seen
}

// begun says where a message begins in the file that the journal belongs to, and with which bytes.
type begun struct {
	At   int64  `json:"at"`
	Head []byte `json:"head"` // at most maxHead bytes of a message
}

// journalLine is a line of the file.
type journalLine struct {
	List  string `json:"list,omitempty"` // the numbers from First to Last of the list were read
	First int64  `json:"first,omitempty"`
	Last  int64  `json:"last,omitempty"`
	ID    string `json:"id,omitempty"`   // of Last
	Gaps  []span `json:"gaps,omitempty"` // the numbers among them that had no message

	URL        string `json:"url,omitempty"`        // was read
	Renumbered string `json:"renumbered,omitempty"` // what is above about this list is void
	IDs        []byte `json:"ids,omitempty"`        // idKeys of messages, one after the other
	Scanned    int64  `json:"scanned,omitempty"`    // the Message-IDs in the first bytes of the archive are known; of a folder, in all of it
	Whole      bool   `json:"whole,omitempty"`      // ends the lines that were written at once
	Begun      *begun `json:"begun,omitempty"`
}

const (
	maxJournal     = 256 << 20 // bytes of a file
	maxJournalLine = 64 << 10
	maxHead        = 100      // bytes of a message in the record of its begin
	minGrown       = 32 << 10 // a file is written anew when so many bytes were added, and as many as it had
)

// OpenJournal opens the journal with that path, or makes it. The folder must exist. The caller must
// Close it. The error has code CodeLocal; it matches fs.ErrExist if another run has opened it.
func OpenJournal(name string) (*Journal, error) { return openJournal(name, false, nil) }

func openJournal(name string, sync bool, step atomicfile.Steps) (*Journal, error) {
	f, err := atomicfile.Open(name)
	if err != nil {
		return nil, err
	}
	f.Sync, f.Step = sync, step
	j := &Journal{f: f, seen: newSeen()}
	if err = j.open(); err == nil {
		if err = j.read(); err != nil {
			j.h.Close()
		}
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return j, nil
}

// open opens and locks the file.
func (j *Journal) open() error {
	for range atomicfile.MaxOpens {
		h, _, err := j.f.OpenRegular(j.f.Name, os.O_RDWR, true, atomicfile.PartMode)
		if err != nil {
			return err
		}
		if h == nil {
			continue
		}
		if err := atomicfile.Lock(h); err != nil {
			h.Close()
			return scheme.Fail(scheme.CodeLocal, "another run is writing to %s: %w", j.f.Shown(j.f.Name), fs.ErrExist)
		}
		if j.f.Named(h, j.f.Name) {
			j.h = h
			return nil
		}
		h.Close()
	}
	return scheme.Fail(scheme.CodeLocal, "another program keeps replacing %s", j.f.Shown(j.f.Name))
}

// read reads the lines. A last line that is incomplete is as if it had not been written.
func (j *Journal) read() error {
	if in, err := j.h.Stat(); err != nil || in.Size() > maxJournal {
		return scheme.Fail(scheme.CodeLocal, "%s has more than %d bytes; remove it", j.f.Shown(j.f.Name), maxJournal)
	}
	in := bufio.NewReaderSize(j.h, maxJournalLine)
	for n := 1; ; n++ {
		line, err := in.ReadSlice('\n')
		if err == io.EOF {
			return nil // the next line is written over it
		}
		var l journalLine
		if err == nil {
			err = json.Unmarshal(line, &l)
		}
		if err != nil {
			return scheme.Fail(scheme.CodeLocal, "line %d of %s is not one of a record of what was read; remove the file to read everything again", n, j.f.Shown(j.f.Name))
		}
		j.size += int64(len(line))
		if l.Whole {
			j.base = j.size
		}
		j.apply(l)
	}
}

// Have returns what was read of numbered lists, for [bulk.Options] and [scheme.ListOptions].
// It is valid until the next call of a method.
func (j *Journal) Have() []message.Have { return j.have(false) }

// HasURL reports whether the message at a URL was read. It knows those without a Position.
func (j *Journal) HasURL(url string) bool { return j.urls[url] }

// Renumbered forgets a list: see [bulk.Options].
func (j *Journal) Renumbered(list string) { j.add(journalLine{Renumbered: list}) }

// Add records that a message was read: its Message-ID, and its position or, if that is unknown, its
// URL. It is written with the next Flush, or when much is waiting.
func (j *Journal) Add(p message.Position, id, url string) error {
	l := journalLine{List: p.List, First: min(p.First, p.Number), Last: p.Number}
	if soundID(id) {
		l.ID = id
	}
	if p.List == "" {
		l.First, l.Last, l.URL = 0, 0, url
	} else if l.First < l.Last {
		l.Gaps = j.newGaps(p.List, l.First, l.Last-1)
	}
	more := l.Gaps[min(len(l.Gaps), gapsInLine):]
	l.Gaps = l.Gaps[:len(l.Gaps)-len(more)]
	j.add(l)
	for gaps := range slices.Chunk(more, gapsInLine) {
		j.add(journalLine{List: p.List, First: gaps[0].First, Last: gaps[0].Last, Gaps: gaps})
	}
	if len(j.wait) < maxJournalLine {
		return nil
	}
	return j.Flush()
}

// add applies a line, and writes it with the next flush.
func (j *Journal) add(l journalLine) {
	j.apply(l)
	text, _ := json.Marshal(l) // strings and numbers only
	j.wait = append(append(j.wait, text...), '\n')
}

// begin records that a message begins at an offset with head.
func (j *Journal) begin(at int64, head []byte) error {
	j.add(journalLine{Begun: &begun{at, bytes.Clone(head[:min(len(head), maxHead)])}})
	return j.Flush()
}

// Flush writes what was recorded.
func (j *Journal) Flush() error { return j.flush(max(minGrown, j.base)) }

// flush writes what was recorded: the whole file, if more than most bytes were added to it.
func (j *Journal) flush(most int64) error {
	if len(j.wait) == 0 && j.size == j.base {
		return nil
	}
	if j.size-j.base+int64(len(j.wait)) > most && j.compact() == nil {
		return nil
	}
	if len(j.wait) == 0 {
		return nil
	}
	j.f.Step.Before("write", j.f.Name)
	if _, err := j.h.WriteAt(j.wait, j.size); err != nil { // the next flush writes at the same place
		return j.f.Local(err)
	}
	j.size += int64(len(j.wait))
	j.wait = j.wait[:0]
	if j.f.Sync {
		return j.f.Local(j.f.Step.Sync(j.h, j.f.Name))
	}
	return nil
}

// compact writes the file anew. The journal stays locked.
func (j *Journal) compact() error {
	p, err := j.f.OpenPart(true, atomicfile.PartMode)
	if err != nil {
		return err
	}
	p.Keep = true
	if err = p.Truncate(0); err == nil {
		out := bufio.NewWriter(p.File)
		for l := range j.lines() {
			text, _ := json.Marshal(l)
			out.Write(append(text, '\n'))
		}
		err = out.Flush()
	}
	if err == nil {
		err = p.Commit(j.f)
	}
	if err != nil && !j.f.Named(p.File, j.f.Name) {
		p.Close()
		j.f.Root.Remove(j.f.PartName())
		return j.f.Local(err)
	}
	diskfile.Unlock(j.h)
	j.h.Close()
	if j.h = p.File; !j.f.Named(j.h, j.f.Name) { // it was closed to be renamed
		if err := j.open(); err != nil {
			return err
		}
	}
	in, failed := j.h.Stat()
	if failed != nil {
		return j.f.Local(failed)
	}
	j.size, j.base = in.Size(), in.Size()
	if err == nil {
		j.wait = nil
	}
	return j.f.Local(err)
}

// Close writes what was recorded, and closes the file.
func (j *Journal) Close() error {
	err := j.flush(j.base / 4)
	diskfile.Unlock(j.h)
	return errors.Join(err, j.f.Local(j.h.Close()), j.f.Close())
}

// owns reports whether a tail of the file begins with the message that was begun, or with a part of
// it. Another program may have written the tail.
func (b *begun) owns(tail []byte) bool {
	return bytes.HasPrefix(tail, b.Head) || bytes.HasPrefix(b.Head, tail)
}
