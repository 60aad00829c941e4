package scheme

import "time"

// Trace is told what happens on the wire, when it happens. Each function may be nil. What it gets is escaped for a
// terminal and holds no password. Its functions may be called from several goroutines.
type Trace struct {
	Connected func(c Connection) // a connection was opened
	Sent      func(line string)  // a command line or packet, without its line end
	Received  func(line string)
	Note      func(text string) // what the client decided: a fallback, a reconnect
}

// Connection describes a connection that was opened.
type Connection struct {
	Dial   Dial
	Remote string        // the address of the server, or its name where only a proxy knows the address
	Began  time.Time     // when dialling began
	Took   time.Duration // how long resolving and connecting took
}

// OnConnected calls the function if there is one.
func (t *Trace) OnConnected(c Connection) {
	if t != nil && t.Connected != nil {
		t.Connected(c)
	}
}

// HearsLines reports whether lines are traced: else they need not be formatted.
func (t *Trace) HearsLines() bool { return t != nil && (t.Sent != nil || t.Received != nil) }

// OnSent calls the function if there is one.
func (t *Trace) OnSent(line string) {
	if t != nil && t.Sent != nil {
		t.Sent(line)
	}
}

// OnReceived calls the function if there is one.
func (t *Trace) OnReceived(line string) {
	if t != nil && t.Received != nil {
		t.Received(line)
	}
}

// OnNote calls the function if there is one.
func (t *Trace) OnNote(text string) {
	if t != nil && t.Note != nil {
		t.Note(text)
	}
}

// And returns a trace that tells both t and u. Either may be nil.
func (t *Trace) And(u *Trace) *Trace {
	switch {
	case t == nil:
		return u
	case u == nil:
		return t
	}
	return &Trace{
		Connected: each(t.Connected, u.Connected), Sent: each(t.Sent, u.Sent),
		Received: each(t.Received, u.Received), Note: each(t.Note, u.Note),
	}
}

// each calls both functions, of which either may be nil.
func each[T any](f, g func(T)) func(T) {
	switch {
	case f == nil:
		return g
	case g == nil:
		return f
	}
	return func(x T) { f(x); g(x) }
}
