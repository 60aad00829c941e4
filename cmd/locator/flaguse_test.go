package main

import (
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

// Every shared flag is in accessFlags, unless it means something for a verb that accesses nothing; and the tables name
// only flags that exist.
//
// Covers: A15
func TestUnusedFlags(t *testing.T) {
	t.Parallel()
	root := (&app{}).root()
	var used []string
	root.PersistentFlags().VisitAll(func(f *pflag.Flag) {
		if !isUnused("version", f.Name) {
			used = append(used, f.Name)
		}
	})
	if got := strings.Join(used, " "); got != "json quiet verbose config" {
		t.Errorf("version uses %s", got)
	}
	for verb, names := range unusedFlags {
		if verbOf(root, verb) == nil {
			t.Errorf("there is no verb %s", verb)
		}
		for name := range strings.FieldsSeq(names) {
			if root.PersistentFlags().Lookup(name) == nil {
				t.Errorf("%s: there is no flag --%s", verb, name)
			}
		}
	}
	for other, name := range otherNames {
		found := root.PersistentFlags().Lookup(name) != nil
		for _, c := range root.Commands() {
			found = found || c.Flags().Lookup(name) != nil
		}
		if !found {
			t.Errorf("%s: there is no flag --%s", other, name)
		}
	}
	for _, c := range pages(root)[1:] {
		if !strings.Contains(verbOrder, " "+c.Name()+" ") {
			t.Errorf("verbOrder lacks %s", c.Name())
		}
	}
}
