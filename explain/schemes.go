package explain

import (
	"slices"

	"locator"
	"locator/scheme"
	"locator/scheme/ability"
)

// Scheme is a scheme that can be parsed, and perhaps accessed.
type Scheme struct {
	*locator.Syntax
	Abilities []string // nil if it cannot be accessed
}

// Schemes returns the schemes of RFC 1738 in its order, then https, then the others in the
// registry.
func Schemes(r *scheme.Registry) (list []Scheme) {
	add := func(s *locator.Syntax) {
		k := Scheme{Syntax: s}
		if impl, ok := r.Lookup(s.Name); ok {
			k.Abilities = ability.Names(impl)
		}
		list = append(list, k)
	}
	for _, s := range locator.Schemes() {
		if !s.Extension && s.Productions != "" {
			add(s)
		}
	}
	for _, name := range r.Names() {
		if !slices.ContainsFunc(list, func(k Scheme) bool { return k.Name == name }) {
			impl, _ := r.Lookup(name)
			add(impl.Syntax())
		}
	}
	return list
}

// Became says which RFC defines a reserved name now.
func Became(name locator.ReservedName) string {
	if name.RFC == "" {
		return "still undefined"
	}
	return "RFC " + name.RFC
}
