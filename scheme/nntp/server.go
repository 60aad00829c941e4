package nntp

import (
	"strings"

	"locator"
	"locator/repair"
	"locator/scheme"
)

// ServerKind returns "usenet". The servers of nntp URLs are in the URLs, but may also be
// configured, for news URLs.
func (Scheme) ServerKind() string { return "usenet" }

// Server returns the URL of a news server from host, host:port, or a URL of one of the four schemes
// without group or article. Those of snews and nntps have TLS from the first byte.
func (Scheme) Server(text string) (locator.URL, error) {
	name, authority, isURL := strings.Cut(text, "://")
	var secure bool
	if !isURL {
		authority = text
	} else if s := locator.SyntaxOf(name); s == nil || s.Family != (Scheme{news: true}).Syntax().Family {
		return locator.URL{}, notServer(text, nil)
	} else {
		secure = s.TLS
	}
	authority, path, _ := strings.Cut(authority, "/")
	url := Scheme{news: true, secure: secure}.Syntax().Name + "://" + authority + "/"
	u, err := locator.Current.Parse(url)
	if err != nil || path != "" || u.Host() == "" {
		return locator.URL{}, notServer(text, repair.Suggest(locator.Current, url, err))
	}
	return u, nil
}

func notServer(text string, err error) error {
	if err != nil {
		return scheme.Fail(scheme.CodeUsage, "%s is not a news server: must be host, host:port or news://host: %w", locator.Redact(text), err)
	}
	return scheme.Fail(scheme.CodeUsage, "%s is not a news server: must be host, host:port, news://host or snews://host", locator.Redact(text))
}
