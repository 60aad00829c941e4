package message

import "time"

// Filter selects messages. The zero Filter selects all.
type Filter struct {
	// Since selects what came to the server since then, or was written since then if the server
	// does not say when it came. The zero Time means no condition.
	Since time.Time
	// Match selects messages whose header fields match all patterns.
	Match []Pattern
}

// IsZero reports whether f selects all.
func (f *Filter) IsZero() bool { return f.Since.IsZero() && len(f.Match) == 0 }

// Pattern is a condition on a header field with that name. Its decoded value must contain Text or,
// if that has "*" or "?", match it as a wildmat of RFC 3977 4. Case does not matter.
type Pattern struct{ Name, Text string }

// Position is the place of an object in a list whose numbers only grow, so that a later access can
// leave out what was read. The zero Position is unknown.
type Position struct {
	List   string // names the list and its server, such as "news.example.org:119/comp.infosystems"
	Number int64  // of the object
	First  int64  // the numbers from First to Number-1 belong to no object that the request selects, or are in Have
}

// Have is what a caller has of a list.
type Have struct {
	List  string
	Spans []Span // sorted and disjoint
	// ID is the message-id of the object with the largest number. If the server has another one
	// under this number, it has renumbered the list. "" means unknown.
	ID string
}

// Span is a range of numbers, both ends included.
type Span struct{ First, Last int64 }
