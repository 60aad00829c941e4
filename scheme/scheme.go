package scheme

import (
	"context"
	"io"
	"iter"
	"time"

	"locator"
)

// A Scheme gives access to the resources of one URL scheme.
//
// Duties of every implementation: it is safe for concurrent use and holds no connection of its own (pools live behind
// [Env.Keep]); it dials through [Env.Dial] only; it writes command lines through package wire only; it stops within a
// second when the context ends, and ends the connections that the context began; it returns errors that carry a
// [Code] (see [Fail]) and never a password.
type Scheme interface {
	// Syntax is how the scheme is written. Its name is the key in the [Registry].
	Syntax() *locator.Syntax

	// Access reads what the URL locates (RFC 1738 section 2). The context governs the whole life of the Resource: its
	// Body, Entries and Session end with it. The caller closes the Resource.
	Access(ctx context.Context, env *Env, r Request) (*Resource, error)
}

// An Attributer finds the attributes of a resource without reading it. Unknown attributes stay unknown.
type Attributer interface {
	Attributes(ctx context.Context, env *Env, r Request) (Attr, error)
}

// A Digester asks for a digest of a content, for which the peer may have to read all of it. The algorithm is one of
// "sha-256", "sha-512", "sha-1", "md5" and "crc32", the value is in lower-case hex; both are "" where the peer tells none.
type Digester interface {
	Digest(ctx context.Context, env *Env, r Request) (algorithm, value string, err error)
}

// An Updater adds to a resource: APPE, POST, a news article, a mail.
type Updater interface {
	Update(ctx context.Context, env *Env, r Request, b Body) (*Resource, error)
}

// A Replacer puts a new state in the place of a resource: STOR, PUT. After an error the old state stands, or the new
// one whole, wherever the protocol allows that; where it does not, the error says what may have been left behind.
type Replacer interface {
	Replace(ctx context.Context, env *Env, r Request, b Body) (*Resource, error)
}

// A Lister lists what a resource holds. The sequence dials when it is ranged over, frees what it holds on break, and
// ends after the first error.
type Lister interface {
	List(ctx context.Context, env *Env, r Request) iter.Seq2[Entry, error]
}

// A Batcher accesses many URLs of one host more cheaply than one by one. Results come in the order of the requests.
type Batcher interface {
	AccessAll(ctx context.Context, env *Env, rs iter.Seq[Request]) iter.Seq2[*Resource, error]
}

// A Checker finds the cheapest proof that a resource is there.
type Checker interface {
	Check(ctx context.Context, env *Env, r Request) (Finding, error)
}

// An Explainer tells the dialogue that access to a URL would have, without a network: "CONNECT host.dom:21", then what
// would be sent, a line each, in the words of the protocol. It is made by the code that makes the real one. Steps are
// escaped (wire.Escape); a password stands as ****, and as "PASS ?" where it would be asked for. An error of code
// Refused says why access would send nothing; nil steps without an error mean that it needs no dialogue.
type Explainer interface {
	Steps(u locator.URL) ([]string, error)
}

// Finding is what a Checker saw.
type Finding struct {
	Status string      // the protocol's own code as text: "200", "213", "+"
	Final  locator.URL // where the resource is now, zero if where the URL says
	Moved  bool        // the peer says that the move is for good
	Attr   Attr
}

// Request is what a caller may wish for. A scheme ignores what its protocol has no word for.
type Request struct {
	URL  locator.URL
	From *Hop // the hop that led here (referral, redirect, menu item), nil for a URL that a person gave
	// Mirrors are other places of the same, tried in their order where the URL cannot be reached: see [Entry.Places].
	Mirrors []locator.URL
	// Within is the tree that the resource must lie in, wherever links lead: what lies elsewhere is refused. The zero URL is no
	// bound. It is for file, whose links are resolved here, and for what is read: a bounded write is refused. What a server's
	// links lead to is the server's matter.
	Within locator.URL
	Range  Range      // part of the body
	If     Conditions // for a copy that the caller has
	Accept Accept     // wishes about the representation
	Query  string     // words for a Query, used where HasQuery is set
	// HasQuery tells an empty Query from none.
	HasQuery bool
	// Answers fill the fields of a Form.
	Answers []Answer
	// Show makes a URL that holds a filled form (RFC 1738 3.4.9) a Form with these answers, and nothing is sent: for
	// whatever follows URLs by itself.
	Show   bool
	Detail bool // listings with all the attributes that the protocol can give, at the cost of more exchanges
	// Site asks for what the server says about itself if that costs further exchanges: attributes, and the charset of text
	// that is not UTF-8 (gopher caps.txt).
	Site   bool
	Max    int  // entries at most, 0 is no wish
	Type   byte // ftp: 'a' or 'i' where the URL has no typecode; 0 is guess (RFC 1738 3.2.3)
	Raw    bool // a Listing comes as an Object: the octets as received
	Decode bool // a file that is wrapped into text (gopher types 4 and 6: BinHex, uuencoded) comes unwrapped
	Create bool // Update and Replace make missing directories
	More   bool // another Request to the same server follows at once: what that needs may be asked for ahead
}

// Range is part of a body, in octets. The zero value is the whole.
type Range struct {
	Offset int64 // from 0
	Length int64 // 0 is up to the end
}

// IsZero reports whether the range is the whole body.
func (r Range) IsZero() bool { return r == Range{} }

// Conditions make access depend on the copy that the caller has. When they say that the copy is good, Access returns
// a Resource of kind Object with NotModified set and no Body.
type Conditions struct {
	ModifiedSince time.Time // zero is no condition
	NoneMatch     string    // an entity tag as the peer gave it, "" is no condition
	// RangeTag and RangeModified are those of the copy whose rest a Range asks for. A peer that can compare them
	// sends the whole where they differ (If-Range of RFC 9110 13.1.5); the caller compares what comes in any case.
	RangeTag      string
	RangeModified time.Time
}

// Accept holds wishes about the representation, best first.
type Accept struct {
	Types     []string // media types
	Languages []string // language tags
	Charset   string   // overrides what the peer says or leaves out
}

// Body is what Update and Replace send.
type Body struct {
	io.Reader
	Size int64  // octets, -1 where unknown
	Type string // media type, "" where unknown
}

// Abilities names what s can do, in the order access, list, attributes, update, replace.
func Abilities(s Scheme) []string {
	names := []string{"access"}
	if _, ok := s.(Lister); ok {
		names = append(names, "list")
	}
	if _, ok := s.(Attributer); ok {
		names = append(names, "attributes")
	}
	if _, ok := s.(Updater); ok {
		names = append(names, "update")
	}
	if _, ok := s.(Replacer); ok {
		names = append(names, "replace")
	}
	return names
}
