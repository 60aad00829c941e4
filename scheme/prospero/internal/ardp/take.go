package ardp

import (
	"bytes"
	"errors"
	"fmt"
	"net/netip"
	"time"
)

// take processes a packet. ack reports whether the server requests an acknowledgement.
func (x *Exchange) take(b []byte) (ack bool, err error) {
	h, data, err := Parse(b)
	switch {
	case errors.Is(err, ErrNoHeader) && !x.answered:
		return false, protocolError("%w: the server is too old, or no Prospero server", err)
	case err != nil: // somebody else's
		return false, nil
	case h.ID != x.o.ID && h.ID != x.o.ID<<8|x.o.ID>>8:
		// QUIRK: Prospero servers on little-endian hosts repeat packets with the bytes of the id
		// swapped (internal/capture/testdata/prospero/le-cid-bug).
		return false, nil
	}
	if h.Has(endReceived) && (int(h.ReceivedThrough) > x.acked || h.Option == OptionLower) && int(h.ReceivedThrough) <= x.sent {
		more := int(h.ReceivedThrough) > x.acked
		x.acked = int(h.ReceivedThrough)
		if more && x.acked < len(x.out) {
			x.news = x.o.Clock.Now()
			if err := x.advance(); err != nil {
				return false, err
			}
		}
	}
	if err := x.control(h); err != nil || h.Number == 0 {
		return h.Flags&FlagAck != 0 && h.Number == 0 && err == nil, err
	}
	return h.Flags&FlagAck != 0, x.receive(h, data)
}

// control does what a header says besides its data.
func (x *Exchange) control(h Header) error {
	if h.Has(endWait) && h.Wait == 0 {
		x.wait = 0
	}
	if h.Number != 0 && h.Option == OptionNone {
		return nil
	}
	if x.controls++; x.controls > maxControls {
		return protocolError("more than %d control packets", maxControls)
	}
	switch h.Option {
	case OptionRefused:
		return ErrRefused
	case OptionRedirect, OptionRedirected:
		return x.redirect(h.Redirect)
	}
	if h.Wait != 0 {
		now := x.o.Clock.Now()
		x.wait = time.Duration(h.Wait) * time.Second
		x.news, x.timer, x.unanswered, x.repeatAt = now, x.base, 0, now.Add(max(x.base, x.wait))
		if x.o.Queued != nil {
			x.o.Queued(x.wait, int(h.Position))
		}
	}
	return nil
}

// redirect sends the packets that are not acknowledged to another server.
func (x *Exchange) redirect(to netip.AddrPort) error {
	if x.redirects++; x.redirects > maxRedirects || x.o.Redirect == nil {
		return protocolError("the server named more than %d other servers", maxRedirects)
	}
	peer, err := x.o.Redirect(x.ctx, to)
	if err != nil {
		return err
	}
	x.peer.Close()
	x.peer, x.acked, x.sent, x.news = peer, 0, 0, x.o.Clock.Now()
	x.timer = x.base
	return x.advance()
}

// receive stores the data of a packet of the response.
func (x *Exchange) receive(h Header, data []byte) error {
	n, total := int(h.Number), int(h.Total)
	if h.Flags&FlagControl != 0 {
		data = nil
	}
	if total != 0 {
		if x.total != 0 && total != x.total || total < n || total < x.through {
			return protocolError("the response has %d packets, then %d", max(x.total, x.through, n), total)
		}
		for seen := range x.early {
			if seen > total {
				return protocolError("the response has %d packets, then %d", seen, total)
			}
		}
		x.total = total
	} else if x.total != 0 && n > x.total {
		return protocolError("packet %d of %d", n, x.total)
	}
	x.answered, x.acked = true, len(x.out) // a server responds to a complete request only
	if n == x.through && !bytes.Equal(data, x.last) {
		return fmt.Errorf("%w: packet %d is another one", ErrChanged, n)
	}
	if n <= x.through || n > x.through+ahead || x.early[n] != nil {
		return nil
	}
	x.early[n] = append(make([]byte, 0, len(data)), data...)
	grown := false
	for d, ok := x.early[x.through+1]; ok; d, ok = x.early[x.through+1] {
		x.through++
		delete(x.early, x.through)
		x.data, x.last = append(x.data, d...), d
		grown = true
	}
	if grown {
		x.measure()
		now := x.o.Clock.Now()
		x.news, x.timer, x.unanswered = now, x.base, 0
		x.repeatAt = now.Add(max(x.timer, x.wait))
	}
	return nil
}

// measure updates the timer from the time of a round trip (RFC 6298 2). A packet that was repeated
// is not measured.
func (x *Exchange) measure() {
	if x.asked.IsZero() {
		return
	}
	trip := x.o.Clock.Now().Sub(x.asked)
	x.asked = time.Time{}
	if x.wait > 0 {
		return
	}
	if x.smoothed == 0 {
		x.smoothed, x.variation = trip, trip/2
	} else {
		x.variation = (3*x.variation + (x.smoothed - trip).Abs()) / 4
		x.smoothed = (7*x.smoothed + trip) / 8
	}
	x.base = max(minTimer, x.smoothed+4*x.variation)
}
