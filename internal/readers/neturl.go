package readers

import (
	"errors"
	"net/url"
	"regexp"
	"strings"

	"locator"
)

// maxNetURL is the length of the longest text for net/url, whose errors quote the text and so use as much memory again.
const maxNetURL = 1 << 20

// readNetURL parses with the net/url of the Go version that built the program. It escapes the user, which net/url returns
// decoded.
func readNetURL(text string) Reading {
	if len(text) > maxNetURL {
		return tooLong(NetURL, maxNetURL)
	}
	r := Reading{Reader: NetURL}
	u, err := url.Parse(text)
	if err != nil {
		r.Err = &Refusal{Offset: -1, Msg: netURLMessage(err)}
		return r
	}
	r.Split = true
	r.Scheme = u.Scheme
	if u.User != nil {
		r.User = locator.Some(url.User(u.User.Username()).String())
		if password, ok := u.User.Password(); ok {
			r.Password = locator.Some(url.User(password).String())
		}
	}
	// net/url does not distinguish an empty host from an absent one, but the text does.
	if u.Host != "" || u.User != nil || strings.HasPrefix(text[schemeEnd(u, text):], "//") {
		host, port := u.Host, u.Port()
		if i := strings.LastIndexByte(host, ':'); i > strings.LastIndexByte(host, ']') {
			host = host[:i]
			r.Port = locator.Some(port)
		}
		r.Host = locator.Some(host)
	}
	r.Path = u.EscapedPath()
	if u.Opaque != "" {
		r.Path = u.Opaque
	}
	r.Query = optional(u.RawQuery, u.RawQuery != "" || u.ForceQuery)
	r.Fragment = optional(u.EscapedFragment(), strings.IndexByte(text, '#') >= 0)
	return r
}

// schemeEnd returns the offset after the scheme and its colon.
func schemeEnd(u *url.URL, text string) int {
	if u.Scheme == "" {
		return 0
	}
	return min(len(u.Scheme)+1, len(text))
}

// quoted matches what net/url and net/netip quote from the text, with the words around it that have no meaning without it.
var quoted = regexp.MustCompile(`(?: \(at |ParseAddr\(| )?"(?:[^"\\]|\\.)*"(?:\)(?:: )?)?`)

// netURLMessage returns the message without what it quotes of the text, which may contain a password.
func netURLMessage(err error) string {
	if e := (*url.Error)(nil); errors.As(err, &e) {
		err = e.Err
	}
	return strings.TrimPrefix(quoted.ReplaceAllString(err.Error(), ""), "net/url: ")
}
