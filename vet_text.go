package locator

import (
	"fmt"
	"iter"
	"strconv"
	"strings"
	"unicode/utf8"
)

// splitters end a line in every protocol.
const splitters = "\r\n\x00"

// Delimiters finds the encoded octets that would end or split a command if they were sent as what they stand for (RFC
// 1738 6): CR, LF and NUL, and blanks and TABs where the protocol has them between fields. It gives the part of the URL,
// as in "name" or "selector", and the first such octet in it.
//
// http sends path and search as they are written, and what is in another scheme's part is not known here; WAIS counts
// its octets, and prospero quotes LF. A filled Gopher+ form ([Gopher.Filled]) is written anew by whoever sends it. A
// telnet login is never sent, but a person may copy it. No file name holds a NUL.
func Delimiters(u URL) iter.Seq2[string, byte] {
	return func(yield func(part string, octet byte) bool) {
		more := true
		look := func(part, text, stops string) {
			if i := strings.IndexAny(text, stops); i >= 0 && more {
				more = yield(part, text[i])
			}
		}
		switch v := u.View().(type) {
		case *FTP:
			v.Login.look(look)
			for _, dir := range v.Dirs {
				look("directory", dir, splitters)
			}
			look("name", v.Name.Or(""), splitters)
		case *Gopher: // the TABs before the Gopher+ string are cut away by the view
			look("type", v.Type.Or(""), splitters+"\t")
			look("selector", v.Selector.Or(""), splitters)
			look("search", v.Search.Or(""), splitters)
			if !v.Filled() {
				look("Gopher+ string", v.Plus.Or(""), splitters+"\t")
			}
		case *Mailto:
			if v.To == nil {
				look("address", v.Address, splitters)
			}
			for _, to := range v.To {
				look("address", to, splitters)
			}
			for _, f := range v.Headers { // lines of the body end with CR LF (RFC 6068 5)
				look("name of a header field", f.Name, splitters+" \t:")
				if lower(f.Name) != "body" {
					look("header field", f.Value, splitters)
				}
			}
		case *News: // a blank or TAB begins another argument (RFC 3977 3.1)
			v.Server.look(look)
			look("message-id", v.Article, splitters+" \t")
			look("group", v.Group, splitters+" \t")
		case *NNTP:
			look("user", v.User.Or(""), splitters)
			look("password", v.Password.Or(""), splitters)
			look("group", v.Group, splitters+" \t")
		case *Telnet:
			v.Login.look(look)
		case *TN3270:
			v.Login.look(look)
		case *NFS:
			for _, s := range v.Segments {
				look("file name", s, "\x00")
			}
		case *File:
			for _, s := range v.Segments {
				look("file name", s, "\x00")
			}
		case *Prospero: // a CR has no use, and a NUL no quote
			look("name", v.Name, "\r\x00")
			for _, f := range v.Fields {
				look("field name", f.Name, "\r\x00")
				look("field value", f.Value, "\r\x00")
			}
		}
	}
}

func (l Login) look(look func(part, text, stops string)) {
	look("user", l.User.Or(""), splitters)
	look("password", l.Password.Or(""), splitters)
}

func findControlOctet(u URL, found func(string)) {
	for part, octet := range Delimiters(u) {
		found("the " + part + " holds the octet " + escapeOctet(octet) + ", which would end or split a command")
	}
}

// Filled reports whether the Gopher+ string is a filled form, whole and with nothing behind it (RFC 1738 3.4.9): "+", a
// view or none, TAB "1" CR LF and a data block, which is either "+-1" CR LF, lines, and a line with a dot, or "+", a
// count, CR LF and so many octets.
func (v *Gopher) Filled() bool {
	head, block, _ := strings.Cut(v.Plus.Or(""), "\r\n")
	view, flag, _ := strings.Cut(head, "\t")
	if flag != "1" || !strings.HasPrefix(view, "+") || strings.ContainsAny(view, splitters) {
		return false
	}
	size, data, ok := strings.Cut(block, "\r\n")
	if !ok {
		return false
	}
	if size == "+-1" {
		return isDotted(data)
	}
	count, ok := strings.CutPrefix(size, "+")
	if !ok || count == "" || strings.Trim(count, "0123456789") != "" {
		return false
	}
	n, err := strconv.Atoi(count)
	return err == nil && n == len(data)
}

// isDotted reports whether a text is lines that end with CR LF, the last of which, and no other, is a dot.
func isDotted(text string) bool {
	for {
		line, rest, ok := strings.Cut(text, "\r\n")
		switch {
		case !ok, strings.ContainsAny(line, splitters):
			return false
		case line == ".":
			return rest == ""
		}
		text = rest
	}
}

func findFilledForm(u URL, found func(string)) {
	if v, ok := As[*Gopher](u); ok && v.Filled() {
		found("the URL holds a filled form, which access sends")
	}
}

// findUnknownPlus knows the forms of RFC 1738 3.4.5 to 3.4.9: "+" and a view, "!" or "$" and the names of attributes, "?".
// What holds delimiters is a form or reported as such.
func findUnknownPlus(u URL, found func(string)) {
	v, ok := As[*Gopher](u)
	if !ok {
		return
	}
	plus := v.Plus.Or("")
	if plus == "" || plus == "?" || strings.ContainsAny(plus, splitters+"\t") {
		return
	}
	switch known := strings.Trim(plus[1:], printable) == ""; plus[0] {
	case '+':
		if known {
			return
		}
	case '!', '$':
		if rest := plus[1:]; known && (rest == "" || rest[0] == '+') {
			return
		}
	}
	found("the Gopher+ string has none of the known forms")
}

// printable are the characters of ASCII that can be seen, and the blank.
const printable = " !\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~"

func findNoMailAddress(u URL, found func(string)) {
	v, ok := As[*Mailto](u)
	if !ok {
		return
	}
	for _, address := range v.To {
		if at := strings.LastIndexByte(address, '@'); at >= 0 && !isASCII(address[at:]) { // RFC 6068 2
			address = address[:at+1] + asciiHost(address[at+1:])
		}
		if !isAddrSpec(address) {
			found("an address is none by RFC 822: a local part, an @ and a domain")
			return
		}
	}
	if v.To == nil && !isAddrSpec(v.Address) {
		found("the address is none by RFC 822: a local part, an @ and a domain")
	}
}

// findUnsafeHeader allows what a mailer can show to its user and he expects of a link (RFC 6068 3 and 4).
func findUnsafeHeader(u URL, found func(string)) {
	v, ok := As[*Mailto](u)
	if !ok {
		return
	}
	for _, f := range v.Headers {
		switch lower(f.Name) {
		case "to", "cc", "subject", "body", "keywords", "in-reply-to", "references":
		default:
			found("the URL sets the header field " + strconv.QuoteToASCII(shorten(f.Name)))
			return
		}
	}
}

// findStrayDelimiter looks for what RFC 6068 2 wants escaped in a value, and 6.1 calls wrong.
func findStrayDelimiter(u URL, found func(string)) {
	fields, ok := u.Search()
	if !ok || u.grammar() != mailtoGrammar {
		return
	}
	for field := range strings.SplitSeq(fields, "&") {
		name, value, _ := strings.Cut(field, "=")
		if i := strings.IndexAny(value, "?="); i >= 0 {
			found("the value of the header field " + strconv.QuoteToASCII(shorten(Decode(name))) + " holds " + quoteOctet(value[i]) + " without an escape")
			return
		}
	}
}

func findDoubleEscape(u URL, found func(string)) {
	text := u.WithoutFragment().Redacted()
	for i := 0; i < len(text); i++ {
		c, ok := octetAt(text, i)
		if !ok {
			continue
		}
		if c == '%' && i+5 <= len(text) && strictTable[text[i+3]]&strictTable[text[i+4]]&hexClass != 0 {
			found("the URL holds " + text[i:i+5] + ", which is an escape once more when it is decoded")
			return
		}
		i += 2
	}
}

func findInvisible(u URL, found func(string)) {
	text := u.Redacted()
	for i := 0; i < len(text); {
		c, size := escapedRune(text[i:])
		size *= 3
		if size == 0 {
			if c, size = utf8.DecodeRuneInString(text[i:]); size == 1 {
				i++
				continue
			}
		}
		if isInvisible(c) {
			found(fmt.Sprintf("the URL holds the character U+%04X, which cannot be seen as itself", c))
			return
		}
		i += size
	}
}

// isAddrSpec reports whether s is an addr-spec of RFC 822 6.1, which mailto URLs hold (RFC 1738 3.5):
//
//	addr-spec  = local-part "@" domain
//	local-part = word *("." word)           word       = atom / quoted-string
//	domain     = sub-domain *("." sub-domain)  sub-domain = atom / domain-literal
//
// RFC 822 allows blanks and comments between all of these; here they are none of the address.
func isAddrSpec(s string) bool {
	i := dotted(s, 0, '"', '"')
	if i < 0 || i >= len(s) || s[i] != '@' {
		return false
	}
	return dotted(s, i+1, '[', ']') == len(s)
}

// dotted passes over atoms and quoted texts with dots between them, and gives the offset behind, or -1.
func dotted(s string, i int, open, end byte) int {
	for {
		begin := i
		if i < len(s) && s[i] == open {
			if i = quoted(s, i+1, end); i < 0 {
				return -1
			}
		} else {
			for i < len(s) && isAtomChar(s[i]) {
				i++
			}
		}
		if i == begin {
			return -1
		}
		if i >= len(s) || s[i] != '.' {
			return i
		}
		i++
	}
}

// quoted passes over a quoted-string or domain-literal from behind its first delimiter on.
func quoted(s string, i int, end byte) int {
	for i < len(s) {
		switch c := s[i]; {
		case c == end:
			return i + 1
		case c == '\r' || c == '[' && end == ']' || c > 0x7F:
			return -1
		case c == '\\':
			i++
			if i < len(s) && s[i] > 0x7F {
				return -1
			}
		}
		i++
	}
	return -1
}

// isAtomChar: any ASCII character but specials, space and controls (RFC 822 3.3).
func isAtomChar(c byte) bool {
	return c > ' ' && c < 0x7F && strings.IndexByte(`()<>@,;:\".[]`, c) < 0
}
