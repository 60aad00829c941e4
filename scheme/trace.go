package scheme

import (
	"time"

	"locator"
)

// Trace is a set of hooks for the events of an operation. Any hook may be nil. Their arguments are
// escaped for a terminal and contain no passwords, not even those of URLs within them
// ([locator.Redact]). Hooks may be called from different goroutines.
type Trace struct {
	Connected func(c Connection) // a connection was opened
	// Waiting is called once for each connection, other than a data connection or that of a
	// session, that takes a few seconds to open: Remote is then "". It is called once for each
	// server that has sent nothing a few seconds after the connection was opened.
	Waiting  func(c Connection)
	Sent     func(line string) // a command line or packet, without its line end
	Received func(line string)
	Note     func(text string) // a decision of the client: a fallback, a reconnect
	// Warning is called for a decision that lowers security, before it takes effect: a password is
	// about to be sent unencrypted because the server offers no TLS. If it is nil, Note is called.
	Warning func(text string)
}

// Connection describes a connection that was opened.
type Connection struct {
	Dial   Dial
	Remote string        // address of the server, or its name if only a proxy knows the address
	Began  time.Time     // start of dialling
	Took   time.Duration // duration of resolving and connecting
}

// OnConnected calls t.Connected. t and t.Connected may be nil.
func (t *Trace) OnConnected(c Connection) {
	if t != nil && t.Connected != nil {
		t.Connected(c)
	}
}

// OnWaiting calls t.Waiting. t and t.Waiting may be nil.
func (t *Trace) OnWaiting(c Connection) {
	if t != nil && t.Waiting != nil {
		t.Waiting(c)
	}
}

// HearsLines reports whether t has hooks for lines. If not, lines need not be formatted.
func (t *Trace) HearsLines() bool { return t != nil && (t.Sent != nil || t.Received != nil) }

// OnSent calls t.Sent. t and t.Sent may be nil.
func (t *Trace) OnSent(line string) {
	if t != nil && t.Sent != nil {
		t.Sent(locator.Redact(line))
	}
}

// OnReceived calls t.Received. t and t.Received may be nil.
func (t *Trace) OnReceived(line string) {
	if t != nil && t.Received != nil {
		t.Received(locator.Redact(line))
	}
}

// OnNote calls t.Note. t and t.Note may be nil.
func (t *Trace) OnNote(text string) {
	if t != nil && t.Note != nil {
		t.Note(locator.Redact(text))
	}
}

// OnWarning calls t.Warning, or t.Note if that is nil. t and both may be nil.
func (t *Trace) OnWarning(text string) {
	if t != nil && t.Warning != nil {
		t.Warning(locator.Redact(text))
		return
	}
	t.OnNote(text)
}

// And returns a trace that calls the hooks of t and u. Either may be nil.
func (t *Trace) And(u *Trace) *Trace {
	switch {
	case t == nil:
		return u
	case u == nil:
		return t
	}
	return &Trace{
		Connected: both(t.Connected, u.Connected), Waiting: both(t.Waiting, u.Waiting), Sent: both(t.Sent, u.Sent),
		Received: both(t.Received, u.Received), Note: both(t.Note, u.Note), Warning: both(t.Warning, u.Warning),
	}
}

// both returns a function that calls f and g. Either may be nil.
func both[T any](f, g func(T)) func(T) {
	switch {
	case f == nil:
		return g
	case g == nil:
		return f
	}
	return func(x T) { f(x); g(x) }
}
