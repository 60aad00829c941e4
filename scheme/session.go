package scheme

import "io"

// Session is an interactive session (RFC 1738 3.8). Read gives what the server prints; Write sends what the user types. Its
// methods may be called at the same time.
type Session interface {
	io.ReadWriteCloser
	// CloseWrite ends the user's side. The server may go on.
	CloseWrite() error
	// Resize tells the server the size of the window in characters.
	Resize(width, height int) error
	// Send sends a signal. It returns errors.ErrUnsupported where the protocol has no word for it.
	Send(s Signal) error
	// Modes holds the latest mode after the server has switched echo or line mode. A mode that nobody receives is replaced and
	// never delays Read. It is closed with the session.
	Modes() <-chan Mode
	// Advice is what a person should know before the session begins, such as the user name of the URL.
	Advice() []string
	// Secret is the password of the URL. It may be shown on a terminal as advice; it is never sent and never logged.
	Secret() (string, bool)
}

// Signal is a control function of a session (RFC 854).
type Signal uint8

// The signals.
const (
	SignalBreak       Signal = iota // BRK
	SignalInterrupt                 // IP
	SignalAbortOutput               // AO
	SignalAreYouThere               // AYT
)

// Mode is how the terminal should behave.
type Mode struct {
	RemoteEcho bool // the server echoes: do not echo here
	LineMode   bool // send whole lines
}
