package proxies

import (
	"crypto/tls"
	"encoding/base64"
	"io"
	"log"
	"maps"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// Proxy is a proxy and what it was asked.
type Proxy struct {
	Addr string // host:port

	hosts    map[string]string // names that it knows, and the host:port that they stand for
	user, pw string            // the login that it wants; "" and "" is none
	fetch    func(w http.ResponseWriter, r *http.Request, target string) bool

	listener net.Listener
	server   *http.Server // nil for SOCKS
	running  sync.WaitGroup

	mu     sync.Mutex
	asked  []string
	conns  map[net.Conn]bool
	closed bool
}

// An Option changes a proxy.
type Option func(*Proxy)

// Login makes a proxy ask for a login.
func Login(user, password string) Option { return func(p *Proxy) { p.user, p.pw = user, password } }

// Fetch answers requests for URLs of schemes other than http. target is the URL with the name replaced by its host:port.
func Fetch(f func(w http.ResponseWriter, r *http.Request, target string) bool) Option {
	return func(p *Proxy) { p.fetch = f }
}

func newProxy(hosts map[string]string, opts []Option) (*Proxy, error) {
	p := &Proxy{hosts: maps.Clone(hosts), conns: make(map[net.Conn]bool)}
	for _, o := range opts {
		o(p)
	}
	var err error
	if p.listener, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		return nil, err
	}
	p.Addr = p.listener.Addr().String()
	return p, nil
}

// Close ends the proxy and all that goes through it.
func (p *Proxy) Close() {
	p.listener.Close()
	if p.server != nil {
		p.server.Close()
	}
	p.mu.Lock()
	p.closed = true
	for c := range p.conns {
		c.Close()
	}
	p.mu.Unlock()
	p.running.Wait()
}

// Asked are the request lines, or for SOCKS the targets, in the order in which they came.
func (p *Proxy) Asked() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.asked)
}

func (p *Proxy) note(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.asked = append(p.asked, text)
}

// resolve finds the address of host:port; a host that is an address stands for itself.
func (p *Proxy) resolve(hostport string) (string, bool) {
	host, port, err := net.SplitHostPort(hostport)
	if err != nil {
		host = hostport
	}
	if to, ok := p.hosts[strings.ToLower(host)]; ok {
		if at, _, err := net.SplitHostPort(to); err == nil && len(port) == len("65535") { // one of a data connection
			return net.JoinHostPort(at, port), true
		}
		return to, true
	}
	return hostport, net.ParseIP(host) != nil
}

// hold remembers a connection, which ends with the proxy.
func (p *Proxy) hold(c net.Conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.conns[c] = true
	if p.closed {
		c.Close()
	}
}

// HTTP starts an http proxy that knows the hosts; over TLS where cfg is not nil.
func HTTP(cfg *tls.Config, hosts map[string]string, opts ...Option) (*Proxy, error) {
	p, err := newProxy(hosts, opts)
	if err != nil {
		return nil, err
	}
	p.server = &http.Server{Handler: http.HandlerFunc(p.serve), TLSConfig: cfg, ReadHeaderTimeout: time.Minute, ErrorLog: log.New(io.Discard, "", 0)}
	p.running.Go(func() {
		if cfg != nil {
			p.server.ServeTLS(p.listener, "", "")
		} else {
			p.server.Serve(p.listener)
		}
	})
	return p, nil
}

func (p *Proxy) serve(w http.ResponseWriter, r *http.Request) {
	p.note(r.Method + " " + r.RequestURI)
	if p.user != "" && r.Header.Get("Proxy-Authorization") != "Basic "+base64.StdEncoding.EncodeToString([]byte(p.user+":"+p.pw)) {
		w.Header().Set("Proxy-Authenticate", `Basic realm="proxy"`)
		http.Error(w, "407", http.StatusProxyAuthRequired)
		return
	}
	r.Header.Del("Proxy-Authorization")
	if r.Method == http.MethodConnect {
		p.connect(w, r)
		return
	}
	to, ok := p.resolve(r.URL.Host)
	if !ok || r.URL.Scheme == "" {
		http.Error(w, "no such host", http.StatusBadGateway)
		return
	}
	if r.URL.Scheme != "http" {
		target := strings.Replace(r.RequestURI, "//"+r.URL.Host, "//"+to, 1)
		if p.fetch == nil || !p.fetch(w, r, target) {
			http.Error(w, "no such scheme", http.StatusNotImplemented)
		}
		return
	}
	forward(w, r, to)
}

// forward passes a request on.
func forward(w http.ResponseWriter, r *http.Request, to string) {
	out := r.Clone(r.Context())
	out.RequestURI = ""
	out.Host = r.URL.Host
	out.URL.Host = to
	over := &http.Transport{DisableKeepAlives: true, DisableCompression: true, DialContext: (&net.Dialer{Timeout: 10 * time.Second}).DialContext}
	res, err := over.RoundTrip(out)
	if err != nil {
		http.Error(w, "bad gateway", http.StatusBadGateway)
		return
	}
	defer res.Body.Close()
	maps.Copy(w.Header(), res.Header)
	w.WriteHeader(res.StatusCode)
	io.Copy(w, res.Body)
}

// connect makes a tunnel.
func (p *Proxy) connect(w http.ResponseWriter, r *http.Request) {
	to, ok := p.resolve(r.RequestURI)
	var server net.Conn
	var err error
	if ok {
		server, err = net.DialTimeout("tcp", to, 10*time.Second)
	}
	if !ok || err != nil {
		http.Error(w, "no such host", http.StatusBadGateway)
		return
	}
	c, _, err := w.(http.Hijacker).Hijack()
	if err != nil {
		server.Close()
		return
	}
	p.hold(c)
	p.hold(server)
	io.WriteString(c, "HTTP/1.1 200 Connection established\r\n\r\n")
	join(c, server)
}

// join passes octets on in both directions until both have ended.
func join(a, b net.Conn) {
	var both sync.WaitGroup
	for _, way := range [][2]net.Conn{{a, b}, {b, a}} {
		both.Go(func() {
			io.Copy(way[0], way[1])
			if h, ok := way[0].(interface{ CloseWrite() error }); ok {
				h.CloseWrite()
			} else {
				way[0].Close()
			}
		})
	}
	both.Wait()
	a.Close()
	b.Close()
}
