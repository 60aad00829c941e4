package readers

import (
	"strings"

	"github.com/nlnwa/whatwg-url/errors"
	"github.com/nlnwa/whatwg-url/url"
)

// maxWHATWG is the length of the longest text for whatwg-url.
//
// QUIRK: whatwg-url 0.6.2 takes quadratic time: 3 s for "x:" and 64 KiB of slashes, 13 s for as many "@".
const maxWHATWG = 8 << 10

// readWHATWG parses as the WHATWG URL standard requires of browsers. It first replaces invalid UTF-8, as a browser does
// when it decodes a page.
func readWHATWG(text string) Reading {
	if len(text) > maxWHATWG {
		return tooLong(WHATWG, maxWHATWG)
	}
	r := Reading{Reader: WHATWG}
	u, err := url.Parse(string([]rune(text)))
	if err != nil {
		// The message contains the text, its type does not.
		r.Err = &Refusal{Offset: -1, Msg: lowerFirst(string(errors.Type(err)))}
		return r
	}
	r.Split = true
	r.Scheme = u.Scheme()
	r.Password = optional(u.Password(), u.Password() != "")
	r.User = optional(u.Username(), u.Username() != "" || u.Password() != "")
	r.Path = u.Pathname()
	r.Port = optional(u.Port(), u.Port() != "")
	// Only the serialized URL tells whether host, query and fragment are empty or absent.
	whole := u.Href(false)
	r.Host = optional(u.Hostname(), strings.HasPrefix(whole[min(len(r.Scheme)+1, len(whole)):], "//"))
	whole, _, hasFragment := strings.Cut(whole, "#")
	r.Fragment = optional(u.Fragment(), hasFragment)
	r.Query = optional(u.Query(), strings.Contains(whole, "?"))
	return r
}

// lowerFirst returns a sentence as a message, with a lower-case first letter.
func lowerFirst(s string) string {
	if s == "" {
		return "refused"
	}
	if len(s) > 1 && s[1] == ' ' || strings.HasPrefix(s, "The ") || strings.HasPrefix(s, "An ") {
		return lower(s[:1]) + s[1:]
	}
	return s
}
