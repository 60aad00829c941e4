package gopher

import (
	"strconv"
	"strings"

	"locator"
	"locator/internal/ph"
	"locator/scheme"
)

// reader turns items into entries.
type reader struct {
	here  place // the server that sent them
	chars charset
}

// entry returns the entry of an item. An item without a link, or whose link is not allowed, is a Note.
func (r reader) entry(it item) scheme.Entry {
	e := scheme.Entry{Name: r.chars.text(it.display), Kind: scheme.KindNote}
	e.Attr.More = []scheme.Attribute{{Name: attrType, Value: string(rune(it.typ))}}
	// QUIRK: gophernicus marks a page's title by this selector (gophernicus, 14).
	if it.typ == 'i' && it.selector == "TITLE" {
		e.Attr.More = append(e.Attr.More, scheme.Attribute{Name: attrTitle, Value: e.Name})
	}
	if it.isNote() {
		return e
	}
	if u, ok := it.external(r.here); ok {
		if !u.IsZero() {
			e.URL, e.Kind = u, kindOfURL(u)
		}
		return e
	}
	if it.typ == typePhonebook {
		it.plus = 0 // CSO name servers do not speak Gopher+
		if it.port == "" {
			it.port = strconv.Itoa(ph.Port)
		}
	}
	at, ok := it.where(r.here)
	if !ok {
		return e
	}
	q := request{place: at, typ: it.typ, selector: it.selector, plus: command{verb: it.plus}}
	kind := typeOf(it.typ).kind
	if kind == scheme.KindSession {
		if to, ok := q.session(); ok {
			e.URL, e.Kind = to.URL, to.Kind
		}
		return e
	}
	u, err := q.url()
	if err != nil {
		return e // the host is not valid
	}
	e.URL, e.Kind = u, kind
	switch {
	case it.plus == '?':
		e.Kind = scheme.KindForm
	case kind == scheme.KindObject || kind == scheme.KindListing:
		e.Attr.Type = mediaOf(it.typ, it.selector, nil)
	}
	return e
}

// The names of attributes of entries.
const (
	attrType  = "type"  // the item type
	attrTitle = "title" // the line is the title of the menu
	attrLang  = "language"
	attrSize  = "size" // of a view, as the server gives it
)

// bracketed is the host as URLs have it.
func bracketed(host string) string {
	if strings.Contains(host, ":") && !strings.HasPrefix(host, "[") {
		return "[" + host + "]"
	}
	return host
}

// session is the entry of an item of type 8 or T: the selector is the login name (RFC 1436 3.8).
func (q request) session() (scheme.Entry, bool) {
	e := scheme.Entry{Name: typeOf(q.typ).name, Kind: scheme.KindSession}
	login := locator.Login{Hostport: locator.Hostport{Host: q.host}}
	if q.port != 23 {
		login.Port = strconv.Itoa(int(q.port))
	}
	if q.selector != "" {
		login.User = locator.Some(q.selector)
	}
	u, err := locator.Build(&locator.Telnet{Login: login})
	if err == nil && q.typ == 'T' {
		// tn3270 is written as telnet is (RFC 6270).
		u, err = locator.Current.Parse("tn3270:" + strings.TrimPrefix(u.Text(), "telnet:"))
	}
	e.URL = u
	return e, err == nil
}

// external finds the URL of an item that names one in its selector. ok is true where it does so, and the URL is zero
// where it is none, or none that a menu may lead to.
func (it item) external(here place) (u locator.URL, ok bool) {
	if text, found := urlSelector(it.selector); found {
		return externalURL(text), true
	}
	switch it.typ {
	case 'w':
		if name, _, found := strings.Cut(it.selector, "://"); found && isSchemeName(name) {
			return externalURL(it.selector), true
		}
	case 'h', '1':
		// QUIRK: the link to the web of the first years: "GET /path" and the port of the web server (umn-2.3.0, 01).
		if path, found := strings.CutPrefix(it.selector, "GET /"); found {
			p, ok := it.where(here)
			if !ok {
				return locator.URL{}, true
			}
			text := "http://" + p.host
			if p.port != 80 {
				text += ":" + strconv.Itoa(int(p.port))
			}
			return externalURL(text + "/" + path), true
		}
	}
	return locator.URL{}, false
}

// urlSelector finds the URL of a selector "URL:http://...".
//
// QUIRK: some write "/URL:", "URI:" or "URL=", in either case.
func urlSelector(selector string) (string, bool) {
	s := strings.TrimPrefix(selector, "/")
	if s == "" || s[0]|0x20 != 'u' {
		return "", false
	}
	for _, begin := range [...]string{"URL:", "URI:", "URL="} {
		if len(s) >= len(begin) && strings.EqualFold(s[:len(begin)], begin) {
			return s[len(begin):], true
		}
	}
	return "", false
}

func isSchemeName(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < 'a' || s[i] > 'z' {
			return false
		}
	}
	return s != ""
}

// linked are the schemes that a menu may lead to, with the kind of what they locate where the scheme tells it. What is
// not here (javascript, data, file) is shown and never linked.
var linked = map[string]scheme.Kind{
	"http": scheme.KindUnknown, "https": scheme.KindUnknown, "ftp": scheme.KindUnknown, "ftps": scheme.KindUnknown,
	"gopher": scheme.KindUnknown, "gophers": scheme.KindUnknown, "telnet": scheme.KindSession, "tn3270": scheme.KindSession, "ssh": scheme.KindSession,
	"mailto": scheme.KindDraft, "news": scheme.KindUnknown, "nntp": scheme.KindUnknown, "wais": scheme.KindUnknown, "prospero": scheme.KindUnknown,
	"gemini": scheme.KindUnknown, "finger": scheme.KindUnknown, "cso": scheme.KindUnknown, "irc": scheme.KindUnknown, "ircs": scheme.KindUnknown,
	"xmpp": scheme.KindUnknown, "sip": scheme.KindUnknown, "magnet": scheme.KindUnknown,
}

// externalURL reads the text of a URL from a menu; zero where it is none or may not be linked. Octets that no URL can
// hold are escaped, for menus are written by people.
func externalURL(text string) locator.URL {
	text = strings.TrimSpace(text)
	u, err := locator.Current.Parse(text)
	if err != nil {
		u, err = locator.Current.Parse(escapeOdd(text))
	}
	if err != nil {
		return locator.URL{}
	}
	if _, ok := linked[u.Scheme()]; !ok {
		return locator.URL{}
	}
	return u
}

func escapeOdd(s string) string {
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if c := s[i]; c <= ' ' || c > '~' || strings.IndexByte("\"<>\\^`{|}", c) >= 0 {
			b.Write([]byte{'%', hex[c>>4], hex[c&15]})
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

// kindOfURL is the kind of what a URL locates, as far as the URL tells it.
func kindOfURL(u locator.URL) scheme.Kind {
	if v, _, err := viewOf(u); err == nil {
		if t := v.Type.Or("1"); t != "" {
			return typeOf(t[0]).kind
		}
	}
	return linked[u.Scheme()]
}
