package faults

import (
	"io"
	"net"
	"sync"
	"time"

	"locator/schemetest/peer"
)

// How is a kind of fault of a connection.
type How uint8

// The faults of a connection.
const (
	None  How = iota
	Cut       // close the connection
	Reset     // reset the connection (RFC 9293 3.5.2)
	Stall     // stop relaying, but keep the connection open
	Slow      // relay slowly
)

// Fault describes the fault of the connections that a proxy accepts. For ftp it applies to the data
// connections.
type Fault struct {
	How   How
	After int64 // bytes to relay before the fault
	Times int   // number of connections with the fault; 0 means all

	// Data returns a reader that changes the data of the server. It may be nil.
	Data func(r io.Reader) io.Reader
	// Command receives a command line of an ftp client. If handled is true, the proxy sends answer
	// in place of the server, and with hangUp then closes the connection.
	Command func(line string) (answer string, hangUp, handled bool)
	// Reply changes the reply of an ftp server to a command line, which is "" for the greeting.
	// With hangUp the proxy then closes the connection.
	Reply func(command, reply string) (changed string, hangUp bool)
}

// Proxy relays connections to a server and causes a fault in them.
type Proxy struct {
	*peer.Host
	target string
	ftp    bool

	mu    sync.Mutex
	fault Fault
	used  int // number of connections with the fault so far
}

// TCP starts a proxy for a server whose protocol uses one connection.
func TCP(target string) (*Proxy, error) { return listen(target, false) }

// FTP starts a proxy for an ftp server.
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

// Set sets the fault of the connections from now on.
func (p *Proxy) Set(f Fault) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.fault, p.used = f, 0
}

// currentFault returns the current fault, for the dialogue.
func (p *Proxy) currentFault() Fault {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.fault
}

// nextFault returns the fault of the next connection.
func (p *Proxy) nextFault() Fault {
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

// to connects to target and relays the client's connection with join.
func (p *Proxy) to(target string, client net.Conn, join func(client, server net.Conn)) {
	server, err := net.DialTimeout("tcp", target, dialTime)
	if err != nil || !p.Hold(server) {
		return
	}
	defer p.Release(server)
	join(client, server)
}

// pass relays bytes in both directions, with the fault of the next connection.
func (p *Proxy) pass(client, server net.Conn) {
	f := p.nextFault()
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

// breaker counts the bytes of a connection in both directions.
type breaker struct {
	f              Fault
	client, server net.Conn
	mu             sync.Mutex
	left           int64
	broken         bool
}

// The rate of a slow connection: so many bytes after each pause.
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

// count counts n bytes. It returns how many of them to relay, and whether the fault is due.
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

// end causes the fault. A stall lasts until the client closes the connection.
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
