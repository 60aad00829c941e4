package http

import (
	"bytes"
	"context"
	"errors"
	"net"
	"strings"
	"sync"
	"time"

	"locator"
	"locator/scheme"
	"locator/wire"
)

// tap is an HTTP/1.1 connection that records the header of each response for the trace and for the
// resource, since net/http preserves neither the order of the fields nor their spelling. It also
// limits the size of the header.
type tap struct {
	net.Conn
	limit int

	begun  chan struct{} // closed when the first request begins, or the connection ends
	unlock sync.Once

	mu                   sync.Mutex
	changed              sync.Cond // of reading, closed, state and lost
	reading              bool      // Read waits for the server
	closed               bool
	state                tapState
	trace                *scheme.Trace
	limits               scheme.Limits // of the request
	headBegun, lineBegun time.Time     // when the header and its last line began; zero before the first byte
	size                 int           // bytes of the header so far
	line                 []byte        // the incomplete last line of the header
	head                 []string      // complete lines of the last header
	gotByte              bool          // a byte has arrived since begin
	wrote                bool          // a byte may have been sent since begin
	brief                bool          // only the first line of the header is recorded
	cut                  bool          // a Write has failed since begin
	lost                 error         // why the header ended early; net/http reports a malformed header instead
}

type tapState uint8

const (
	tapNew  tapState = iota // before the first request
	tapHead                 // in a response header
	tapBody                 // in a response body
	tapIdle                 // between responses
)

var errUnsolicited = errors.New("the server sent data without a request")

func newTap(c net.Conn, limit int) *tap {
	t := &tap{Conn: c, limit: limit, begun: make(chan struct{})}
	t.changed.L = &t.mu
	return t
}

// begin is called before a request is sent. If brief is true and there is no trace, only the first
// line of the header is recorded.
func (t *tap) begin(trace *scheme.Trace, limits scheme.Limits, brief bool) {
	t.mu.Lock()
	t.brief = brief && trace.Received == nil
	t.state, t.trace, t.size, t.line, t.head, t.gotByte, t.wrote, t.cut, t.lost = tapHead, trace, 0, t.line[:0], nil, false, false, false, nil
	t.limits, t.headBegun = limits, time.Time{}
	t.mu.Unlock()
	t.unlock.Do(func() { close(t.begun) })
}

// maxIdleWait bounds how long idle waits.
const maxIdleWait = 10 * time.Second

// idle is called when the response is complete. It reports whether the server has sent nothing
// more. net/http may have read more with the end of the body; the next request would get that as
// its response. net/http closes such a connection, and otherwise reads again: idle waits for one of
// both.
func (t *tap) idle() bool {
	defer time.AfterFunc(maxIdleWait, func() { t.Close() }).Stop()
	t.mu.Lock()
	defer t.mu.Unlock()
	for !t.reading && !t.closed {
		t.changed.Wait()
	}
	t.state, t.trace = tapIdle, nil
	return !t.closed && !t.cut
}

// received is what has arrived since begin.
type received struct {
	head  []string // the lines of the last header, the status line first
	first string   // the first line of the response, complete or not
	any   bool     // a byte has arrived
	wrote bool     // a byte of the request may have been sent
	lost  error    // why the header ended early, or nil
}

// received returns what has arrived. For a nil tap, it returns nothing but that the request may
// have been sent.
func (t *tap) received() (r received) {
	if t == nil {
		return received{wrote: true}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	r = received{t.head, string(t.line), t.gotByte, t.wrote, t.lost}
	if len(r.head) > 0 {
		r.first = r.head[0]
	}
	return r
}

// responded reports whether the header of the response is complete. It is false for a nil tap.
func (t *tap) responded() bool {
	if t == nil {
		return false
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.state == tapBody
}

// cutOff reports whether a Write of the request has failed. It is false for a nil tap.
func (t *tap) cutOff() bool {
	if t == nil {
		return false
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.cut
}

// Write writes to the connection. If the server has closed it, Write waits whether the server has
// responded before, and drops p then: net/http would return the error instead of the response.
func (t *tap) Write(p []byte) (int, error) {
	t.mu.Lock()
	t.wrote = true
	t.mu.Unlock()
	n, err := t.Conn.Write(p)
	if err == nil || isTimeout(err) {
		return n, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.cut = true
	for t.state == tapHead && t.lost == nil && !t.closed {
		t.changed.Wait()
	}
	if t.state == tapBody && !t.closed {
		return len(p), nil
	}
	return n, err
}

// Close closes the connection. It unblocks a Read that waits for the first request.
func (t *tap) Close() error {
	t.unlock.Do(func() { close(t.begun) })
	t.mu.Lock()
	t.closed = true
	t.changed.Broadcast()
	t.mu.Unlock()
	return t.Conn.Close()
}

// Read blocks until the first request if the server sends data before it, and fails if the server
// sends data between requests: net/http would log such data with the standard logger.
func (t *tap) Read(p []byte) (int, error) {
	t.mu.Lock()
	t.reading = true
	t.changed.Broadcast()
	t.mu.Unlock()
	n, err := t.Conn.Read(p)
	t.mu.Lock()
	t.reading = false
	if n == 0 {
		if t.state == tapHead && t.lost == nil {
			t.lost = err
		}
		t.changed.Broadcast()
		t.mu.Unlock()
		return n, err
	}
	fresh := t.state == tapNew
	t.mu.Unlock()
	if fresh {
		<-t.begun
	}
	t.mu.Lock()
	if t.state == tapIdle {
		t.mu.Unlock()
		return 0, errUnsolicited
	}
	seen, trace, failed := t.record(p[:n])
	t.lost = failed
	t.changed.Broadcast()
	t.mu.Unlock()
	for _, line := range seen {
		trace.OnReceived(wire.Escape(line))
	}
	if failed != nil {
		return 0, failed
	}
	return n, err
}

// record records bytes of the header. The caller holds the lock.
func (t *tap) record(p []byte) (seen []string, trace *scheme.Trace, err error) {
	t.gotByte = true
	if t.state == tapHead {
		if err := t.slow(time.Now()); err != nil {
			return nil, t.trace, err
		}
	}
	for t.state == tapHead && len(p) > 0 {
		c := p[0]
		p = p[1:]
		if t.size++; t.size > t.limit {
			return seen, t.trace, scheme.Fail(scheme.CodeBroken, "the response header exceeds the limit of %d bytes", t.limit)
		}
		if c != '\n' {
			t.line = append(t.line, c)
			continue
		}
		text := bytes.TrimSuffix(t.line, []byte("\r"))
		t.line = t.line[:0]
		if len(text) > 0 && len(t.head) > 0 && t.brief {
			continue
		}
		if line := string(text); line != "" {
			line = locator.Redact(line) // a URL in Location or Link may hold a login (P3)
			t.head = append(t.head, line)
			if t.trace.Received != nil {
				seen = append(seen, line)
			}
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

// slow returns an error if bytes of the header that arrive at now are too late.
func (t *tap) slow(now time.Time) error {
	if t.headBegun.IsZero() {
		t.headBegun = now
	}
	if len(t.line) == 0 {
		t.lineBegun = now
	}
	switch {
	case now.Sub(t.lineBegun) > t.limits.LineTime:
		return scheme.Fail(scheme.CodeBroken, "a line of the response header takes longer than the limit of %v: %w", t.limits.LineTime, context.DeadlineExceeded)
	case now.Sub(t.headBegun) > t.limits.ReplyTime:
		return scheme.Fail(scheme.CodeBroken, "the response header takes longer than the limit of %v: %w", t.limits.ReplyTime, context.DeadlineExceeded)
	}
	return nil
}

// informational reports whether head is that of an interim response (RFC 9110 15.2).
func informational(head []string) bool {
	if len(head) == 0 {
		return false
	}
	_, status, _ := strings.Cut(head[0], " ")
	return len(status) >= 3 && status[0] == '1' && !strings.HasPrefix(status, "101")
}

// fields returns the header fields of head, in order. A line that begins with a blank continues the
// line before it (RFC 9112 5.2).
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
