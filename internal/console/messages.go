package console

import (
	"io"
	"sync"
)

// Messages is the stream of the messages for the user, such as standard error. A question, the
// progress of transfers and a session share the terminal with the messages.
type Messages struct {
	mu    sync.Mutex // held while something is written, and while a question is open
	to    io.Writer  // what the messages go to now
	clear func()     // removes the progress from the terminal, until mu is released; may be nil
}

// NewMessages returns the stream of messages that go to w.
func NewMessages(w io.Writer) *Messages { return &Messages{to: w} }

// Write writes whole lines. Nothing else is written between them.
func (m *Messages) Write(lines []byte) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.to.Write(lines)
}
