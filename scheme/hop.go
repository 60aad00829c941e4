package scheme

import "locator"

// A HopKind says how one URL led to the next.
type HopKind uint8

// The kinds of hop.
const (
	HopDirect   HopKind = iota // a person or a list gave the URL
	HopRedirect                // HTTP 3xx, gopher error 3
	HopMenuItem                // an entry of a listing
	HopReferral                // a Prospero referral, a mirror
)

// A Hop is one step from a URL to the next.
type Hop struct {
	Kind       HopKind
	From       locator.URL // the URL that led here; zero for HopDirect
	N          int         // the number of this hop, from 1; 0 for HopDirect
	Permanent  bool        // the server says that the resource has moved for good
	FromPublic bool        // this hop, or one before it, was read from a public address
	Foreign    bool        // a hop before this one led to another server than the person named
}
