package scheme

import (
	"io"
	"io/fs"
	"iter"
	"net/netip"
	"time"

	"locator"
)

// Kind says what a URL turned out to locate. The command line, the gateway and the checker switch on it, never on the
// scheme.
type Kind uint8

// The kinds. KindNote and KindUnknown stand in listings only: a note cannot be accessed, an unknown entry shows its kind
// when it is.
const (
	KindUnknown  Kind = iota
	KindObject        // Body
	KindListing       // Entries
	KindQuery         // Form, of one field
	KindForm          // Form
	KindSession       // Session
	KindDraft         // Draft
	KindReferral      // Next
	KindNote
)

var kindNames = [...]string{"unknown", "object", "listing", "query", "form", "session", "draft", "referral", "note"}

// String is the kind in lower case, as in the command line's JSON.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "unknown"
}

// Resource is the result of an operation. Kind says which of the other fields are set.
type Resource struct {
	URL  locator.URL // where it was read
	Kind Kind
	Attr Attr

	Body        io.ReadCloser           // Object; keeps io.WriterTo where that saves copies
	NotModified bool                    // Object without Body: the caller's copy is up to date
	Range       Range                   // Object: the part that Body is; zero is the whole
	Entries     iter.Seq2[Entry, error] // Listing; may be ranged over once
	Form        *Form                   // Query, Form
	Session     Session                 // Session
	Draft       *Draft                  // Draft
	Next        []Entry                 // Referral, best first
	Permanent   bool                    // Referral: the resource has moved for good
	Hop         HopKind                 // Referral: how it leads on
	Receipt     *Receipt                // what a server did with what was sent; nil where it tells nothing
	Status      string                  // the server's own code as text, such as "200", "213" or "+"; "" where it has none

	// The client fills these.
	Public bool           // read from a public address
	Via    []Hop          // the hops that led to URL, first to last, with that of the Request
	Addr   netip.AddrPort // the address that the resource was read from; zero where there is none or a proxy hides it

	// Notes are what a person should know about this operation: a fallback taken, a listing cut short. Safe to print. What
	// turns up while Body or Entries are read is told to Env.Note.
	Notes []string

	// Closer frees what the resource holds beside Body and Session; may be nil.
	Closer io.Closer
}

// From is the hop that led to URL, for a Request that accesses the resource again; nil where a person gave URL.
func (r *Resource) From() *Hop {
	if len(r.Via) == 0 {
		return nil
	}
	return &r.Via[len(r.Via)-1]
}

// Close frees what the resource holds. It may be called more than once.
func (r *Resource) Close() error {
	var err error
	if r.Body != nil {
		err = r.Body.Close()
	}
	if r.Session != nil {
		if e := r.Session.Close(); err == nil {
			err = e
		}
	}
	if r.Closer != nil {
		if e := r.Closer.Close(); err == nil {
			err = e
		}
	}
	return err
}

// Entry is one thing in a listing.
type Entry struct {
	Name   string      // what a person reads: a file name, a menu's text, a subject
	URL    locator.URL // zero for a note
	Kind   Kind
	Attr   Attr
	Target string // what a symbolic link names, as the server gave it; "" for anything else
	// Alternates are other representations of the same thing (gopher views); Mirrors are other places of it.
	Alternates, Mirrors []Entry
}

// MirrorURLs are the URLs of the mirrors, for the Request that accesses the entry.
func (e *Entry) MirrorURLs() []locator.URL {
	var urls []locator.URL
	for i := range e.Mirrors {
		if u := e.Mirrors[i].URL; !u.IsZero() {
			urls = append(urls, u)
		}
	}
	return urls
}

// Attr holds the attributes of a resource. Zero values are unknown.
type Attr struct {
	Size      Count // bytes
	Modified  time.Time
	Precision Precision   // of Modified
	Type      string      // media type
	ETag      string      // entity tag as the server gave it
	Ranges    bool        // parts can be asked for
	Mode      fs.FileMode // permission bits
	Owner     string
	Group     string
	Admin     string // who keeps it: a name and an address
	Abstract  string // a summary, of several lines perhaps
	Score     Count  // relevance
	Lines     Count
	More      []Attribute // the protocol's own, in the server's order; names may repeat
}

// Precision is how exactly a time is known.
type Precision uint8

// The precisions.
const (
	PrecisionSecond Precision = iota
	PrecisionMinute
	PrecisionDay
)

var precisionNames = [...]string{"second", "minute", "day"}

// String is the unit in lower case.
func (p Precision) String() string {
	if int(p) < len(precisionNames) {
		return precisionNames[p]
	}
	return "unknown"
}

// Attribute is an attribute in the protocol's own words.
type Attribute struct {
	Block string // gopher+: the block's name
	Name  string
	Value string
}

// Count is a number that may be unknown. The zero value is unknown.
type Count struct {
	n     int64
	known bool
}

// Known is the count n.
func Known(n int64) Count { return Count{n, true} }

// Get returns the number and whether it is known.
func (c Count) Get() (int64, bool) { return c.n, c.known }

// Or returns the number, or n where it is unknown.
func (c Count) Or(n int64) int64 {
	if c.known {
		return c.n
	}
	return n
}
