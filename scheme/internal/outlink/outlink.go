package outlink

import (
	"strings"

	"locator"
	"locator/internal/octet"
	"locator/scheme"
)

// linked are the schemes that listings may link to, with the kind of their resources if the scheme
// shows it. URLs with other schemes, such as javascript, data and file, are left out.
var linked = map[string]scheme.Kind{
	"http": scheme.KindUnknown, "https": scheme.KindUnknown, "ftp": scheme.KindUnknown, "ftps": scheme.KindUnknown,
	"gopher": scheme.KindUnknown, "gophers": scheme.KindUnknown, "telnet": scheme.KindSession, "tn3270": scheme.KindSession, "ssh": scheme.KindSession,
	"mailto": scheme.KindDraft, "news": scheme.KindUnknown, "nntp": scheme.KindUnknown, "wais": scheme.KindUnknown, "prospero": scheme.KindUnknown,
	"gemini": scheme.KindUnknown, "finger": scheme.KindUnknown, "cso": scheme.KindUnknown, "irc": scheme.KindUnknown, "ircs": scheme.KindUnknown,
	"xmpp": scheme.KindUnknown, "sip": scheme.KindUnknown, "magnet": scheme.KindUnknown,
}

// Parse parses a URL in a listing. It is zero if it is not valid or if listings may not link to its
// scheme. Bytes that no URL can have are escaped, because people write such URLs by hand.
func Parse(text string) locator.URL {
	text = strings.TrimSpace(text)
	u, err := locator.Current.Parse(text)
	if err != nil {
		u, err = locator.Current.Parse(octet.EscapeInvalid(text, nil))
	}
	if err != nil {
		return locator.URL{}
	}
	if _, ok := linked[u.Scheme()]; !ok {
		return locator.URL{}
	}
	return u
}

// Kind returns the kind of the resource of a URL, as far as its scheme shows it.
func Kind(u locator.URL) scheme.Kind { return linked[u.Scheme()] }
