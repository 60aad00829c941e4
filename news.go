package locator

import "strings"

const newsProductions = `
newsurl        = "news:" grouppart
grouppart      = "*" | group | article
group          = alpha *[ alpha | digit | "-" | "." | "+" | "_" ]
article        = 1*[ uchar | ";" | "/" | "?" | ":" | "&" | "=" ] "@" host
`

func newsSyntax() *Syntax {
	return &Syntax{
		Name: "news", Ports: []uint16{119, 563},
		Rule: "newsurl", Section: "3.6", Productions: newsProductions,
	}
}

// news reads what follows "news:". Until an "@" has been seen, all may still be a message-id.
func (r *reader) news(i int) int {
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
	return r.fail(end, "article", `"@" and the host of a message-id`, hintNews)
}

const hintNews = `a group begins with a letter and holds letters, digits, "-", ".", "+" and "_"; a message-id is unique@host`

// newsHost reads the host after the "@" of a message-id.
func (r *reader) newsHost(i int) int {
	end, ok := r.scanHost(i)
	switch {
	case r.at(end, '@'):
		return r.fail(end, "host", "the end of the message-id", `an "@" before the last one is written %40`)
	case !ok || end < len(r.s):
		return r.fail(end, "host", needHost, hintHost)
	}
	return r.noPath(end)
}

// isGroup reports whether s is a group.
func isGroup(s string) bool {
	if s == "" || strictTable[s[0]]&alphaClass == 0 {
		return false
	}
	for i := range len(s) {
		if strictTable[s[i]]&groupClass == 0 {
			return false
		}
	}
	return true
}

// newsKind tells the three forms apart by the "@" (RFC 1738 3.6).
func newsKind(part string) NewsKind {
	switch {
	case part == "*":
		return NewsAll
	case strings.IndexByte(part, '@') >= 0:
		return NewsArticle
	}
	return NewsGroup
}

func (u URL) newsView() *News {
	v := &News{Kind: newsKind(u.Part())}
	switch v.Kind {
	case NewsGroup:
		v.Group = u.Part()
	case NewsArticle:
		v.Article = Decode(u.Part())
	}
	return v
}

func (u URL) newsParts() []Part {
	kind := newsKind(u.Part())
	return []Part{
		textPart("kind", Some(kind.String())),
		textPart("group", optional(u.Part(), kind == NewsGroup)),
		textPart("article", optional(u.Part(), kind == NewsArticle)),
	}
}

// String is "all", "group" or "article".
func (k NewsKind) String() string { return [...]string{"all", "group", "article"}[min(k, NewsArticle)] }

// Scheme is "news".
func (v *News) Scheme() string { return "news" }

func (v *News) build(b *builder) {
	switch {
	case v.Kind > NewsArticle:
		b.fail(0, "grouppart", "3.6", "the kind is none of the three", "use NewsAll, NewsGroup or NewsArticle")
	case v.Group != "" && v.Kind != NewsGroup, v.Article != "" && v.Kind != NewsArticle:
		b.fail(0, "grouppart", "3.6", "a group or message-id is set that the kind does not name", "set the one that Kind names")
	}
	switch v.Kind {
	case NewsAll:
		b.text("*")
	case NewsGroup:
		b.group(v.Group)
	case NewsArticle:
		at := strings.LastIndexByte(v.Article, '@')
		if at < 1 {
			b.fail(0, "article", "3.6", `a message-id has the form unique@host`, "write it without its angle brackets")
			return
		}
		b.escaped(v.Article[:at], articleClass)
		b.text("@")
		if end, ok := scanWholeHost(v.Article[at+1:]); !ok {
			b.failHost(at+1+end, "article", v.Article)
		}
		b.text(v.Article[at+1:])
	}
}

// group writes the name of a newsgroup, in which no escapes are allowed.
func (b *builder) group(s string) {
	if !isGroup(s) {
		b.fail(0, "group", "3.6", "this is no name of a group", `begin with a letter; use letters, digits, "-", ".", "+" and "_"`)
	}
	b.text(s)
}

// newsCanonical leaves the message-id as it is, its host too: a server compares it octet by octet.
func (u URL) newsCanonical(b []byte) []byte { return appendUndone(b, u.Part(), undoUnreserved) }
