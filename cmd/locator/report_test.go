package main

import (
	"context"
	"errors"
	"io"
	"iter"
	"strings"
	"testing"

	"locator/check"
)

// failingRun is a run whose results cannot be read.
type failingRun struct{ check.Run }

func (failingRun) Results(context.Context) iter.Seq2[*check.Result, error] {
	return func(yield func(*check.Result, error) bool) { yield(nil, errors.New("the database is gone")) }
}

// An error of reading the results is not one of writing the output.
func TestReportOfUnreadable(t *testing.T) {
	t.Parallel()
	s := check.NewMemory(nil)
	run, err := s.Begin(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, json := range []bool{false, true} {
		o := reportOptions{failOn: "broken"}
		if err := o.check(json); err != nil {
			t.Fatal(err)
		}
		a := newApp(world{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard, Getenv: func(string) string { return "" }})
		if err := a.report(t.Context(), s, failingRun{run}, &o); err == nil || err.Error() != "the database is gone" {
			t.Errorf("json %t: %v", json, err)
		}
	}
}
