package linkfarm

import (
	"crypto/x509"
	"errors"
	"net"
	"net/netip"
	"slices"
	"strings"

	"locator"
)

// A Link is a URL of the farm.
type Link struct {
	URL     string
	Does    string // what happens there
	Verdict string // the right one, as package check names it
	Why     string
	Named   bool // only the Resolver of the farm knows its host
	Content bool // the verdict is that of a check that reads the content
	// HangsHead means that the server does not answer HEAD, so that the verdict takes as long as the
	// client waits.
	HangsHead bool
}

// Dead reports whether the link leads to nothing.
func (l Link) Dead() bool { return l.Verdict == "broken" }

// Web reports whether the link is one that programs for web pages check: of http or mail, at a host
// that needs no resolver of the farm.
func (l Link) Web() bool {
	name, _, _ := strings.Cut(l.URL, ":")
	return !l.Named && !l.Content && slices.Contains([]string{"http", "https", "mailto"}, name)
}

// Farm is a set of servers that run until they are closed.
type Farm struct {
	links  []Link
	hosts  []*host
	close  []func()
	roots  *x509.CertPool
	pem    []byte
	news   locator.URL
	number int // of the last address
}

// Start starts the servers.
func Start() (*Farm, error) {
	f := &Farm{roots: x509.NewCertPool()}
	for _, plant := range []func() error{f.web, f.secure, f.dialogues, f.menus, f.trees, f.mail} {
		if err := plant(); err != nil {
			f.Close()
			return nil, err
		}
	}
	return f, nil
}

// Close ends the servers.
func (f *Farm) Close() {
	for _, end := range slices.Backward(f.close) {
		end()
	}
}

// Links returns the links.
func (f *Farm) Links() []Link { return f.links }

// Roots returns the certificates that are to be trusted.
func (f *Farm) Roots() *x509.CertPool { return f.roots }

// PEM returns them as a file has them.
func (f *Farm) PEM() []byte { return f.pem }

// News returns the URL of the news server that is to be configured.
func (f *Farm) News() locator.URL { return f.news }

// Count is what the servers saw.
type Count struct {
	Requests int // of http
	Busiest  int // requests of http to one host at once
	Most     int // connections to one host at once, those without a request too
	Early    int // requests before the time that a server asked for
}

// Count returns what the servers with an address of their own saw.
func (f *Farm) Count() (c Count) {
	for _, h := range f.hosts {
		h.mu.Lock()
		c.Requests += h.requests
		c.Early += h.early
		c.Busiest = max(c.Busiest, h.busiest)
		c.Most = max(c.Most, h.most)
		h.mu.Unlock()
	}
	return c
}

// add adds a link; right is the verdict and, after a blank, the reason.
func (f *Farm) add(url, does, right string) {
	verdict, why, _ := strings.Cut(right, " ")
	f.links = append(f.links, Link{URL: url, Does: does, Verdict: verdict, Why: why})
}

// address returns a loopback address that no other server of the farm has.
func (f *Farm) address() string {
	f.number++
	return netip.AddrFrom4([4]byte{127, 1, byte(f.number >> 8), byte(f.number)}).String()
}

// listen listens on an address of its own.
func (f *Farm) listen() (*host, error) {
	l, err := net.Listen("tcp", net.JoinHostPort(f.address(), "0"))
	if err != nil {
		return nil, err
	}
	h := &host{Listener: l, open: make(map[net.Conn]bool)}
	f.hosts = append(f.hosts, h)
	f.close = append(f.close, h.end)
	return h, nil
}

// refused returns a host and port where nothing listens.
func (f *Farm) refused() (string, error) {
	l, err := net.Listen("tcp", net.JoinHostPort(f.address(), "0"))
	if err != nil {
		return "", err
	}
	at := l.Addr().String()
	return at, errors.Join(l.Close())
}
