package scheme

import (
	"io"
	"io/fs"
	"iter"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"time"

	"locator"
	"locator/scheme/form"
	"locator/scheme/message"
	"locator/scheme/session"
	"locator/wire"
)

// Kind is what a URL locates. Callers depend on it, not on the scheme.
type Kind uint8

// The kinds, with the field of Resource that each uses. KindNote and KindUnknown occur only in
// listings: a note cannot be accessed; the kind of an unknown entry is known after an access.
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

// String returns the name of the kind in lower case.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "unknown"
}

// Resource is the result of an operation. Kind determines which of the other fields are set.
type Resource struct {
	URL  locator.URL // final URL after redirects
	Kind Kind
	Attr Attr

	// Body is that of an Object. It may implement io.WriterTo, which must return an error of the
	// writer as it is. The Access and Submit of a client always return a Body: that of another
	// kind, or of an object that is NotModified, returns an error when it is read. After a write,
	// and in the result of a scheme, nil means no body.
	Body        io.ReadCloser
	NotModified bool                    // Object without content: the caller's copy is up to date
	Range       Range                   // Object: the part that Body contains; zero means the whole
	Entries     iter.Seq2[Entry, error] // Listing; can be ranged over once
	Form        *form.Form              // Query, Form; Object: the search of what it describes, or nil
	Session     session.Session         // Session
	Draft       *message.Draft          // Draft
	Next        []Entry                 // Referral, best first
	Permanent   bool                    // Referral: the resource has moved permanently
	Hop         HopKind                 // Referral: kind of the hop to Next; never HopDirect
	Receipt     *Receipt                // what the server did with a message; nil means unknown
	Status      string                  // the server's reply code, such as "200", "213" or "+"; "" if there is none
	Position    message.Position        // Object: its place in a numbered list
	Related     iter.Seq[Entry]         // Object: what it refers to, such as the earlier messages of a thread and its groups; nil means unknown
	Count       Count                   // Listing with Members: how many there are, estimated

	// Fresh is how many seconds the server allows the resource to be used without asking again, by
	// several users; unknown if it says nothing. NoStore means that it must not be kept for others
	// (RFC 9111 3).
	Fresh   Count
	NoStore bool

	// Members are the objects of a Listing that a bulk.Accesser returns; they can be ranged over
	// once. The Body of a member must be read before the next one is requested; the rest is skipped
	// then. An error of the connection is an error of the Body and ends Members.
	Members iter.Seq2[*Resource, error]

	// The client sets these.
	Public bool           // read from a public address
	Via    []Hop          // the hops that led to URL in order, beginning with Request.From
	Addr   netip.AddrPort // the server's address; zero if there is none or only a proxy knows it

	// Notes are messages for the user about this operation, such as a fallback or a truncated
	// listing. They are safe to print. Messages that arise while Body or Entries are read are
	// passed to Env.Note.
	Notes []string

	// Closer is closed by Close after Body and Session; may be nil.
	Closer io.Closer
}

// String returns a line for logs: the kind, the URL without its password, and what is known of the
// content. Control characters are escaped.
func (r *Resource) String() string {
	line := r.Kind.String()
	if !r.URL.IsZero() {
		line += " " + r.URL.Redacted()
	}
	var more []string
	add := func(text string, known bool) {
		if known {
			more = append(more, text)
		}
	}
	add("not modified", r.NotModified)
	add("from byte "+strconv.FormatInt(r.Range.Offset, 10), !r.Range.IsZero())
	_, sized := r.Attr.Size.Get()
	add(r.Attr.Size.String()+" bytes", sized)
	add(r.Attr.Type, r.Attr.Type != "")
	add(r.Attr.Modified.UTC().Format(time.RFC3339), !r.Attr.Modified.IsZero())
	for _, next := range r.Next {
		add("to "+next.URL.Redacted(), true)
	}
	add("status "+r.Status, r.Status != "")
	if len(more) > 0 {
		line += " (" + strings.Join(more, ", ") + ")"
	}
	return wire.TextLine(line)
}

// From returns the hop that led to URL, for another Request for the resource. It returns nil if the
// user named URL.
func (r *Resource) From() *Hop {
	if len(r.Via) == 0 {
		return nil
	}
	return &r.Via[len(r.Via)-1]
}

// Close closes Body, Session and Closer, and returns the first error. It may be called more than
// once, and, on the resource of a client, while another goroutine reads Body: then the Read ends
// with an error that matches fs.ErrClosed. The client closes the Body of a scheme once, and after
// its last Read.
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

// Entry is an entry of a listing.
type Entry struct {
	Name     string      // name for display: a file name, a menu's text, a subject
	URL      locator.URL // zero for a note
	Plain    locator.URL // URL in the form that older clients understand; zero if the scheme has no other form. See PlainURL.
	Kind     Kind
	Attr     Attr
	Target   string           // target of a symbolic link as sent by the server; "" for other entries
	Position message.Position // of a message in a numbered list
	Unread   bool             // a note is a line that the scheme could not read: an entry of the listing may be missing
	// Alternates are other representations of the entry (gopher views). Mirrors are copies of it on
	// other servers.
	Alternates, Mirrors []Entry
}

// MirrorURLs returns the URLs of the mirrors, for Request.Mirrors.
func (e *Entry) MirrorURLs() []locator.URL {
	var urls []locator.URL
	for i := range e.Mirrors {
		if u := e.Mirrors[i].URL; !u.IsZero() {
			urls = append(urls, u)
		}
	}
	return urls
}

// PlainURL returns the URL in the form that older clients understand: Plain, or URL without the "+"
// of a Gopher+ item.
func (e *Entry) PlainURL() locator.URL {
	if !e.Plain.IsZero() {
		return e.Plain
	}
	return e.URL.WithoutPlus()
}

// ChildOf returns the name of the entry if its URL lies directly below dir, a directory of a
// hierarchical scheme. ok is false for any other URL, and for a name that is not one of its own,
// such as "..". The name may contain any other byte, a "/" too.
func (e *Entry) ChildOf(dir locator.URL) (name string, ok bool) {
	in, ok := dir.Canonical().Segments()
	if !ok {
		return "", false
	}
	if n := len(in); n > 0 && in[n-1] == "" {
		in = in[:n-1]
	}
	at := e.URL.Canonical()
	names, _ := at.Segments()
	if n := len(names); n > 0 && names[n-1] == "" {
		names = names[:n-1]
	}
	n := len(in)
	if len(names) != n+1 || !slices.Equal(names[:n], in) {
		return "", false
	}
	if sibling, err := dir.JoinPath(names[n]); err != nil || names[n] == "" || !sameAuthority(sibling.Canonical(), at) {
		return "", false
	}
	return names[n], true
}

// sameAuthority reports whether two canonical URLs have the same scheme, host and port.
func sameAuthority(a, b locator.URL) bool {
	return a.Scheme() == b.Scheme() && a.Host() == b.Host() && a.Port() == b.Port()
}

// Attr has the attributes of a resource. A zero value is unknown.
type Attr struct {
	Size       Count // bytes
	Modified   time.Time
	Precision  time.Duration // of Modified: 0 is a second, else a minute or 24 hours; that of a time in an unknown zone is at least a minute
	Type       string        // media type
	ETag       string        // entity tag as sent by the server
	Ranges     bool          // the server supports ranges
	Mode       fs.FileMode   // permission bits
	Owner      string
	Group      string
	Admin      string // name and address of the maintainer
	Abstract   string // summary, possibly of several lines
	Score      Count  // relevance
	Lines      Count
	From       string      // author of a message, decoded
	ID         string      // message-id without its angle brackets
	References []string    // message-ids of the earlier messages of the thread, oldest first
	More       []Attribute // all attributes of the protocol, in the server's order; names may repeat
}

// Attribute is an attribute as sent by the server.
type Attribute struct {
	Block string // name of the Gopher+ block
	Name  string
	Value string
}

// Count is a number that may be unknown. The zero value is unknown.
type Count struct {
	n     int64
	known bool
}

// Known returns the known count n.
func Known(n int64) Count { return Count{n, true} }

// Get returns the number and whether it is known.
func (c Count) Get() (int64, bool) { return c.n, c.known }

// String returns the number in decimal, or "unknown".
func (c Count) String() string {
	if !c.known {
		return "unknown"
	}
	return strconv.FormatInt(c.n, 10)
}

// Or returns the number, or n if it is unknown.
func (c Count) Or(n int64) int64 {
	if c.known {
		return c.n
	}
	return n
}
