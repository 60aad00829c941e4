package http

import (
	"io"
	"iter"

	"locator"
	"locator/internal/clock"
	"locator/scheme"
)

// Index parses a page as List does, for the fuzz test.
func Index(u locator.URL, page io.Reader, limits scheme.Limits) iter.Seq2[scheme.Entry, error] {
	return func(yield func(scheme.Entry, error) bool) {
		index(&scheme.Resource{URL: u, Attr: scheme.Attr{Type: "text/html"}, Body: io.NopCloser(page)}, false, &scheme.Env{Limits: limits, Clock: clock.System{}}, 0,
			func(e scheme.Entry, err error, _ bool) bool { return yield(e, err) })
	}
}

// ParseWebfs parses the text before a link of webfs.
var ParseWebfs = parseWebfs
