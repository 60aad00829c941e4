package main

import (
	"fmt"

	"locator"
	"locator/client"
	"locator/scheme"
)

// givenFlag is a flag that has a meaning for some schemes only.
type givenFlag struct {
	name  string
	given bool
	means func(scheme.Scheme) bool
	why   string // what a scheme lacks for which it means nothing, or has
}

// hasSearches reports whether a scheme takes the words of a search.
func hasSearches(s scheme.Scheme) bool { _, ok := s.(scheme.Submitter); return ok }

// listsMessages reports whether the listings of a scheme have messages.
func listsMessages(s scheme.Scheme) bool { _, ok := s.(scheme.Filterer); return ok }

// sendsNoMessages reports whether what is put to a scheme is no message.
func sendsNoMessages(s scheme.Scheme) bool { _, ok := s.(scheme.Poster); return !ok }

// checkMeaning refuses a flag that means nothing for the scheme of a URL. An unknown scheme, and one behind a gateway, may have any meaning.
func (a *app) checkMeaning(c *client.Client, u locator.URL, flags ...givenFlag) error {
	s, ok := c.Registry().Lookup(u.Scheme())
	if !ok {
		return nil
	}
	for _, f := range flags {
		if f.given && !f.means(s) {
			return &scheme.Error{Op: scheme.Op(a.verb), URL: u.Redacted(), Code: scheme.CodeUsage, Err: fmt.Errorf("%s means nothing here: scheme %s %s", f.name, u.Scheme(), f.why)}
		}
	}
	return nil
}

// noSearches is the givenFlag --query.
func (o *askOptions) noSearches() givenFlag {
	return givenFlag{"--query", o.words().IsSet(), hasSearches, "has no searches"}
}
