package locator

import (
	"fmt"
	"log/slog"
	"strings"
)

const nntpProductions = `
nntpurl        = "nntp://" hostport "/" group [ "/" digits ]
group          = alpha *[ alpha | digit | "-" | "." | "+" | "_" ]
`

// nntpCurrent is RFC 5538 3. A range of articles is an extension in the notation of RFC 3977 8.3.
const nntpCurrent = `
nntpurl        = "nntp://" authority "/" 1*group-char [ "/" 1*DIGIT [ "-" *DIGIT ] ]
` + groupCurrent

// NNTP is the view of an nntp URL (RFC 1738 3.7, RFC 5538 3).
type NNTP struct {
	Secure         bool     // the scheme of the same grammar over TLS, if the table of schemes has one
	User, Password Optional // in Current only
	Hostport
	Group   string
	Article Optional // digits
	Range   Optional // in Current, an extension: "first-last" or "first-" in digits
}

// String returns the redacted URL that Build writes, or its error.
func (v NNTP) String() string { return viewString(&v) }

// Format prints String for every verb, so that a password is never shown.
func (v NNTP) Format(f fmt.State, verb rune) { formatView(f, verb, &v) }

// MarshalText returns the whole URL that [Build] writes, with the password; nothing for the zero
// view. JSON uses it. The error is that of Build.
func (v NNTP) MarshalText() ([]byte, error) { return viewText(&v) }

// UnmarshalText reads what MarshalText writes. It fails like [URL.UnmarshalText], or if the URL has
// another view.
func (v *NNTP) UnmarshalText(text []byte) error { return unmarshalView(v, text) }

// LogValue returns the redacted URL for package slog.
func (v NNTP) LogValue() slog.Value { return logView(&v) }

// nntp parses what follows "nntp:".
func (r *reader) nntp(i int) int {
	if i = r.slashes(i, "nntpurl"); i < 0 {
		return -1
	}
	if r.current { // a user is allowed there (RFC 5538 3)
		r.u.has |= isLater
		i = r.login(i)
	} else {
		i = r.hostport(i)
	}
	if i < 0 {
		return -1
	}
	if i == len(r.s) {
		return r.fail(i, "nntpurl", `"/" and a group`, "")
	}
	if i = r.group(i + 1); i < 0 {
		return -1
	}
	if i == len(r.s) {
		return r.path(i)
	}
	if r.s[i] != '/' {
		hint := "a group is written without escapes"
		if r.current {
			hint = "all else in a group is written as escapes"
		}
		return r.fail(i, "group", `a letter, digit, "-", ".", "+" or "_" of a group`, hint)
	}
	slash := i
	if i = r.digits(slash+1, "digits", "the number of an article", ""); i < 0 {
		return r.without(slash, slash+1)
	}
	if r.current && r.at(i, '-') {
		i = r.anyDigits(i + 1)
	}
	if i < len(r.s) {
		return r.fail(i, "digits", "a digit of the number of an article", "write the number in decimal, and end there")
	}
	return r.path(i)
}

// group parses the name of a group.
func (r *reader) group(i int) int {
	begin := i
	if r.current {
		if i = r.span(i, groupClass); i == begin {
			return r.fail(i, "group", "the name of a group", "")
		}
		return i
	}
	if i == len(r.s) || r.t[r.s[i]]&alphaClass == 0 {
		return r.fail(i, "group", "the name of a group, which begins with a letter", "")
	}
	for i < len(r.s) && r.t[r.s[i]]&groupClass != 0 {
		i++
	}
	return i
}

// nntpPath splits the url-path. A range is an article number and more (RFC 3977 8.3).
func (u URL) nntpPath() (group string, article, span Optional) {
	path, _ := u.Path()
	group, article = cutOptional(path, "/")
	if strings.IndexByte(article.text, '-') >= 0 {
		return group, Optional{}, article
	}
	return group, article, Optional{}
}

func (*NNTP) of(u URL) View {
	group, article, span := u.nntpPath()
	d := u.decoder()
	return &NNTP{
		Secure: u.row().TLS, User: d.optional(optional(u.User())), Password: d.optional(optional(u.Password())), Hostport: u.hostport(),
		Group: d.text(group), Article: article, Range: span,
	}
}

func (*NNTP) parts(u URL) []Part {
	group, article, span := u.nntpPath()
	parts := []Part{textPart("group", Some(group)), textPart("article", article)}
	if u.has&isLater != 0 {
		parts = append(parts, textPart("range", span))
	}
	return parts
}

// Scheme returns "nntp", or the name of its TLS twin if Secure is set.
func (v *NNTP) Scheme() string { return schemes.name(nntpGrammar, v.Secure) }

func (v *NNTP) build(b *builder) {
	if v.User.IsSet() || v.Password.IsSet() {
		b.later = true
	}
	b.login(Login{User: v.User, Password: v.Password, Hostport: v.Hostport})
	b.text("/")
	b.group(v.Group, 0)
	article, hasArticle := v.Article.Get()
	span, hasRange := v.Range.Get()
	switch {
	case hasArticle && hasRange:
		b.fail(0, "range", "RFC 3977 8.3", "an article and a range are set", "set one of them")
	case hasArticle:
		b.text("/")
		b.digits(article, "digits", "3.7", "the number of an article is digits")
	case hasRange:
		b.later = true
		first, last, ok := strings.Cut(span, "-")
		if !ok {
			b.fail(len(span), "range", "RFC 3977 8.3", `a range has a "-"`, `write "first-" or "first-last"`)
		}
		b.text("/")
		b.digits(first, "range", "RFC 3977 8.3", "a range begins with digits")
		b.text("-")
		if last != "" {
			b.digits(last, "range", "RFC 3977 8.3", "a range ends with digits")
		}
	}
}

// commandParts: a blank or tab begins another argument (RFC 3977 3.1).
func (v *NNTP) commandParts(look lookFunc) {
	look("user", v.User.Or(""), lineEnds)
	look("password", v.Password.Or(""), lineEnds)
	look("group", v.Group, lineEnds+" \t")
}
