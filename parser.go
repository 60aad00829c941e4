package locator

// This file has the two syntaxes, and what the parsers in scheme_*.go are made of: classes of
// characters, and the reader of one text.

import (
	"math"
	"math/bits"
	"unicode/utf8"

	"locator/internal/octet"
	"locator/internal/span"
)

// CommonProductions are the rules of RFC 1738 section 5 that schemes share. The rules of one scheme
// are in its [Syntax].
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

// The syntaxes. They are variables only because Go has no constants of this type: a program must
// not assign to them, since all packages of this module parse by them.
var (
	// RFC1738 accepts exactly what the grammar of RFC 1738 section 5 with erratum 5118 allows. A
	// URL of one of the ten schemes must meet the rule of that scheme, and a URL of an extension
	// that of the scheme without TLS. Any other URL, also of https, must meet the generic rule.
	RFC1738 = &Parser{name: "rfc1738", table: strictTable, sets: strictSets}

	// Current parses the same schemes as later RFCs define them, every other scheme by RFC 3986,
	// and characters beyond ASCII by RFC 3987. It keeps a fragment beside the URL. It accepts what
	// RFC1738 accepts, with the same parts, unless the later RFC differs. The field Current of
	// [Syntax] has the rules; [URL.Clauses] says which clause allows what RFC 1738 does not.
	Current = &Parser{name: "current", table: currentTable, sets: currentSets, current: true}
)

// Name returns "rfc1738" or "current".
func (p *Parser) Name() string { return p.name }

// maxText is the length of the longest text that is parsed. Offsets have 32 bits.
const maxText = min(math.MaxUint32-1, math.MaxInt)

// Parse parses one URL. It removes nothing from the text; see [Unwrap]. The error is a
// *[SyntaxError]. Parsing a valid URL allocates nothing.
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

// Prefix parses the longest URL that the text begins with: n is the largest number for which
// p.Parse(text[:n]) succeeds, and u the URL that it returns. The fragment belongs to it, as in
// [Parser.Parse]. If no prefix is a URL, the error is a *[SyntaxError] for the text.
//
// Prefix allocates nothing if there is a URL. It reads the text up to the first byte that cannot
// continue any URL, a few times at most. That byte may follow long after n: in "news:a!b", any
// number of characters may precede the "@" of a message-id.
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

// maxSecret is how far behind a wrong byte Prefix looks for the end of a password that the byte may
// belong to.
const maxSecret = 300

// rest parses the fragment after the URL that ends at i, in Current. It also takes the result of
// url for a text that another method than span found wrong because of its "#".
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

// MustParse is [Parse] for constants and tests. It panics if the text is not a URL.
func MustParse(s string) URL { return RFC1738.MustParse(s) }

// MustParse is Parse for constants and tests. It panics if the text is not a URL.
func (p *Parser) MustParse(s string) URL {
	u, err := p.Parse(s)
	if err != nil {
		panic(err)
	}
	return u
}

// fragment parses what follows the "#" that ends the URL: pchar, "/" and "?" (RFC 3986 3.5), which
// are xchar and "~".
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

// charProductions are the character rules of RFC 1738 section 5.
const charProductions = `
lowalpha       = "a" | "b" | "c" | "d" | "e" | "f" | "g" | "h" |
                 "i" | "j" | "k" | "l" | "m" | "n" | "o" | "p" |
                 "q" | "r" | "s" | "t" | "u" | "v" | "w" | "x" |
                 "y" | "z"
hialpha        = "A" | "B" | "C" | "D" | "E" | "F" | "G" | "H" | "I" |
                 "J" | "K" | "L" | "M" | "N" | "O" | "P" | "Q" | "R" |
                 "S" | "T" | "U" | "V" | "W" | "X" | "Y" | "Z"
alpha          = lowalpha | hialpha
digit          = "0" | "1" | "2" | "3" | "4" | "5" | "6" | "7" |
                 "8" | "9"
safe           = "$" | "-" | "_" | "." | "+"
extra          = "!" | "*" | "'" | "(" | ")" | ","
national       = "{" | "}" | "|" | "\" | "^" | "~" | "[" | "]" | "` + "`" + `"
punctuation    = "<" | ">" | "#" | "%" | <">
reserved       = ";" | "/" | "?" | ":" | "@" | "&" | "="
hex            = digit | "A" | "B" | "C" | "D" | "E" | "F" |
                 "a" | "b" | "c" | "d" | "e" | "f"
escape         = "%" hex hex
unreserved     = alpha | digit | safe | extra
uchar          = unreserved | escape
xchar          = unreserved | reserved | escape
digits         = 1*digit
`

// class is a set of the character classes below.
type class uint32

// The classes of the productions. Those with uchar or xchar contain only the plain characters; reader.span handles escapes and, in
// Current, characters beyond ASCII.
const (
	alphaClass      class = 1 << iota
	alphadigitClass       // alphadigit
	labelClass            // domainlabel: alpha, digit, "-"
	digitClass            // digit
	hexClass              // hex
	schemeClass           // a scheme name in either case
	groupClass            // group: alpha, digit, "-", ".", "+", "_"
	ucharClass            // uchar; wais: database, wtype, wpath
	xcharClass            // xchar
	userClass             // user, password; Current: userinfo
	fpathClass            // fpath, ppath: fsegment or psegment and "/"
	hpathClass            // hpath: hsegment and "/"; Current: pchar and "/"
	searchClass           // search; Current: query
	articleClass          // article, before the "@"
	fieldClass            // fieldname, fieldvalue

	hostClass // a user or password that both syntaxes read; Current: reg-name

	nameClass        // hostname
	beforeAlpha      // ".", which a letter follows most often; the order of these is that of what follows
	beforeAlphadigit // "."
	beforeLabel      // "-"

	// Of Current only. The table of RFC1738 has them without "~", for Build.
	pcharClass   // pchar
	midClass     // what follows the "@" of a message-id
	toClass      // to
	hfnameClass  // hfname
	hfvalueClass // hfvalue
	wfieldClass  // the value of a field in a document-id that libwww wrote

	queryClasses = searchClass | hfnameClass | hfvalueClass // where iprivate is allowed (RFC 3987 2.2)
)

// table maps each byte to its classes.
type table [256]class

// newTable returns the table of a syntax.
func newTable(current bool) *table {
	var t table
	add := func(c class, chars string) {
		for i := range len(chars) {
			t[chars[i]] |= c
		}
	}
	const (
		lowalpha = "abcdefghijklmnopqrstuvwxyz"
		alpha    = lowalpha + "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
		digit    = "0123456789"
		safe     = "$-_.+"
		extra    = "!*'(),"
		reserved = ";/?:@&="
	)
	uchar := alpha + digit + safe + extra
	if current {
		uchar += "~"
	}
	add(alphaClass, alpha)
	add(digitClass, digit)
	add(hexClass, digit+"ABCDEFabcdef")
	add(schemeClass, alpha+digit+"+-.")
	add(labelClass, alpha+digit+"-")
	add(groupClass, alpha+digit+"-.+_")
	add(ucharClass, uchar)
	add(xcharClass, uchar+reserved)
	add(fpathClass, uchar+"?:@&="+"/")
	add(hpathClass, uchar+";:@&="+"/")
	add(articleClass, uchar+";/?:&=")
	add(fieldClass, uchar+"?:@&")
	add(hostClass, uchar+";&=")
	add(nameClass, alpha+digit+"-.")
	add(alphadigitClass, alpha+digit)
	add(beforeAlpha|beforeAlphadigit, ".")
	add(beforeLabel, "-")
	if current {
		add(wfieldClass, ":") // Build escapes it, as libwww does
		add(userClass, uchar+";&="+":")
		add(searchClass, uchar+reserved)
	} else {
		add(userClass, uchar+";?&=")
		add(searchClass, uchar+";:@&=")
	}
	add(pcharClass, uchar+";:@&=")
	add(midClass, uchar+";:&=")
	add(toClass, uchar+";:@&="+"/")
	add(hfnameClass, uchar+";:@"+"/?")
	add(hfvalueClass, uchar+";:@"+"/?"+"=")
	add(wfieldClass, uchar+"/")
	return &t
}

// sets holds the classes of a table in the form that package span uses, by the number of their bit.
type sets [32]*span.Set

// newSets returns the sets of a table. A class without the hexadecimal digits has none, since it
// allows no escapes.
func newSets(t *table) *sets {
	var list sets
	for n := range list {
		if t['0']&t['9']&t['A']&t['F']&t['a']&t['f']>>n&1 != 0 {
			list[n] = span.NewSet(func(c byte) bool { return t[c]>>n&1 != 0 })
		}
	}
	return &list
}

// of returns the set of one class.
func (list *sets) of(c class) *span.Set { return list[bits.TrailingZeros32(uint32(c))] }

// The tables of the two syntaxes. They are never written to.
var (
	strictTable  = newTable(false)
	currentTable = newTable(true)
	strictSets   = newSets(strictTable)
	currentSets  = newSets(currentTable)
)

// reader is the state of one Parse. Its methods take the offset to start at and return the offset where they stopped, or -1 after they
// have recorded a fault. Each byte is looked at once, except in a login that is not plainly a host.
type reader struct {
	s       string // the text without its fragment
	t       *table
	sets    *sets
	current bool
	prefix  bool // bytes after the URL are not an error
	u       *URL // to be filled
	fault   *fault
}

// fault says where and why parsing stopped.
type fault struct {
	off  int    // the first byte that cannot continue a URL of the scheme
	rule string // the BNF rule at off
	need string // what is expected there; "" if any character of the rule or an escape may
	hint string // what to write instead; "" to derive it from the rest
	cut  int    // where the part begins that is incomplete at off: no longer prefix is a URL. off if no part is
	odd  int    // of the rule login: the byte for which the text before off is not a host
}

// fail records a fault and returns -1.
func (r *reader) fail(off int, rule, need, hint string) int {
	*r.fault = fault{off: off, rule: rule, need: need, hint: hint, cut: off}
	return -1
}

// failFrom is fail for a part of the URL that began at cut and is incomplete at off.
func (r *reader) failFrom(cut, off int, rule, need, hint string) int {
	*r.fault = fault{off: off, rule: rule, need: need, hint: hint, cut: cut}
	return -1
}

// without follows a fault of an optional part whose delimiter is at cut. If nothing of the part can stay, the delimiter cannot either.
func (r *reader) without(cut, begin int) int {
	if r.fault.cut <= begin {
		r.fault.cut = cut
	}
	return -1
}

// end requires the end of the text at i. For Prefix, the text ends there.
func (r *reader) end(i int, rule string) int {
	if i == len(r.s) {
		return i
	}
	return r.early(i, rule)
}

// early is end for a text that goes on.
//
//go:noinline
func (r *reader) early(i int, rule string) int {
	if !r.prefix {
		return r.fail(i, rule, "", "")
	}
	r.s = r.s[:i]
	return i
}

// span skips characters of one class and escapes.
func (r *reader) span(i int, c class) int {
	set := r.sets.of(c)
	for {
		i += set.Length(r.s[i:])
		switch {
		case i == len(r.s):
			return i
		case r.s[i] == '%':
			return r.badEscape(i)
		case r.s[i] < utf8.RuneSelf || !r.current:
			if r.s[i] == '#' && r.current {
				r.s = r.s[:i] // a fragment follows
			}
			return i
		}
		n, viable := octet.ScanUCS(r.s[i:], c&queryClasses != 0)
		if n == 0 && viable > 0 {
			if c, _ := utf8.DecodeRuneInString(r.s[i:]); c != utf8.RuneError { // it is UTF-8, but RFC 3987 does not allow it
				return r.failFrom(i, i+viable, ruleUCS, "", "")
			}
			return r.failFrom(i, i+viable, ruleUCS, "the rest of a character in UTF-8", hintUCS)
		}
		if n == 0 {
			return i
		}
		i += n
	}
}

const hintUCS = "write characters beyond ASCII in UTF-8, or escape their bytes"

// badEscape records the fault of the escape at i.
func (r *reader) badEscape(i int) int {
	begin := i
	if i++; i < len(r.s) && r.t[r.s[i]]&hexClass != 0 {
		i++
	}
	return r.failFrom(begin, i, ruleEscape, "two hexadecimal digits after the percent sign", hintPercent)
}

// whole is span for the last part of a URL. Any byte at which span stops is a fault of the rule.
func (r *reader) whole(i int, c class, rule string) int {
	if i = r.span(i, c); i < 0 {
		return -1
	}
	return r.end(i, rule)
}

// digits skips digits and requires at least one.
func (r *reader) digits(i int, rule, need, hint string) int {
	end := r.anyDigits(i)
	if end == i {
		return r.fail(i, rule, need, hint)
	}
	return end
}

// anyDigits skips digits.
func (r *reader) anyDigits(i int) int {
	for i < len(r.s) && r.t[r.s[i]]&digitClass != 0 {
		i++
	}
	return i
}

// slashes skips the "//" that begins the common Internet scheme syntax (RFC 1738 3.1).
func (r *reader) slashes(i int, rule string) int {
	for range 2 {
		if i >= len(r.s) || r.s[i] != '/' {
			return r.fail(i, rule, `"//"`, `put "//" after the scheme and its colon`)
		}
		i++
	}
	return i
}

// noPath ends a URL after its login.
func (r *reader) noPath(i int) int {
	r.u.pathEnd, r.u.end = uint32(i), uint32(i)
	return i
}

// path records the url-path that ends at i, the end of the URL.
func (r *reader) path(i int) int {
	r.u.has |= hasPath
	return r.noPath(i)
}

// at reports whether c is the byte at i.
func (r *reader) at(i int, c byte) bool { return i < len(r.s) && r.s[i] == c }
