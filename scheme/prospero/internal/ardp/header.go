package ardp

import (
	"encoding/binary"
	"errors"
	"fmt"
	"net/netip"
)

// The flags of a header.
const (
	FlagAddress  = 0x01 // an address follows
	FlagPriority = 0x02 // a priority follows
	FlagProtocol = 0x04 // a protocol id follows
	FlagWindow   = 0x08 // a window size follows
	FlagControl  = 0x40 // a numbered packet without data for the application
	FlagAck      = 0x80 // an acknowledgement is requested
)

// The options of a header.
const (
	OptionNone       = 0
	OptionRefused    = 1 // from a server; from a client it cancels the request
	OptionLower      = 2 // ReceivedThrough holds even if it is lower than before
	OptionRedirect   = 4 // Redirect is where to send the packets that are not acknowledged
	OptionRedirected = 5 // like OptionRedirect, for later requests too
	OptionQueue      = 254
)

// maxHeader is the largest length of a header. A first byte of 32 or more is that of a text without
// a header.
const maxHeader = 31

// Header is the header of a packet. A field that the packet does not have has its default: 1 for
// Number and Total of a header without Number, 0 for the others.
type Header struct {
	Length          int    // in bytes; it says which fields the packet has
	ID              uint16 // of the connection: chosen by the client for each request
	Number          uint16 // of the packet, from 1; 0 means a control packet
	Total           uint16 // packets of the message; 0 means unknown
	ReceivedThrough uint16 // all packets of the other side up to this number have arrived
	Wait            uint16 // seconds until a response may be expected
	Flags, Option   byte

	Address  []byte // with FlagAddress: type, length, and address
	Priority int16
	Protocol uint16
	Window   uint16 // packets that the sender of the header takes before it acknowledges; 0 means the default
	Redirect netip.AddrPort
	Position uint16 // in the queue, with HasPosition
	Delay    uint32 // expected, in seconds, with HasDelay

	HasPosition, HasDelay bool
}

// Has reports whether the header has the field that ends at byte end.
func (h Header) Has(end int) bool { return h.Length >= end }

// The ends of the fields.
const (
	endID = 3 + 2*iota
	endNumber
	endTotal
	endReceived
	endWait
	endFlags  = 12
	endOption = 13
)

var (
	// ErrNoHeader is returned for a packet that begins with text, as those of servers before ARDP
	// do.
	ErrNoHeader = errors.New("a packet without an ARDP header")
	errHeader   = errors.New("malformed ARDP header")
)

// Parse splits a packet into header and data. The data are part of b.
func Parse(b []byte) (Header, []byte, error) {
	switch {
	case len(b) == 0:
		return Header{}, nil, fmt.Errorf("%w: an empty packet", errHeader)
	case b[0] > maxHeader:
		return Header{}, nil, ErrNoHeader
	case b[0] == 0:
		return Header{}, nil, fmt.Errorf("%w: length 0", errHeader)
	case int(b[0]) > len(b):
		return Header{}, nil, fmt.Errorf("%w: length %d in a packet of %d bytes", errHeader, b[0], len(b))
	}
	h := Header{Length: int(b[0]), Number: 1}
	f := b[:h.Length]
	two := func(end int) uint16 {
		if len(f) < end {
			return 0
		}
		return binary.BigEndian.Uint16(f[end-2:])
	}
	h.ID = two(endID)
	if h.Has(endNumber) {
		h.Number = two(endNumber)
	} else {
		h.Total = 1
	}
	if h.Has(endTotal) {
		h.Total = two(endTotal)
	}
	h.ReceivedThrough, h.Wait = two(endReceived), two(endWait)
	if h.Has(endFlags) {
		h.Flags = f[endFlags-1]
	}
	if h.Has(endOption) {
		h.Option = f[endOption-1]
		if err := h.arguments(f[endOption:]); err != nil {
			return Header{}, nil, err
		}
	}
	return h, b[h.Length:], nil
}

// arguments parses the arguments of the flags, lowest bit first, then those of the option.
func (h *Header) arguments(b []byte) error {
	short := false
	take := func(n int) []byte {
		if short = short || len(b) < n; short {
			return make([]byte, n)
		}
		var v []byte
		v, b = b[:n], b[n:]
		return v
	}
	if h.Flags&FlagAddress != 0 {
		head := take(2)
		h.Address = append(append([]byte(nil), head...), take(int(head[1]))...)
	}
	if h.Flags&FlagPriority != 0 {
		h.Priority = int16(binary.BigEndian.Uint16(take(2)))
	}
	if h.Flags&FlagProtocol != 0 {
		h.Protocol = binary.BigEndian.Uint16(take(2))
	}
	if h.Flags&FlagWindow != 0 {
		h.Window = binary.BigEndian.Uint16(take(2))
	}
	switch h.Option {
	case OptionRedirect, OptionRedirected:
		v := take(6)
		h.Redirect = netip.AddrPortFrom(netip.AddrFrom4([4]byte(v[:4])), binary.BigEndian.Uint16(v[4:]))
	case OptionQueue:
		bits := take(1)[0]
		if h.HasPosition = bits&1 != 0; h.HasPosition {
			h.Position = binary.BigEndian.Uint16(take(2))
		}
		if h.HasDelay = bits&2 != 0; h.HasDelay {
			h.Delay = binary.BigEndian.Uint32(take(4))
		}
	}
	if short {
		return fmt.Errorf("%w: length %d is too short for flags %#02x and option %d", errHeader, h.Length, h.Flags, h.Option)
	}
	return nil
}

// Append appends the header to b, with the fields that Length says; arguments extend it.
func (h Header) Append(b []byte) []byte {
	begin := len(b)
	b = append(b, 0)
	for _, f := range []struct {
		end   int
		value uint16
	}{{endID, h.ID}, {endNumber, h.Number}, {endTotal, h.Total}, {endReceived, h.ReceivedThrough}, {endWait, h.Wait}} {
		if h.Has(f.end) {
			b = binary.BigEndian.AppendUint16(b, f.value)
		}
	}
	if h.Has(endFlags) {
		b = append(b, h.Flags)
	}
	if h.Has(endOption) {
		b = h.appendArguments(append(b, h.Option))
	}
	b[begin] = byte(len(b) - begin)
	return b
}

func (h Header) appendArguments(b []byte) []byte {
	if h.Flags&FlagAddress != 0 {
		b = append(b, h.Address...)
	}
	for _, f := range []struct {
		flag  byte
		value uint16
	}{{FlagPriority, uint16(h.Priority)}, {FlagProtocol, h.Protocol}, {FlagWindow, h.Window}} {
		if h.Flags&f.flag != 0 {
			b = binary.BigEndian.AppendUint16(b, f.value)
		}
	}
	switch h.Option {
	case OptionRedirect, OptionRedirected:
		a := h.Redirect.Addr().As4()
		b = binary.BigEndian.AppendUint16(append(b, a[:]...), h.Redirect.Port())
	case OptionQueue:
		bits := len(b)
		b = append(b, 0)
		if h.HasPosition {
			b[bits] |= 1
			b = binary.BigEndian.AppendUint16(b, h.Position)
		}
		if h.HasDelay {
			b[bits] |= 2
			b = binary.BigEndian.AppendUint32(b, h.Delay)
		}
	}
	return b
}

// Describe returns the header of a packet and the size of its data as a line for a trace.
func Describe(b []byte) string {
	h, data, err := Parse(b)
	if err != nil {
		return fmt.Sprintf("ardp %v, %d bytes", err, len(b))
	}
	text := fmt.Sprintf("ardp id=%04x", h.ID)
	if h.Has(endNumber) {
		text += fmt.Sprintf(" packet=%d", h.Number)
	}
	if h.Has(endTotal) && h.Total != 0 {
		text += fmt.Sprintf("/%d", h.Total)
	}
	if h.Has(endReceived) {
		text += fmt.Sprintf(" received=%d", h.ReceivedThrough)
	}
	if h.Wait != 0 {
		text += fmt.Sprintf(" wait=%ds", h.Wait)
	}
	if h.Flags&FlagAck != 0 {
		text += " ack"
	}
	switch h.Option {
	case OptionNone:
	case OptionRefused:
		text += " refused-or-cancel"
	case OptionRedirect, OptionRedirected:
		text += " redirect=" + h.Redirect.String()
	case OptionQueue:
		text += fmt.Sprintf(" queue=%d,%ds", h.Position, h.Delay)
	default:
		text += fmt.Sprintf(" option=%d", h.Option)
	}
	if len(data) == 0 {
		return text
	}
	return fmt.Sprintf("%s, %d bytes", text, len(data))
}
