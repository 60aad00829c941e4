package outbox

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"locator/internal/clock"
	"locator/internal/diskfile"
	"locator/internal/symlink"
	"locator/scheme"
	"locator/wire"
)

// Options are the options of an outbox. A zero field means its default.
type Options struct {
	Keep    time.Duration // how long a sent message is kept; default 7 days; negative: until it is dropped
	GiveUp  time.Duration // a message that cannot be sent for this long has failed; default 5 days (RFC 5321 4.5.4.1)
	MaxSize int64         // largest message in bytes; default 64 MiB
	// MaxEntries bounds how many messages there are; default 10,000.
	MaxEntries int
	Clock      scheme.Clock // nil means the system clock
}

// The defaults of Options.
const (
	DefaultKeep       = 7 * 24 * time.Hour
	DefaultGiveUp     = 5 * 24 * time.Hour
	DefaultMaxSize    = 64 << 20
	DefaultMaxEntries = 10_000
)

// Outbox is an open outbox. It is safe for concurrent use, also by several processes.
type Outbox struct {
	opt  Options
	root *os.Root
	dir  string

	// step is called before each call of the system that changes something. An error prevents it;
	// errDone counts as success. It is nil except in tests.
	step func(step) error
}

// step is a call of the system. Data is what is written.
type step struct {
	call, name string
	data       []byte
}

// errDone says that a test has made the call.
var errDone = errors.New("done")

// Open opens the outbox in a folder, which it makes if there is none. The caller must Close it. The
// error has code CodeLocal: the folder cannot be opened or made, it belongs to another user, others
// can write to it, or a link of another user leads to it.
func Open(dir string, o Options) (*Outbox, error) {
	if o.Keep == 0 {
		o.Keep = DefaultKeep
	}
	if o.GiveUp <= 0 {
		o.GiveUp = DefaultGiveUp
	}
	if o.MaxSize <= 0 {
		o.MaxSize = DefaultMaxSize
	}
	if o.MaxEntries <= 0 {
		o.MaxEntries = DefaultMaxEntries
	}
	if o.Clock == nil {
		o.Clock = clock.System{}
	}
	root, err := openFolder(dir)
	if err != nil {
		return nil, scheme.Fail(scheme.CodeLocal, "outbox: %w", err)
	}
	return &Outbox{opt: o, root: root, dir: dir}, nil
}

// openFolder opens the folder of an outbox.
func openFolder(dir string) (*os.Root, error) {
	real, err := symlink.Resolve(dir)
	if err != nil {
		return nil, err
	}
	if err := makeFolder(real); err != nil {
		return nil, err
	}
	return symlink.OpenPrivate(dir)
}

// makeFolder makes a folder and those above it, and writes their names to disk.
func makeFolder(dir string) error {
	if in, err := os.Stat(dir); err == nil && in.IsDir() {
		return nil
	}
	above := filepath.Dir(dir)
	if above != dir {
		if err := makeFolder(above); err != nil {
			return err
		}
	}
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	root, err := os.OpenRoot(above)
	if err != nil {
		return err
	}
	defer root.Close()
	return diskfile.SyncFolder(root, ".")
}

// Close closes the folder.
func (b *Outbox) Close() error { return b.root.Close() }

// Dir returns the folder as it was given to Open.
func (b *Outbox) Dir() string { return b.dir }

// now returns the time. Records have it in UTC and without the monotonic clock, which means nothing
// to another process.
func (b *Outbox) now() time.Time { return b.opt.Clock.Now().UTC().Round(0) }

// do makes a call of the system.
func (b *Outbox) do(call, name string, data []byte, f func() error) error {
	if b.step != nil {
		if err := b.step(step{call, name, data}); err == errDone {
			return nil
		} else if err != nil {
			return err
		}
	}
	return f()
}

// local returns an error of the system with the code CodeLocal, and adds the folder to the path in
// it.
func (b *Outbox) local(err error) error {
	if err == nil {
		return nil
	}
	var one *fs.PathError
	if errors.As(err, &one) && filepath.Base(one.Path) == one.Path {
		one.Path = filepath.Join(b.dir, one.Path)
	}
	return scheme.Fail(scheme.CodeLocal, "outbox: %w", err)
}

// Entries returns the messages, oldest first, and the files that are not messages. The error has
// code CodeLocal: the folder cannot be read.
func (b *Outbox) Entries() ([]Entry, []Problem, error) {
	names, problems, err := b.names()
	if err != nil {
		return nil, nil, err
	}
	var entries []Entry
	for _, id := range names {
		e, err := b.Entry(id)
		switch {
		case errors.Is(err, fs.ErrNotExist): // removed in the meantime
		case err != nil:
			problems = append(problems, Problem{id + suffix, err})
		default:
			entries = append(entries, e)
		}
	}
	slices.SortStableFunc(entries, func(x, y Entry) int { return x.Queued.Compare(y.Queued) })
	return entries, problems, nil
}

// names returns the IDs of all entries, and the files that are not named like an entry.
func (b *Outbox) names() (ids []string, problems []Problem, err error) {
	d, err := b.root.Open(".")
	if err != nil {
		return nil, nil, b.local(err)
	}
	defer d.Close()
	for {
		list, err := d.ReadDir(1000)
		for _, f := range list {
			id, ok := strings.CutSuffix(f.Name(), suffix)
			switch {
			case ok && validID(id):
				ids = append(ids, id)
			case !strings.HasPrefix(f.Name(), newPrefix) && len(problems) < b.opt.MaxEntries:
				problems = append(problems, Problem{f.Name(), errors.New("is not a message of an outbox")})
			}
		}
		switch {
		case len(ids) > 2*b.opt.MaxEntries:
			return nil, nil, scheme.Fail(scheme.CodeLocal, "outbox: more than %d messages are in %s", 2*b.opt.MaxEntries, wire.Escape(b.dir))
		case err == io.EOF:
			slices.Sort(ids)
			return ids, problems, nil
		case err != nil:
			return nil, nil, b.local(err)
		}
	}
}

// Entry returns a message. The error has code CodeNotFound, or CodeLocal if its file cannot be read
// or is damaged.
func (b *Outbox) Entry(id string) (Entry, error) {
	f, err := b.open(id, os.O_RDONLY)
	if err != nil {
		return Entry{}, err
	}
	defer f.h.Close()
	if err := f.read(); err != nil {
		return Entry{}, err
	}
	if !f.last.inFlight {
		return *f.entry, nil
	}
	switch err := diskfile.Lock(f.h, true); {
	case errors.Is(err, diskfile.ErrLocked):
		return *f.entry, nil // Sending
	case err != nil:
		return Entry{}, b.local(err)
	}
	defer diskfile.Unlock(f.h)
	if err := f.read(); err != nil { // the sender may have ended in between
		return Entry{}, err
	}
	f.settle()
	return *f.entry, nil
}

// Find returns the message whose ID begins with prefix. The error has code CodeNotFound, or
// CodeUsage if several IDs do.
func (b *Outbox) Find(prefix string) (Entry, error) {
	ids, _, err := b.names()
	if err != nil {
		return Entry{}, err
	}
	var found []string
	for _, id := range ids {
		if prefix != "" && strings.HasPrefix(id, prefix) {
			found = append(found, id)
		}
	}
	switch {
	case len(found) == 0:
		return Entry{}, notFound(prefix)
	case len(found) > 1:
		return Entry{}, scheme.Fail(scheme.CodeUsage, "%q is ambiguous: %s", prefix, strings.Join(found[:min(5, len(found))], ", "))
	}
	return b.Entry(found[0])
}

func notFound(id string) error {
	return scheme.Fail(scheme.CodeNotFound, "there is no message %q in the outbox", id)
}

// Content returns the message of an entry with its header, as it was added. The caller must Close
// the reader. The error has the code of Entry.
func (b *Outbox) Content(id string) (io.ReadCloser, error) {
	f, err := b.open(id, os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	if err := f.read(); err != nil {
		f.h.Close()
		return nil, err
	}
	return struct {
		io.Reader
		io.Closer
	}{f.content(), f.h}, nil
}
