package locator

import (
	"strings"

	"locator/internal/octet"
)

// Hint returns what the author of the URL may have meant instead, "" if nothing is suspicious: a URL of a scheme that nobody
// knows, such as "htp://h/" or "localhost:8080", or one whose parts are probably not those that were meant, such as
// "gopher://h/file.txt". Any password is masked. A hint is for people: it may be wrong, and its words may change.
func (u URL) Hint() string {
	if u.IsZero() || len(u.text) > maxHinted {
		return ""
	}
	for _, row := range [...]struct {
		grammar grammar
		why     string
		guess   func(URL) string // what was meant; "" if it is not this mistake
	}{
		{gopherGrammar, `the first character of the path was read as the item type; `, URL.untyped},
		{gopherGrammar, `the words of a search follow "%09", not "?"; `, URL.gopherQuery},
		{fileGrammar, "", URL.fileWithoutRoot},
		{httpGrammar, "", URL.twoSchemes},
		{otherGrammar, "", URL.hostAsScheme},
		{otherGrammar, "", URL.misspelt},
	} {
		if row.grammar != u.grammar() {
			continue
		}
		if hint := didYouMean(row.guess(u)); hint != "" {
			return row.why + hint
		}
	}
	return ""
}

// untyped: gopher://h/file.txt, which asks for "ile.txt" of type f.
func (u URL) untyped() string {
	path, _ := u.Path()
	if len(path) < 2 || strictTable[path[0]]&alphaClass == 0 || strings.ContainsAny(path[1:2], "/%") || strings.HasPrefix(path[1:], "URL:") {
		return ""
	}
	kind := "0/"
	if strings.HasSuffix(path, "/") {
		kind = "1/"
	}
	at := int(u.portEnd) + 1
	return u.text[:at] + kind + u.text[at:]
}

// gopherQuery: gopher://h/7/search?words.
func (u URL) gopherQuery() string {
	path, _ := u.Path()
	i := strings.IndexByte(path, '?')
	if i < 0 || path[0] != '7' || strings.Contains(path, "%09") {
		return ""
	}
	at := int(u.portEnd) + 1 + i
	return u.text[:at] + "%09" + strings.ReplaceAll(u.text[at+1:], "+", "%20")
}

// fileWithoutRoot: file://etc/motd, which names the host etc.
func (u URL) fileWithoutRoot() string {
	if host := octet.Lower(u.Host()); host == "" || host == "localhost" || strings.Contains(host, ".") {
		return ""
	}
	return "file:///" + u.text[u.host:]
}

// twoSchemes: http://ftp://h/.
func (u URL) twoSchemes() string {
	if i := secondScheme(u.text); i > 0 {
		return u.text[i:]
	}
	return ""
}

// hostAsScheme: localhost:8080/x, C:/file, me:secret@host/.
func (u URL) hostAsScheme() string {
	if isDrive(u.text) {
		return "file:///" + u.text
	}
	if _, host, ok := strings.Cut(u.SchemePart(), "@"); ok && !u.HasHost() && withScheme(host) != "" {
		return "ftp://" + u.text
	}
	return withScheme(u.text)
}

// misspelt: htp://h/, hhttp://h/, gohper://h/.
func (u URL) misspelt() string {
	name := u.Scheme()
	if isKnown(name) || isOther(name) || len(name) < 3 || len(name) > 10 {
		return ""
	}
	guess := ""
	for _, row := range schemes.rows {
		switch known := row.Name; {
		case len(known) < 3:
		case known[1:] == name: // copied without the first character
			return known + u.text[u.colon:]
		case guess == "" && (name[0] == known[0] || name[1] == known[0] || name[0] == known[1]) && oneSlip(name, known):
			guess = known + u.text[u.colon:]
		}
	}
	return guess
}

// isKnown reports whether the table has a scheme.
func isKnown(name string) bool { return schemes.row(schemes.find(name)).Name != "" }

// isOther reports whether a name is that of a scheme in use that the table does not have, or one for experiments.
func isOther(name string) bool {
	const inUse = " sftp tftp smtp smtps snmp ssh scp git svn hg rsync imap imaps pop pop3 ldap ldaps rtsp rtmp sip sips tel fax sms xmpp irc ircs " +
		"ws wss data blob about javascript magnet urn doi info dict dns nntps snews afp smb cifs dav davs feed geo view-source " +
		"httpu httpg shttp ipp ipps coap coaps mms mailserver gemini spartan finger whois tip vnc rdp jdbc mysql redis content " +
		"acct im pres tag pkg matrix "
	return strings.Contains(inUse, " "+name+" ") || IsExperimental(name)
}

// oneSlip reports whether two names differ by one character that is missing, doubled, wrong or exchanged with its neighbour.
func oneSlip(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	switch len(b) - len(a) {
	case 1:
		return a[i:] == b[i+1:]
	case 0:
		if i == len(a) {
			return false
		}
		return a[i+1:] == b[i+1:] || i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
	}
	return false
}
