package locator

// URL is a locator: the text as read plus the places of its parts. It is small, immutable and comparable; parsing
// copies nothing. The zero value is no URL.
//
// Two URLs are == if the same syntax read the same text; [Equal] compares locators.
type URL struct {
	text string
	kind kind
	has  parts
	// Offsets into text. Where a part is absent its offset equals the end of the part before it.
	colon   uint32 // the ":" after the scheme
	userEnd uint32 // end of user
	host    uint32 // begin of host
	hostEnd uint32 // end of host
	portEnd uint32 // end of port
	pathEnd uint32 // end of url-path; http: of the path without "?search"
	end     uint32 // end of the URL proper; a fragment follows
}

type (
	kind  uint8
	parts uint8
)

func Parse(s string) (URL, error)                { panic("stub") }
func MustParse(s string) URL                     { panic("stub") }
func (u URL) IsZero() bool                       { panic("stub") }
func (u URL) Scheme() string                     { panic("stub") }
func (u URL) Part() string                       { panic("stub") }
func (u URL) User() (string, bool)               { panic("stub") }
func (u URL) Password() (string, bool)           { panic("stub") }
func (u URL) HasHost() bool                      { panic("stub") }
func (u URL) Host() string                       { panic("stub") }
func (u URL) Port() string                       { panic("stub") }
func (u URL) PortNumber() (port uint16, ok bool) { panic("stub") }
func (u URL) Path() (string, bool)               { panic("stub") }
func (u URL) Search() (string, bool)             { panic("stub") }
func (u URL) Fragment() (string, bool)           { panic("stub") }
func (u URL) Text() string                       { panic("stub") }
func (u URL) String() string                     { panic("stub") }
func (u URL) Redacted() string                   { panic("stub") }
func (u URL) WithoutFragment() URL               { panic("stub") }
func (u URL) Hierarchical() bool                 { panic("stub") }
func (u URL) View() View                         { panic("stub") }
func As[V View](u URL) (V, bool)                 { panic("stub") }
func (u URL) Parts() []Part                      { panic("stub") }
func (u URL) Canonical() URL                     { panic("stub") }
func Equal(a, b URL) bool                        { panic("stub") }
func DefaultPort(scheme string) uint16           { panic("stub") }
func Decode(s string) string                     { panic("stub") }
func Build(v View) (URL, error)                  { panic("stub") }
func Redact(s string) string                     { panic("stub") }
func SplitFragment(ref string) (url, fragment string, ok bool) {
	panic("stub")
}
func Unwrap(s string) (url string, cut int) { panic("stub") }

// PartKind says which field of a Part is set.
type PartKind uint8

// The kinds of parts.
const (
	PartText PartKind = iota
	PartList
	PartPairs
)

// Part is one part of a URL as written, still escaped.
type Part struct {
	Name  string
	Kind  PartKind
	Text  Optional // PartText
	List  []string // PartList
	Pairs []Field  // PartPairs
}

// FileFromVMS maps a VMS file name to a file view (RFC 1738 3.10).
func FileFromVMS(host, spec string) (*File, error) { panic("stub") }

// VMS gives the VMS file name of a file view.
func (f *File) VMS() string { panic("stub") }

type builder struct{}

func (v *FTP) Scheme() string      { return "ftp" }
func (v *HTTP) Scheme() string     { panic("stub") }
func (v *Gopher) Scheme() string   { return "gopher" }
func (v *Mailto) Scheme() string   { return "mailto" }
func (v *News) Scheme() string     { return "news" }
func (v *NNTP) Scheme() string     { return "nntp" }
func (v *Telnet) Scheme() string   { return "telnet" }
func (v *WAIS) Scheme() string     { return "wais" }
func (v *File) Scheme() string     { return "file" }
func (v *Prospero) Scheme() string { return "prospero" }
func (v *Other) Scheme() string    { return v.Name }

func (v *FTP) build(b *builder)      {}
func (v *HTTP) build(b *builder)     {}
func (v *Gopher) build(b *builder)   {}
func (v *Mailto) build(b *builder)   {}
func (v *News) build(b *builder)     {}
func (v *NNTP) build(b *builder)     {}
func (v *Telnet) build(b *builder)   {}
func (v *WAIS) build(b *builder)     {}
func (v *File) build(b *builder)     {}
func (v *Prospero) build(b *builder) {}
func (v *Other) build(b *builder)    {}
