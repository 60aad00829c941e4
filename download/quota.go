package download

import (
	"errors"
	"fmt"
	"io"
	"sync"

	"locator/scheme"
)

// ErrQuota is matched by the error of a download that a [Quota] refuses. The error has the code CodeBroken.
var ErrQuota = errors.New("more than the limit")

// Quota limits the bytes that are stored by a download, or by all downloads that share it. Bytes that are stored again, after a
// failure, count once. What names the files of a mirror, in the index and in folders, has a limit of its own, which is 32 MiB more.
// A nil Quota is no limit. It is safe for concurrent use.
type Quota struct {
	limit   int64
	mu      sync.Mutex
	left    int64
	names   int64 // bytes that are left for names
	refused bool
}

// namesFree is the limit of the bytes for names of a mirror whose files have none. nameCost are those of a file beside its names.
const (
	namesFree = 32 << 20
	nameCost  = 256
)

// NewQuota returns a Quota of limit bytes.
func NewQuota(limit int64) *Quota { return &Quota{limit: limit, left: limit, names: limit + namesFree} }

// take takes n bytes from the quota, or what is left, and returns how many it took. A negative n gives bytes back.
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

// name counts a file of a mirror that is new and whose names have n bytes: a server may have empty files without end.
func (q *Quota) name(n int) error {
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

// exhausted reports whether the quota has refused a byte.
func (q *Quota) exhausted() bool {
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

// charge counts the first have bytes of the part, and no others. size is that of the whole resource.
func (x *fetch) charge(have int64, size scheme.Count) error {
	q := x.o.Quota
	if q == nil {
		return nil
	}
	q.take(min(have-x.charged, 0))
	x.charged = min(x.charged, have)
	if whole := max(size.Or(have), have); whole > x.charged {
		if err := q.fits(whole-x.charged, whole); err != nil {
			return err
		}
	}
	x.charged += q.take(have - x.charged)
	return nil
}

// counting returns a reader of r whose bytes count.
func (x *fetch) counting(r io.Reader) io.Reader {
	if x.o.Quota == nil {
		return r
	}
	return &countingReader{x.o.Quota, r, &x.charged}
}

// Reader returns a reader of r whose bytes count, for what is stored beside a download, such as an attachment. It returns an error that
// matches ErrQuota instead of a byte that the quota refuses.
func (q *Quota) Reader(r io.Reader) io.Reader {
	if q == nil {
		return r
	}
	return &countingReader{q, r, new(int64)}
}

// countingReader takes the bytes that it reads from a quota. It returns no byte that the quota refuses.
type countingReader struct {
	quota *Quota
	r     io.Reader
	taken *int64
}

// Read implements io.Reader.
func (c *countingReader) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	took := c.quota.take(int64(n))
	*c.taken += took
	if took < int64(n) {
		return int(took), final("the server sent %w of %d bytes", ErrQuota, c.quota.limit)
	}
	return n, err
}
