package scheme

import (
	"context"
	"time"
)

// A BulkAccesser can read the objects of a listing in one operation, which takes fewer round trips than an Access of each: the
// articles of a newsgroup. The result is a Listing with Members, or a Referral. The URL of a single object is a listing of one.
//
// Members may dial when they are ranged over. They must hold no more than one object in memory, release connections if the loop
// breaks, and end after the first error. An object that the server lists and cannot send now is a member whose Body fails with
// CodeNotFound. It does not end the sequence.
type BulkAccesser interface {
	AccessAll(ctx context.Context, env *Env, r Request, o BulkOptions) (*Resource, error)
}

// A Filterer can apply a [Filter] to listings and bulk accesses. A client refuses a filter for any other scheme.
type Filterer interface {
	// CheckFilter returns an error of CodeUsage if a part of f cannot be sent. It uses no network.
	CheckFilter(f Filter) error
}

// BulkOptions are the options of a bulk access.
type BulkOptions struct {
	Accept Accept
	Filter Filter
	// Have says what the caller has already, and is left out.
	Have []Have
	// Renumbered is called before the first member if the server has given new numbers to the objects of a list: what the caller
	// has of it is void, and is not left out. It may be nil.
	Renumbered func(list string)
	// Began is called before the first member with URL, Via, Attr, Addr and Notes of the listing, and its Count. It may be nil.
	Began func(res *Resource)
}

// Filter selects messages. The zero Filter selects all.
type Filter struct {
	// Since selects what came to the server since then, or was written since then if the server does not tell when it came. The zero
	// Time is no condition.
	Since time.Time
	// Match selects messages whose header fields match all patterns.
	Match []FieldPattern
}

// IsZero reports whether f selects all.
func (f *Filter) IsZero() bool { return f.Since.IsZero() && len(f.Match) == 0 }

// FieldPattern is a condition on a header field with that name. Its decoded value must contain Text or, if that has "*" or "?", match
// it as a wildmat of RFC 3977 4. Case does not matter.
type FieldPattern struct{ Name, Text string }

// Position is the place of an object in a list whose numbers only grow, so that a later access can leave out what was read. The zero
// Position is unknown.
type Position struct {
	List   string // names the list and its server, such as "news.example.org:119/comp.infosystems"
	Number int64  // of the object
	First  int64  // the numbers from First to Number-1 belong to no object that the request selects, or are in Have
}

// Have is what a caller has of a list.
type Have struct {
	List  string
	Spans []Span // sorted and disjoint
	// ID is the message-id of the object with the largest number. If the server has another one under this number, it has renumbered the
	// list. "" is unknown.
	ID string
}

// Span is a range of numbers, both ends included.
type Span struct{ First, Last int64 }
