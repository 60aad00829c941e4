package scheme

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"locator"
)

// Two types, so that the test can check that a panic names both.
type (
	firstScheme  struct{ name string }
	secondScheme struct{ name string }
)

func (s firstScheme) Syntax() *locator.Syntax { return &locator.Syntax{Name: s.name} }
func (firstScheme) Access(context.Context, *Env, Request, AccessOptions) (*Resource, error) {
	return nil, Fail(CodeUnsupported, "nothing to access")
}
func (s secondScheme) Syntax() *locator.Syntax { return &locator.Syntax{Name: s.name} }
func (secondScheme) Access(context.Context, *Env, Request, AccessOptions) (*Resource, error) {
	return nil, Fail(CodeUnsupported, "nothing to access")
}

// Covers: S20
func TestRegistry(t *testing.T) {
	t.Parallel()
	r := NewRegistry(firstScheme{"x-b"}, secondScheme{"x-a"}, firstScheme{"gopher"})
	if got, want := r.Names(), []string{"gopher", "x-a", "x-b"}; !slices.Equal(got, want) {
		t.Errorf("Names() = %q, want %q, sorted", got, want)
	}
	if s, ok := r.Lookup("x-a"); !ok || s != Scheme(secondScheme{"x-a"}) {
		t.Errorf("Lookup(x-a) = %v, %v", s, ok)
	}
	for _, name := range []string{"", "x-c", "GOPHER"} {
		if s, ok := r.Lookup(name); ok || s != nil {
			t.Errorf("Lookup(%q) = %v, %v; want none", name, s, ok)
		}
	}
	names := r.Names()
	names[0] = "changed"
	if r.Names()[0] != "gopher" {
		t.Error("a caller can change the registry through Names")
	}
	empty := NewRegistry()
	if _, ok := empty.Lookup("http"); ok || len(empty.Names()) != 0 {
		t.Error("an empty registry holds something")
	}
}

// Covers: S20
func TestRegistryPanics(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		schemes []Scheme
		want    []string // expected in the panic
	}{
		{"twice", []Scheme{firstScheme{"x-a"}, firstScheme{"x-b"}, secondScheme{"x-a"}},
			[]string{`"x-a"`, "firstScheme", "secondScheme"}},
		{"no name", []Scheme{secondScheme{""}}, []string{"secondScheme", "no name"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			defer func() {
				text := fmt.Sprint(recover())
				for _, want := range tt.want {
					if !strings.Contains(text, want) {
						t.Errorf("the panic says %q, which lacks %q", text, want)
					}
				}
			}()
			NewRegistry(tt.schemes...)
		})
	}
}
