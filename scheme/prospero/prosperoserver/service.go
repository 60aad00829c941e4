package prosperoserver

import (
	"bytes"
	"net/netip"
	"slices"
	"time"

	"locator/internal/hostaddr"
	"locator/scheme/prospero/internal/ardp"
)

// Limits of the memory that clients can use.
const (
	maxPending = 64                     // requests that are not complete
	maxKept    = 64                     // replies that can be repeated
	maxBytes   = 64 << 20               // of them
	maxRequest = 64                     // packets
	maxGather  = maxRequest << 11       // bytes of a request
	repeatGap  = 200 * time.Millisecond // a reply is repeated at most so often
)

// Service is the transport of a server: it gathers the packets of requests, and sends the packets
// of responses. It does no input or output, and takes the time from its caller. It is not safe for
// concurrent use.
type Service struct {
	answer   func(from netip.AddrPort, request []byte) []byte
	requests map[key]*gathered
	working  map[key]bool // requests that are complete and not yet answered
	kept     []*response  // the oldest first
	// Kept is how many replies are kept, so that they can be repeated.
	Kept int
	// Packets changes the packets of a response before they are sent for the first time. It may be
	// nil.
	Packets func(packets [][]byte) [][]byte
}

// NewService returns a Service that answers requests by a function.
func NewService(answer func(from netip.AddrPort, request []byte) []byte) *Service {
	return &Service{answer: answer, requests: make(map[key]*gathered), working: make(map[key]bool), Kept: maxKept}
}

// key identifies a request.
type key struct {
	from netip.AddrPort
	id   uint16
}

// gathered is a request of which packets have arrived.
type gathered struct {
	packets map[int][]byte
	total   int
	bytes   int
}

// response is a reply that may have to be repeated.
type response struct {
	key    key
	pieces [][]byte
	size   int // bytes of them
	acked  int
	sent   int // packets up to this number were sent at least once
	window int
	last   time.Time // of the last repetition
}

// whole is a request all of whose packets have arrived.
type whole struct {
	key     key
	window  int // that the client takes
	through int // packets of the response that the client has
	text    []byte
	last    []byte // packet
}

// Handle processes a packet and returns those to send back.
func (s *Service) Handle(now time.Time, from netip.AddrPort, packet []byte) [][]byte {
	out, w := s.receive(now, from, packet)
	if w == nil {
		return out
	}
	return s.respond(now, w, s.answer(from, w.text))
}

// receive processes a packet. It returns those to send back, or the request that is complete with
// the packet, which respond must answer.
func (s *Service) receive(now time.Time, from netip.AddrPort, packet []byte) ([][]byte, *whole) {
	h, data, err := ardp.Parse(packet)
	if err != nil {
		return nil, nil // of a client before ARDP, or none
	}
	k := key{from, h.ID}
	if i := slices.IndexFunc(s.kept, func(r *response) bool { return r.key == k }); i >= 0 && h.ID != 0 {
		if h.Option == ardp.OptionRefused { // cancelled
			s.kept = slices.Delete(s.kept, i, i+1)
			return nil, nil
		}
		return s.kept[i].again(now, h), nil
	}
	if h.Option == ardp.OptionRefused {
		delete(s.requests, k)
		delete(s.working, k)
		return nil, nil
	}
	if h.Number == 0 || s.working[k] {
		return nil, nil
	}
	g := s.requests[k]
	if g == nil {
		if len(s.requests) >= maxPending {
			clear(s.requests)
		}
		g = &gathered{packets: make(map[int][]byte)}
		s.requests[k] = g
	}
	if h.Total != 0 {
		g.total = int(h.Total)
	}
	if g.bytes += len(data) - len(g.packets[int(h.Number)]); int(h.Number) > maxRequest || g.total > maxRequest || g.bytes > maxGather {
		delete(s.requests, k)
		return nil, nil
	}
	seen := len(g.packets) > 0
	g.packets[int(h.Number)] = bytes.Clone(data)
	if g.total == 0 || len(g.packets) < g.total {
		if !seen {
			return nil, nil
		}
		return [][]byte{header(h.ID, 0, 0, g.through(), 9).Append(nil)}, nil
	}
	delete(s.requests, k)
	w := &whole{key: k, window: int(h.Window), through: int(h.ReceivedThrough), last: bytes.Clone(packet)}
	for n := 1; n <= g.total; n++ {
		w.text = append(w.text, g.packets[n]...)
	}
	if k.id != 0 {
		s.working[k] = true
	}
	return nil, w
}

// through is the number of packets without a gap.
func (g *gathered) through() int {
	n := 0
	for g.packets[n+1] != nil {
		n++
	}
	return n
}

// drop forgets a request that will not be answered.
func (s *Service) drop(w *whole) { delete(s.working, w.key) }

// respond begins a response. It returns nothing if the client has cancelled the request.
func (s *Service) respond(now time.Time, w *whole, text []byte) [][]byte {
	k := w.key
	if k.id != 0 && !s.working[k] || text == nil {
		s.drop(w)
		return nil
	}
	s.drop(w)
	r := &response{key: k, window: min(w.window, 256), size: len(text)}
	if r.window == 0 {
		r.window = ardp.Window
	}
	for first := true; first || len(text) > 0; first = false {
		n := min(ardp.MaxData, len(text))
		r.pieces = append(r.pieces, text[:n])
		text = text[n:]
	}
	if k.id != 0 {
		s.keep(r)
	}
	packets := r.first()
	if n := min(w.through, len(r.pieces)); n > 0 { // of an answer that was forgotten
		r.acked, r.sent = n, n
		packets = r.next()
	}
	if s.Packets != nil {
		packets = s.Packets(packets)
	}
	return packets
}

// keep keeps a reply so that it can be repeated. If there are too many, the oldest of the address
// with the most goes.
func (s *Service) keep(r *response) {
	s.kept = append(s.kept, r)
	for {
		size, of, most := 0, make(map[netip.Addr]int), 0
		for _, r := range s.kept {
			size += r.size
			of[hostaddr.NetworkOf(r.key.from.Addr())]++
			most = max(most, of[hostaddr.NetworkOf(r.key.from.Addr())])
		}
		if len(s.kept) <= s.Kept && size <= maxBytes {
			return
		}
		i := slices.IndexFunc(s.kept, func(r *response) bool { return of[hostaddr.NetworkOf(r.key.from.Addr())] == most })
		s.kept = slices.Delete(s.kept, i, i+1)
	}
}

func header(id uint16, number, total, received, length int) ardp.Header {
	return ardp.Header{Length: length, ID: id, Number: uint16(number), Total: uint16(total), ReceivedThrough: uint16(received)}
}

// first returns the packets of the first window, with the headers that the server of 1994 wrote.
func (r *response) first() (out [][]byte) {
	total := len(r.pieces)
	if total == 1 {
		r.sent = 1
		length := 3
		if r.key.id == 0 {
			length = 1
		}
		return [][]byte{append(header(r.key.id, 1, 0, 0, length).Append(nil), r.pieces[0]...)}
	}
	r.sent = min(r.window, total)
	for n := 1; n <= r.sent; n++ {
		h := header(r.key.id, n, 0, 1, 7)
		if n == total {
			h.Total = uint16(total)
		} else if n == r.window {
			h.Length, h.Flags = 12, ardp.FlagAck
		}
		out = append(out, append(h.Append(nil), r.pieces[n-1]...))
	}
	return out
}

// again returns what follows from another packet of the client: the packets behind those that have
// arrived, if others have arrived since, or else a repetition.
func (r *response) again(now time.Time, h ardp.Header) [][]byte {
	through := int(h.ReceivedThrough)
	if through > r.acked && through <= len(r.pieces) { // more than was sent, if an earlier answer was forgotten
		r.acked, r.sent = through, max(through, r.sent)
	} else if now.Sub(r.last) < repeatGap {
		return nil
	} else {
		r.last = now
	}
	return r.next()
}

// next returns the window of packets behind those that have arrived. Some were sent before, and at
// least the first of those is lost: the client acknowledges when it has got the last one, or when
// it has waited for long.
func (r *response) next() (out [][]byte) {
	total := len(r.pieces)
	end := min(r.acked+r.window, total)
	r.sent = max(r.sent, end)
	for n := r.acked + 1; n <= end; n++ {
		k := header(r.key.id, n, total, 1, 9)
		if n == r.acked+r.window && n < total {
			k.Length, k.Flags = 12, ardp.FlagAck
		}
		out = append(out, append(k.Append(nil), r.pieces[n-1]...))
	}
	return out
}
