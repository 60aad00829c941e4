package store

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"time"

	"locator/check"
	"locator/scheme"
)

// A querier executes statements, alone or in a transaction. Parameters are ?1, ?2 and so on.
type querier interface {
	exec(ctx context.Context, statement string, args ...any) (rows int64, err error)
	// later executes a statement before the next one that is not for later, or at the end of the
	// transaction, so that Postgres gets several at once.
	later(ctx context.Context, statement string, args ...any) error
	query(ctx context.Context, row func(scan func(...any) error) error, statement string, args ...any) error
	raw() any // the driver's transaction
}

// A database is SQLite or Postgres.
type database interface {
	// update calls do in a transaction, and commits it if do returns nil.
	update(ctx context.Context, do func(querier) error) error
	view() querier            // for reading outside of a transaction
	transient(err error) bool // whether another attempt may work
	serial() string           // the type of a primary key that numbers itself
	lock() string             // the end of a SELECT that locks its rows
	close() error
	queue
}

const (
	retryTime = 40 * time.Second // how long a transaction is tried, which is longer than a database takes to restart
	retryWait = 500 * time.Millisecond
)

// update calls do in a transaction, again if the database was restarted meanwhile. do must not
// change anything else, since its transaction may fail, or succeed without the store being told.
func (s *store) update(ctx context.Context, do func(querier) error) error {
	return s.retry(ctx, func() error { return s.db.update(ctx, do) })
}

// query is querier.query outside of a transaction. reset is called before each attempt.
func (s *store) query(ctx context.Context, reset func(), row func(scan func(...any) error) error, statement string, args ...any) error {
	return s.retry(ctx, func() error {
		reset()
		return s.db.view().query(ctx, row, statement, args...)
	})
}

func (s *store) retry(ctx context.Context, attempt func() error) error {
	end := time.Now().Add(retryTime)
	for wait := 20 * time.Millisecond; ; wait = min(2*wait, retryWait) {
		err := attempt()
		if err == nil || ctx.Err() != nil || !s.db.transient(err) || time.Now().After(end) {
			return wrap(ctx, err)
		}
		timer := time.NewTimer(wait)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return wrap(ctx, err)
		}
	}
}

// wrap returns the error of a method of the store. One of the database has the code CodeLocal.
func wrap(ctx context.Context, err error) error {
	if _, ok := errors.AsType[*scheme.Error](err); ok || err == nil || errors.Is(err, check.ErrLate) || errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return scheme.Fail(scheme.CodeLocal, "the store of runs: %w", err)
}

// chunks calls do with 64 rows, 8 or one at a time. There are few sizes, so that few statements are
// prepared.
func chunks[T any](rows []T, do func([]T) error) error {
	for len(rows) > 0 {
		n := 1
		for _, size := range []int{64, 8} {
			if len(rows) >= size {
				n = size
				break
			}
		}
		if err := do(rows[:n]); err != nil {
			return err
		}
		rows = rows[n:]
	}
	return nil
}

// lookups is chunks for rows that are looked up, where one may stand twice.
func lookups[T any](rows []T, do func([]T) error) error {
	rows = slices.Clone(rows)
	for len(rows)%8 != 0 && len(rows) > 1 || len(rows) > 32 && len(rows)%64 != 0 {
		rows = append(rows, rows[len(rows)-1])
	}
	return chunks(rows, do)
}

// values returns the rows of VALUES with parameters, such as "(?1,?2),(?3,?4)". With cast they are
// numbers, which Postgres cannot guess where no column says it.
func values(rows, columns int, cast bool) string {
	var b strings.Builder
	for p := range rows * columns {
		switch {
		case p == 0:
			b.WriteByte('(')
		case p%columns == 0:
			b.WriteString("),(")
		default:
			b.WriteByte(',')
		}
		if cast {
			b.WriteString("CAST(?" + strconv.Itoa(p+1) + " AS BIGINT)")
		} else {
			b.WriteString("?" + strconv.Itoa(p+1))
		}
	}
	b.WriteByte(')')
	return b.String()
}

// in returns "(?1,?2)" for n parameters.
func in(n int) string { return values(1, n, false) }

// millis returns a time as the tables have it, rounded up.
func millis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.Add(time.Millisecond - 1).UnixMilli()
}

// moment is the reverse of millis.
func moment(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms)
}
