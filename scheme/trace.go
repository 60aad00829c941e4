package scheme

// Trace is told what happens on the wire. Each function may be nil. What it gets is escaped for a terminal and holds
// no password. Its functions may be called from several goroutines.
type Trace struct {
	Connected func(d Dial, remote string) // a connection stands
	Sent      func(line string)           // a command line or packet, without its line end
	Received  func(line string)
	Note      func(text string) // what the client decided: a fallback, a reconnect
}

// OnConnected calls the function if there is one.
func (t *Trace) OnConnected(d Dial, remote string) {
	if t != nil && t.Connected != nil {
		t.Connected(d, remote)
	}
}

// HearsLines reports whether somebody listens to lines: else they need not be written down.
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
