package scheme

import (
	"fmt"
	"maps"
	"slices"
)

// Registry is an immutable set of schemes by name. It is safe for concurrent use.
type Registry struct {
	schemes map[string]Scheme
}

// NewRegistry returns a registry of schemes. It panics if a name is empty or occurs twice.
func NewRegistry(schemes ...Scheme) *Registry {
	r := &Registry{schemes: make(map[string]Scheme, len(schemes))}
	for _, s := range schemes {
		name := s.Syntax().Name
		if name == "" {
			panic(fmt.Sprintf("scheme: %T has no name", s))
		}
		if old, ok := r.schemes[name]; ok {
			panic(fmt.Sprintf("scheme: %q is registered twice: %T and %T", name, old, s))
		}
		r.schemes[name] = s
	}
	return r
}

// Lookup returns the scheme with a name in lower case. ok is false if there is none.
func (r *Registry) Lookup(name string) (Scheme, bool) {
	s, ok := r.schemes[name]
	return s, ok
}

// Names returns the registered names, sorted.
func (r *Registry) Names() []string { return slices.Sorted(maps.Keys(r.schemes)) }
