package scheme

import "locator"

// A HopKind is the way one URL led to the next.
type HopKind uint8

// The kinds of hop.
const (
	HopDirect   HopKind = iota // no hop: the user named the URL
	HopRedirect                // HTTP 3xx, gopher error 3
	HopMenuItem                // an entry of a listing
	HopReferral                // a Prospero referral, a mirror
)

// A Hop is one step from a URL to the next.
type Hop struct {
	Kind       HopKind
	From       locator.URL // the URL that led here; zero for HopDirect
	N          int         // the number of this hop, from 1; 0 for HopDirect
	Permanent  bool        // the resource has moved permanently
	FromPublic bool        // this hop, or one before it, was read from a public address
	Foreign    bool        // an earlier hop led to a server other than the one that the user named

	// Ports are the well-known ports of the protocol of the URL that the hop leads to. The client
	// sets them when it asks the policy, from the Syntax of the registered scheme.
	Ports []uint16
}
