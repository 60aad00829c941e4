package scheme

import (
	"fmt"
	"slices"
)

// Registry is a set of schemes by name. It is filled once, on one page (scheme/all), and then only read.
type Registry struct {
	schemes map[string]Scheme
}

// NewRegistry makes a registry. It panics where a name is empty or stands twice: that is a mistake of the program,
// not of its input.
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

// Lookup finds the scheme of a lower-case name.
func (r *Registry) Lookup(name string) (Scheme, bool) {
	s, ok := r.schemes[name]
	return s, ok
}

// Names lists the registered names, sorted.
func (r *Registry) Names() []string {
	names := make([]string, 0, len(r.schemes))
	for name := range r.schemes {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
