package main

import (
	"net/url"

	whatwg "github.com/nlnwa/whatwg-url/url"
	"github.com/valyala/fasthttp"

	"locator"
)

// operation is an operation to measure. Its pass applies it to every text of a set once, in its own
// loop, so that the measurement includes no indirect calls. It returns a value so that the compiler
// cannot remove the work.
type operation struct {
	name   string
	strict bool // needs texts that are valid by RFC 1738
	web    bool // needs web URLs
	pass   func(s *set) int
}

func (o operation) applies(s *set) bool { return (s.strict || !o.strict) && (s.web || !o.web) }

// base is the operation that all others are compared with. For benchstat a name must not contain
// "/".
const base = "net-url.Parse"

func operations() []operation {
	return []operation{
		{name: base, pass: func(s *set) (n int) {
			for _, text := range s.texts {
				u, err := url.Parse(text)
				if err != nil {
					panic(err) // the set has only texts that it accepts
				}
				n += len(u.Host)
			}
			return n
		}},
		{name: "Current.Parse", pass: func(s *set) (n int) {
			for _, text := range s.texts {
				u, err := locator.Current.Parse(text)
				if err != nil {
					panic(err)
				}
				n += len(u.Host())
			}
			return n
		}},
		{name: "RFC1738.Parse", strict: true, pass: func(s *set) (n int) {
			for _, text := range s.texts {
				u, err := locator.RFC1738.Parse(text)
				if err != nil {
					panic(err)
				}
				n += len(u.Host())
			}
			return n
		}},
		{name: "URL.View", pass: func(s *set) (n int) {
			for _, u := range s.urls {
				if u.View() != nil {
					n++
				}
			}
			return n
		}},
		{name: "URL.Canonical", pass: func(s *set) (n int) {
			for _, u := range s.urls {
				n += len(u.Canonical().Text())
			}
			return n
		}},
		{name: "URL.Canonical-again", pass: func(s *set) (n int) {
			for _, u := range s.canonical {
				n += len(u.Canonical().Text())
			}
			return n
		}},
		{name: "fasthttp.URI.Parse", web: true, pass: func(s *set) (n int) {
			var u fasthttp.URI
			for _, text := range s.bytes {
				if err := u.Parse(nil, text); err != nil {
					panic(err)
				}
				n += len(u.Host())
			}
			return n
		}},
		{name: "whatwg-url.Parse", web: true, pass: func(s *set) (n int) {
			for _, text := range s.texts {
				u, err := whatwg.Parse(text)
				if err != nil {
					panic(err)
				}
				n += len(u.Hostname())
			}
			return n
		}},
	}
}
