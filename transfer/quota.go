package transfer

import (
	"errors"
	"fmt"
	"io"
	"sync"

	"locator/scheme"
)

// ErrQuota is matched by the error of a transfer that a [Quota] refuses. The error has the code
// CodeBroken.
var ErrQuota = errors.New("more than the limit")

// Quota limits the bytes that are stored by a transfer, or by all transfers that share it. Bytes
// that are stored again, after a failure, count once. What names the files of a mirror, in the
// index and in folders, has a limit of its own, which is 32 MiB more. A nil Quota has no limit. It
// is safe for concurrent use.
type Quota struct {
	limit   int64
	mu      sync.Mutex
	left    int64
	names   int64 // bytes that are left for names
	refused bool
}

// namesFree is the limit of the bytes for names of a mirror whose files have none. nameCost are
// those of a file beside its names.
const (
	namesFree = 32 << 20
	nameCost  = 256
)

// NewQuota returns a Quota of limit bytes.
func NewQuota(limit int64) *Quota { return &Quota{limit: limit, left: limit, names: limit + namesFree} }

// take takes n bytes from the quota, or what is left, and returns how many it took. A negative n
// returns bytes.
func (q *Quota) take(n int64) int64 {
	q.mu.Lock()
	defer q.mu.Unlock()
	if n > q.left {
		q.refused, n = true, q.left
	}
	q.left -= n
	return n
}

// fits returns an error if fewer than n bytes are left for a file of size bytes.
func (q *Quota) fits(n, size int64) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if n <= q.left {
		return nil
	}
	q.refused = true
	what := fmt.Sprintf("%d bytes", q.limit)
	if size <= q.limit {
		what += fmt.Sprintf(", of which %d are left", q.left)
	}
	return final("the file has %d bytes, %w of %s", size, ErrQuota, what)
}

// AddName counts a file of a mirror that is new and whose names have n bytes: a server may have
// empty files without end. It returns an error that matches ErrQuota if there are too many.
func (q *Quota) AddName(n int) error {
	if q == nil {
		return nil
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.names -= nameCost + int64(n); q.names >= 0 {
		return nil
	}
	q.refused = true
	return final("there are so many files that their names alone have %w of %d bytes", ErrQuota, q.limit+namesFree)
}

// Exhausted reports whether the quota has refused a byte.
func (q *Quota) Exhausted() bool {
	if q == nil {
		return false
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.refused
}

// final makes an error of the code CodeBroken that another attempt would not change.
func final(format string, args ...any) error {
	e := scheme.Fail(scheme.CodeBroken, format, args...)
	e.Final = true
	return e
}

// A Share is what one transfer has taken of a [Quota].
type Share struct {
	quota *Quota
	taken int64
}

// Share returns a share that has taken nothing. That of a nil Quota has no limit.
func (q *Quota) Share() *Share { return &Share{quota: q} }

// Charge makes the first have bytes of what is stored count, and no others. size is that of the
// whole resource. Charge returns an error that matches ErrQuota if the resource does not fit.
func (s *Share) Charge(have int64, size scheme.Count) error {
	q := s.quota
	if q == nil {
		return nil
	}
	q.take(min(have-s.taken, 0))
	s.taken = min(s.taken, have)
	if whole := max(size.Or(have), have); whole > s.taken {
		if err := q.fits(whole-s.taken, whole); err != nil {
			return err
		}
	}
	s.taken += q.take(have - s.taken)
	return nil
}

// Reader returns a reader of r whose bytes count. It returns an error that matches ErrQuota instead
// of a byte that the quota refuses.
func (s *Share) Reader(r io.Reader) io.Reader {
	if s.quota == nil {
		return r
	}
	return &countingReader{s, r}
}

// Reader returns a reader of r whose bytes count, for what is stored beside a transfer, such as an
// attachment.
func (q *Quota) Reader(r io.Reader) io.Reader { return q.Share().Reader(r) }

// countingReader is a Share.Reader.
type countingReader struct {
	share *Share
	r     io.Reader
}

// Read implements io.Reader.
func (c *countingReader) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	q := c.share.quota
	took := q.take(int64(n))
	c.share.taken += took
	if took < int64(n) {
		return int(took), final("the server sent %w of %d bytes", ErrQuota, q.limit)
	}
	return n, err
}
