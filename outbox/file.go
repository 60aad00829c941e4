package outbox

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"locator"
	"locator/internal/diskfile"
	"locator/internal/symlink"
	"locator/scheme"
	"locator/wire"
)

const (
	suffix    = ".mail"
	newPrefix = ".new-" // of a file that is not complete yet
	fileMode  = 0o600
	idLength  = 10
	// idLetters are lower-case letters and digits that are not taken for each other.
	idLetters = "abcdefghijkmnpqrstuvwxyz23456789"
)

// newID returns the name of the entry of a message. A message that is added twice has the same one,
// so that the second is refused; without a Message-ID it is random.
func newID(messageID string, u locator.URL) string {
	sum := sha256.Sum256([]byte(messageID + "\x00" + u.Canonical().Text()))
	id := make([]byte, idLength)
	for i := range id {
		id[i] = idLetters[int(sum[i])%len(idLetters)]
	}
	return string(id)
}

func validID(id string) bool { return len(id) == idLength && strings.Trim(id, idLetters) == "" }

// file is the open file of an entry.
type file struct {
	b     *Outbox
	h     *os.File
	id    string
	start int64 // of the message
	log   int64 // begin of the log
	sum   string
	entry *Entry
	last  last
}

func (f *file) name() string { return f.id + suffix }

// problem returns an error about the file.
func (f *file) problem(err error) error {
	return scheme.Fail(scheme.CodeLocal, "outbox: %s %w", wire.Escape(filepath.Join(f.b.dir, f.name())), err)
}

// open opens the file of an entry, which must be a regular file of ours with a single name. It
// follows no link.
func (b *Outbox) open(id string, flag int) (*file, error) {
	if !validID(id) {
		return nil, notFound(id)
	}
	f := &file{b: b, id: id}
	in, err := b.root.Lstat(f.name())
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, notFound(id)
	case err != nil:
		return nil, b.local(err)
	case !in.Mode().IsRegular():
		return nil, f.problem(errors.New("is not a regular file"))
	case diskfile.HasOtherName(in):
		return nil, f.problem(errors.New("has another hard link"))
	case !symlink.Owned(in):
		return nil, f.problem(errors.New("belongs to another user"))
	}
	f.h, err = b.root.OpenFile(f.name(), flag, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, notFound(id)
	}
	if err != nil {
		return nil, b.local(err)
	}
	if opened, err := f.h.Stat(); err != nil || !os.SameFile(in, opened) {
		f.h.Close()
		return nil, f.problem(errors.New("was replaced while it was being opened"))
	}
	return f, nil
}

// read reads everything but the message.
func (f *file) read() error {
	in, err := f.h.Stat()
	if err != nil {
		return f.b.local(err)
	}
	r := bufio.NewReaderSize(io.NewSectionReader(f.h, 0, in.Size()), 4096)
	first, err := readLine(r, 64)
	if err == nil {
		err = checkVersion(first)
	}
	if err != nil {
		return f.problem(err)
	}
	var h header
	line, err := readLine(r, maxLine)
	if err == nil {
		err = decode(line, &h)
	}
	if err == nil && h.ID != f.id {
		err = errDamaged
	}
	if err == nil {
		f.entry, err = h.entry()
	}
	if err != nil {
		return f.problem(err)
	}
	f.start = int64(len(first) + 1 + len(line) + 1)
	f.log, f.sum = f.start+h.Size+1, h.SHA256
	var end [1]byte
	if _, err := f.h.ReadAt(end[:], f.log-1); err != nil || end[0] != '\n' || in.Size()-f.log > maxLog {
		return f.problem(errDamaged)
	}
	log := make([]byte, in.Size()-f.log)
	if n, err := f.h.ReadAt(log, f.log); n < len(log) {
		return f.b.local(err)
	}
	if f.last, err = f.entry.replay(log); err != nil {
		return f.problem(err)
	}
	return nil
}

// readLine returns a line of at most limit bytes without its end.
func readLine(r *bufio.Reader, limit int) ([]byte, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		if line = append(line, part...); len(line) > limit {
			return nil, errDamaged
		}
		switch err {
		case nil:
			return line[:len(line)-1], nil
		case bufio.ErrBufferFull:
		default:
			return nil, errDamaged
		}
	}
}

// settle completes an entry whose sender has ended without a result. The caller holds a lock.
func (f *file) settle() {
	e := f.entry
	switch {
	case !f.last.inFlight:
		return
	case f.last.committed || f.last.torn: // the line that is incomplete may be damage to one that was complete
		e.State, e.Code, e.Error = InDoubt, scheme.CodeInDoubt, textDied
		for i := range e.Recipients {
			if r := &e.Recipients[i]; r.State == Queued {
				r.State = InDoubt
			}
		}
	default:
		e.State, e.Code, e.Error = Queued, scheme.CodeInterrupted, textInterrupted
	}
	e.add(Event{At: e.Changed, State: e.State, Text: e.Error})
}

// The texts for senders that ended without a result.
const (
	textDied        = "the program ended before the server's response"
	textInterrupted = "the program ended before the message was sent"
)

// content returns a reader of the message.
func (f *file) content() *io.SectionReader { return io.NewSectionReader(f.h, f.start, f.entry.Size) }

// verify compares the message with its checksum.
func (f *file) verify() error {
	sum := sha256.New()
	if _, err := io.Copy(sum, f.content()); err != nil {
		return f.b.local(err)
	}
	if hex.EncodeToString(sum.Sum(nil)) != f.sum {
		return f.problem(errDamaged)
	}
	return nil
}

// append writes a record to disk and applies it to the entry. If it fails, the file is as before,
// or ends in an incomplete line.
func (f *file) append(r *record) error {
	r.At = f.b.now()
	line, err := encode(r)
	if err != nil {
		return err
	}
	end := f.log + f.last.end
	if f.last.end+int64(len(line)) > maxLog {
		return f.problem(errors.New("has too many events; drop it and queue the message again"))
	}
	if f.last.torn {
		if err := f.b.do("truncate", f.name(), nil, func() error { return f.h.Truncate(end) }); err != nil {
			return f.b.local(err)
		}
		f.last.torn = false
	}
	err = f.b.do("write", f.name(), line, func() error {
		_, err := f.h.WriteAt(line, end)
		return err
	})
	if err == nil {
		err = f.b.do("sync", f.name(), nil, f.h.Sync)
	}
	if err != nil {
		// What was written in part, or may not be on disk, must not count later.
		if e := f.b.do("truncate", f.name(), nil, func() error { return f.h.Truncate(end) }); e != nil {
			f.last.torn = true
		}
		return f.b.local(err)
	}
	if err := f.entry.apply(r); err != nil {
		return f.problem(err)
	}
	f.last.end += int64(len(line))
	f.last.inFlight, f.last.committed = r.State == Sending.String() || r.State == committed, r.State == committed
	return nil
}

// lockTries and lockWait bound how long lock waits for those who only read.
const (
	lockTries = 10
	lockWait  = 5 * time.Millisecond
)

// ErrBusy says that another process is sending the message.
var ErrBusy = errors.New("another process is sending it")

// lock opens the file of an entry, locks it against other senders and reads it. The caller must
// call unlock.
func (b *Outbox) lock(id string) (*file, error) {
	f, err := b.open(id, os.O_RDWR)
	if err != nil {
		return nil, err
	}
	for n := range lockTries {
		if err = diskfile.Lock(f.h, false); !errors.Is(err, diskfile.ErrLocked) {
			break
		}
		if n == lockTries-1 {
			err = scheme.Fail(scheme.CodeLocal, "message %s: %w", id, ErrBusy)
			break
		}
		time.Sleep(lockWait)
	}
	var coded *scheme.Error
	switch {
	case errors.As(err, &coded):
	case err != nil:
		err = b.local(fmt.Errorf("the file system has no locks: %w", err))
	case !b.sameFile(f.h, f.name()):
		err = notFound(id)
	default:
		err = f.read()
	}
	if err != nil {
		f.unlock()
		return nil, err
	}
	f.settle()
	return f, nil
}

func (f *file) unlock() {
	diskfile.Unlock(f.h)
	f.h.Close()
}
