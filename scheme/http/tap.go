package http

import (
	"errors"
	"net"
	"strings"
	"sync"

	"locator"
	"locator/scheme"
	"locator/wire"
)

// tap sits between net/http and an HTTP/1.1 connection and sees the head of each answer as it comes: net/http keeps
// neither the order of the fields nor their spelling. It bounds the head, too.
type tap struct {
	net.Conn
	limit int

	begun  chan struct{} // closed when the first request begins, or the connection ends
	unlock sync.Once

	mu    sync.Mutex
	state tapState
	trace *scheme.Trace
	size  int      // octets of the head so far
	line  []byte   // of the head, unfinished
	head  []string // finished lines of the last head
	octet bool     // something has come since begin
	lost  error    // why a head broke off; net/http says instead that half of it is malformed
}

type tapState uint8

const (
	tapFresh tapState = iota // before the first request
	tapHead                  // in the head of an answer
	tapBody                  // after it
	tapRest                  // between answers
)

var errUnsolicited = errors.New("the server speaks without being asked")

func newTap(c net.Conn, limit int) *tap {
	return &tap{Conn: c, limit: limit, begun: make(chan struct{})}
}

// begin says that a request is about to be sent.
func (t *tap) begin(trace *scheme.Trace) {
	t.mu.Lock()
	t.state, t.trace, t.size, t.line, t.head, t.octet, t.lost = tapHead, trace, 0, nil, nil, false, nil
	t.mu.Unlock()
	t.unlock.Do(func() { close(t.begun) })
}

// rest says that the answer is complete.
func (t *tap) rest() {
	t.mu.Lock()
	t.state, t.trace = tapRest, nil
	t.mu.Unlock()
}

func (t *tap) heard() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.octet
}

// loss is why the head broke off, nil if it did not.
func (t *tap) loss() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.lost
}

// lines are those of the last head, the status line first.
func (t *tap) lines() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.head
}

// first is the line that the answer began with, be it whole or not.
func (t *tap) first() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.head) > 0 {
		return t.head[0]
	}
	return string(t.line)
}

// Close ends the connection, and the wait of a Read for the first request.
func (t *tap) Close() error {
	t.unlock.Do(func() { close(t.begun) })
	return t.Conn.Close()
}

// Read holds back what a server says before the first request, and ends a connection on which it speaks between two:
// net/http would write that to the standard logger.
func (t *tap) Read(p []byte) (int, error) {
	n, err := t.Conn.Read(p)
	t.mu.Lock()
	if n == 0 {
		if t.state == tapHead {
			t.lost = err
		}
		t.mu.Unlock()
		return n, err
	}
	fresh := t.state == tapFresh
	t.mu.Unlock()
	if fresh {
		<-t.begun
	}
	t.mu.Lock()
	if t.state == tapRest {
		t.mu.Unlock()
		return 0, errUnsolicited
	}
	seen, trace, failed := t.see(p[:n])
	t.lost = failed
	t.mu.Unlock()
	for _, line := range seen {
		trace.OnReceived(wire.Escape(line))
	}
	if failed != nil {
		return 0, failed
	}
	return n, err
}

// see reads octets of the head; the caller holds the lock.
func (t *tap) see(p []byte) (seen []string, trace *scheme.Trace, err error) {
	t.octet = true
	for t.state == tapHead && len(p) > 0 {
		c := p[0]
		p = p[1:]
		if t.size++; t.size > t.limit {
			return seen, t.trace, scheme.Fail(scheme.CodeBroken, "the head of the answer passed the limit of %d octets", t.limit)
		}
		if c != '\n' {
			t.line = append(t.line, c)
			continue
		}
		line := strings.TrimSuffix(string(t.line), "\r")
		t.line = t.line[:0]
		if line != "" {
			line = locator.Redact(line) // a URL in Location or Link may hold a login (P3)
			t.head = append(t.head, line)
			seen = append(seen, line)
			continue
		}
		if informational(t.head) {
			t.head = nil
		} else if len(t.head) > 0 {
			t.state = tapBody
		}
	}
	return seen, t.trace, nil
}

// informational reports whether the head is that of an answer that is not the last (RFC 9110 15.2).
func informational(head []string) bool {
	if len(head) == 0 {
		return false
	}
	_, status, _ := strings.Cut(head[0], " ")
	return len(status) >= 3 && status[0] == '1' && !strings.HasPrefix(status, "101")
}

// fields are the header fields of a head, in order. A line that begins with a blank goes on from the one before
// (RFC 9112 5.2).
func fields(head []string) []scheme.Attribute {
	var list []scheme.Attribute
	head = head[min(1, len(head)):]
	for i := 0; i < len(head); {
		name, value, _ := strings.Cut(head[i], ":")
		parts := []string{strings.TrimSpace(value)}
		for i++; i < len(head) && (head[i][0] == ' ' || head[i][0] == '\t'); i++ {
			parts = append(parts, strings.TrimSpace(head[i]))
		}
		list = append(list, scheme.Attribute{Name: name, Value: strings.Join(parts, " ")})
	}
	return list
}
