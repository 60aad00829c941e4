package locator

// This file has the table of schemes, what depends on the name of a scheme, and the switches over
// its grammar. Everything else of a scheme is in scheme_*.go.

import (
	"math/bits"
	"slices"
	"strings"

	"locator/internal/keytable"
)

// Syntax describes the URLs of one scheme.
type Syntax struct {
	Name         string
	Port         uint16   // default port; 0 if URLs of the scheme have none
	Ports        []uint16 // well-known ports of the protocol, with and without TLS
	Family       string   // name of the scheme whose protocol it speaks: "ftp" for ftps, "news" for nntp
	TLS          bool     // the connection starts with a TLS handshake
	Extension    bool     // no RFC defines the scheme; it is read like the scheme without TLS
	Hierarchical bool     // RFC 1738 2.3
	Shape        Shape    // what follows the colon
	Rule         string   // its rule, as in "ftpurl"
	Section      string   // of RFC 1738, or of another RFC by its name
	Productions  string   // the rules that RFC1738 reads it by; CommonProductions has the shared ones

	CurrentSection string // of the RFC that describes the scheme now, as in "RFC 6068 2"; that of ftp is still of RFC 1738
	Current        string // the rules that Current reads it by, in the notation of RFC 5234; CurrentProductions has the shared ones
}

// Shape says what follows the scheme and its colon. Package find uses it to distinguish URLs from
// words before a colon.
type Shape uint8

// The shapes.
const (
	ShapeServer  Shape = iota // "//" and a host
	ShapePath                 // "/"; a host may precede it
	ShapeAddress              // a mail address or message-id, or "?" and header fields; "//" has no meaning
	ShapeGroup                // the name of a newsgroup, a pattern or a message-id; a server may precede it
)

// row is one scheme in the table.
type row struct {
	Syntax
	grammar grammar
	view    View // nil, of the type of the views; nil without a type for the zero URL
	strict  bool // RFC1738 has a rule for it; to RFC1738 any other scheme is an otherurl
	logins  logins
}

// logins says where the URLs of a scheme have a user and password.
type logins uint8

const (
	noLogin      logins = iota // nowhere
	currentLogin               // in Current
	anyLogin                   // in both syntaxes
)

// allow reports whether the syntax has a user and password in such URLs.
func (l logins) allow(current bool) bool { return l == anyLogin || l == currentLogin && current }

// schemeRows returns the table of schemes: the ten of RFC 1738 in the order of its section 3,
// https, the TLS twins that no RFC defines, then what became of the names that RFC 1738 section 4
// reserves. Everything that depends on the name of a scheme is a column here; everything that
// depends on its grammar is in scheme_*.go. To add a TLS twin, add a row.
func schemeRows() []row {
	ftp := row{grammar: ftpGrammar, view: (*FTP)(nil), strict: true, logins: anyLogin, Syntax: Syntax{
		Name: "ftp", Family: "ftp", Port: 21, Ports: []uint16{21, 990}, Hierarchical: true,
		Rule: "ftpurl", Section: "3.2", Productions: ftpProductions, CurrentSection: "5", Current: ftpCurrent,
	}}
	gopher := row{grammar: gopherGrammar, view: (*Gopher)(nil), strict: true, Syntax: Syntax{
		Name: "gopher", Family: "gopher", Port: 70, Ports: []uint16{70, 105},
		Rule: "gopherurl", Section: "3.4", Productions: gopherProductions, CurrentSection: "RFC 4266 2.1", Current: gopherCurrent,
	}}
	news := row{grammar: newsGrammar, view: (*News)(nil), strict: true, logins: currentLogin, Syntax: Syntax{
		Name: "news", Family: "news", Shape: ShapeGroup, Port: 119, Ports: []uint16{119, 563},
		Rule: "newsurl", Section: "3.6", Productions: newsProductions, CurrentSection: "RFC 5538 4", Current: newsCurrent,
	}}
	nntp := row{grammar: nntpGrammar, view: (*NNTP)(nil), strict: true, logins: currentLogin, Syntax: Syntax{
		Name: "nntp", Family: "news", Port: 119, Ports: []uint16{119, 563},
		Rule: "nntpurl", Section: "3.7", Productions: nntpProductions, CurrentSection: "RFC 5538 3", Current: nntpCurrent,
	}}
	telnet := row{grammar: telnetGrammar, view: (*Telnet)(nil), strict: true, logins: anyLogin, Syntax: Syntax{
		Name: "telnet", Family: "telnet", Port: 23, Ports: []uint16{23, 992},
		Rule: "telneturl", Section: "3.8", Productions: telnetProductions, CurrentSection: "RFC 4248 2", Current: telnetCurrent,
	}}
	return []row{
		ftp,
		{grammar: httpGrammar, view: (*HTTP)(nil), strict: true, logins: currentLogin, Syntax: Syntax{
			Name: "http", Family: "http", Port: 80, Ports: []uint16{80}, Hierarchical: true,
			Rule: "httpurl", Section: "3.3", Productions: httpProductions, CurrentSection: "RFC 9110 4.2.1", Current: httpCurrent,
		}},
		gopher,
		{grammar: mailtoGrammar, view: (*Mailto)(nil), strict: true, Syntax: Syntax{
			Name: "mailto", Family: "mailto", Shape: ShapeAddress, Ports: []uint16{25, 465, 587},
			Rule: "mailtourl", Section: "3.5", Productions: mailtoProductions, CurrentSection: "RFC 6068 2", Current: mailtoCurrent,
		}},
		news,
		nntp,
		telnet,
		{grammar: waisGrammar, view: (*WAIS)(nil), strict: true, Syntax: Syntax{
			Name: "wais", Family: "wais", Port: 210, Ports: []uint16{210},
			Rule: "waisurl", Section: "3.9", Productions: waisProductions, CurrentSection: "RFC 4156 2", Current: waisCurrent,
		}},
		{grammar: fileGrammar, view: (*File)(nil), strict: true, Syntax: Syntax{
			Name: "file", Family: "file", Shape: ShapePath, Hierarchical: true,
			Rule: "fileurl", Section: "3.10", Productions: fileProductions, CurrentSection: "RFC 8089 2", Current: fileCurrent,
		}},
		{grammar: prosperoGrammar, view: (*Prospero)(nil), strict: true, Syntax: Syntax{
			Name: "prospero", Family: "prospero", Port: 1525, Ports: []uint16{191, 1525},
			Rule: "prosperourl", Section: "3.11", Productions: prosperoProductions, CurrentSection: "RFC 4157 2", Current: prosperoCurrent,
		}},
		// The syntax of RFC 1738 knows https as little as any other new scheme.
		{grammar: httpGrammar, view: (*HTTP)(nil), logins: currentLogin, Syntax: Syntax{
			Name: "https", Family: "http", TLS: true, Port: 443, Ports: []uint16{443}, Hierarchical: true,
			Rule: "httpsurl", Section: "RFC 2818 2.4", Productions: httpsProductions, CurrentSection: "RFC 9110 4.2.2", Current: httpsCurrent,
		}},

		// 990 is "ftp protocol, control, over TLS/SSL" in the IANA registry of ports. gophers has
		// the port of gopher.
		twin(ftp, "ftps", 990, 21, 990),
		twin(gopher, "gophers", 70, 70),
		// 563 is "nntp protocol over TLS/SSL" in the registry.
		twin(news, "snews", 563, 119, 563),
		twin(nntp, "nntps", 563, 119, 563),
		// 992 is "telnet protocol over TLS/SSL" in the registry.
		twin(telnet, "telnets", 992, 23, 992),

		reserved("mid", "RFC 2392 2", ShapeAddress),
		reserved("cid", "RFC 2392 2", ShapeAddress),
		reserved("nfs", "RFC 2224", ShapeServer, 2049),
		reserved("tn3270", "RFC 6270 2", ShapeServer, 23, 992),
		reserved("z39.50r", "RFC 2056", ShapeServer, 210),
		reserved("z39.50s", "RFC 2056", ShapeServer, 210),
	}
}

// reserved returns the row of a scheme that RFC 1738 section 4 reserves and a later RFC defines.
// Its URLs are read by the generic rule, like those of an unknown scheme. The first of the ports is
// the default.
func reserved(name, section string, shape Shape, ports ...uint16) row {
	r := row{grammar: otherGrammar, view: (*Other)(nil), logins: anyLogin, Syntax: Syntax{
		Name: name, Family: name, Shape: shape, Ports: ports,
		Rule: "otherurl", Section: section, CurrentSection: section, Current: otherCurrent,
	}}
	if len(ports) > 0 {
		r.Port = ports[0]
	}
	return r
}

// twin returns the row of a scheme over TLS that no RFC defines: the grammar of the scheme without
// TLS under another name.
func twin(of row, name string, port uint16, ports ...uint16) row {
	rename := func(rules string) string {
		rules = strings.Replace(rules, of.Rule+" ", name+"url", 1)
		return strings.Replace(rules, `"`+of.Name+":", `"`+name+":", 1)
	}
	t := of
	t.Name, t.Port, t.Ports, t.TLS, t.Extension, t.Rule = name, port, ports, true, true, name+"url"
	t.Productions, t.Current, t.CurrentSection = rename(of.Productions), rename(of.Current), of.Section
	return t
}

// schemeID is the index of a scheme in the table.
type schemeID uint8

const (
	noScheme    schemeID = iota // of the zero URL, and of a text that is not a scheme
	otherScheme                 // a name that has no row
	firstScheme                 // the first row of schemeRows
)

// maxSchemes is how many rows there is room for.
const maxSchemes = 64

// maxSchemeName is the length of the longest name in the table.
const maxSchemeName = keytable.MaxName

// schemeTable has the rows of all schemes, and finds them by their names.
type schemeTable struct {
	rows  [maxSchemes]row
	count int
	names *keytable.Table[namedScheme]
}

// namedScheme is a scheme, and the length of its name: a text with a NUL may have the key of a
// shorter name.
type namedScheme struct {
	id     schemeID
	length uint8
}

// schemes is the table. It is never written to.
var schemes = newSchemeTable(schemeRows())

// newSchemeTable panics where a name is too long or occurs twice: both are mistakes in the rows.
func newSchemeTable(rows []row) *schemeTable {
	t := &schemeTable{count: int(firstScheme) + len(rows)}
	t.rows[noScheme] = row{logins: anyLogin}
	t.rows[otherScheme] = row{grammar: otherGrammar, view: (*Other)(nil), strict: true, logins: anyLogin}
	copy(t.rows[firstScheme:], rows)
	names := make(map[uint64]namedScheme)
	for i, r := range rows {
		key := schemeKey(r.Name)
		if _, ok := names[key]; ok || r.Name == "" || len(r.Name) > maxSchemeName {
			panic("locator: a row of the table of schemes has a bad name: " + r.Name)
		}
		names[key] = namedScheme{firstScheme + schemeID(i), uint8(len(r.Name))}
	}
	t.names = keytable.New(names)
	return t
}

// schemeKey returns a name of up to eight bytes, in lower case, as a number; the first byte is the
// lowest.
func schemeKey(name string) (key uint64) {
	for i := range len(name) {
		c := name[i]
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		key |= uint64(c) << (8 * i)
	}
	return key
}

// find returns the scheme with that name, in either case (RFC 1738 2.1).
func (t *schemeTable) find(name string) schemeID {
	switch {
	case name == "":
		return noScheme
	case len(name) <= maxSchemeName:
		if found := t.names.Find(schemeKey(name)); int(found.length) == len(name) {
			return found.id
		}
	}
	return otherScheme
}

// at returns the scheme that the text begins with, and the offset of its colon. Where ok is false,
// the scheme may be in upper case, none at all, or one that is not in the table.
func (t *schemeTable) at(s string) (id schemeID, colon int, ok bool) {
	if len(s) <= maxSchemeName {
		return noScheme, 0, false
	}
	bytes := uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
	const ones = 0x0101010101010101
	other := bytes ^ ':'*ones                        // 0 where a colon is
	zeros := (other - ones) &^ other & (0x80 * ones) // its lowest bit marks the first
	colon = bits.TrailingZeros64(zeros) / 8          // 8 for none of them
	found := t.names.Find(bytes & (1<<(8*colon) - 1))
	return found.id, colon, colon > 0 && int(found.length) == colon && s[colon] == ':'
}

// row returns the row of a scheme.
func (t *schemeTable) row(id schemeID) *row { return &t.rows[id%maxSchemes] }

// named returns the row with a name, that of other schemes if there is none.
func (t *schemeTable) named(name string) *row { return t.row(t.find(name)) }

// name returns the name of the scheme with that grammar, with or without TLS; "" if there is none.
func (t *schemeTable) name(g grammar, tls bool) string {
	for id := firstScheme; int(id) < t.count; id++ {
		if r := &t.rows[id]; r.grammar == g && r.TLS == tls {
			return r.Name
		}
	}
	return ""
}

// row returns the row of the URL's scheme.
func (u URL) row() *row { return schemes.row(u.scheme) }

// SyntaxOf describes the scheme with that name, in either case; nil if locator has no rule for it.
// It returns a copy.
func SyntaxOf(scheme string) *Syntax {
	if id := schemes.find(scheme); id >= firstScheme {
		return schemes.row(id).syntax()
	}
	return nil
}

// syntax returns a copy of the row's Syntax, which the caller may change.
func (r *row) syntax() *Syntax {
	s := r.Syntax
	s.Ports = slices.Clone(s.Ports)
	return &s
}

// Schemes describes every scheme that locator has a rule for: the ten of RFC 1738 in the order of
// its section 3, https, the extensions, then the schemes that became of the names that RFC 1738
// section 4 reserves. They are copies.
func Schemes() []*Syntax {
	list := make([]*Syntax, 0, schemes.count)
	for id := firstScheme; int(id) < schemes.count; id++ {
		list = append(list, schemes.row(id).syntax())
	}
	return list
}

// DefaultPort returns the port of a scheme where its URLs name none (RFC 1738 3.1); 0 if it has
// none.
func DefaultPort(scheme string) uint16 { return schemes.named(scheme).Port }

// grammar is the syntax that schemes share: ftp and ftps have the same. Each has a file
// scheme_*.go, whose functions the two switches below call.
type grammar uint8

const (
	noGrammar grammar = iota // of the zero URL
	otherGrammar
	ftpGrammar
	httpGrammar
	gopherGrammar
	mailtoGrammar
	newsGrammar
	nntpGrammar
	telnetGrammar
	waisGrammar
	fileGrammar
	prosperoGrammar
)

// read parses what follows the scheme and its colon. It is a switch and not a column of the table
// because a call through a function value would move the reader to the heap.
func (g grammar) read(r *reader, i int) int {
	switch g {
	case httpGrammar:
		return r.http(i)
	case ftpGrammar:
		return r.ftp(i)
	case gopherGrammar:
		return r.gopher(i)
	case mailtoGrammar:
		return r.mailto(i)
	case newsGrammar:
		return r.news(i)
	case nntpGrammar:
		return r.nntp(i)
	case telnetGrammar:
		return r.telnet(i)
	case waisGrammar:
		return r.wais(i)
	case fileGrammar:
		return r.file(i)
	case prosperoGrammar:
		return r.prospero(i)
	}
	return r.other(i)
}

// View returns the decoded parts of the URL, nil for the zero URL.
func (u URL) View() View {
	if v := u.row().view; v != nil {
		return v.of(u)
	}
	return nil
}

// Parts returns the parts of the url-path, or of what takes its place, as written: split like the
// view of the scheme, but still escaped. Their names and order are those of the object "view" that
// the command "locator parse --json" prints. User, password, host and port are not among them. The
// part named "part", which every scheme has that RFC 1738 does not define, holds the whole of it,
// password included; to show parts to anyone, take those of the Redacted text.
func (u URL) Parts() []Part {
	if v := u.row().view; v != nil {
		return v.parts(u)
	}
	return nil
}

// canonical appends the canonical form of what follows the colon to b. A call through a function
// value would move b to the heap.
func (g grammar) canonical(u URL, b []byte) []byte {
	switch g {
	case ftpGrammar:
		return u.ftpCanonical(b)
	case httpGrammar:
		return u.httpCanonical(b)
	case gopherGrammar:
		return u.gopherCanonical(b)
	case mailtoGrammar:
		return appendUndone(b, u.SchemePart(), undoMailto) // only RFC 822 knows what the domain is, and whether case counts before it
	case newsGrammar:
		return u.newsCanonical(b)
	case nntpGrammar:
		return u.pathCanonical(b, undoGroup)
	case telnetGrammar, waisGrammar, prosperoGrammar:
		return u.pathCanonical(b, undoUnreserved)
	case fileGrammar:
		return u.fileCanonical(b)
	}
	return u.otherCanonical(b)
}

// grammar returns the grammar of the URL's scheme.
func (u URL) grammar() grammar { return u.row().grammar }

// badPorts are the bad ports of the Fetch standard, which browsers refuse to http and https because
// other services there may take the lines of a request for commands. They are in ascending order.
var badPorts = []uint16{
	1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110, 111, 113, 115,
	117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587,
	601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669,
	6679, 6697, 10080,
}

// firstFreePort is the first port that RFC 1738 6 does not call reserved.
const firstFreePort = 1024

// IsForeignPort reports whether a port belongs to another service than that of the scheme, so that
// access needs permission (RFC 1738 6). For http and https these are the bad ports of the Fetch
// standard, for every other scheme also all ports below 1024. The ports of the scheme's own
// protocol (the field Ports of [Syntax]) are never foreign.
func IsForeignPort(scheme string, port uint16) bool {
	s := schemes.named(scheme)
	if slices.Contains(s.Ports, port) {
		return false
	}
	if _, bad := slices.BinarySearch(badPorts, port); bad {
		return true
	}
	return port < firstFreePort && s.Family != "http"
}

// ReservedName is a name that RFC 1738 section 4 reserves for a later scheme, or that a later RFC
// made of one.
type ReservedName struct {
	Name    string
	Meaning string
	RFC     string // the RFC that defined it since, as in "2392"; "" if none; that of mailserver (6196) defines no parts
	Instead string // what to use where no client knows the scheme; "" if nothing is known
}

// Reserved returns the reserved names in the order of RFC 1738 section 4. z39.50r and z39.50s are
// what became of z39.50.
func Reserved() []ReservedName {
	return []ReservedName{
		{Name: "afs", Meaning: "Andrew File System global file names"},
		{Name: "mid", Meaning: "Message identifiers for electronic mail", RFC: "2392"},
		{Name: "cid", Meaning: "Content identifiers for MIME body parts", RFC: "2392"},
		{Name: "nfs", Meaning: "Network File System (NFS) file names", RFC: "2224"},
		{Name: "tn3270", Meaning: "Interactive 3270 emulation sessions", RFC: "6270", Instead: "for mainframes; use an emulator of the IBM 3270 terminal, such as c3270 or x3270"},
		{Name: "mailserver", Meaning: "Access to data available from mail servers", RFC: "6196"},
		{Name: "z39.50", Meaning: "Access to ANSI Z39.50 services"},
		{Name: "z39.50r", Meaning: "Retrieval by ANSI Z39.50", RFC: "2056"},
		{Name: "z39.50s", Meaning: "Sessions of ANSI Z39.50", RFC: "2056"},
	}
}

// IsReserved returns the reserved name of a scheme, in either case. ok is false if the scheme is
// not reserved.
func IsReserved(scheme string) (name ReservedName, ok bool) {
	for _, name := range Reserved() {
		if len(name.Name) == len(scheme) && strings.EqualFold(name.Name, scheme) {
			return name, true
		}
	}
	return ReservedName{}, false
}

// IsExperimental reports whether a scheme is free for experiments: its name begins with "x-", in
// either case (RFC 1738 4).
func IsExperimental(scheme string) bool {
	return len(scheme) > 1 && strings.EqualFold(scheme[:2], "x-")
}
