package main

import (
	"locator"
	"locator/repair"
	"locator/vet"
)

// everything calls every function of package locator that takes text from outside.
func everything(s string) {
	locator.Redact(s)
	locator.Unwrap(s)
	for _, p := range []*locator.Parser{locator.RFC1738, locator.Current} {
		p.Prefix(s)
		p.Prefix(s + "%") // and what is left without the last part
		repair.Parse(p, s)
		_, err := p.Parse(s)
		repair.Suggest(p, s, err)
	}
	var v locator.URL
	v.UnmarshalText([]byte(s))
	v.Set(s)
	v.Scan(s)
	base := locator.MustParse("http://h/a/b?c")
	base.Resolve(s)
	base.Resolve("x/" + s)
	if u, err := locator.RFC1738.Parse(s); err == nil {
		u.Canonical()
		locator.Build(u.View())
	}
	u, err := locator.Current.Parse(s)
	if err != nil {
		_ = err.Error()
		return
	}
	u.Redacted()
	u.Canonical()
	u.Parts()
	if w, err := locator.Build(u.View()); err == nil {
		locator.Equal(u, w)
	}
	u.ASCII()
	u.Readable()
	u.Clauses()
	vet.URL(u)
	for range locator.UnsafeOctets(u.View()) {
	}
	u.Resolve("../x")
	u.Resolve(s)
	u.Relativize(u)
	base.Relativize(u)
	u.WithFragment(locator.Some("x"))
}
