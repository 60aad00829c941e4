package scheme

import (
	"context"
	"io"
	"iter"
	"strings"
	"time"

	"locator"
)

// Kind says what a URL turned out to locate. The edges (command line, gateway, checker) switch on it, never on the
// scheme.
type Kind uint8

// The kinds. Note and Unknown stand in listings only: a Note cannot be accessed, an Unknown shows when it is.
const (
	KindUnknown  Kind = iota
	KindObject        // Body
	KindListing       // Entries
	KindQuery         // Form of one field
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

// Resource is what access gave. Kind says which of the other fields are set.
type Resource struct {
	URL  locator.URL // where it was read
	Kind Kind
	Attr Attr

	Body        io.ReadCloser           // Object; keeps io.WriterTo where it pays
	NotModified bool                    // Object without Body: the caller's copy is good
	Range       Range                   // Object: the part that the Body is; zero is the whole
	Entries     iter.Seq2[Entry, error] // Listing; may be ranged over once
	Form        Form                    // Query, Form
	Session     Session                 // Session
	Draft       *Draft                  // Draft
	Next        []Entry                 // Referral, best first
	Moved       bool                    // Referral: for good
	Hop         HopKind                 // Referral: how it leads on

	// Public and From are filled by the client.
	Public bool // read from a public address
	From   *Hop // the hop that led to URL, as in a Request for it

	// Notes are what a person should know about this access: a fallback taken, a listing cut short. Safe to print. What
	// turns up while the Body or the Entries are read is told to Env.Note.
	Notes []string

	// Closer frees what the resource holds beside Body and Session; may be nil.
	Closer io.Closer
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
	Name string      // what a person reads: a file name, a menu's text, a subject
	URL  locator.URL // zero for a Note
	Kind Kind
	Attr Attr
	// Alternates are other representations of the same thing (gopher views); Mirrors are other places of it.
	Alternates, Mirrors []Entry
}

// Places are the URLs of the mirrors, for the Request that accesses the entry.
func (e *Entry) Places() []locator.URL {
	var places []locator.URL
	for i := range e.Mirrors {
		if u := e.Mirrors[i].URL; !u.IsZero() {
			places = append(places, u)
		}
	}
	return places
}

// Attr holds the attributes of a resource. Zero values are unknown.
type Attr struct {
	Size     Count // octets
	Modified time.Time
	Type     string // media type
	ETag     string // entity tag as the peer gave it
	Ranges   bool   // parts can be asked for
	Score    Count  // relevance, wais
	Lines    Count
	More     []Attribute // the protocol's own, in the peer's order; names may repeat
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

// FormFiller is a form that waits for answers. A Query is a form of one field.
type Form interface {
	// Fields are the questions, in the order in which a person meets them.
	Fields() []Field
	// Fill gives the URL that stands for the filled form, where the scheme has one (RFC 1738 3.4.2, 3.4.9). ok is
	// false where there is none, or where an answer is secret.
	Fill(answers []Answer) (u locator.URL, ok bool)
	// Submit sends the answers.
	Submit(ctx context.Context, answers []Answer) (*Resource, error)
}

// FieldKind says how a field is asked.
type FieldKind uint8

// The kinds of field.
const (
	FieldText   FieldKind = iota // one line
	FieldSecret                  // one line that is never shown, logged or put into a URL
	FieldLines                   // many lines
	FieldChoice                  // one of Options
	FieldSwitch                  // on or off
	FieldFile                    // the contents of a file
	FieldNote                    // text to read, no answer
)

// Field is one question of a form.
type Field struct {
	Name    string // the prompt
	Kind    FieldKind
	Default string
	Options []string
}

// Answer is the answer to the field of that name.
type Answer struct {
	Name  string
	Value string
	File  io.Reader // for FieldFile
}

// Terminal is an interactive session (RFC 1738 3.8).
type Session interface {
	io.ReadWriteCloser
	// Resize tells the peer the size of the window, in characters.
	Resize(width, height int) error
	// Advice is what a person should know before the session begins, such as the user name of the URL.
	Advice() []string
	// Secret is the password of the URL: shown on a terminal as advice, never sent, never logged.
	Secret() (string, bool)
	// Mode says when the peer switches echo or line mode.
	Mode() <-chan Mode
}

// Mode is how the terminal should behave.
type Mode struct {
	RemoteEcho bool // the peer echoes: do not echo here
	LineMode   bool // send whole lines
}

// Message is a mail that waits to be written and sent (RFC 1738 3.5).
type Draft struct {
	To     []string    // addr-specs
	Header []Attribute // further header fields, in order
	Body   string
}

// ReferralError lets Attributes say that the resource is elsewhere: the client follows the Resource, a Referral.
type ReferralError struct{ Resource *Resource }

// Error names the first target.
func (e *ReferralError) Error() string {
	if len(e.Resource.Next) == 0 {
		return "referred to nowhere"
	}
	return "referred to " + e.Resource.Next[0].URL.Redacted()
}

// SameField reports whether an answer is for a field: case, blanks at the ends and the prompt's final colon do not
// count.
func SameField(field, answer string) bool {
	tidy := func(s string) string {
		return strings.ToLower(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(s), ":")))
	}
	return tidy(field) == tidy(answer)
}
