package locator

import "math"

// CommonProductions are the rules of RFC 1738 section 5 that schemes share. The rules of one scheme are in its [Syntax].
const CommonProductions = `
genericurl     = scheme ":" schemepart
url            = httpurl | ftpurl | newsurl |
                 nntpurl | telneturl | gopherurl |
                 waisurl | mailtourl | fileurl |
                 prosperourl | otherurl
scheme         = 1*[ lowalpha | digit | "+" | "-" | "." ]
` + hostProductions + charProductions

// Parser parses URLs of one syntax: [RFC1738] or [Current]. It is safe for concurrent use.
type Parser struct {
	name    string
	table   *table
	sets    *sets
	current bool
}

// The syntaxes. They are variables only because Go has no constants of this type: a program must not assign to them, since all packages of
// this module parse by them.
var (
	// RFC1738 accepts exactly what the grammar of RFC 1738 section 5 with erratum 5118 allows. A URL of one of the ten schemes
	// must meet the rule of that scheme, and a URL of an extension that of the scheme without TLS. Any other URL, also of
	// https, must meet the generic rule.
	RFC1738 = &Parser{name: "rfc1738", table: strictTable, sets: strictSets}

	// Current parses the same schemes as later RFCs define them, every other scheme by RFC 3986, and
	// characters beyond ASCII by RFC 3987. It keeps a fragment beside the URL. It accepts what RFC1738
	// accepts, with the same parts, unless the later RFC differs. The field Current of [Syntax] has the
	// rules; [URL.Clauses] says which clause allows what RFC 1738 does not.
	Current = &Parser{name: "current", table: currentTable, sets: currentSets, current: true}
)

// Name returns "rfc1738" or "current".
func (p *Parser) Name() string { return p.name }

// maxText is the length of the longest text that is parsed. Offsets have 32 bits.
const maxText = min(math.MaxUint32-1, math.MaxInt)

// Parse parses one URL. It removes nothing from the text; see [Unwrap]. The error is a *[SyntaxError]. Parsing a valid URL
// allocates nothing.
func (p *Parser) Parse(s string) (u URL, err error) {
	if len(s) > maxText {
		return URL{}, &SyntaxError{Offset: maxText, Rule: "url", Msg: "the text is longer than 4 GiB", Hint: "shorten it"}
	}
	u.text = s
	var f fault
	var r reader
	r.s, r.t, r.sets, r.current, r.u, r.fault = s, p.table, p.sets, p.current, &u, &f
	if i := r.url(); i != len(s) && r.rest(i) < 0 {
		return URL{}, r.syntaxError(s)
	}
	return u, nil
}

// Prefix parses the longest URL that the text begins with: n is the largest number for which p.Parse(text[:n]) succeeds, and u the URL
// that it returns. The fragment belongs to it, as in [Parser.Parse]. If no prefix is a URL, the error is a *[SyntaxError] for the text.
//
// Prefix allocates nothing if there is a URL. It reads the text up to the first byte that cannot continue any URL, a few times at most.
// That byte may follow long after n: in "news:a!b", any number of characters may stand before the "@" of a message-id.
func (p *Parser) Prefix(text string) (u URL, n int, err error) {
	var f fault
	var r reader
	r.t, r.sets, r.current, r.prefix, r.u, r.fault = p.table, p.sets, p.current, true, &u, &f
	for cut := min(len(text), maxText); ; cut = f.cut {
		r.s, u = text[:cut], URL{text: text[:cut]}
		if n = r.rest(r.url()); n >= 0 {
			u.text = text[:n]
			return u, n, nil
		}
		if f.cut >= cut { // no part can be left out
			break
		}
	}
	r.s, r.prefix, u = text, false, URL{text: text}
	r.rest(r.url())
	// What follows shows whether the wrong byte belongs to a password.
	return URL{}, 0, r.syntaxError(text[:min(len(text), f.off+maxSecret)])
}

// maxSecret is how far behind a wrong byte Prefix looks for the end of a password that the byte may belong to.
const maxSecret = 300

// rest parses the fragment after the URL that ends at i, in Current. It also takes the result of url for a text that another method than
// span found wrong because of its "#".
func (r *reader) rest(i int) int {
	s := r.u.text
	if i < 0 && r.current && r.fault.off < len(r.s) && s[r.fault.off] == '#' {
		r.s, *r.u = s[:r.fault.off], URL{text: s}
		i = r.url()
	}
	if r.current && i >= 0 && i < len(s) && s[i] == '#' {
		i = r.fragment(s)
	}
	return i
}

// Parse parses a URL exactly as RFC 1738 defines it. It is RFC1738.Parse.
func Parse(s string) (URL, error) { return RFC1738.Parse(s) }

// MustParse is [Parse] for constants and tests. It panics if the text is no URL.
func MustParse(s string) URL { return RFC1738.MustParse(s) }

// MustParse is Parse for constants and tests. It panics if the text is no URL.
func (p *Parser) MustParse(s string) URL {
	u, err := p.Parse(s)
	if err != nil {
		panic(err)
	}
	return u
}

// fragment parses what follows the "#" that ends the URL: pchar, "/" and "?" (RFC 3986 3.5), which are xchar and "~".
func (r *reader) fragment(s string) int {
	r.s = s
	i := r.whole(int(r.u.end)+1, xcharClass, ruleFragment)
	if i >= 0 { // s may go on with a second "#"
		r.s = s
		return r.end(i, ruleFragment)
	}
	return -1
}

// url parses the scheme, then the rest by the grammar of the scheme.
func (r *reader) url() int {
	id, i, ok := schemes.at(r.s)
	if !ok {
		if i = r.scheme(); i < 0 {
			return -1
		}
		id = schemes.find(r.s[:i])
	}
	row := schemes.row(id)
	if !r.current && !row.strict {
		id, row = otherScheme, schemes.row(otherScheme)
	}
	r.u.colon, r.u.scheme = uint32(i), id
	return row.grammar.read(r, i+1)
}

// scheme parses the scheme up to its colon.
func (r *reader) scheme() int {
	i := 0
	for i < len(r.s) && r.t[r.s[i]]&schemeClass != 0 {
		i++
	}
	switch {
	case i == 0, r.current && r.t[r.s[0]]&alphaClass == 0:
		hint := hintScheme
		if r.current {
			hint = hintLaterScheme
		}
		return r.fail(0, "scheme", "the name of a scheme", hint)
	case !r.at(i, ':'):
		return r.fail(i, "scheme", "a scheme and its colon", hintScheme)
	}
	return i
}

const hintLaterScheme = `begin with a scheme and a colon, such as "ftp:"; a scheme is a letter, then letters, digits, "+", "-" and "."`

const hintScheme = `begin with a scheme and a colon, such as "ftp:"; a scheme has letters, digits, "+", "-" and "."`
