package locator

// A View holds the decoded parts of a URL of one scheme: *FTP, *HTTP, *Gopher, *Mailto, *News, *NNTP, *Telnet, *WAIS,
// *File, *Prospero, in Current also *TN3270, *Mid, *Cid, *NFS and *Z3950, or *Other for every other scheme.
// Parts are split first and decoded then (RFC 1738 3.2.2), so an encoded delimiter stays inside its part. Strings hold
// octets, not text in some charset.
type View interface {
	// Scheme is the lower-case scheme name.
	Scheme() string

	build(b *builder) // writes what follows the colon of the scheme
}

// Hostport is host and port as in RFC 1738 section 5.
type Hostport struct {
	// Host is a name, four digit groups, or in Current an IP literal in brackets. In Current it is the form that is looked
	// up ([URL.ASCIIHost]): without escapes, but for octets that stand in no host name, and in ASCII.
	Host string
	Port string // digits as written, "" if absent; they may exceed 65535 (RFC 1738 3.1 sets no limit)
}

// Login is the common Internet scheme syntax (RFC 1738 3.1).
type Login struct {
	User, Password Optional // a password needs a user
	Hostport
}

// FTP is the view of an ftp URL (RFC 1738 3.2), or of an ftps URL.
type FTP struct {
	Secure bool // ftps: TLS from the first octet on (an extension)
	Login
	Dirs []string // <cwd1> to <cwdN>, some may be empty
	Name Optional // absent where there is no url-path at all
	Type byte     // 'a', 'i', 'd', or 0 where it must be guessed (RFC 1738 3.2.3)
}

// HTTP is the view of an http or https URL (RFC 1738 3.3). What the octets of Search mean is the server's matter, and
// so is an escaped reserved character: to ask a server, use [URL.Path] and [URL.Search], which are as written.
type HTTP struct {
	Secure bool // https
	Login       // RFC 1738 allows no user in http; in Current there may be one (RFC 3986 3.2.1), which Vet reports
	// Segments is the path, split at "/" before decoding; nil where there is no path, {""} for "/".
	Segments []string
	Search   Optional // in Current also where there is no path
}

// Gopher is the view of a gopher URL (RFC 1738 3.4), or of a gophers URL. All parts are absent in "gopher://h" and "gopher://h/".
type Gopher struct {
	Secure bool // gophers: gopher over TLS (an extension)
	Hostport
	Type     Optional // one octet; absent means "1"
	Selector Optional
	Search   Optional
	Plus     Optional // the Gopher+ string (RFC 1738 3.4.3)
}

// Mailto is the view of a mailto URL (RFC 1738 3.5, RFC 6068). Read by RFC1738 it has the address alone. Read by Current, To
// and Headers are set, and Address repeats the address where there is exactly one; Build goes by To and Headers where one
// of them is set.
type Mailto struct {
	Address string   // an RFC 822 addr-spec, decoded, unchecked
	To      []string // all addresses, decoded, unchecked; not nil where Current read the URL
	Headers []Field  // the header fields, decoded (RFC 6068 2); "body" is the body
}

// NewsKind says what a news URL names.
type NewsKind uint8

// The kinds of RFC 1738 3.6.
const (
	NewsAll     NewsKind = iota // news:*
	NewsGroup                   // a group
	NewsArticle                 // an article, by message-id
)

// News is the view of a news URL (RFC 1738 3.6, RFC 5538 4).
type News struct {
	Secure  bool // the scheme of the same grammar over TLS, if the table of schemes has one
	Kind    NewsKind
	Group   string // for NewsGroup; in Current it may hold the wildcards "*" and "?" (RFC 5538 4)
	Article string // for NewsArticle: the message-id without its angle brackets
	Server  Login  // in Current; the zero Login where the URL names no server
}

// NNTP is the view of an nntp URL (RFC 1738 3.7, RFC 5538 3).
type NNTP struct {
	Secure         bool     // the scheme of the same grammar over TLS, if the table of schemes has one
	User, Password Optional // in Current only
	Hostport
	Group   string
	Article Optional // digits
	Range   Optional // in Current, an extension of our own: "first-last" or "first-" in digits, see [NNTP.Bounds]
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

	// In Current, for the document-ids that libwww wrote: the size of the document in octets, as digits, and the fields
	// of the id, their names in digits. Path is empty then.
	Size Optional
	ID   []Field
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

// TN3270 is the view of a tn3270 URL (RFC 6270). User and password are advice for a person, nothing more.
type TN3270 struct {
	Login
}

// Mid is the view of a mid URL (RFC 2392): a message, or a part of it.
type Mid struct {
	MessageID string // without its angle brackets
	ContentID Optional
}

// Cid is the view of a cid URL (RFC 2392): a part of the message that the URL stands in.
type Cid struct {
	ContentID string // without its angle brackets
}

// NFS is the view of an nfs URL (RFC 2224).
type NFS struct {
	Hostport          // empty in a relative URL
	Relative bool     // neither a host nor a "/" begins it
	Segments []string // split at "/" before decoding; an empty first one of several makes an absolute path; nil for no path
}

// Z3950 is the view of a z39.50r or z39.50s URL (RFC 2056).
type Z3950 struct {
	Hostport
	Session      bool     // z39.50s
	Databases    []string // nil where there is no path
	DocID        Optional
	ElementSet   Optional
	RecordSyntax []string // nil where there is none
}

// Other is the view of every other scheme: the part stays as written, for its escapes have no meaning known here
// (RFC 1738 2.1).
type Other struct {
	Name string // the scheme
	Part string // all after the colon, still escaped
}
