package mailfmt

import (
	"errors"
	"io"
	"iter"
)

// Reader returns the message as it is sent. Several readers must not be used at the same time. The
// caller must Close it.
func (m *Message) Reader() io.ReadSeekCloser { return &reader{m: m} }

// reader reads what WriteTo writes. After a Seek it begins anew and skips what is before, so that
// nothing is held in memory.
type reader struct {
	m    *Message
	at   int64 // position of the next Read
	done int64 // position of the running pass
	next func() ([]byte, error, bool)
	stop func()
	rest []byte
	err  error // of the pass, after rest
}

// Read implements io.Reader.
func (r *reader) Read(p []byte) (int, error) {
	if r.m == nil {
		return 0, errClosed
	}
	if r.next == nil || r.done > r.at {
		r.begin()
	}
	for {
		if skip := r.at - r.done; skip > 0 {
			skip = min(skip, int64(len(r.rest)))
			r.rest, r.done = r.rest[skip:], r.done+skip
		}
		if len(r.rest) > 0 {
			n := copy(p, r.rest)
			r.rest, r.done = r.rest[n:], r.done+int64(n)
			r.at = r.done
			return n, nil
		}
		if r.err != nil {
			return 0, r.err
		}
		var ok bool
		if r.rest, r.err, ok = r.next(); !ok {
			r.err = io.EOF
		}
	}
}

// begin begins a pass over the message.
func (r *reader) begin() {
	if r.stop != nil {
		r.stop()
	}
	r.next, r.stop = iter.Pull2(func(yield func([]byte, error) bool) {
		if _, err := r.m.WriteTo(yielder(yield)); err != nil && !errors.Is(err, errClosed) {
			yield(nil, err)
		}
	})
	r.rest, r.err, r.done = nil, nil, 0
}

// Seek implements io.Seeker. Reading begins anew if offset is before the position.
func (r *reader) Seek(offset int64, whence int) (int64, error) {
	if r.m == nil {
		return 0, errClosed
	}
	switch whence {
	case io.SeekCurrent:
		offset += r.at
	case io.SeekEnd:
		size, err := r.m.Size()
		if err != nil {
			return 0, err
		}
		offset += size
	}
	if offset < 0 {
		return 0, errors.New("message: negative position")
	}
	r.at = offset
	return offset, nil
}

// Close ends the pass.
func (r *reader) Close() error {
	if r.stop != nil {
		r.stop()
	}
	r.m, r.rest = nil, nil
	return nil
}

var errClosed = errors.New("the reader of the message is closed")

// yielder yields what is written.
type yielder func([]byte, error) bool

// Write implements io.Writer.
func (y yielder) Write(p []byte) (int, error) {
	if !y(p, nil) {
		return 0, errClosed
	}
	return len(p), nil
}
