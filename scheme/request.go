package scheme

import (
	"io"
	"iter"
	"time"

	"locator"
	"locator/scheme/form"
	"locator/scheme/message"
	"locator/scheme/session"
)

// Request has the parameters that all operations on a URL share. Parameters of one operation are in
// its options.
type Request struct {
	URL locator.URL
	// From is the hop that led to URL: a redirect, a menu entry, a mirror. It is nil for a URL that
	// the user named.
	From *Hop
	// Mirrors are other URLs of the same resource. They are tried in order if the server of URL is
	// unreachable or unavailable.
	Mirrors []locator.URL
	// Within is a directory that must contain the resource, even after symbolic links are followed.
	// The zero URL is no restriction. It applies to file URLs, whose links the client resolves.
	Within locator.URL
	// Follow is asked for each URL that a server leads to, after the policy. An error ends the
	// operation. It may be nil.
	Follow func(u locator.URL) error

	// Principal is the user for whom the operation runs. Nil is the client's default principal.
	Principal *Principal
	// Limits override those of the client where they are not zero.
	Limits Limits
	// Header has additional "Name: value" header lines for http. A field replaces the client's
	// field of the same name. A scheme gets both, without those that the server must not get.
	Header []string
	// Trace is called in addition to the trace of the client. It may be nil.
	Trace *Trace
	// Note is called with messages for the user until the Resource is closed. It may be nil.
	Note func(u locator.URL, text string)
	// Progress is called with the number of bytes of each read of a body. It may be nil.
	Progress func(u locator.URL, n int)
}

// AccessOptions are the options of an access. A scheme ignores options that its protocol does not
// support.
type AccessOptions struct {
	Range  Range      // part of the body
	If     Conditions // conditions on the caller's copy
	Accept Accept     // preferred representation
	Query  locator.Optional
	// NoSubmit returns a URL with a filled form (RFC 1738 3.4.9) as a Form with its answers, and
	// sends nothing. It is for programs that follow URLs automatically.
	NoSubmit bool
	// NoSession returns a Session that is not connected, whose Advice and Secret are those of the
	// URL. It is for programs that show what a URL locates before the user connects.
	NoSession bool
	// Detail requests all attributes that the protocol supports, which may take additional round
	// trips.
	Detail bool
	// ServerInfo requests the server's description of itself, which may take additional round
	// trips.
	ServerInfo bool
	// Type is 'a' for text or 'i' for binary if the URL does not specify it (RFC 1738 3.2.3). 0
	// lets the scheme choose.
	Type byte
	Raw  Raw // what to return as received
	// Decode decodes a file in a text encoding such as BinHex, and a message as people read it: its
	// text without encodings, in UTF-8.
	Decode bool
	// Part is called with each attachment of a message while Decode reads its Body. Name is as the
	// message has it, and not safe for a file system. An error ends the Body. A body whose Read
	// fails is damaged; the rest of the message follows. Part may be nil.
	Part func(name, mediaType string, body io.Reader) error
	// Terminal describes the user's terminal, for a Session.
	Terminal session.Terminal
	// Next yields the URLs that the caller will access next, in order; the policy allows them. A
	// scheme may prepare for them but must not request them. It must range over Next when this
	// access is almost done, and read only a few. Next may be nil.
	Next iter.Seq[locator.URL]
	// Known holds the attributes that a listing gives for the resource. A scheme need not ask for
	// them again, but what the server says during the access takes precedence, since a listing may
	// be old.
	Known Attr
	// Newest asks, of a listing that has an order of time, only for that many of the newest
	// entries, newest first; 0 is all, in the server's order. Before is that of ListOptions. Other
	// listings ignore both.
	Newest int
	Before message.Position
}

// ListOptions are the options of a listing.
type ListOptions struct {
	Query      locator.Optional // search words
	Accept     Accept
	Detail     bool // as in AccessOptions
	ServerInfo bool // as in AccessOptions
	Max        int  // maximum number of entries; 0 is all
	Newest     bool // newest entries first, in a listing that has an order of time, such as that of a newsgroup
	// Before selects the entries with smaller numbers, in a numbered list. The zero Position
	// selects all.
	Before message.Position
	// Like are documents that the entries should resemble, where a search has relevance feedback
	// (wais).
	Like       []locator.URL
	Filter     message.Filter
	Have       []message.Have    // as in BulkOptions
	Renumbered func(list string) // as in BulkOptions
	// Copy gets the bytes of the listing as received. If the listing takes a second command (ftp
	// NLST after a LIST in an unknown form), it gets the responses to both. If a write fails, the
	// error has the code CodeLocal. If it has a method Reset, as a bytes.Buffer has, that is called
	// before another server is asked. It may be nil.
	Copy io.Writer
}

// AttributesOptions are the options of a request for attributes.
type AttributesOptions struct {
	Accept     Accept
	ServerInfo bool // as in AccessOptions
	Type       byte // as in AccessOptions
	// NoProbe forbids requesting the resource itself where the protocol has no other way to learn
	// about it. Then nothing is known.
	NoProbe bool
	// Verify also asks servers that are not needed for the attributes whether the resource exists,
	// such as the mail exchanger of an address.
	Verify bool
}

// WriteOptions are the options of an update or a replacement.
type WriteOptions struct {
	// CreateDirs creates missing directories.
	CreateDirs bool
	// Answers are the answers to the other fields of a form whose file field is the body.
	Answers []form.Answer
	Accept  Accept // preferred representation of the response
	// Modified is the modification time to give to a file (ftp MFMT, file), where the server lets
	// the client set it; zero sets none. Update ignores it.
	Modified time.Time
	// Recipients, if not nil, are the only recipients of a message, in place of those that the URL
	// and the message name. A program sets them to send a message again to those that the server
	// refused. A scheme whose messages have no recipients ignores them.
	Recipients []string
	// Whole says that the body is the whole message, to which nothing of the URL is added, and
	// whose fields need not agree with it.
	Whole bool
	// Reports asks for reports about the delivery of a mail.
	Reports message.Reports
}

// SubmitOptions are the options of a submission.
type SubmitOptions struct {
	Answers []form.Answer
	// Form is the form returned by an access. If it is nil, the scheme requests the form first.
	Form   *form.Form
	Accept Accept // preferred representation of the response
	Raw    Raw    // as in AccessOptions
}

// Raw selects what an access returns as an Object with the bytes as received. The zero value
// selects nothing.
type Raw uint8

// The values of Raw. A scheme whose listings are not sent as bytes ignores both.
const (
	RawListing Raw = iota + 1 // listings
	RawAll                    // listings, and objects without any decoding
)

// Range is part of a body, in bytes. The zero value is the whole.
type Range struct {
	Offset int64 // from 0
	Length int64 // 0 means to the end
}

// IsZero reports whether r is the whole body.
func (r Range) IsZero() bool { return r == Range{} }

// Conditions make an access conditional on the caller's copy. If the copy is up to date, Access
// returns a Resource of kind Object with NotModified set and without a Body.
type Conditions struct {
	ModifiedSince time.Time // zero is no condition
	NoneMatch     string    // entity tag as sent by the server; "" is no condition
	// RangeTag and RangeModified are the entity tag and date of the partial copy that a Range
	// resumes. A server that supports it sends the whole body if they differ (If-Range, RFC 9110
	// 13.1.5). The caller must compare the result in any case.
	RangeTag      string
	RangeModified time.Time
}

// Accept lists preferred representations, best first.
type Accept struct {
	Types     []string // media types
	Languages []string // language tags
	Charset   string   // character set of the response, overriding the server's
}

// Body is the data that Update and Replace send. A scheme reads it by [Body.Source].
type Body struct {
	io.Reader // nil is an empty body
	// Size is the number of bytes. The zero Count is unknown. It is an error if the body has
	// another size.
	Size Count
	Type string // media type; "" is unknown
	// Commit is called once, before the last step of the operation: after it returns nil, the
	// server may act. If it returns an error, the operation stops, and nothing is stored or sent if
	// the protocol allows that. It may be nil.
	Commit func() error
}
