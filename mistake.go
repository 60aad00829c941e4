package locator

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"locator/internal/octet"
)

// This file and hint.go are the only places that guess what the author of a text meant: mistake.advice for a text that is no URL, URL.Hint for a
// URL that is read in another way than it was meant. A guess is shown only if Current parses it, in ASCII and with its password masked.

// mistake is a text that is no URL, and where the parser stopped.
type mistake struct {
	text   string // masked
	typed  string // the text itself
	scheme string // in lower case; "" if there is none
	off    int    // the first wrong byte of typed
	rule   string // the BNF rule at off
}

// advice returns what is wrong and what was meant. The message is "" if that of the parser is good, the hint if nothing is known.
func (m *mistake) advice() (msg, hint string) {
	if len(m.typed) > maxHinted {
		return "", ""
	}
	m.text = Redact(m.typed)
	for _, row := range [...]struct {
		msg   string
		guess func(*mistake) string // what was meant; "" if it is not this mistake
	}{
		{"white space around a URL is not part of it", (*mistake).blanks},
		{"angle brackets around a URL are not part of it", (*mistake).brackets},
		{"quotation marks around a URL are not part of it", (*mistake).quotes},
		{"angle brackets around a message-id are not part of it", (*mistake).messageID},
		{"an nntp URL names one group; lists of groups and message-ids have the scheme news", (*mistake).newsAtServer},
		{"this is a link in Markdown", (*mistake).markdown},
		{"a file name is not a URL", (*mistake).fileName},
		{"a URL has slashes, not backslashes", (*mistake).backslashes},
		{`the ":" after the scheme is missing`, (*mistake).colon},
		{"the scheme is missing", (*mistake).address},
		{"the scheme is missing", (*mistake).host},
		{"a zone id is not part of a URL", (*mistake).zone},
		{`the "]" after an IPv6 address is missing`, (*mistake).rightBracket},
		{`the "[" before an IPv6 address is missing`, (*mistake).leftBracket},
		{"an IPv6 address stands in brackets", (*mistake).noBrackets},
		{"a URL has one port", (*mistake).twoPorts},
		{"a URL has one scheme", (*mistake).secondScheme},
		{`an "@" in a user name or password is written %40`, (*mistake).twoAts},
		{"", (*mistake).international},
	} {
		if hint := didYouMean(row.guess(m)); hint != "" {
			return row.msg, hint
		}
	}
	return "", ""
}

// maxHinted is the length of the longest text for which a URL is suggested. Longer ones make no readable message.
const maxHinted = 300

// judge is Current without advice in its errors. It decides whether a guess is a URL.
var judge = &Parser{name: "current", table: currentTable, sets: currentSets, current: true, bare: true}

// didYouMean returns the hint for a guess, "" if the guess is no URL.
func didYouMean(guess string) string {
	if guess == "" {
		return ""
	}
	u, err := judge.Parse(guess)
	if err != nil {
		return ""
	}
	// Redact masks what may be a password even if the guess has another reading.
	return `did you mean "` + Redact(u.ASCII().Redacted()) + `"?`
}

// blanks: " http://h/", or a tab at the end.
func (m *mistake) blanks() string { return m.trimmed(unicode.IsSpace) }

// quotes: “http://h/”.
func (m *mistake) quotes() string {
	return m.trimmed(func(r rune) bool { return strings.ContainsRune("\"'`“”„‟‘’‚‛«»‹›", r) })
}

// trimmed returns the text without some characters at its ends, "" if there are none.
func (m *mistake) trimmed(cut func(rune) bool) string {
	if t := strings.TrimFunc(m.text, cut); t != m.text {
		return t
	}
	return ""
}

// brackets: <http://h/>. Unwrap removes only the form <URL:http://h/>.
func (m *mistake) brackets() string {
	inner, left := strings.CutPrefix(m.text, "<")
	inner, right := strings.CutSuffix(inner, ">")
	if !left && !right {
		return ""
	}
	if len(inner) > 4 && strings.EqualFold(inner[:4], "URL:") {
		inner = inner[4:]
	}
	return inner
}

// messageID: news:<id@host>.
func (m *mistake) messageID() string {
	before, id, ok := strings.Cut(m.text, "<")
	if !ok || m.scheme != "news" && m.scheme != "snews" {
		return ""
	}
	return before + strings.TrimSuffix(id, ">")
}

// newsAtServer: nntp://h/, nntp://h/comp.*, nntp://h/group/id@host.
func (m *mistake) newsAtServer() string {
	name := map[string]string{"nntp": "news", "nntps": "snews"}[m.scheme]
	_, rest, ok := strings.Cut(m.text, "://")
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

// markdown: [text](http://h/).
func (m *mistake) markdown() string {
	text, link, ok := strings.Cut(m.text, "](")
	if !ok || !strings.HasPrefix(text, "[") || !strings.HasSuffix(link, ")") {
		return ""
	}
	return link[:len(link)-1]
}

// fileName: /etc/motd, C:\file, \\server\share\file.
func (m *mistake) fileName() string {
	path := strings.ReplaceAll(m.text, `\`, "/")
	escaped := octet.EscapeInvalid(path, func(i int) bool { return strings.IndexByte("%?#;", path[i]) >= 0 })
	switch {
	case isDrive(path):
		return "file:///" + escaped
	case strings.HasPrefix(m.text, `\\`):
		return "file:" + escaped
	case strings.HasPrefix(m.text, "/") && !strings.HasPrefix(m.text, "//"):
		return "file://" + escaped
	}
	return ""
}

// isDrive reports whether a path begins like "C:/".
func isDrive(path string) bool {
	return len(path) > 2 && strictTable[path[0]]&alphaClass != 0 && path[1:3] == ":/" && !strings.HasPrefix(path[2:], "//")
}

// backslashes: http:\\h\file, file:///C:\file. A "\" in the middle of another URL may be meant.
func (m *mistake) backslashes() string {
	_, part, _ := strings.Cut(m.text, ":")
	if m.scheme == "" || m.scheme != "file" && !strings.HasPrefix(part, `\\`) {
		return ""
	}
	if t := strings.ReplaceAll(m.text, `\`, "/"); t != m.text {
		return t
	}
	return ""
}

// colon: http//h/.
func (m *mistake) colon() string {
	name, rest, ok := strings.Cut(m.text, "//")
	if m.scheme != "" || !ok || !isKnown(octet.Lower(name)) {
		return ""
	}
	return name + "://" + rest
}

// address: me@host.example, me@host.example:file, me@host.example/file.
func (m *mistake) address() string {
	user, rest, ok := strings.Cut(m.text, "@")
	if m.rule != "scheme" || !ok || user == "" || strings.ContainsAny(user, ":/?#") {
		return ""
	}
	end := strings.IndexAny(rest, ":/?#")
	switch {
	case rest == "" || end == 0:
		return ""
	case end < 0:
		return "mailto:" + m.text
	case rest[end] == ':' && !isPort(rest[end:]): // as for scp and git
		return "ssh://" + user + "@" + rest[:end] + "/" + strings.TrimPrefix(rest[end+1:], "/")
	case rest[end] == '/':
		return "ftp://" + m.text
	}
	return "ssh://" + m.text
}

// host: www.example.com, //www.example.com/.
func (m *mistake) host() string {
	if m.rule != "scheme" {
		return ""
	}
	return withScheme(strings.TrimPrefix(m.text, "//"))
}

// withScheme returns a text that begins with a host as a URL of the likely scheme, "" if it begins with no host.
func withScheme(text string) string {
	if strings.HasPrefix(text, "[") { // an IPv6 address
		return "http://" + closeBracket(text)
	}
	end := strings.IndexAny(text, ":/?#")
	if end < 0 {
		end = len(text)
	}
	host := octet.Lower(text[:end])
	if _, ok := scanWholeHost(host); !ok || host != "localhost" && !strings.Contains(host, ".") ||
		strings.HasPrefix(text[end:], ":") && !isPort(text[end:]) {
		return ""
	}
	for _, name := range [...]string{"ftp", "gopher"} {
		if strings.HasPrefix(host, name+".") {
			return name + "://" + text
		}
	}
	return "http://" + text
}

// isPort reports whether a text begins with a colon and a port.
func isPort(text string) bool {
	digits, _, _ := strings.Cut(text[1:], "/")
	return digits != "" && strings.Trim(digits, "0123456789") == ""
}

// zone: http://[fe80::1%25eth0]/. RFC 9844 withdrew zone identifiers in URLs.
func (m *mistake) zone() string {
	end := strings.IndexByte(m.text, ']')
	percent := strings.IndexByte(m.text, '%')
	if percent < 0 || end < percent || !strings.Contains(m.text[:percent], "//[") && !strings.Contains(m.text[:percent], "@[") {
		return ""
	}
	return m.text[:percent] + m.text[end:]
}

// hostport returns the text before and after the host and port, and these.
func (m *mistake) hostport() (before, hostport, after string) {
	begin := strings.Index(m.text, "//") + 2
	if begin < 2 {
		return m.text, "", ""
	}
	end := strings.IndexAny(m.text[begin:], "/?#")
	if end < 0 {
		end = len(m.text) - begin
	}
	begin, end = begin+strings.LastIndexByte(m.text[begin:begin+end], '@')+1, begin+end
	return m.text[:begin], m.text[begin:end], m.text[end:]
}

// closeBracket adds the "]" after an IPv6 address in a text that begins with "[", if there is none.
func closeBracket(text string) string {
	end := 1
	for end < len(text) && strings.IndexByte("0123456789abcdefABCDEF:.", text[end]) >= 0 {
		end++
	}
	if end < len(text) && text[end] == ']' {
		return text
	}
	return text[:end] + "]" + text[end:]
}

// rightBracket: http://[::1/.
func (m *mistake) rightBracket() string {
	before, host, after := m.hostport()
	if !strings.HasPrefix(host, "[") || strings.Contains(host, "]") {
		return ""
	}
	return before + closeBracket(host) + after
}

// leftBracket: http://::1]/.
func (m *mistake) leftBracket() string {
	before, host, after := m.hostport()
	if !strings.Contains(host, "]") || strings.Contains(host, "[") {
		return ""
	}
	return before + "[" + host + after
}

// noBrackets: http://::1/.
func (m *mistake) noBrackets() string {
	before, host, after := m.hostport()
	if strings.Count(host, ":") < 2 || strings.ContainsAny(host, "[]") {
		return ""
	}
	return before + "[" + host + "]" + after
}

// twoPorts: http://h:80:80/.
func (m *mistake) twoPorts() string {
	before, host, after := m.hostport()
	last := strings.LastIndexByte(host, ':')
	if last < 0 || !isPort(host[last:]) {
		return ""
	}
	first := strings.LastIndexByte(host[:last], ':')
	if first < 0 || !isPort(host[first:last]) || strings.Contains(host[:first], ":") && !strings.HasSuffix(host[:first], "]") {
		return ""
	}
	return before + host[:last] + after
}

// secondScheme: http://ftp://h/.
func (m *mistake) secondScheme() string {
	_, rest, _ := strings.Cut(m.text, "://")
	if name, part, _ := strings.Cut(rest, ":"); !strings.HasPrefix(part, "//") || !isKnown(octet.Lower(name)) {
		return ""
	}
	return rest
}

// twoAts: ftp://me@x.org:secret@h/.
func (m *mistake) twoAts() string {
	login := m.login(m.typed)
	if strings.Count(login, "@") < 2 {
		return ""
	}
	login = m.login(m.text)
	last := strings.LastIndexByte(login, '@')
	if last < 0 {
		return ""
	}
	return strings.Replace(m.text, login, strings.ReplaceAll(login[:last], "@", "%40")+login[last:], 1)
}

// login returns the text from "//" up to the "@" before the host.
func (m *mistake) login(text string) string {
	begin := strings.Index(text, "//") + 2
	if begin < 2 {
		return ""
	}
	end := strings.IndexAny(text[begin:], "/?#")
	if end < 0 {
		end = len(text) - begin
	}
	return text[begin : begin+strings.LastIndexByte(text[begin:begin+end], '@')+1]
}

// international: http://bücher.example/, where only the host has characters beyond ASCII that the grammar does not allow.
func (m *mistake) international() string {
	if m.off >= len(m.typed) || m.typed[m.off] < utf8.RuneSelf {
		return ""
	}
	u, err := judge.Parse(m.typed)
	if err != nil || m.off >= int(u.portEnd) {
		return ""
	}
	return m.text // which is shown in ASCII
}

// wrongCharacter returns the character at the first wrong byte for a message, and its escape.
func wrongCharacter(s string, off int) (shown, escape string) {
	c := s[off]
	begin := off
	for begin > 0 && off-begin < utf8.UTFMax-1 && !utf8.RuneStart(s[begin]) {
		begin--
	}
	r, n := utf8.DecodeRuneInString(s[begin:])
	if c < utf8.RuneSelf || r == utf8.RuneError || begin+n <= off {
		return octet.Quote(c), octet.Escape(c)
	}
	escape = string(octet.AppendASCII(nil, s[begin:begin+n]))
	if unicode.IsGraphic(r) && !unicode.In(r, unicode.Mn, unicode.Me, unicode.Zs) {
		return `"` + string(r) + `"`, escape
	}
	return "the character " + escape, escape
}
