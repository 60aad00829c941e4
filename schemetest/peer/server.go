package peer

import "locator"

// Fault is a way in which a test server misbehaves, on order.
type Fault string

// The faults. A server lists in its Harness which of them it can show.
const (
	NoFault     Fault = ""
	Stall       Fault = "stall"        // accepts, then never says a word
	StallBody   Fault = "stall body"   // stops in the middle of a body and stays open
	Torn        Fault = "torn"         // closes in the middle of a body
	Short       Fault = "short"        // sends fewer bytes of a body than it announces, and calls that complete
	EndlessLine Fault = "endless line" // a reply or header line without an end
	EndlessList Fault = "endless list" // a listing without an end
	Nonsense    Fault = "nonsense"     // not this protocol at all
	WrongCode   Fault = "wrong code"   // a well-formed reply that makes no sense here
	Unavailable Fault = "unavailable"  // "not now", in the protocol's words
	Drip        Fault = "drip"         // slow, octet by octet, but it moves: must succeed
)

// Server is an in-process server that serves [Tree].
type Server interface {
	// URL is the URL of the file or, with a trailing "" element, the directory of that path in Tree. It is the zero URL
	// for what the protocol cannot serve.
	URL(path ...string) locator.URL
	// Misbehave makes the server show a fault from now on; NoFault ends it.
	Misbehave(f Fault)
	// Connections counts the connections accepted so far, data connections too.
	Connections() int
	// Lines are the command or request lines received so far, without their ends.
	Lines() []string
	// File reads back a file of the tree, for what was put there.
	File(path ...string) ([]byte, bool)
	// Close ends the server: when it returns, its connections and goroutines are gone. It may be called twice.
	Close()
}
