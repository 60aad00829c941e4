package ardp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"time"
)

// MaxData is how many bytes of data a packet that this package sends has at most.
const MaxData = 1250

// Window is how many packets are sent without an acknowledgement.
const Window = 16

const (
	// firstTimer is the time until the first repetition before a round trip was measured, minTimer
	// the least after that; maxTimer is the greatest.
	firstTimer, minTimer, maxTimer = time.Second, 250 * time.Millisecond, 4 * time.Second
	// ahead is how many packets beyond the last one without a gap are kept. A server sends a window
	// at a time.
	ahead = 4 * Window
	// maxControls is how many control packets a server may send. Each can extend the time.
	maxControls = 1000
	// maxUnanswered is how many acknowledgements in a row are sent before the request is sent
	// again: a busy server forgets responses.
	maxUnanswered = 2
	// maxErrors is how many errors of the socket in a row are survived.
	maxErrors = 3
	// maxRedirects is how many other servers a server may name.
	maxRedirects = 5
)

var (
	// ErrTimeout is returned if no new packet arrived for so long.
	ErrTimeout = errors.New("no new packet arrived in time")
	// ErrRefused is returned if the server refused the request (option 1).
	ErrRefused = errors.New("the server refused the request")
	// ErrChanged is returned if the server answered again, and not as before.
	ErrChanged = errors.New("the response has changed while it was sent")
	// ErrProtocol is matched by the errors of packets that violate the protocol.
	ErrProtocol = errors.New("protocol violated")
)

var errClosed = errors.New("the exchange is closed")

func protocolError(format string, args ...any) error {
	return fmt.Errorf("%w: %w", ErrProtocol, fmt.Errorf(format, args...))
}

// Peer exchanges packets with a server.
type Peer interface {
	Send(b []byte) error
	// Receive returns the next packet, an error that errors.Is Due when due fires, or the error of
	// ctx. Another error is temporary: the system reports that the server is not listening.
	Receive(ctx context.Context, due <-chan time.Time) ([]byte, error)
	Close() error
}

// Clock is a scheme.Clock.
type Clock interface {
	Now() time.Time
	NewTimer(d time.Duration) (c <-chan time.Time, stop func() bool)
}

// Options configure an exchange.
type Options struct {
	ID      uint16        // of the connection; not 0
	Timeout time.Duration // without a new packet
	Due     error         // what Peer.Receive returns when due fires
	Clock   Clock
	// Redirect connects to another server that the server names.
	Redirect func(ctx context.Context, to netip.AddrPort) (Peer, error)
	// Queued is called when the server says how long a request will wait. Either may be nil.
	Queued func(wait time.Duration, position int)
}

// Exchange is a request and its response. Read returns the data of the response in order. It is for
// one goroutine.
type Exchange struct {
	ctx  context.Context
	o    Options
	peer Peer

	out   [][]byte // packets of the request
	acked int      // of out, in order
	sent  int      // of out, in order

	through  int            // packets of the response that arrived without a gap
	total    int            // packets of the response; 0 means unknown
	early    map[int][]byte // packets after a gap
	data     []byte         // of packets up to through, not yet read
	last     []byte         // of packet through
	answered bool           // a packet of the response has arrived

	base, timer time.Duration // time until a repetition
	smoothed    time.Duration // of the round trip; 0 is not measured
	variation   time.Duration
	asked       time.Time // when the packet was sent that a new packet will answer; zero after a repetition
	repeatAt    time.Time
	news        time.Time     // when the last new packet arrived
	wait        time.Duration // announced by the server

	unanswered          int // acknowledgements in a row
	controls, redirects int
	errors              int // of the socket, in a row
	failed              error
}

// Start sends a request and returns its exchange. The caller must Close it.
func Start(ctx context.Context, peer Peer, request []byte, o Options) (*Exchange, error) {
	x := &Exchange{ctx: ctx, o: o, peer: peer, early: make(map[int][]byte), base: firstTimer, timer: firstTimer, news: o.Clock.Now()}
	for first := true; first || len(request) > 0; first = false {
		n := min(MaxData, len(request))
		x.out = append(x.out, request[:n])
		request = request[n:]
	}
	if len(x.out) > 0xFFFF {
		return nil, errors.New("the request is too long")
	}
	return x, x.advance()
}

// advance sends packets of the request that fit into the window, for the first time.
func (x *Exchange) advance() error {
	for x.sent < len(x.out) && x.sent < x.acked+Window {
		x.sent++
		if err := x.send(x.sent); err != nil {
			return err
		}
	}
	x.asked = x.o.Clock.Now()
	x.repeatAt = x.asked.Add(x.timer)
	return nil
}

// send sends packet n of the request. A server that has forgotten the response begins with the last
// packet that has arrived, so that a change is noticed.
func (x *Exchange) send(n int) error {
	h := Header{Length: endReceived, ID: x.o.ID, Number: uint16(n), Total: uint16(len(x.out)), ReceivedThrough: uint16(max(0, x.through-1))}
	return x.peer.Send(append(h.Append(nil), x.out[n-1]...))
}

// acknowledge says which packets of the response have arrived.
func (x *Exchange) acknowledge() error {
	x.asked = x.o.Clock.Now()
	return x.peer.Send(Header{Length: endReceived, ID: x.o.ID, ReceivedThrough: uint16(x.through)}.Append(nil))
}

// repeat sends what is not acknowledged once more. A server that has the whole request gets an
// acknowledgement, upon which it repeats the response. If it does not, it may have forgotten the
// response, or the request: it gets the request again, which has the same number, and takes it for
// an acknowledgement if it has not.
func (x *Exchange) repeat() error {
	x.timer = min(2*x.timer, max(maxTimer, x.base))
	x.repeatAt = x.o.Clock.Now().Add(x.timer)
	defer func() { x.asked = time.Time{} }() // a response may answer either packet
	if x.answered || x.acked == len(x.out) {
		if x.unanswered++; x.unanswered <= maxUnanswered {
			return x.acknowledge()
		}
		x.acked, x.sent = 0, 0
		return x.advance()
	}
	for n := x.acked + 1; n <= x.sent; n++ {
		if err := x.send(n); err != nil {
			return err
		}
	}
	return nil
}

// Read returns data of the response in order, and io.EOF at its end.
func (x *Exchange) Read(p []byte) (int, error) {
	for len(x.data) == 0 {
		if x.failed != nil {
			return 0, x.failed
		}
		if x.complete() {
			return 0, io.EOF
		}
		if x.failed = x.step(); x.failed != nil && x.ctx.Err() != nil {
			x.cancel()
		}
	}
	n := copy(p, x.data)
	x.data = x.data[n:]
	return n, nil
}

func (x *Exchange) complete() bool { return x.total > 0 && x.through >= x.total }

// step receives packets until there is news, or repeats what got no response.
func (x *Exchange) step() error {
	end := x.news.Add(x.o.Timeout + x.wait)
	now := x.o.Clock.Now()
	if !now.Before(end) { // even if packets that are not new arrive all the time
		return fmt.Errorf("%w: %v", ErrTimeout, x.o.Timeout+x.wait)
	}
	if !now.Before(x.repeatAt) {
		if err := x.repeat(); err != nil {
			return err
		}
	}
	next := x.repeatAt
	if end.Before(next) {
		next = end
	}
	due, stop := x.o.Clock.NewTimer(next.Sub(now))
	b, err := x.peer.Receive(x.ctx, due)
	stop()
	switch {
	case errors.Is(err, x.o.Due):
		return nil
	case x.ctx.Err() != nil:
		return x.ctx.Err()
	case err != nil:
		// Once the server has answered, the system may report a single packet that was refused on
		// the way.
		if x.errors++; x.answered && x.errors <= maxErrors {
			return nil
		}
		return err
	}
	x.errors = 0
	ack, err := x.take(b)
	if err != nil || !ack {
		return err
	}
	// Packets that have arrived already are acknowledged with this one.
	fired := make(chan time.Time)
	close(fired)
	for range Window {
		if x.complete() {
			break
		}
		if b, err = x.peer.Receive(x.ctx, fired); err != nil {
			break
		}
		if _, err = x.take(b); err != nil {
			return err
		}
	}
	return x.acknowledge()
}

// cancel notifies the server that the response is not wanted any more.
func (x *Exchange) cancel() {
	_ = x.peer.Send(Header{Length: endOption, ID: x.o.ID, Option: OptionRefused}.Append(nil)) // it is not acknowledged
}

// Close ends the exchange. It cancels a request whose response is not complete. It may be called
// twice.
func (x *Exchange) Close() error {
	if x.failed == errClosed {
		return nil
	}
	if !x.complete() && x.failed == nil {
		x.cancel()
	}
	x.failed = errClosed
	return x.peer.Close()
}
