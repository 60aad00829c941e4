package outbox

import (
	"time"

	"locator"
	"locator/scheme"
	"locator/scheme/message"
)

// State is the state of a message. Its zero value is not a valid state.
type State uint8

// The states.
const (
	Queued  State = iota + 1 // waits for Send
	Sending                  // a process is sending it
	Sent                     // accepted for all recipients
	Failed                   // not sent again by itself
	InDoubt                  // sent, but the result is unknown
)

var stateNames = [...]string{"unset", "queued", "sending", "sent", "failed", "in doubt"}

// String returns the name of the state in lower case.
func (s State) String() string {
	if int(s) < len(stateNames) {
		return stateNames[s]
	}
	return "unknown"
}

// Message is a message to be sent.
type Message struct {
	URL locator.URL // where it is sent; its password is not stored
	// Server is the server that the message is sent through; zero means that of the client. Its
	// password is not stored.
	Server locator.URL
	// ID is the Message-ID of Content without its angle brackets; "" takes it from there.
	ID string
	// Recipients are the only addresses that the message is sent to, whatever the URL and the
	// header of Content name. Without Recipients, those are asked; Entry.Recipients is empty then
	// until the client has said who they are.
	Recipients    []string
	From, Subject string // for people
	// Reports are passed on to the client.
	Reports message.Reports
	// Content is the complete message with its header, as it will be sent. The header must have a
	// Message-ID.
	Content []byte
}

// Entry describes a message of an outbox.
type Entry struct {
	ID    string // the name of the entry, unique in the outbox
	State State

	URL           locator.URL
	Server        locator.URL // that of the Message
	MessageID     string      // without angle brackets
	From, Subject string
	Recipients    []Recipient
	Size          int64 // of the message in bytes

	Queued  time.Time // when it was added
	Changed time.Time // of the last event
	// Next is when it is due, for a queued message after an attempt that failed. Zero is at once.
	Next time.Time

	Attempts int // how often it was sent or an attempt failed
	// Code, Error and Reply are those of the last attempt; CodeOK and "" if there was none or it
	// has succeeded. Both texts are safe for a terminal.
	Code    scheme.Code
	Error   string
	Reply   string
	Receipt *scheme.Receipt // what the server said when it accepted the message, for some recipients at least; may be nil

	// History has the last events, oldest first.
	History []Event

	reports message.Reports
	wait    time.Duration // before the next attempt, from Changed
	since   time.Time     // the first attempt since it was added or the user has sent it again; zero means none
}

// Recipient is a recipient of a message.
type Recipient struct {
	Address string
	// State is Queued until the server has accepted or refused the recipient, Sent or Failed then,
	// and InDoubt if the result of the message is unknown.
	State State
	Reply string // the server's reply if it refused the recipient, safe for a terminal
	// Code is the class of that reply.
	Code scheme.Code
}

// Event is a change of an entry.
type Event struct {
	At    time.Time
	State State
	Text  string // why, safe for a terminal; may be ""
}

// Problem is a file in the folder of an outbox that is not an entry.
type Problem struct {
	Name string // of the file, as the file system has it
	Err  error  // says what is wrong with it
}

// Due reports whether a queued message may be sent at the time now. A clock that was set back does
// not delay a message.
func (e *Entry) Due(now time.Time) bool {
	return e.State == Queued && (e.wait == 0 || now.Before(e.Changed) || now.Sub(e.Changed) >= e.wait)
}

// reset queues the recipients that have no result or another one than Sent.
func (e *Entry) reset() {
	for i := range e.Recipients {
		if r := &e.Recipients[i]; r.State != Sent {
			*r = Recipient{Address: r.Address, State: Queued}
		}
	}
}

// pending returns the addresses that are still to be sent to, or nil if the recipients are not
// known. ok is false if there are none.
func (e *Entry) pending() (to []string, ok bool) {
	if len(e.Recipients) == 0 {
		return nil, true
	}
	for _, r := range e.Recipients {
		if r.State == Queued {
			to = append(to, r.Address)
		}
	}
	return to, len(to) > 0
}
