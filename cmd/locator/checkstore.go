package main

import (
	"context"

	"github.com/spf13/pflag"

	"locator/check"
	"locator/check/store"
	"locator/scheme"
)

// checkPlace holds the flags that say where runs are kept.
type checkPlace struct{ run, store string }

func (o *checkPlace) register(f *pflag.FlagSet) {
	f.StringVar(&o.run, "run", "", "keep the run and the history in this folder; with --store, their name")
	f.StringVar(&o.store, "store", "", "keep them in this Postgres database, postgres://..., on which several machines can work")
}

func (o *checkPlace) empty() bool { return o.run == "" && o.store == "" }

// open opens the store of the runs; one in memory if no place is given.
func (o *checkPlace) open(ctx context.Context, readOnly bool) (check.Store, error) {
	switch {
	case o.empty():
		return check.NewMemory(nil), nil
	case o.store == "":
		return store.Open(ctx, store.Options{Folder: o.run, ReadOnly: readOnly})
	case o.run == "":
		return nil, scheme.Fail(scheme.CodeUsage, "--store needs the name of the runs, --run NAME")
	}
	return store.Open(ctx, store.Options{URL: o.store, Name: o.run, ReadOnly: readOnly})
}

// buckets returns how many parts of a run a worker takes at once: all of them, or fewer if there
// are others that can take the rest.
func (o *checkPlace) buckets(parallel int) int {
	if o.store == "" {
		return 0
	}
	return max(4, parallel/4)
}
