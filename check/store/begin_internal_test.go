//go:build !386 && !arm && !mips && !mipsle

package store

import (
	"context"
	"errors"
	"testing"
)

// unclear is a database that loses the end of each second transaction.
type unclear struct {
	database
	n int
}

var errLost = errors.New("the connection was lost")

func (u *unclear) update(ctx context.Context, do func(querier) error) error {
	u.n++
	if err := u.database.update(ctx, do); err != nil || u.n%2 == 0 {
		return err
	}
	return errLost
}

func (u *unclear) transient(err error) bool { return errors.Is(err, errLost) }

// A run is begun once, although the store is not told that.
func TestBeginUnclear(t *testing.T) {
	t.Parallel()
	s, err := Open(t.Context(), Options{Folder: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	s.(*store).db = &unclear{database: s.(*store).db}
	r, err := s.Begin(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	info, err := r.Info(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if runs, err := s.Runs(t.Context()); err != nil || len(runs) != 1 || runs[0].ID != info.ID {
		t.Errorf("the runs are %+v, %v; want one", runs, err)
	}
}
