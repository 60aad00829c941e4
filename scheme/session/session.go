// Package session describes interactive sessions, such as those of telnet (RFC 1738 3.8).
package session

import "io"

// Session is an interactive session (RFC 1738 3.8). Read returns the server's output; Write sends
// the user's input. Its methods are safe for concurrent use.
type Session interface {
	io.ReadWriteCloser
	// CloseWrite ends the input. The server may continue to send.
	CloseWrite() error
	// Resize sends the size of the window, in characters.
	Resize(width, height int) error
	// Send sends a signal. It returns errors.ErrUnsupported if the protocol does not have it.
	Send(s Signal) error
	// Modes returns a channel that receives the mode when the server changes it. It holds only the
	// latest mode and never blocks Read. It is closed with the session.
	Modes() <-chan Mode
	// Advice returns messages for the user before the session starts, such as the user name in the
	// URL.
	Advice() []string
	// Secret returns the password in the URL. It may be shown on a terminal as advice. It must not
	// be sent or logged.
	Secret() (string, bool)
}

// Signal is a control function of a session (RFC 854).
type Signal uint8

// The signals.
const (
	Break       Signal = iota // BRK
	Interrupt                 // IP
	AbortOutput               // AO
	AreYouThere               // AYT
)

// Mode is a mode of the terminal, requested by the server.
type Mode struct {
	RemoteEcho bool // the server echoes: do not echo here
	LineMode   bool // send whole lines
}

// Terminal describes the user's terminal.
type Terminal struct {
	Type          string // as in TERM; "" if unknown (RFC 1091)
	Width, Height int    // in characters; 0 means unknown (RFC 1073)
}
