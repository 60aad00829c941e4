package prosperoserver

import (
	"slices"
	"strings"

	"locator"
	"locator/scheme/prospero/internal/text"
)

// externalLink returns the LINK line for a line of a LinksFile, and the ATTRIBUTE line with its
// access method. It returns nothing for any other line, and for a URL that Prospero has no access
// method for.
func externalLink(line string) []string {
	name, url, ok := strings.Cut(line, "\t")
	if !ok || strings.HasPrefix(line, "#") {
		return nil
	}
	u, err := locator.Parse(strings.TrimSpace(url))
	if err != nil {
		return nil
	}
	if v, ok := locator.As[*locator.Prospero](u); ok {
		return []string{directoryLink(name, v)}
	}
	m, ok := accessMethodOf(u)
	if !ok {
		return nil
	}
	attribute := "ATTRIBUTE LINK FIELD ACCESS-METHOD " + m.name + " '' '' '' ''"
	if m.extra != "" {
		attribute += " " + text.QuoteEnd(m.extra)
	}
	return []string{link("L", "EXTERNAL", name, m.host, m.object, "0"), attribute}
}

// directoryLink returns the LINK line for the URL of a Prospero object. The name "+" makes a union
// link.
func directoryLink(name string, v *locator.Prospero) string {
	kind, target, version := "L", "DIRECTORY+FILE", "0"
	if name == "+" {
		kind, target = "U", "DIRECTORY" // the clients of 1994 list no other
	}
	for _, f := range v.Fields {
		if strings.EqualFold(f.Name, "OBJECT-VERSION") {
			version = f.Value
		}
	}
	return link(kind, target, name, hostOf(v.Hostport), v.Name, version)
}

// accessMethod says how an object is accessed that is not on a Prospero server.
type accessMethod struct {
	name, extra  string // extra is the transfer mode, the type or a text for people; "" if there is none
	host, object string
}

// accessMethodOf returns the access method for a URL. It reports false if Prospero has none.
func accessMethodOf(u locator.URL) (m accessMethod, ok bool) {
	switch v := u.View().(type) {
	case *locator.FTP:
		m = accessMethod{name: "AFTP", extra: "BINARY", host: hostOf(v.Hostport)}
		if extra := map[byte]string{'a': "TEXT", 'd': "DIRECTORY"}[v.Type]; extra != "" {
			m.extra = extra
		}
		m.object = "/" + strings.TrimPrefix(strings.Join(append(slices.Clone(v.Dirs), v.Name.Or("")), "/"), "/")
		return m, !v.Secure && !v.User.IsSet()
	case *locator.Gopher:
		if v.Port == "" {
			v.Port = "70"
		}
		return accessMethod{name: "GOPHER", extra: v.Type.Or("1"), host: hostOf(v.Hostport), object: v.Selector.Or("")}, !v.Secure && v.Search.Or("") == ""
	case *locator.Telnet:
		m = accessMethod{name: "TELNET", host: hostOf(v.Hostport)}
		if user, ok := v.User.Get(); ok {
			m.extra = "Use the account name " + user
		}
		return m, !v.Secure
	case *locator.WAIS:
		if v.Port == "" {
			v.Port = "210"
		}
		object := strings.Join([]string{"WAIS-GW", hostOf(v.Hostport), v.Type, v.Database, locator.Encode(v.Path)}, "/")
		return accessMethod{name: "WAIS", host: v.Host, object: object}, v.Kind == locator.WAISDocument
	}
	return m, false
}

// link returns a LINK line.
func link(kind, target, name, host, object, version string) string {
	return strings.Join([]string{"LINK ", kind, target, text.QuoteEnd(name), "INTERNET-D", text.QuoteEnd(host), "ASCII", text.QuoteEnd(object), text.QuoteEnd(version)}, " ")
}

// hostOf returns a host as links have it.
func hostOf(h locator.Hostport) string {
	if h.Port == "" {
		return h.Host
	}
	return h.Host + "(" + h.Port + ")"
}
