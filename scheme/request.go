package scheme

import (
	"io"
	"iter"
	"time"

	"locator"
)

// Request holds what every operation on a URL has in common. What only one operation has stands in its options.
type Request struct {
	URL locator.URL
	// From is the hop that led to URL: a redirect, a menu entry, a mirror. It is nil for a URL that a person gave.
	From *Hop
	// Mirrors are other places of the same resource. They are tried in order when URL cannot be reached.
	Mirrors []locator.URL
	// Within is a tree that the resource must lie in, wherever links lead. The zero URL sets no bound. It matters to
	// file URLs, whose links are resolved on this machine; a server resolves its own.
	Within locator.URL

	// Principal says on whose behalf the operation runs. Nil is the client's own principal.
	Principal *Principal
	// Limits take the place of the client's where they are not zero.
	Limits Limits
	// Header holds further "Name: value" lines for http. They are added to those of the client.
	Header []string
	// Trace is told what happens on the wire, beside the trace of the client. It may be nil.
	Trace *Trace
	// Note is told what a person should know, at any time until the Resource is closed. It may be nil.
	Note func(u locator.URL, text string)
	// Progress is told how many more bytes of a body have arrived. It may be nil.
	Progress func(u locator.URL, n int)
}

// AccessOptions are wishes about an access. A scheme ignores what its protocol has no word for.
type AccessOptions struct {
	Range  Range      // part of the body
	If     Conditions // for a copy that the caller has
	Accept Accept     // wishes about the representation
	Query  locator.Optional
	// NoSubmit turns a URL that holds a filled form (RFC 1738 3.4.9) into a Form with these answers; nothing is sent. It is
	// for programs that follow URLs by themselves.
	NoSubmit bool
	// Detail asks for all attributes that the protocol can give, at the cost of further exchanges.
	Detail bool
	// ServerInfo asks for what the server says about itself, at the cost of further exchanges.
	ServerInfo bool
	// Type is 'a' for text or 'i' for bytes where the URL leaves it open (RFC 1738 3.2.3). 0 lets the scheme guess.
	Type byte
	// Raw gives a Listing as an Object: the bytes as received.
	Raw bool
	// Decode unwraps a file that is wrapped into text, such as BinHex.
	Decode bool
	// Terminal describes the user's terminal, for a Session.
	Terminal Terminal
	// Next yields the URLs that the caller will access after this one, nearest first; policy allows each of them. A scheme may
	// prepare for them, and requests none of them. It must stop after a few. It may be nil.
	Next iter.Seq[locator.URL]
}

// ListOptions are wishes about a listing.
type ListOptions struct {
	Query      locator.Optional // words for a search
	Accept     Accept
	Detail     bool // all attributes that the protocol can give, at the cost of further exchanges
	ServerInfo bool // what the server says about itself, at the cost of further exchanges
	Max        int  // at most this many entries; 0 is all
	// Copy receives the bytes of the listing as the server sent them, before they are parsed. It may be nil.
	Copy io.Writer
	// Began is told where the listing is read, before its first entry: URL, Via, Attr, Addr and Notes. It may be nil.
	Began func(res *Resource)
	// Unknown is told each line that was not understood. The text is escaped for a terminal. It may be nil.
	Unknown func(line string)
}

// AttributesOptions are wishes about attributes.
type AttributesOptions struct {
	Accept     Accept
	ServerInfo bool // what the server says about itself, at the cost of further exchanges
	Type       byte // as in AccessOptions
}

// WriteOptions are wishes about an update or a replacement.
type WriteOptions struct {
	// CreateDirs makes missing directories.
	CreateDirs bool
	// Answers fill a form that the body goes into: the body is the answer that they leave open.
	Answers []Answer
	Accept  Accept // wishes about the reply
}

// SubmitOptions fill a form.
type SubmitOptions struct {
	Answers []Answer
	// Form is the form as an access gave it. Where it is nil, the scheme asks for it first.
	Form   *Form
	Accept Accept // wishes about the reply
	Raw    bool   // as in AccessOptions
}

// Terminal describes the terminal that a Session is shown on.
type Terminal struct {
	Type          string // as in TERM; "" is unknown (RFC 1091)
	Width, Height int    // in characters; 0 is unknown (RFC 1073)
}

// Range is part of a body, in bytes. The zero value is the whole.
type Range struct {
	Offset int64 // from 0
	Length int64 // 0 is up to the end
}

// IsZero reports whether the range is the whole body.
func (r Range) IsZero() bool { return r == Range{} }

// Conditions make access depend on the copy that the caller has. When the copy is up to date, Access returns a Resource
// of kind Object with NotModified set and no Body.
type Conditions struct {
	ModifiedSince time.Time // zero is no condition
	NoneMatch     string    // an entity tag as the server gave it; "" is no condition
	// RangeTag and RangeModified belong to the copy whose rest a Range asks for. A server that can compare them
	// sends the whole where they differ (If-Range, RFC 9110 13.1.5). The caller compares what arrives in any case.
	RangeTag      string
	RangeModified time.Time
}

// Accept holds wishes about the representation, best first.
type Accept struct {
	Types     []string // media types
	Languages []string // language tags
	Charset   string   // character set of the response, overriding the server's
}

// Body is what Update and Replace send.
type Body struct {
	io.Reader
	// Size is the number of bytes. A zero Count is unknown. A body of another size than announced never succeeds.
	Size Count
	Type string // media type; "" is unknown
	// Commit runs once, when all but the last step is done: after it returns nil, the server may act. An error stops the
	// operation, and nothing is stored or sent where the protocol allows that. It may be nil.
	Commit func() error
}

// Pass runs Commit, if there is one. A scheme calls it before the step after which the server may act.
func (b Body) Pass() error {
	if b.Commit == nil {
		return nil
	}
	return b.Commit()
}
