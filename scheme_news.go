package locator

import (
	"fmt"
	"log/slog"
	"strings"
	"unicode/utf8"

	"locator/internal/octet"
)

const newsProductions = `
newsurl        = "news:" grouppart
grouppart      = "*" | group | article
group          = alpha *[ alpha | digit | "-" | "." | "+" | "_" ]
article        = 1*[ uchar | ";" | "/" | "?" | ":" | "&" | "=" ] "@" host
`

// newsCurrent is RFC 5538 4 and 6, with message-ids as they occur: also those of RFC 1738, and with
// any host after the "@". What begins with "//" is a server and no message-id.
const newsCurrent = `
newsurl        = "news:" ( server "/" ( article / newsgroups ) / local-article / newsgroups )
server         = "//" authority
article        = 1*( mid-char / "/" ) "@" mid-right
local-article  = "/" "@" mid-right / ( mid-char / "/" mid-char ) *( mid-char / "/" ) "@" mid-right
mid-char       = uchar / ";" / "?" / ":" / "&" / "="
mid-right      = 1*( uchar / ";" / ":" / "&" / "=" )
newsgroups     = *( group-char / "*" )
` + groupCurrent

// groupCurrent is RFC 5538 3. A character beyond ASCII may stand for an escape.
const groupCurrent = `
group-char     = ALPHA / DIGIT / "-" / "+" / "_" / "." / pct-encoded / ucschar
`

// News is the view of a news URL (RFC 1738 3.6, RFC 5538 4).
type News struct {
	Secure  bool // the scheme of the same grammar over TLS, if the table of schemes has one
	Kind    NewsKind
	Group   string // for NewsGroup; in Current it may contain the wildcards "*" and "?" (RFC 5538 4)
	Article string // for NewsArticle: the message-id without its angle brackets
	Server  Login  // in Current; the zero Login if the URL names no server
}

// NewsKind says what a news URL names.
type NewsKind uint8

// The kinds of RFC 1738 3.6.
const (
	NewsAll     NewsKind = iota // news:*
	NewsGroup                   // a group
	NewsArticle                 // an article, by message-id
)

// String returns "all", "group" or "article".
func (k NewsKind) String() string { return [...]string{"all", "group", "article"}[min(k, NewsArticle)] }

// String returns the redacted URL that Build writes, or its error.
func (v News) String() string { return viewString(&v) }

// Format prints String for every verb, so that a password is never shown.
func (v News) Format(f fmt.State, verb rune) { formatView(f, verb, &v) }

// MarshalText returns the whole URL that [Build] writes, with the password; nothing for the zero
// view. JSON uses it. The error is that of Build.
func (v News) MarshalText() ([]byte, error) { return viewText(&v) }

// UnmarshalText reads what MarshalText writes. It fails like [URL.UnmarshalText], or if the URL has
// another view.
func (v *News) UnmarshalText(text []byte) error { return unmarshalView(v, text) }

// LogValue returns the redacted URL for package slog.
func (v News) LogValue() slog.Value { return logView(&v) }

// news parses what follows "news:". Before an "@" is found, everything can be a message-id.
func (r *reader) news(i int) int {
	if r.current {
		return r.newsLater(i)
	}
	end := r.span(i, articleClass)
	if end < 0 {
		return -1
	}
	part := r.s[i:end]
	switch {
	case r.at(end, '@') && end > i:
		return r.newsHost(end + 1)
	case r.at(end, '@'):
		return r.fail(end, "article", `a group, a message-id or "*"`, hintNews)
	case end < len(r.s):
		return r.fail(end, "grouppart", "", "")
	case part == "*" || isGroup(part):
		return r.noPath(end)
	case part == "":
		return r.fail(end, "grouppart", `a group, a message-id or "*"`, hintNews)
	}
	return r.failFrom(i+groupLength(part), end, "article", `"@" and the host of a message-id`, hintNews)
}

const hintNews = `a group begins with a letter and holds letters, digits, "-", ".", "+" and "_"; a message-id is unique@host`

// newsHost parses the host after the "@" of a message-id.
func (r *reader) newsHost(i int) int {
	end, ok := r.scanHost(i)
	switch {
	case r.at(end, '@'):
		return r.fail(end, "host", "the end of the message-id", `an "@" before the last one is written %40`)
	case !ok || end < len(r.s):
		r.failFrom(r.hostPrefix(i), end, "host", needHost, hintHost)
		return r.without(i-1, i)
	}
	return r.noPath(end)
}

// isGroup reports whether s is a group.
func isGroup(s string) bool { return s != "*" && s != "" && groupLength(s) == len(s) }

// groupLength returns the length of the longest group that s begins with, or of a "*" there.
func groupLength(s string) int {
	switch {
	case strings.HasPrefix(s, "*"):
		return 1
	case s == "" || strictTable[s[0]]&alphaClass == 0:
		return 0
	}
	for i := range len(s) {
		if strictTable[s[i]]&groupClass == 0 {
			return i
		}
	}
	return len(s)
}

// newsLater is news by RFC 5538.
func (r *reader) newsLater(i int) int {
	if begin := i; strings.HasPrefix(r.s[i:], "//") {
		if i = r.authority(i+2, mayLogin); i < 0 {
			return r.without(begin, begin+2) // "news:" means all groups
		}
		if i == len(r.s) {
			return r.failFrom(begin, i, "newsurl", `"/" and a group, a message-id or nothing`, `put "/" after the server`)
		}
		r.u.has |= hasPath
		i++
	}
	end := r.span(i, articleClass)
	if end < 0 {
		return -1
	}
	switch {
	case r.at(end, '@') && end > i:
		right := end + 1
		if end = r.span(right, midClass); end < 0 {
			return -1
		}
		if end == len(r.s) && end > right {
			return r.noPath(end)
		}
		r.fail(end, "article", "the host of a message-id", `a second "@" is written %40, and brackets %5B and %5D`)
		return r.without(right-1, right)
	case r.at(end, '@'):
		return r.fail(end, "article", "a group or a message-id", hintNewsLater)
	case end < len(r.s):
		return r.fail(end, "newsgroups", "", "")
	case newsgroupsLength(r.s[i:]) < end-i:
		return r.failFrom(i+newsgroupsLength(r.s[i:]), end, "article", `"@" and the host of a message-id`, hintNewsLater)
	}
	return r.noPath(end)
}

const hintNewsLater = `a group holds letters, digits, "-", ".", "+", "_", "*" and escapes; a message-id is unique@host`

// newsgroupsLength returns the length of the longest newsgroups (RFC 5538 4) that s begins with.
// The escapes of s are valid.
func newsgroupsLength(s string) int {
	for i := range len(s) {
		if c := s[i]; strictTable[c]&groupClass == 0 && c != '%' && c != '*' && c < utf8.RuneSelf {
			return i
		}
	}
	return len(s)
}

// newsPart returns what names groups or an article: everything but the server.
func (u URL) newsPart() string {
	if path, ok := u.Path(); ok {
		return path
	}
	return u.SchemePart()
}

// newsKind distinguishes the three forms by the "@" (RFC 1738 3.6). An empty part means all groups,
// like "*" (RFC 5538 4).
func newsKind(part string) NewsKind {
	switch {
	case part == "*", part == "":
		return NewsAll
	case strings.IndexByte(part, '@') >= 0:
		return NewsArticle
	}
	return NewsGroup
}

func (*News) of(u URL) View {
	part := u.newsPart()
	d := u.decoder()
	v := &News{Secure: u.row().TLS, Kind: newsKind(part)}
	switch v.Kind {
	case NewsGroup:
		v.Group = d.text(part)
	case NewsArticle:
		v.Article = d.text(part)
	}
	if u.HasHost() {
		v.Server = u.login(&d)
	}
	return v
}

func (*News) parts(u URL) []Part {
	part := u.newsPart()
	kind := newsKind(part)
	return []Part{
		textPart("kind", Some(kind.String())),
		textPart("group", optional(part, kind == NewsGroup)),
		textPart("article", optional(part, kind == NewsArticle)),
	}
}

// Scheme returns "news", or the name of its TLS twin if Secure is set.
func (v *News) Scheme() string { return schemes.name(newsGrammar, v.Secure) }

func (v *News) build(b *builder) {
	switch {
	case v.Kind > NewsArticle:
		b.fail(0, "grouppart", "3.6", "the kind is none of the three", "use NewsAll, NewsGroup or NewsArticle")
	case v.Group != "" && v.Kind != NewsGroup, v.Article != "" && v.Kind != NewsArticle:
		b.fail(0, "grouppart", "3.6", "a group or message-id is set that the kind does not name", "set the one that Kind names")
	}
	if v.Server != (Login{}) {
		b.later = true
		b.login(v.Server)
		b.text("/")
	}
	switch v.Kind {
	case NewsAll:
		b.text("*")
	case NewsGroup:
		if v.Group == "*" {
			b.fail(0, "group", "3.6", `"*" stands for all groups`, "use NewsAll")
		}
		b.group(v.Group, '*')
	case NewsArticle:
		b.article(v.Article)
	}
}

// article writes a message-id. It escapes the host if RFC 1738 does not allow it as it is (RFC 5538
// 4).
func (b *builder) article(s string) {
	at := lastAt(s)
	if at < 1 {
		b.fail(0, "article", "3.6", `a message-id has the form unique@host`, "write it without its angle brackets")
		return
	}
	if s[0] == '<' && s[len(s)-1] == '>' {
		b.fail(len(s)-1, "article", "RFC 5538 4", `a message-id cannot contain ">"`, "write it without its angle brackets")
	}
	left := s[:at]
	if strings.HasPrefix(left, "//") { // which would be a server in Current
		b.text("%2F")
		left = left[1:]
	}
	b.escaped(left, articleClass)
	b.text("@")
	if _, ok := scanWholeHost(s[at+1:]); ok {
		b.text(s[at+1:])
		return
	}
	b.later = true
	b.escaped(s[at+1:], midClass)
}

// group writes the name of a newsgroup. RFC 1738 requires a letter first and no escapes; RFC 5538 3
// does not. plain is one more byte that is not escaped.
func (b *builder) group(s string, plain byte) {
	if s == "" {
		b.fail(0, "group", "3.6", "the name of the group is empty", "set Group")
	}
	b.later = b.later || !isGroup(s)
	for i := range len(s) {
		if c := s[i]; c == plain || strictTable[c]&groupClass != 0 {
			b.buf = append(b.buf, c)
		} else {
			b.buf = octet.AppendEscape(b.buf, c)
		}
	}
}

// commandParts: a blank or tab begins another argument (RFC 3977 3.1).
func (v *News) commandParts(look lookFunc) {
	v.Server.commandParts(look)
	look("message-id", v.Article, lineEnds+" \t")
	look("group", v.Group, lineEnds+" \t")
}

// newsCanonical keeps the message-id with its host: servers compare it byte by byte.
func (u URL) newsCanonical(b []byte) []byte {
	if u.HasHost() {
		b = append(u.appendLogin(b, undoUnreserved), '/')
	}
	switch part := u.newsPart(); newsKind(part) {
	case NewsAll:
		return append(b, '*')
	case NewsGroup:
		return appendUndone(b, part, undoGroup)
	default:
		return appendUndone(b, part, undoUnreserved)
	}
}

// undoGroup is undoUnreserved for groups: an escaped "*" is not a wildcard.
func undoGroup(c byte) bool { return strictTable[c]&groupClass != 0 }

// lastAt returns the offset of the last "@" that is not the last byte, -1 if there is none.
func lastAt(s string) int { return strings.LastIndexByte(s[:max(len(s)-1, 0)], '@') }
