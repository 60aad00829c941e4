package nntp

import (
	"slices"
	"strings"

	"locator/internal/hint"
	"locator/scheme"
)

// codes is the table of the replies that refuse something: what each means for the caller (RFC 3977
// appendix C, RFC 4642, RFC 4643). No other place maps a reply to an error code.
var codes = map[int]struct {
	code scheme.Code
	text string
}{
	400: {scheme.CodeUnavailable, "the server is not available now; try again later"},
	401: {scheme.CodeUnsupported, "the server is in a mode without this command"},
	403: {scheme.CodeUnavailable, "the server has an internal fault; try again later"},
	411: {scheme.CodeNotFound, "the server has no such group"},
	412: {scheme.CodeProtocol, "the server has lost the group that was selected"},
	420: {scheme.CodeNotFound, "the group has no such article"},
	421: {scheme.CodeNotFound, "the group has no next article"},
	422: {scheme.CodeNotFound, "the group has no previous article"},
	423: {scheme.CodeNotFound, "the group has no article with this number; it may have expired"},
	430: {scheme.CodeNotFound, "the server has no article with this message-id; it may have expired"},
	440: {scheme.CodeLoginNeeded, "the server does not permit posting; another login may"},
	441: {scheme.CodeUsage, "the server does not accept the article"},
	480: {scheme.CodeLoginNeeded, "the server requires a login"},
	481: {scheme.CodeLoginNeeded, "the server refused the login"},
	482: {scheme.CodeLoginNeeded, "the server refused the login out of sequence"},
	483: {scheme.CodeLoginNeeded, "the server requires TLS"},
	500: {scheme.CodeUnsupported, "the server does not know the command"},
	501: {scheme.CodeUnsupported, "the server cannot read the command"},
	502: {scheme.CodeLoginNeeded, "the server does not permit this"},
	503: {scheme.CodeUnsupported, "the server does not support this"},
	504: {scheme.CodeProtocol, "the server cannot read an argument in base64"},
	580: {scheme.CodeUnsupported, "the server cannot start TLS"},
}

// hints are the settings that help with a reply.
var hints = map[int]string{480: hint.Login, 483: hint.TLSRequire}

// selecting are the commands that name a group or articles.
var selecting = []string{"GROUP", "ARTICLE", "HEAD", "STAT", "OVER", "XOVER", "HDR", "XHDR"}

// mandatory are commands that every server has (RFC 3977 5.2, 6.1, 6.2), and POST, which a server
// that permits it has.
var mandatory = []string{"GROUP", "ARTICLE", "HEAD", "STAT", "POST"}

// fail returns the error of a reply that refuses the command after, which names it in the error.
func (r reply) fail(after string) error {
	verb, _, _ := strings.Cut(after, " ")
	known, ok := codes[r.Code]
	switch {
	case r.Code == 503 && slices.Contains(mandatory, verb): // a fault, such as that of a disk
		return scheme.Replied(scheme.CodeUnavailable, r.Shown(), "the server cannot do this now; try again later")
	case ok && known.code == scheme.CodeNotFound && !slices.Contains(selecting, verb): // no group and no article was asked for
	case ok:
		return hint.Replied(hints[r.Code], known.code, r.Shown(), "%s", known.text)
	case r.Class() == 4:
		return scheme.Replied(scheme.CodeUnavailable, r.Shown(), "the server refused %s", after)
	}
	return scheme.Replied(scheme.CodeProtocol, r.Shown(), "reply %d makes no sense after %s", r.Code, after)
}

// failed returns the error of a reply that refuses a command. A reply that announces more than a
// refusal leaves the connection unusable.
func (c *conn) failed(after string, r reply) error {
	if r.Class() < 4 {
		return c.End(r.fail(after))
	}
	return r.fail(after)
}

// unknown reports whether the server does not have a command (RFC 3977 3.2.1): another one may do
// instead.
func (r reply) unknown() bool { return r.Code == 500 || r.Code == 501 || r.Code == 503 }

// errAuthenticate says that the server answered with 480 or 483: the dialogue can be repeated after
// a login or STARTTLS.
type errAuthenticate struct {
	error
	reply reply
}

// Unwrap returns the error of the reply.
func (e errAuthenticate) Unwrap() error { return e.error }
