package peer

import "locator"

// Fault is a fault that a test server can simulate.
type Fault string

// The faults. Harness.Faults lists those that a server can simulate.
const (
	NoFault     Fault = ""
	Stall       Fault = "stall"        // accepts, then sends nothing
	StallBody   Fault = "stall body"   // stops in the middle of a body and stays open
	Torn        Fault = "torn"         // closes in the middle of a body
	Short       Fault = "short"        // sends fewer bytes of a body than announced, and reports success
	EndlessLine Fault = "endless line" // a reply or header line without an end
	EndlessList Fault = "endless list" // a listing without an end
	Nonsense    Fault = "nonsense"     // sends another protocol
	WrongCode   Fault = "wrong code"   // a well-formed reply with the wrong code
	Unavailable Fault = "unavailable"  // replies that it is temporarily unavailable
	Drip        Fault = "drip"         // slow, byte by byte; access must succeed
	Unanswered  Fault = "unanswered"   // takes a message to its end, and closes without a reply
	Storm       Fault = "storm"        // of a session: requests without end, while it reads nothing
)

// Server is an in-process server that serves [Tree].
type Server interface {
	// URL returns the URL of the file or, with a trailing "" element, the directory with that path
	// in Tree. It returns the zero URL if the protocol cannot serve it.
	URL(path ...string) locator.URL
	// Misbehave makes the server simulate a fault from now on; NoFault ends it.
	Misbehave(f Fault)
	// Connections returns the number of connections accepted so far, including data connections.
	Connections() int
	// Lines returns the command or request lines received so far, without their ends.
	Lines() []string
	// File returns the contents of a file on the server.
	File(path ...string) ([]byte, bool)
	// Close stops the server. When it returns, its connections and goroutines have ended. It may be
	// called twice.
	Close()
}

// Mailbox is a [Server] that takes messages.
type Mailbox interface {
	// Messages returns the messages that it has taken, oldest first, without what the transport
	// adds.
	Messages() []string
}
