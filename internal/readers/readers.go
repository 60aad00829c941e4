package readers

import (
	"cmp"
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	whatwgerrors "github.com/nlnwa/whatwg-url/errors"
	whatwg "github.com/nlnwa/whatwg-url/url"
	"golang.org/x/net/idna"
	"golang.org/x/text/unicode/norm"

	"locator"
	"locator/repair"
)

// Names of the parsers, in the order of [Read].
const (
	RFC1738 = "RFC 1738"
	Current = "current"
	NetURL  = "net/url"
	WHATWG  = "WHATWG"
)

// Reading is the result of one parser.
type Reading struct {
	Reader string

	// Err is why the parser rejects the text; nil if it accepts it. Its Msg contains no part of the
	// text. Its Offset is -1 if that is not known, and its Rule is "".
	Err *locator.SyntaxError

	// Generic reports that the generic rule of RFC 1738 applies (2.1), which has no parts: no
	// program would take its host from it.
	Generic bool

	// Parts are the parts that the text has, by the names of [PartNames]. Most are still escaped,
	// and they may contain a password. A rejected text has none.
	Parts map[string]string
}

// PartNames returns the names of all parts, in the order of a URL.
func PartNames() [8]string {
	return [...]string{"scheme", "user", "password", "host", "port", "path", "query", "fragment"}
}

// The lengths of the longest texts for two of the parsers. The errors of net/url quote the text and
// so use as much memory again.
//
// QUIRK: whatwg-url 0.6.2 takes quadratic time: 3 s for "x:" and 64 KiB of slashes, 13 s for as
// many "@".
const (
	maxNetURL = 1 << 20
	maxWHATWG = 8 << 10
)

// Read parses a text with every parser, in the order of the names above.
func Read(text string) []Reading {
	list := []Reading{readLocator(locator.RFC1738, text), readLocator(locator.Current, text), readNetURL(text), readWHATWG(text)}
	for i, reader := range []string{RFC1738, Current, NetURL, WHATWG} {
		list[i].Reader = reader
	}
	return list
}

// accepted returns the Reading with these parts, which are in the order of PartNames.
func accepted(texts ...locator.Optional) Reading {
	r := Reading{Parts: make(map[string]string)}
	for n, name := range PartNames() {
		if s, ok := texts[n].Get(); ok {
			r.Parts[name] = s
		}
	}
	return r
}

func refused(msg string) Reading { return Reading{Err: &locator.SyntaxError{Offset: -1, Msg: msg}} }

func tooLong(max int) Reading { return refused(fmt.Sprintf("not parsed: longer than %d bytes", max)) }

func filled(s string) locator.Optional { return optional(s, s != "") }

func optional(s string, ok bool) locator.Optional {
	if !ok {
		return locator.Optional{}
	}
	return locator.Some(s)
}

func readLocator(p *locator.Parser, text string) Reading {
	u, err := p.Parse(text)
	if e, ok := repair.Suggest(p, text, err).(*locator.SyntaxError); ok {
		return Reading{Err: e}
	}
	path, query := u.SchemePart(), optional(u.Search())
	if after, ok := u.Path(); ok && u.HasHost() {
		path = "/" + after
	} else if u.HasHost() {
		path = ""
	} else if search, ok := query.Get(); ok {
		path = strings.TrimSuffix(path, "?"+search)
	}
	r := accepted(locator.Some(u.Scheme()), optional(u.User()), optional(u.Password()), optional(u.Host(), u.HasHost()),
		filled(u.Port()), locator.Some(path), query, optional(u.Fragment()))
	_, other := u.View().(*locator.Other)
	r.Generic = other && p == locator.RFC1738
	return r
}

// quoted matches what net/url and net/netip quote from the text, which may contain a password, with
// the words around it that have no meaning without it.
var quoted = regexp.MustCompile(`(?: \(at |ParseAddr\(| )?"(?:[^"\\]|\\.)*"(?:\)(?:: )?)?`)

// readNetURL parses with the net/url of the Go version that built the program. It escapes the user
// and the password, which net/url returns decoded.
func readNetURL(text string) Reading {
	if len(text) > maxNetURL {
		return tooLong(maxNetURL)
	}
	u, err := url.Parse(text)
	if err != nil {
		cause := errors.Unwrap(err).Error() // err is a *url.Error, which quotes the text
		return refused(strings.TrimPrefix(quoted.ReplaceAllString(cause, ""), "net/url: "))
	}
	var user, password, port locator.Optional
	if u.User != nil {
		user = locator.Some(url.User(u.User.Username()).String())
		if text, ok := u.User.Password(); ok {
			password = locator.Some(url.User(text).String())
		}
	}
	// net/url does not distinguish an empty host from an absent one, but the text does.
	part := strings.TrimPrefix(text[min(len(u.Scheme), len(text)):], ":")
	host := optional(u.Host, u.Host != "" || u.User != nil || strings.HasPrefix(part, "//"))
	if i := strings.LastIndexByte(u.Host, ':'); i > strings.LastIndexByte(u.Host, ']') {
		host, port = locator.Some(u.Host[:i]), locator.Some(u.Host[i+1:])
	}
	path := u.Opaque
	if path == "" {
		path = u.EscapedPath()
	}
	return accepted(filled(u.Scheme), user, password, host, port, locator.Some(path),
		optional(u.RawQuery, u.RawQuery != "" || u.ForceQuery), optional(u.EscapedFragment(), strings.Contains(text, "#")))
}

// readWHATWG parses as the WHATWG URL standard requires of browsers. It first replaces invalid
// UTF-8, as a browser does when it decodes a page.
func readWHATWG(text string) Reading {
	if len(text) > maxWHATWG {
		return tooLong(maxWHATWG)
	}
	u, err := whatwg.Parse(string([]rune(text)))
	if err != nil { // the message contains the text, its type does not
		msg := cmp.Or(string(whatwgerrors.Type(err)), "refused")
		return refused(strings.ToLower(msg[:1]) + msg[1:])
	}
	// Only the serialized URL shows whether host, query and fragment are empty or absent.
	whole, _, hasFragment := strings.Cut(u.Href(false), "#")
	return accepted(filled(u.Scheme()), optional(u.Username(), u.Username()+u.Password() != ""), filled(u.Password()),
		optional(u.Hostname(), strings.HasPrefix(strings.TrimPrefix(whole, u.Scheme()+":"), "//")), filled(u.Port()),
		locator.Some(u.Pathname()), optional(u.Query(), strings.Contains(whole, "?")), optional(u.Fragment(), hasFragment))
}

// Difference is a part on which parsers disagree.
type Difference struct {
	Part   string       // user, host or port
	Values [][]*Reading // those with the same value
}

// Differences returns the parts among user, host and port whose values differ in meaning. Spellings
// that every RFC treats as equivalent do not count, nor does an absent part against an empty one,
// or a default port against none. A parser that rejects the text is ignored, and so is RFC 1738 for
// the schemes that it has no rule for.
func Differences(list []Reading) (all []Difference) {
	for _, part := range []string{"user", "host", "port"} {
		var keys []string
		d := Difference{Part: part}
		for i := range list {
			r := &list[i]
			if r.Err != nil || r.Generic {
				continue
			}
			key := meaning(part, r.Parts[part], r.Parts["scheme"])
			n := slices.Index(keys, key)
			if n < 0 {
				n, keys, d.Values = len(keys), append(keys, key), append(d.Values, nil)
			}
			d.Values[n] = append(d.Values[n], r)
		}
		if len(keys) > 1 {
			all = append(all, d)
		}
	}
	return all
}

// maxName bounds the input of Punycode in bytes. A name of the DNS has at most 253 (RFC 1035
// 2.3.4), and somewhat more before encoding.
const maxName = 1024

// meaning returns the same key for equivalent texts of a part. Equivalent are hosts in either case,
// with escapes (RFC 3986 6.2.2 and 3.2.2), with the dot that ends a name in the DNS, in Punycode
// (RFC 3492), and IPv6 addresses in any notation, but not names that IDNA maps to other letters,
// since only some parsers map them; and ports with leading zeros, and the default port and none.
func meaning(part, text, scheme string) string {
	switch part {
	case "user":
		return locator.Decode(text)
	case "host":
		host := strings.ToLower(locator.Decode(text))
		if a, err := netip.ParseAddr(strings.Trim(host, "[]")); err == nil && host[0] == '[' {
			return a.String()
		}
		host = strings.TrimSuffix(host, ".")
		if scheme == "file" && host == "localhost" { // RFC 1738 3.10
			return ""
		}
		if len(host) > maxName {
			return host
		}
		if ascii, err := idna.Punycode.ToASCII(norm.NFC.String(host)); err == nil {
			return ascii
		}
		return host
	case "port":
		if scheme == "ws" || scheme == "wss" { // of the WHATWG standard, with the ports of http
			scheme = "http" + scheme[len("ws"):]
		}
		if port := locator.DefaultPort(scheme); port != 0 && strings.TrimLeft(text, "0") == strconv.Itoa(int(port)) {
			return ""
		}
		if text != "" {
			return cmp.Or(strings.TrimLeft(text, "0"), "0")
		}
	}
	return text
}
