package main

import (
	"testing"

	"github.com/spf13/pflag"

	"locator"
	"locator/check"
)

// The local files of a run in a shared store are judged only where it was begun.
func TestResumeElsewhere(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		settings string
		shared   bool
		skips    bool
	}{{`{"home":"other.example:/docs"}`, true, true}, {`{}`, true, true}, {`{"home":"` + check.Here() + `"}`, true, false}, {`{"home":"other.example:/docs"}`, false, false}} {
		run, err := check.NewMemory(nil).Begin(t.Context(), []byte(tt.settings))
		if err != nil {
			t.Fatal(err)
		}
		var o checkFlags
		flags := pflag.NewFlagSet("", pflag.ContinueOnError)
		o.register(flags)
		o.complete(flags, nil, locator.Current.Parse)
		if err := o.resume(t.Context(), run, tt.shared); err != nil || (o.Folders != nil) != tt.skips {
			t.Errorf("%+v: folders %q, error %v", tt, o.Folders, err)
		}
	}
}
