package wire

import (
	"context"
	"errors"
	"net"
	"strconv"
	"sync"
	"time"
)

// ErrDue is returned by [Packets.Receive] if its timer fires before a packet arrives.
var ErrDue = errors.New("no packet arrived in time")

// PacketOptions configure Packets.
type PacketOptions struct {
	Max      int                   // maximum size of a received packet; larger ones are dropped; 0 means 65,507
	Queue    int                   // maximum number of packets that wait for Receive; more are dropped; 0 means 32
	Show     func(b []byte) string // formats a packet as one line for a trace; nil shows its size
	Sent     func(line string)     // called with each packet sent, escaped; may be nil
	Received func(line string)     // called with each packet that Receive returns, escaped; may be nil
}

// Packets exchanges packets with one server over a connected socket; the system drops packets from
// other addresses. Send and Close are safe for concurrent use. Receive must be called by one
// goroutine at a time.
type Packets struct {
	conn net.Conn
	opt  PacketOptions
	in   chan []byte
	errs chan error
	done chan struct{}
	once sync.Once
}

// NewPackets returns Packets over c and starts to read from it. The caller must Close the Packets,
// or a goroutine leaks.
func NewPackets(c net.Conn, opt PacketOptions) *Packets {
	if opt.Max <= 0 || opt.Max > 65507 {
		opt.Max = 65507
	}
	if opt.Queue <= 0 {
		opt.Queue = 32
	}
	p := &Packets{conn: c, opt: opt, in: make(chan []byte, opt.Queue), errs: make(chan error, 1), done: make(chan struct{})}
	go p.read()
	return p
}

func (p *Packets) read() {
	b := make([]byte, p.opt.Max+1) // one more, to detect a packet that is too long
	for {
		n, err := p.conn.Read(b)
		if err != nil {
			select {
			case p.errs <- err: // port unreachable (ICMP), or closed
			case <-p.done:
				return
			}
			if errors.Is(err, net.ErrClosed) {
				return
			}
			continue // errs holds one error, so this loop waits for Receive
		}
		if n > p.opt.Max {
			continue
		}
		select {
		case p.in <- append([]byte(nil), b[:n]...):
		default: // full
		}
	}
}

func (p *Packets) show(b []byte) string {
	if p.opt.Show == nil {
		return strconv.Itoa(len(b)) + " bytes"
	}
	return Escape(p.opt.Show(b))
}

// Send writes one packet.
func (p *Packets) Send(b []byte) error {
	if p.opt.Sent != nil {
		p.opt.Sent(p.show(b))
	}
	_, err := p.conn.Write(b)
	return err
}

// Receive returns the next packet, which belongs to the caller. It returns ErrDue when due fires,
// the error of ctx when ctx is done, and the error of the socket if the server's system refuses
// packets. Receive may be called again after any of them. After Close it returns the queued packets
// and then errors. due may be nil.
func (p *Packets) Receive(ctx context.Context, due <-chan time.Time) ([]byte, error) {
	select { // a queued packet takes precedence over the timer
	case b := <-p.in:
		return p.got(b)
	default:
	}
	select {
	case b := <-p.in:
		return p.got(b)
	case <-p.done:
		return nil, net.ErrClosed
	case err := <-p.errs:
		return nil, err
	case <-due:
		return nil, ErrDue
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (p *Packets) got(b []byte) ([]byte, error) {
	if p.opt.Received != nil {
		p.opt.Received(p.show(b))
	}
	return b, nil
}

// Close closes the socket and stops the goroutine that reads it. It ends a waiting Receive.
func (p *Packets) Close() error {
	p.once.Do(func() { close(p.done) })
	return p.conn.Close()
}
