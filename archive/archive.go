package archive

import (
	"bufio"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"locator/internal/atomicfile"
	"locator/internal/symlink"
	"locator/scheme"
	"locator/scheme/message"
	"locator/wire"
)

// Format is a format for many messages.
type Format uint8

// The formats of archives.
const (
	// Mbox is an mbox file in the default format of RFC 4155, with ">" before lines that begin with
	// "From " after any number of ">" (mboxrd). Lines end with LF.
	Mbox Format = iota
	// Maildir is a folder with a file for each message. Lines end with LF.
	Maildir
	// JSONL is a file with a JSON object in each line, with every byte of the message.
	JSONL
)

// formats is the table of formats.
var formats = [...]struct {
	name   string
	encode func(w *bufio.Writer, res *scheme.Resource, in *bufio.Reader) error
	head   string                // which begins every file; "" for a folder
	after  func(tail []byte) int // where in a tail the second message begins, -1 if there is none
	ids    func(in *bufio.Reader, add func(id string)) error
}{
	Mbox:    {"mbox", encodeMbox, "From ", afterMbox, mboxIDs},
	Maildir: {"maildir", encodeLines, "", nil, nil},
	JSONL:   {"jsonl", encodeJSON, "{", afterJSON, jsonIDs},
}

// Formats returns the formats.
func Formats() []Format { return []Format{Mbox, Maildir, JSONL} }

// String returns the name of the format: mbox, maildir or jsonl.
func (f Format) String() string { return formats[f].name }

// IsFolder reports whether an archive of the format is a folder.
func (f Format) IsFolder() bool { return formats[f].head == "" }

// JournalSuffix is appended to the name of an archive for the journal beside it; that of a folder
// is JournalName in it.
const (
	JournalSuffix = ".state"
	JournalName   = "locator" + JournalSuffix
)

// Options are the options of an archive.
type Options struct {
	Mode fs.FileMode // permissions of new files; 0 means 0666 without the umask
	Sync bool        // write each message to disk (fsync) before it counts as stored
	Note func(text string)

	step atomicfile.Steps
}

// An Archive stores messages, each of them once: what was stored is recorded in a [Journal] beside
// it, after the message. A message whose Message-ID the archive has is not stored again, wherever
// it comes from; if the journal is lost, the Message-IDs are read from the archive. What a killed
// run has left of an incomplete message is removed by the next one. An Archive is not safe for
// concurrent use.
type Archive struct {
	format  Format
	o       Options
	journal *Journal // nil for a stream
	store   store
	in      *bufio.Reader
}

// store is where an archive puts messages. It stores all of one, or nothing.
type store interface {
	// add stores a message, which encode writes, and returns its size. The error of a message that
	// cannot be read is a sourceError. key identifies the message.
	add(key string, res *scheme.Resource, encode func(*bufio.Writer) error) (int64, error)
	Close() error
}

// Open opens the archive with that path, or makes it. New messages are appended. The caller must
// Close it. The error has code CodeUsage if something else has that name.
func Open(name string, format Format, o Options) (*Archive, error) {
	if o.Mode == 0 {
		o.Mode = 0o666
	}
	if o.Note == nil {
		o.Note = func(string) {}
	}
	a := &Archive{format: format, o: o}
	open := a.openFile
	if format.IsFolder() {
		open = a.openFolder
	}
	if err := open(name); err != nil {
		return nil, err
	}
	return a, nil
}

// New returns an archive that writes to w, which keeps no journal. A message of up to 1 MiB is
// written when it is complete. j leaves out what was read and records what is; it may be nil. The
// caller closes it.
func New(w io.Writer, format Format, j *Journal) *Archive {
	return &Archive{format: format, store: &stream{w: w}, journal: j, o: Options{Note: func(string) {}}}
}

// Close closes the archive.
func (a *Archive) Close() error {
	err := a.store.Close()
	if _, ok := a.store.(*stream); !ok {
		err = errors.Join(err, a.journal.Close())
	}
	return err
}

// have returns what the archive has. With late, it leaves out gaps in which a message may have
// come.
func (a *Archive) have(late bool) []message.Have {
	if a.journal == nil {
		return nil
	}
	return a.journal.have(late)
}

// sourceError is the error of reading a message: nothing of it is stored, and the archive is good.
type sourceError struct{ error }

func (e sourceError) Unwrap() error { return e.error }

// errTooLong says that a message is longer than allowed.
var errTooLong = errors.New("the message is too long")

// boundedReader fails after max bytes, unless that is 0. It marks its errors as those of the
// source.
type boundedReader struct {
	r    io.Reader
	left int64
	on   bool
}

func (b *boundedReader) Read(p []byte) (int, error) {
	n, err := b.r.Read(p)
	if b.left -= int64(n); b.on && b.left < 0 {
		return 0, sourceError{errTooLong}
	}
	if err != nil && err != io.EOF {
		err = sourceError{err}
	}
	return n, err
}

// errKnown says that the archive has a message.
var errKnown = errors.New("the archive has the message")

// add stores a message with at most max bytes unless that is 0, and records it. url identifies it
// if it has no position. If the archive has the message, it reads it to its end, records it, and
// returns errKnown.
func (a *Archive) add(res *scheme.Resource, url string, max int64) (n int64, err error) {
	id := idOf(res.Attr)
	known := a.journal != nil && a.journal.hasID(id)
	body := &boundedReader{res.Body, max, max > 0 && !known}
	if a.in == nil {
		a.in = bufio.NewReaderSize(nil, 32<<10)
	}
	a.in.Reset(body)
	if _, err := a.in.Peek(1); err != nil && err != io.EOF { // nothing is to be undone
		return 0, err
	}
	key := id
	if p := res.Position; id == "" {
		key = url + " " + p.List + " " + strconv.FormatInt(p.Number, 10)
	}
	if known {
		_, err = io.Copy(io.Discard, a.in)
	} else {
		n, err = a.store.add(key, res, func(w *bufio.Writer) error { return formats[a.format].encode(w, res, a.in) })
	}
	if err == nil && a.journal != nil {
		err = a.journal.Add(res.Position, id, url)
	}
	if err == nil && known {
		err = errKnown
	}
	return n, err
}

// flush records what was stored.
func (a *Archive) flush() error {
	if a.journal == nil {
		return nil
	}
	return a.journal.Flush()
}

// openFile opens an archive that is a file.
func (a *Archive) openFile(name string) error {
	f, err := atomicfile.Open(name)
	if err != nil {
		return err
	}
	f.Sync, f.Step = a.o.Sync, a.o.step
	j, err := openJournal(name+JournalSuffix, a.o.Sync, a.o.step)
	if err != nil {
		f.Close()
		return err
	}
	s := &fileStore{f: f, j: j, sync: a.o.Sync}
	if err := s.open(a); err != nil {
		f.Close()
		j.Close()
		return err
	}
	a.store, a.journal = s, j
	return nil
}

// openFolder opens a Maildir.
func (a *Archive) openFolder(name string) error {
	real, err := symlink.Resolve(name)
	if err == nil {
		err = os.MkdirAll(real, 0o777)
	}
	if err != nil {
		return scheme.Fail(scheme.CodeLocal, "%w", err)
	}
	root, err := symlink.OpenRoot(real)
	if err != nil {
		return scheme.Fail(scheme.CodeLocal, "%w", err)
	}
	s := &maildir{root: root, dir: name, mode: a.o.Mode, sync: a.o.Sync, step: a.o.step}
	if err := s.open(); err != nil {
		root.Close()
		return err
	}
	j, err := openJournal(filepath.Join(real, JournalName), a.o.Sync, a.o.step)
	if err != nil {
		root.Close()
		return err
	}
	s.j = j
	fresh, known := j.isEmpty(), len(j.ids)
	if err = s.recover(); err == nil && j.scanned == 0 {
		if err = s.learn(); err == nil {
			err = a.learned(j, fresh, known, 1)
		}
	}
	if err != nil {
		j.Close()
		root.Close()
		return err
	}
	a.store, a.journal = s, j
	return nil
}

// shownPath returns a path for messages.
func shownPath(parts ...string) string { return wire.Escape(filepath.Join(parts...)) }
