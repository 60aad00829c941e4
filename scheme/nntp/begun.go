package nntp

import (
	"errors"
	"io"
	"iter"
	"sync"
)

// begun is a sequence of rows or articles of which the first has been requested.
type begun[T any] struct {
	first T
	next  func() (T, error, bool)
	stop  func()
	used  sync.Once
}

// begin requests the first one. If the server refuses that, or asks for a login, that is an error
// before the sequence begins: the dialogue can be repeated after the login.
func begin[T any](seq iter.Seq2[T, error]) (*begun[T], error) {
	b := &begun[T]{}
	b.next, b.stop = iter.Pull2(seq)
	var err error
	var ok bool
	if b.first, err, ok = b.next(); err != nil || !ok {
		b.Close()
	}
	return b, err
}

// all yields the sequence, once.
func (b *begun[T]) all() iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		b.used.Do(func() {
			defer b.stop()
			for r, err, ok := b.first, error(nil), true; ok && yield(r, err); {
				r, err, ok = b.next()
			}
		})
	}
}

// Close ends the sequence unless all is running, which ends it.
func (b *begun[T]) Close() error {
	b.used.Do(b.stop)
	return nil
}

// closers closes two things, in order.
type closers struct{ first, second io.Closer }

// Close implements io.Closer.
func (c closers) Close() error {
	return errors.Join(c.first.Close(), c.second.Close())
}
