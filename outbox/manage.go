package outbox

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"runtime"

	"locator/scheme"
)

// Drop removes a message, whatever its state. The error matches ErrBusy if another process is
// sending it, and has code CodeNotFound or CodeLocal otherwise.
func (b *Outbox) Drop(id string) error {
	f, err := b.lock(id)
	if err != nil {
		return err
	}
	defer f.unlock()
	return b.drop(f)
}

// drop removes the file of an entry, which is locked.
func (b *Outbox) drop(f *file) error {
	if runtime.GOOS == "windows" { // it cannot remove an open file
		f.h.Close()
	}
	if err := b.remove(f.name()); err != nil {
		return b.local(err)
	}
	return b.syncFolder()
}

// ErrNotTried says that a message was not sent because its server could not be reached for another
// one.
var ErrNotTried = errors.New("not tried")

// SendDue sends the messages that are due, oldest first, and calls done, if it is not nil, with the
// result of each, as of Send. After a message whose server cannot be reached, it does not try
// others with the same scheme, host and Server: their error matches ErrNotTried. Messages that
// another process is sending are left out. The error has code CodeLocal: the folder cannot be read.
func (b *Outbox) SendDue(ctx context.Context, c Client, o SendOptions, done func(Entry, error)) error {
	if done == nil {
		done = func(Entry, error) {}
	}
	entries, _, err := b.Entries()
	if err != nil {
		return err
	}
	down := make(map[string]error)
	for _, e := range entries {
		if ctx.Err() != nil {
			return nil
		}
		if !e.Due(b.now()) {
			continue
		}
		server := e.URL.Scheme() + "://" + e.URL.Host() + " " + e.Server.Text()
		if err := down[server]; err != nil {
			done(e, scheme.Fail(scheme.CodeUnreachable, "%w, since the server cannot be reached: %w", ErrNotTried, err))
			continue
		}
		id := e.ID
		listed := e
		e, tried, err := b.send(ctx, c, id, o)
		switch {
		case errors.Is(err, ErrBusy), e.ID == "" && errors.Is(err, fs.ErrNotExist):
			continue
		case !tried && e.ID != "": // another process has sent it in between
			continue
		case e.ID == "":
			e = listed
		}
		if code(err) == scheme.CodeUnreachable {
			down[server] = err
		}
		done(e, err)
	}
	return nil
}

// Prune removes the messages that were sent longer than Options.Keep ago. Add calls it. It returns
// the first error, and goes on after it.
func (b *Outbox) Prune() error {
	if b.opt.Keep < 0 {
		return nil
	}
	entries, _, err := b.Entries()
	if err != nil {
		return err
	}
	for i := range entries {
		e := &entries[i]
		if e.State != Sent || b.now().Sub(e.Changed) < b.opt.Keep {
			continue
		}
		f, failed := b.lock(e.ID)
		if failed == nil {
			if f.entry.State == Sent {
				failed = b.drop(f)
			}
			f.unlock()
		}
		if failed != nil && !errors.Is(failed, fs.ErrNotExist) && !errors.Is(failed, os.ErrPermission) && err == nil {
			err = failed
		}
	}
	return err
}
