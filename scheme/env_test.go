package scheme_test

import (
	"testing"

	"locator/scheme"
)

// A setting is found by its type alone. The last one of a type is used.
func TestSetting(t *testing.T) {
	t.Parallel()
	type own struct{ name string }
	type other struct{ name string }
	env := &scheme.Env{Settings: []any{own{"first"}, nil, other{"b"}, own{"last"}, &own{"pointer"}, "text"}}
	if got := scheme.Setting[own](env).name + scheme.Setting[other](env).name; got != "lastb" {
		t.Errorf("%q", got)
	}
	if got := scheme.Setting[own](&scheme.Env{}); got != (own{}) {
		t.Errorf("without a setting: %v", got)
	}
}
