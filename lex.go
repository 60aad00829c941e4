package locator

import (
	"math/bits"
	"unicode/utf8"

	"locator/internal/octet"
	"locator/internal/span"
)

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

	queryClasses = searchClass | hfnameClass | hfvalueClass // where iprivate may stand (RFC 3987 2.2)
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

// newSets returns the sets of a table. A class without the hexadecimal digits has none, since no escape may stand in it.
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
	prefix  bool // bytes after the URL are no fault
	u       *URL // to be filled
	fault   *fault
}

// fault says where and why parsing stopped.
type fault struct {
	off  int    // the first byte that cannot continue a URL of the scheme
	rule string // the BNF rule at off
	need string // what must stand there; "" if any character of the rule or an escape may
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
