package waisserver

import (
	"io"
	"net"
	"net/netip"
	"sync"
	"time"

	"locator/internal/hostaddr"
)

const (
	maxClients = 200            // connections at a time
	maxServed  = 5 * maxClients // with those that were closed and whose last request still waits for its turn
)

// clients are the connections of a server. When there are too many, the address that has the most
// loses one for the new one: that whose last request is the oldest. The zero value is ready to use.
type clients struct {
	mu  sync.Mutex
	all map[io.Closer]*client
}

// client is a connection.
type client struct {
	from   string // address
	asked  time.Time
	closed bool // by admit
}

// addressOf returns the address at the other end of a connection, as [hostaddr.NetworkOf] does.
func addressOf(conn net.Conn) string {
	at, err := netip.ParseAddrPort(conn.RemoteAddr().String())
	if err != nil {
		return conn.RemoteAddr().String()
	}
	return hostaddr.NetworkOf(at.Addr()).String()
}

// admit adds a connection. It returns false if there are too many that have not ended.
func (c *clients) admit(conn io.Closer, from string, now time.Time) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.all == nil {
		c.all = make(map[io.Closer]*client)
	}
	if len(c.all) >= maxServed {
		return false
	}
	c.all[conn] = &client{from: from, asked: now}
	open, of, most := 0, make(map[string]int), 0
	for _, x := range c.all {
		if !x.closed {
			open++
			of[x.from]++
			most = max(most, of[x.from])
		}
	}
	if open <= maxClients {
		return true
	}
	var oldest io.Closer
	for other, x := range c.all {
		if other != conn && !x.closed && of[x.from] == most && (oldest == nil || x.asked.Before(c.all[oldest].asked)) {
			oldest = other
		}
	}
	oldest.Close()
	c.all[oldest].closed = true
	return true
}

// asked notes that a request has arrived.
func (c *clients) asked(conn io.Closer, now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if x := c.all[conn]; x != nil {
		x.asked = now
	}
}

// leave removes a connection.
func (c *clients) leave(conn io.Closer) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.all, conn)
}
