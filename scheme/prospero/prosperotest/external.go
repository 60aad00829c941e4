package prosperotest

import (
	"strings"

	"locator"
	"locator/scheme/prospero/internal/text"
)

// externalLink returns the LINK line for a line of a LinksFile, and the ATTRIBUTE line with its access method. It returns nothing for any other line, and for a
// URL that Prospero has no access method for.
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
		kind := "L"
		if name == "+" {
			kind = "U"
		}
		version := "0"
		for _, f := range v.Fields {
			if strings.EqualFold(f.Name, "OBJECT-VERSION") {
				version = f.Value
			}
		}
		return []string{link(kind, "DIRECTORY+FILE", name, hostOf(v.Hostport), v.Name, version)}
	}
	var host, object string
	var method []string
	switch v := u.View().(type) {
	case *locator.FTP:
		if v.Secure || v.User.IsSet() {
			return nil
		}
		extra := map[byte]string{'a': "TEXT", 'd': "DIRECTORY"}[v.Type]
		if extra == "" {
			extra = "BINARY"
		}
		object = "/" + strings.TrimPrefix(strings.Join(append(append([]string(nil), v.Dirs...), v.Name.Or("")), "/"), "/")
		host, method = hostOf(v.Hostport), []string{"AFTP", extra}
	case *locator.Gopher:
		if v.Secure || v.Search.Or("") != "" {
			return nil
		}
		if v.Port == "" {
			v.Port = "70"
		}
		host, object, method = hostOf(v.Hostport), v.Selector.Or(""), []string{"GOPHER", v.Type.Or("1")}
	case *locator.Telnet:
		if v.Secure {
			return nil
		}
		host, method = hostOf(v.Hostport), []string{"TELNET"}
		if user, ok := v.User.Get(); ok {
			method = append(method, "Use the account name "+user)
		}
	case *locator.WAIS:
		if v.Kind != locator.WAISDocument {
			return nil
		}
		if v.Port == "" {
			v.Port = "210"
		}
		host, method = v.Host, []string{"WAIS"}
		object = strings.Join([]string{"WAIS-GW", hostOf(v.Hostport), v.Type, v.Database, locator.Encode(v.Path)}, "/")
	default:
		return nil
	}
	attribute := "ATTRIBUTE LINK FIELD ACCESS-METHOD " + method[0] + " '' '' '' ''"
	for _, extra := range method[1:] {
		attribute += " " + text.Quote(extra)
	}
	return []string{link("L", "EXTERNAL", name, host, object, "0"), attribute}
}

// link returns a LINK line.
func link(kind, target, name, host, object, version string) string {
	return strings.Join([]string{"LINK ", kind, target, text.Quote(name), "INTERNET-D", text.Quote(host), "ASCII", text.Quote(object), text.Quote(version)}, " ")
}

// hostOf returns a host as links have it.
func hostOf(h locator.Hostport) string {
	if h.Port == "" {
		return h.Host
	}
	return h.Host + "(" + h.Port + ")"
}
