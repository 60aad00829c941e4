package repair

import (
	"strings"

	"locator"
	"locator/internal/octet"
)

// guesses are what the author of a text may have meant that no mend makes a URL. Each is suggested
// only if [locator.Current] parses it.
var guesses = [...]struct {
	msg   string
	meant func(text string) string // "" if it is not this mistake
}{
	{"an nntp URL names one group; lists of groups and message-ids have the scheme news", newsAtServer},
	{"a file name is not a URL", fileName},
	{"the scheme is missing, which is mailto for an address and news for a message-id", bracketed},
	{"the scheme is missing", address},
	{"the scheme is missing", bareHost},
	{"a zone id is not part of a URL", zone},
	{"a URL has one port", twoPorts},
	{atInLogin, twoAts},
}

const atInLogin = `an "@" in a user name or password is written %40`

// newsAtServer: nntp://h/, nntp://h/comp.*, nntp://h/group/id@host.
func newsAtServer(text string) string {
	scheme, rest, ok := strings.Cut(text, "://")
	name := map[string]string{"nntp": "news", "nntps": "snews"}[octet.Lower(scheme)]
	host, path, _ := strings.Cut(rest, "/")
	if name == "" || !ok || host == "" {
		return ""
	}
	group, id, _ := strings.Cut(path, "/")
	switch {
	case path == "":
		path = "*"
	case strings.Contains(id, "@"):
		path = strings.Trim(id, "<>")
	case id != "" || !strings.ContainsAny(group, "*?@"):
		return ""
	}
	return name + "://" + host + "/" + path
}

// fileName: /etc/motd, C:\file, \\server\share\file.
func fileName(text string) string {
	path := strings.ReplaceAll(text, `\`, "/")
	escaped := octet.EscapeInvalid(path, func(i int) bool { return strings.IndexByte("%?#;", path[i]) >= 0 })
	switch {
	case isDrive(path):
		return "file:///" + escaped
	case strings.HasPrefix(text, `\\`):
		return "file:" + escaped
	case strings.HasPrefix(text, "/") && !strings.HasPrefix(text, "//"):
		return "file://" + escaped
	}
	return ""
}

// isDrive reports whether a path begins like "C:/".
func isDrive(path string) bool {
	return len(path) > 2 && octet.IsLetter(path[0]) && path[1:3] == ":/" && !strings.HasPrefix(path[2:], "//")
}

// address: me@host.example, me@host.example:file, me@host.example/file.
func address(text string) string {
	user, rest, ok := strings.Cut(text, "@")
	end := strings.IndexAny(rest, ":/?#")
	switch {
	case !ok || user == "" || strings.ContainsAny(user, ":/?#") || rest == "" || end == 0:
		return ""
	case end < 0:
		return "mailto:" + text
	case rest[end] == ':' && !isPort(rest[end:]): // as for scp and git
		return "ssh://" + user + "@" + rest[:end] + "/" + strings.TrimPrefix(rest[end+1:], "/")
	case rest[end] == '/':
		return "ftp://" + text
	}
	return "ssh://" + text
}

// bracketed: <me@host.example>, which may be a message-id.
func bracketed(text string) string {
	if guess := address(strings.Trim(text, "<>")); strings.HasPrefix(text, "<") && strings.HasPrefix(guess, "mailto:") {
		return guess
	}
	return ""
}

// bareHost: www.example.com, //www.example.com/, 127.0.0.1:2121/pub.
func bareHost(text string) string {
	if name, _, ok := strings.Cut(text, ":"); ok && octet.IsScheme(name) {
		return ""
	}
	return withScheme(strings.TrimPrefix(text, "//"))
}

// withScheme returns a text that begins with a host as a URL of the likely scheme, "" if it begins
// with no host.
func withScheme(text string) string {
	if strings.HasPrefix(text, "[") { // an IPv6 address
		r := newRepairer(locator.Current, "http://"+text)
		r.apply(r.host())
		return r.text
	}
	end := indexOrEnd(text, ":/?#")
	host := octet.Lower(text[:end])
	if !looksLikeHost(host) || strings.HasPrefix(text[end:], ":") && !isPort(text[end:]) {
		return ""
	}
	for _, name := range [...]string{"ftp", "gopher", "wais", "prospero"} {
		if !strings.HasPrefix(host, name+".") {
			continue
		}
		if end == len(text) && name != "ftp" && name != "gopher" { // these need a path
			text += "/"
		}
		return name + "://" + text
	}
	return "http://" + text
}

// isPort reports whether a text begins with a colon and a port.
func isPort(text string) bool {
	digits, _, _ := strings.Cut(text[1:], "/")
	return digits != "" && strings.Trim(digits, "0123456789") == ""
}

// zone: http://[fe80::1%25eth0]/. RFC 9844 withdrew zone identifiers in URLs.
func zone(text string) string {
	end := strings.IndexByte(text, ']')
	percent := strings.IndexByte(text, '%')
	if percent < 0 || end < percent || !strings.Contains(text[:percent], "//[") && !strings.Contains(text[:percent], "@[") {
		return ""
	}
	return text[:percent] + text[end:]
}

// authorityOf returns the text before the login, the login with its "@", host and port, and the
// rest.
func authorityOf(text string) (before, login, hostport, after string) {
	begin := strings.Index(text, "//") + 2
	if begin < 2 {
		return text, "", "", ""
	}
	end := begin + indexOrEnd(text[begin:], "/?#")
	host := begin + strings.LastIndexByte(text[begin:end], '@') + 1
	return text[:begin], text[begin:host], text[host:end], text[end:]
}

// twoPorts: http://h:80:80/.
func twoPorts(text string) string {
	before, login, host, after := authorityOf(text)
	last := strings.LastIndexByte(host, ':')
	if last < 0 || !isPort(host[last:]) {
		return ""
	}
	first := strings.LastIndexByte(host[:last], ':')
	if first < 0 || !isPort(host[first:last]) || strings.Contains(host[:first], ":") && !strings.HasSuffix(host[:first], "]") {
		return ""
	}
	return before + login + host[:last] + after
}

// twoAts: ftp://me@x.org:secret@h/.
func twoAts(text string) string {
	before, login, host, after := authorityOf(text)
	last := len(login) - 1
	if strings.Count(login, "@") < 2 {
		return ""
	}
	return before + strings.ReplaceAll(login[:last], "@", "%40") + "@" + host + after
}
