package main

import (
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"locator/internal/manual"
)

// A verb that accesses nothing has no other shared flags than those about messages, and the tables name only flags that exist.
//
// Covers: A15
func TestSharedFlags(t *testing.T) {
	t.Parallel()
	a := &app{}
	root := a.root()
	version, _, _ := root.Find([]string{"version"})
	var used []string
	a.flags.All.VisitAll(func(f *pflag.Flag) {
		if version.Flags().Lookup(f.Name) == f {
			used = append(used, f.Name)
		}
	})
	if got := strings.Join(used, " "); got != "json quiet verbose config" {
		t.Errorf("version uses %s", got)
	}
	for other, name := range manual.OtherNames {
		found := false
		for _, c := range root.Commands() {
			found = found || c.Flags().Lookup(name) != nil
		}
		if !found {
			t.Errorf("%s: there is no flag --%s", other, name)
		}
	}
	a.flags.All.VisitAll(func(f *pflag.Flag) {
		found := 0
		for _, c := range root.Commands() {
			if c.Flags().Lookup(f.Name) == f {
				found++
			}
		}
		if found == 0 {
			t.Errorf("no verb uses --%s", f.Name)
		}
	})
	for _, c := range manual.Pages(root)[1:] {
		if !strings.Contains(manual.VerbOrder, " "+c.Name()+" ") {
			t.Errorf("manual.VerbOrder lacks %s", c.Name())
		}
	}
}
