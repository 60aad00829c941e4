package locator

// This file says what is wrong with a text, and which clause of a later RFC allows what RFC 1738
// does not.

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"locator/internal/octet"
)

// SyntaxError says why a text is not a URL, or why a view cannot be written as one. It never
// contains a password, and of the input no more than the wrong character. Package repair suggests
// the URL that was probably meant.
type SyntaxError struct {
	// Offset is the first byte that cannot continue any URL of the scheme, or the length of the
	// text if it ends too early. In an error of Build it counts within the part that Rule names.
	Offset  int
	Scheme  string // in lower case; "" if there is no scheme
	Rule    string // the BNF rule at Offset, or the part that cannot be built
	Section string // of RFC 1738, or another RFC by its name, as in "RFC 3986 3.2.2"
	Msg     string // what is wrong
	Hint    string // what to write instead: an escape such as "%7E", or a phrase

	build bool   // an error of Build
	text  string // the text of UnmarshalText, redacted and cut; "" if the caller has it
}

// Error returns what is wrong, where, and what to write instead. Rule and Section, which it leaves
// out, say why.
func (e *SyntaxError) Error() string {
	var b strings.Builder
	name := "URL"
	if e.Scheme != "" && len(e.Scheme) <= maxSchemeShown {
		name = e.Scheme + " URL"
	}
	if e.build {
		fmt.Fprintf(&b, "cannot build %s: %s: %s", name, e.Rule, e.Msg)
	} else {
		fmt.Fprintf(&b, "malformed %s ", name)
		if e.text != "" {
			fmt.Fprintf(&b, "%q ", e.text)
		}
		fmt.Fprintf(&b, "at byte %d: %s", e.Offset, e.Msg)
	}
	if e.Hint != "" {
		b.WriteString("; ")
		if e.Hint[0] == '%' {
			b.WriteString("write ")
		}
		b.WriteString(e.Hint)
	}
	return b.String()
}

// maxSchemeShown is the length of the longest scheme that a message names.
const maxSchemeShown = 40

// Rules that are not in the BNF of the ten schemes, or need their own message.
const (
	ruleEscape    = "escape"
	ruleIPv6      = "IPv6address" // RFC 3986 3.2.2
	ruleIPvFuture = "IPvFuture"   // RFC 3986 3.2.2
	ruleFragment  = "fragment"    // RFC 3986 3.5
	ruleUCS       = "ucschar"     // RFC 3987 2.2
)

// What was expected, and what to write instead.
const (
	needHost = "a host name or four digit groups"
	needPort = "a port in digits"

	hintHost    = `a host is a name such as host.example (letters, digits and "-"; the last label begins with a letter) or four digit groups such as 192.0.2.1`
	hintPort    = "write the port in decimal, or leave out the colon too"
	hintPercent = "%25 for a percent sign, or %XX with two hexadecimal digits"
)

// section returns where a rule is defined: in RFC 1738 section 5, or in Current in the RFC that
// came after.
func (r *reader) section(rule string) string {
	row := r.u.row()
	switch {
	case rule == ruleFragment:
		return "RFC 3986 3.5"
	case !r.current && row.Extension:
		return row.Section
	case !r.current:
		return "5"
	}
	switch rule {
	case "scheme":
		return "RFC 3986 3.1"
	case ruleEscape:
		return "RFC 3986 2.1"
	case "authority", "hostport":
		return "RFC 3986 3.2"
	case "host", ruleIPv6, ruleIPvFuture:
		return "RFC 3986 3.2.2"
	case "port":
		return "RFC 3986 3.2.3"
	case ruleUCS:
		return "RFC 3987 2.2"
	}
	if row.Name != "" && row.grammar != otherGrammar {
		return row.CurrentSection
	}
	return "RFC 3986 3"
}

// syntaxError returns the error for text s. r.s is s, with or without the fragment. It makes two
// allocations: the error, and one string for its scheme, message and hint.
func (r *reader) syntaxError(s string) *SyntaxError {
	f := r.fault
	row := r.u.row()
	e := &SyntaxError{Offset: f.off, Rule: f.rule, Hint: f.hint}
	if row.Name != "" && strings.HasSuffix(f.rule, "url") { // the scheme may share its grammar with another
		e.Rule = row.Rule
	}
	e.Section = r.section(e.Rule)
	var buf [256]byte
	b := octet.AppendLower(buf[:0], s[:r.u.colon])
	scheme := len(b)
	b = r.appendMessage(b, s, row, e)
	message := len(b)
	if e.Hint == "" {
		b = r.appendHint(b, s)
	}
	text := string(b)
	e.Scheme, e.Msg = text[:scheme], text[scheme:message]
	if e.Hint == "" {
		e.Hint = text[message:]
	}
	return e
}

// appendMessage appends what is wrong with text s. It sets e.Hint if another one than that of the
// fault, or of appendHint, helps more.
func (r *reader) appendMessage(b []byte, s string, row *row, e *SyntaxError) []byte {
	f := r.fault
	ends := f.off >= len(r.s)
	if !ends {
		secret := inPassword(s, f.off)
		inHost := f.rule == "host" || f.rule == "port" || f.rule == "fileurl"
		switch {
		case !row.logins.allow(r.current) && row.grammar != newsGrammar && (secret || s[f.off] == '@' && inHost):
			e.Hint = `leave out everything up to the "@"`
			return append(b, "a user or password is not allowed here"...)
		case secret: // never show a byte of a password
			e.Hint = "write it as %XX, with two hexadecimal digits"
			return append(b, "a byte of the password must be escaped"...)
		case s[f.off] == '#' && f.rule != ruleFragment:
			e.Hint = "%23 for the character itself, or remove the fragment"
			return append(b, `"#" begins a fragment, which is not part of a URL`...)
		case f.need == "":
			return append(octet.AppendCharacter(b, s, f.off), " is not allowed here"...)
		}
	}
	b = append(append(b, "expected "...), f.need...)
	if f.rule == "login" {
		b = octet.AppendQuote(append(b, " (the text before it is not a host because of "...), s[f.odd])
		b = append(b, ')')
	}
	b = append(b, ", found "...)
	if ends {
		return append(b, "the end of the URL"...)
	}
	return octet.AppendCharacter(b, s, f.off)
}

// appendHint appends what to write instead, for a fault without a hint.
func (r *reader) appendHint(b []byte, s string) []byte {
	switch f := r.fault; {
	case f.off >= len(r.s):
		return append(append(b, "add "...), f.need...)
	case f.need == "":
		return octet.AppendCharacterEscape(b, s, f.off)
	default:
		return append(append(append(b, "put "...), f.need...), " there"...)
	}
}

// inPassword reports whether s[i] may belong to a password.
func inPassword(s string, i int) bool {
	for begin, end := range PasswordSpans(s) {
		if i < end {
			return i >= begin
		}
	}
	return false
}

// Clause is a clause of an RFC after RFC 1738 that allows something in a URL, or changes its
// meaning.
type Clause struct {
	Section string // the RFC and its section, as in "RFC 3986 3.2.2"; of an extension, the section it extends
	What    string // what it allows; never contains the password
	Offset  int    // start in the text
}

// Clauses returns what RFC 1738 does not allow in the URL, with the clause that allows it, in the
// order of the text. If RFC 1738 allows the URL but parses it in another way, it returns the clause
// for the other meaning. For an extension ([Syntax]) it says that no RFC has the scheme. It returns
// nil if RFC 1738 parses the URL in the same way.
func (u URL) Clauses() []Clause {
	if u.IsZero() {
		return nil
	}
	f := clauseFinder{u: u}
	if strict, err := RFC1738.Parse(u.text); err == nil {
		switch {
		case strict.scheme != u.scheme || u.has&isLater != 0 || u.grammar() == newsGrammar || u.row().Extension:
			f.scheme()
		case strict != u: // an unknown scheme, in which RFC 1738 sees no login or another one
			f.add(int(u.colon)+1, "RFC 3986 3.2", `"//" begins an authority, which ends before "/" or "?"`)
		}
	} else {
		f.authority()
		f.scheme()
		f.path()
		f.characters()
	}
	slices.SortStableFunc(f.found, func(a, b Clause) int { return cmp.Compare(a.Offset, b.Offset) })
	return f.found
}

type clauseFinder struct {
	u     URL
	found []Clause
}

func (f *clauseFinder) add(offset int, section, what string) {
	f.found = append(f.found, Clause{Section: section, What: what, Offset: offset})
}

// find adds a clause for the first of some characters in a part that begins at offset.
func (f *clauseFinder) find(offset int, part, chars, section, what string) {
	if i := strings.IndexAny(part, chars); i >= 0 {
		f.add(offset+i, section, what)
	}
}

// authority looks at user, password, host and port (RFC 3986 3.2).
func (f *clauseFinder) authority() {
	u := f.u
	if !u.HasHost() {
		return
	}
	begin := int(u.colon) + 3
	if _, ok := u.User(); ok && !u.row().logins.allow(false) {
		f.add(begin, "RFC 3986 3.2.1", "a user before the host")
	}
	if password, ok := u.Password(); ok {
		f.find(int(u.userEnd)+1, password, ":", "RFC 3986 3.2.1", `a ":" in a password`)
	}
	host := u.Host()
	switch _, ok := scanWholeHost(host); {
	case ok || host == "":
	case host[0] == '[':
		f.add(int(u.host), "RFC 3986 3.2.2", "an IP literal as host")
	case !octet.IsASCII(host):
		f.add(int(u.host), "RFC 3987 2.2", "a host with characters beyond ASCII")
	default:
		f.add(int(u.host), "RFC 3986 3.2.2", "a host of any registered name")
	}
	if u.has&hasPort != 0 && u.Port() == "" {
		f.add(int(u.hostEnd), "RFC 3986 3.2.3", "an empty port")
	}
}

// scheme looks at what the RFC of the scheme changed.
func (f *clauseFinder) scheme() {
	u := f.u
	part := int(u.colon) + 1
	switch row := u.row(); {
	case row.Extension:
		f.add(0, "RFC 1738 "+row.Section, "the scheme "+row.Name+", which no RFC has (an extension)")
	case row.Name != "" && !row.strict:
		f.add(0, row.CurrentSection, "the scheme "+row.Name)
	}
	switch u.grammar() {
	case mailtoGrammar:
		f.mailto(part)
	case newsGrammar:
		f.news(part)
	case nntpGrammar:
		f.nntp()
	case waisGrammar:
		if _, _, search, _, wpath := u.waisPath(); strings.Contains(wpath.text, "/") {
			f.add(int(u.end)-len(wpath.text), "RFC 4156 2", "a document-id as libwww wrote it: LENGTH and fields (an extension)")
		} else {
			f.query(int(u.end)-len(search.text), search.text)
		}
	case fileGrammar:
		f.file(part)
	}
}

func (f *clauseFinder) mailto(part int) {
	to := f.u.text[part:f.u.pathEnd]
	if to == "" {
		f.add(part, "RFC 6068 2", "no address before the header fields")
	}
	f.find(part, to, ",", "RFC 6068 2", "several addresses")
	if f.u.has&hasSearch != 0 {
		f.add(int(f.u.pathEnd), "RFC 6068 2", "header fields")
	}
}

func (f *clauseFinder) news(part int) {
	u := f.u
	if u.HasHost() {
		f.add(part, "RFC 5538 4", "a server before a group or message-id")
		part = int(u.portEnd) + 1
	}
	switch text := u.newsPart(); newsKind(text) {
	case NewsAll:
		if text == "" {
			f.add(part, "RFC 5538 4", "nothing for all groups")
		}
	case NewsGroup:
		if !isGroup(text) {
			f.add(part, "RFC 5538 4", "wildcards and escapes in a group, and any of its characters first")
		}
	case NewsArticle:
		at := strings.IndexByte(text, '@')
		if _, ok := scanWholeHost(text[at+1:]); !ok {
			f.add(part+at+1, "RFC 5538 4", `a message-id with more than a host behind the "@"`)
		}
	}
}

func (f *clauseFinder) nntp() {
	group, _, span := f.u.nntpPath()
	begin := int(f.u.portEnd) + 1
	if !isGroup(group) {
		f.add(begin, "RFC 5538 3", "escapes in a group, and any of its characters first")
	}
	if span.set {
		f.add(begin+len(group)+1, "RFC 3977 8.3", "a range of articles (an extension)")
	}
}

func (f *clauseFinder) file(part int) {
	path, _ := f.u.Path()
	begin := int(f.u.portEnd) + 1
	switch {
	case begin == part:
		f.add(part, "RFC 8089 E.2", "a drive letter without an authority before it")
	case !f.u.HasHost():
		f.add(part, "RFC 8089 2", "a path without an authority before it")
	}
	f.find(begin, path, ";", "RFC 8089 2", `a ";" in a segment`)
}

// path looks at the search of a URL with the syntax of http.
func (f *clauseFinder) path() {
	u := f.u
	if u.grammar() != httpGrammar || !u.row().strict {
		return
	}
	if search, ok := u.Search(); ok {
		if u.has&hasPath == 0 {
			f.add(int(u.pathEnd), "RFC 9110 4.2.1", "a search without a path before it")
		}
		f.query(int(u.pathEnd)+1, search)
	}
}

// query looks at what RFC 1738 calls search.
func (f *clauseFinder) query(begin int, search string) {
	f.find(begin, search, "/?", "RFC 3986 3.4", `"/" and "?" in a search`)
}

// characters looks for characters that RFC 1738 does not allow in URLs.
func (f *clauseFinder) characters() {
	u := f.u
	text := u.text[:u.end]
	f.find(0, text, "~", "RFC 3986 2.3", `"~" without an escape`)
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf && (i < int(u.host) || i >= int(u.hostEnd)) {
			f.add(i, "RFC 3987 2.2", "characters beyond ASCII")
			break
		}
	}
	if _, ok := u.Fragment(); ok {
		f.add(int(u.end), "RFC 3986 3.5", "a fragment")
	}
}
