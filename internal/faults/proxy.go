package faults

import (
	"io"
	"net"
	"sync"
	"time"

	"locator/schemetest/peer"
)

// How says what becomes of a connection.
type How uint8

// The faults of a connection.
const (
	None  How = iota
	Cut       // closed, as if its peer had ended
	Reset     // reset (RFC 9293 3.5.2)
	Stall     // nothing moves any more, and it stays open
	Slow      // a little at a time
)

// Fault is what happens to the connections that a proxy accepts: for ftp to the data connections.
type Fault struct {
	How   How
	After int64 // octets that pass before
	Times int   // so many connections have it, 0 is all

	// Data changes what comes from the server, nil leaves it.
	Data func(r io.Reader) io.Reader
	// Command sees a command line of an ftp client. It may answer in the place of the server, and hang up then.
	Command func(line string) (answer string, hangUp, handled bool)
	// Reply changes what an ftp server says to a command line ("" is the greeting); hangUp ends the connection after it.
	Reply func(command, reply string) (changed string, hangUp bool)
}

// Proxy passes connections on to a server.
type Proxy struct {
	*peer.Host
	target string
	ftp    bool

	mu    sync.Mutex
	fault Fault
	used  int // connections that had the fault
}

// TCP makes a proxy for a server of any protocol of one connection.
func TCP(target string) (*Proxy, error) { return listen(target, false) }

// FTP makes a proxy for an ftp server.
func FTP(target string) (*Proxy, error) { return listen(target, true) }

func listen(target string, ftp bool) (*Proxy, error) {
	h, err := peer.Listen()
	if err != nil {
		return nil, err
	}
	p := &Proxy{Host: h, target: target, ftp: ftp}
	p.Serve(p.carry)
	return p, nil
}

// Set gives the fault that connections have from now on.
func (p *Proxy) Set(f Fault) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.fault, p.used = f, 0
}

// now is the dialogue's part of the fault.
func (p *Proxy) now() Fault {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.fault
}

// take gives the fault of one more connection.
func (p *Proxy) take() Fault {
	p.mu.Lock()
	defer p.mu.Unlock()
	f := p.fault
	if f.Times > 0 && p.used >= f.Times {
		f.How, f.Data = None, nil
	}
	p.used++
	return f
}

const dialTime = 10 * time.Second

func (p *Proxy) carry(client net.Conn) {
	if p.ftp {
		p.to(p.target, client, p.talk)
	} else {
		p.to(p.target, client, p.pass)
	}
}

// to connects a client with a server.
func (p *Proxy) to(target string, client net.Conn, join func(client, server net.Conn)) {
	server, err := net.DialTimeout("tcp", target, dialTime)
	if err != nil || !p.Hold(server) {
		return
	}
	defer p.Release(server)
	join(client, server)
}

// pass moves octets in both directions, with the fault of one more connection.
func (p *Proxy) pass(client, server net.Conn) {
	f := p.take()
	from := io.Reader(server)
	if f.Data != nil {
		from = f.Data(server)
	}
	b := &breaker{f: f, client: client, server: server, left: f.After}
	var both sync.WaitGroup
	both.Go(func() { b.move(client, from) })
	both.Go(func() { b.move(server, client) })
	both.Wait()
}

// breaker counts the octets of a connection, in both directions together.
type breaker struct {
	f              Fault
	client, server net.Conn
	mu             sync.Mutex
	left           int64
	broken         bool
}

// A slow connection moves this much at a time.
const (
	slowPiece = 1 << 10
	slowPause = 2 * time.Millisecond
)

func (b *breaker) move(to net.Conn, from io.Reader) {
	buf := make([]byte, 16<<10)
	for {
		if b.f.How == Slow {
			buf = buf[:slowPiece]
			time.Sleep(slowPause)
		}
		n, err := from.Read(buf)
		n, over := b.count(n)
		if _, e := to.Write(buf[:n]); err == nil {
			err = e
		}
		if over {
			b.end()
			return
		}
		if err != nil {
			if h, ok := to.(*net.TCPConn); ok {
				h.CloseWrite()
			}
			return
		}
	}
}

// count takes n octets off what may pass, and says how many of them still may.
func (b *breaker) count(n int) (may int, over bool) {
	if b.f.How == None || b.f.How == Slow {
		return n, false
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if may = int(min(int64(n), b.left)); may < 0 {
		may = 0
	}
	b.left -= int64(n)
	b.broken = b.broken || b.left <= 0
	return may, b.broken
}

// end is what the fault does. A stall lasts until the client goes.
func (b *breaker) end() {
	switch b.f.How {
	case Cut:
		b.client.Close()
	case Reset:
		if c, ok := b.client.(*net.TCPConn); ok {
			c.SetLinger(0)
		}
		b.client.Close()
	case Stall:
		io.Copy(io.Discard, b.client)
	}
	b.server.Close()
}
