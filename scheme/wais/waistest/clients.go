package waistest

import (
	"io"
	"sync"
	"time"
)

// Bounds of the connections at a time.
const (
	maxClients   = 200
	maxOfAddress = 100 // which leaves some for others
	// graceTime is how long a connection may be without a request before it makes room for another one.
	graceTime = 10 * time.Second
)

// clients are the connections of a server. When there are too many, the one whose last request is the oldest is closed for a new one: among
// those of the same address if it has too many, else among those of the address that has the most. The zero value is ready to use.
type clients struct {
	mu  sync.Mutex
	all map[io.Closer]*client
}

// client is a connection.
type client struct {
	from  string // address
	asked time.Time
}

// admit adds a connection. It returns false if there are too many, and each has sent a request lately.
func (c *clients) admit(conn io.Closer, from string, now time.Time) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	of, most := make(map[string]int), 0
	for _, x := range c.all {
		of[x.from]++
		most = max(most, of[x.from])
	}
	if tooMany := of[from] >= maxOfAddress; tooMany || len(c.all) >= maxClients {
		var oldest io.Closer
		for conn, x := range c.all {
			if (tooMany && x.from == from || !tooMany && of[x.from] == most) && (oldest == nil || x.asked.Before(c.all[oldest].asked)) {
				oldest = conn
			}
		}
		if now.Sub(c.all[oldest].asked) < graceTime {
			return false
		}
		oldest.Close()
		delete(c.all, oldest)
	}
	if c.all == nil {
		c.all = make(map[io.Closer]*client)
	}
	c.all[conn] = &client{from, now}
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
