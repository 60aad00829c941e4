package locator

// A View holds the decoded parts of a URL of one scheme: *FTP, *HTTP, *Gopher, *Mailto, *News, *NNTP, *Telnet, *WAIS,
// *File, *Prospero, or *Other for every other scheme. Parts are split first and decoded then (RFC 1738 3.2.2), so an
// encoded delimiter stays inside its part. Strings hold octets, not text in some charset.
type View interface {
	// Scheme is the lower-case scheme name.
	Scheme() string

	build(b *builder) // writes what follows the colon of the scheme
}

// Hostport is host and port as in RFC 1738 section 5. It never holds escapes.
type Hostport struct {
	Host string // a name, four digit groups, or in Current an IPv6 literal in brackets
	Port string // digits as written, "" if absent; they may exceed 65535 (RFC 1738 3.1 sets no limit)
}

// Login is the common Internet scheme syntax (RFC 1738 3.1).
type Login struct {
	User, Password Optional // a password needs a user
	Hostport
}

// FTP is the view of an ftp URL (RFC 1738 3.2).
type FTP struct {
	Login
	Dirs []string // <cwd1> to <cwdN>, some may be empty
	Name Optional // absent where there is no url-path at all
	Type byte     // 'a', 'i', 'd', or 0 where it must be guessed (RFC 1738 3.2.3)
}

// HTTP is the view of an http or https URL (RFC 1738 3.3). What the octets of Search mean is the server's matter, and
// so is an escaped reserved character: to ask a server, use [URL.Path] and [URL.Search], which are as written.
type HTTP struct {
	Secure bool // https
	Login       // RFC 1738 allows no user in http, so User and Password are absent
	// Segments is the path, split at "/" before decoding; nil where there is no path, {""} for "/".
	Segments []string
	Search   Optional
}

// Gopher is the view of a gopher URL (RFC 1738 3.4). All parts are absent in "gopher://h" and "gopher://h/".
type Gopher struct {
	Hostport
	Type     Optional // one octet; absent means "1"
	Selector Optional
	Search   Optional
	Plus     Optional // the Gopher+ string (RFC 1738 3.4.3)
}

// Mailto is the view of a mailto URL (RFC 1738 3.5).
type Mailto struct {
	Address string // an RFC 822 addr-spec, decoded, unchecked
}

// NewsKind says what a news URL names.
type NewsKind uint8

// The kinds of RFC 1738 3.6.
const (
	NewsAll     NewsKind = iota // news:*
	NewsGroup                   // a group
	NewsArticle                 // an article, by message-id
)

// News is the view of a news URL (RFC 1738 3.6).
type News struct {
	Kind    NewsKind
	Group   string // for NewsGroup
	Article string // for NewsArticle: the message-id without its angle brackets
}

// NNTP is the view of an nntp URL (RFC 1738 3.7).
type NNTP struct {
	Hostport
	Group   string
	Article Optional // digits
}

// Telnet is the view of a telnet URL (RFC 1738 3.8). User and password are advice for a person, nothing more.
type Telnet struct {
	Login
}

// WAISKind says what a wais URL names.
type WAISKind uint8

// The kinds of RFC 1738 3.9.
const (
	WAISDatabase WAISKind = iota
	WAISSearch
	WAISDocument
)

// WAIS is the view of a wais URL (RFC 1738 3.9).
type WAIS struct {
	Hostport
	Kind     WAISKind
	Database string
	Search   string // for WAISSearch
	Type     string // for WAISDocument: <wtype>
	Path     string // for WAISDocument: <wpath>, the document-id
}

// File is the view of a file URL (RFC 1738 3.10).
type File struct {
	Host     string   // "" and "localhost" both mean this machine
	Segments []string // at least one; the last is the name, empty for a directory
}

// Field is a name and value of a prospero URL (RFC 1738 3.11).
type Field struct {
	Name, Value string
}

// Prospero is the view of a prospero URL (RFC 1738 3.11).
type Prospero struct {
	Hostport
	Name   string // the hsoname; "/" in it has no meaning to us
	Fields []Field
}

// Other is the view of every other scheme: the part stays as written, for its escapes have no meaning known here
// (RFC 1738 2.1).
type Other struct {
	Name string // the scheme
	Part string // all after the colon, still escaped
}
