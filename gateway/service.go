package gateway

import (
	"net/netip"
	"time"
)

// Service is what a gateway needs that others reach. The zero value is for one that only its owner reaches: it limits nothing but the
// accesses of one server at once. [ReadPolicy] reads it from a file.
type Service struct {
	// Upstream limits what all clients together ask of one server, which is a host and port.
	Upstream Share
	// Clients limits what one client asks, which is an IPv4 address or an IPv6 network of 64 bits.
	Clients Share
	// Changes limits what one client sends, stores and tries to log in.
	Changes Share
	// Proxies are the networks of proxies in front of the gateway, whose X-Forwarded-For says who the client is.
	Proxies []netip.Prefix
	// Users may do what their User says, and others nothing that changes anything. Nil means that Options.Permit decides.
	Users []User
	// BlockList is a file of hosts, networks and URLs that are refused. It is read again when it changes.
	BlockList string
	// ContentOrigin is a second origin of the same gateway, such as "https://content.host.dom", which shows what servers send: images,
	// sounds, films and PDF documents. "" shows them in a sandbox, and no documents.
	ContentOrigin string
	// Cache is what is remembered of responses, and shared between clients. Nil remembers and shares nothing.
	Cache *Cache
	// KeyFile is a file that keeps the key of cookies and forms, so that they stay right when the gateway starts again. It is made if
	// there is none. With "" the key is in memory only.
	KeyFile string
	// Metrics is the host and port on which metrics are served; "" serves none.
	Metrics string
	// MaxConns is how many connections of clients there may be at once; 0 means 4096.
	MaxConns int
	// ClientConns is how many connections one client may have at once; a further one is closed. 0 does not limit them.
	ClientConns int
	// ReadTime and WriteTime are how long a client may send, and may not read, nothing; 0 means 30 s and a minute.
	ReadTime, WriteTime time.Duration
}

// User is somebody who may use a gateway for more than reading.
type User struct {
	Name string
	Hash string // of the password: bcrypt, or argon2id in the form of PHC
	May  []Right
}

// Right is what a user may do.
type Right string

const (
	MaySend Right = "send" // mail
	MayPost Right = "post" // articles, forms, and what is sent to web pages
	MayPut  Right = "put"  // files
)

// The limits of a gateway that others reach, where its policy file says nothing.
var (
	publicUpstream = Share{AtOnce: 2, PerSecond: 1, Burst: 20, Wait: 5 * time.Second}
	publicClients  = Share{AtOnce: 16, PerSecond: 10, Burst: 100}
	publicChanges  = Share{AtOnce: 2, PerSecond: 0.05, Burst: 10}
)

// publicConns is how many connections one client of such a gateway has.
const publicConns = 64

// privateUpstream spares servers where only the owner reaches the gateway.
var privateUpstream = Share{AtOnce: 2, Wait: 5 * time.Second}

// limit sets what limits the clients of the gateway, and knows its users.
func (g *Gateway) limit(s Service) {
	if s.Upstream == (Share{}) {
		s.Upstream = privateUpstream
	}
	g.upstreams, g.clients, g.changes = newShares(s.Upstream), newShares(s.Clients), newShares(s.Changes)
	g.accounts, g.metrics = newAccounts(g), newMeters(g)
	g.user, g.allow = g.accounts.user, g.count
	if s.Users != nil {
		g.opt.Permit = g.permitUsers
	}
}
