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

// Proxy is a proxy that records its requests.
type Proxy struct {
	Addr string // host:port

	hosts    map[string]string // host:port by name
	user, pw string            // required login; "" and "" for none
	fetch    func(w http.ResponseWriter, r *http.Request, target string) bool
	only     bool

	listener net.Listener
	server   *http.Server // nil for a SOCKS proxy
	running  sync.WaitGroup

	mu     sync.Mutex
	asked  []string
	conns  map[net.Conn]bool
	closed bool
}

// An Option configures a proxy.
type Option func(*Proxy)

// Login makes a proxy require a login.
func Login(user, password string) Option { return func(p *Proxy) { p.user, p.pw = user, password } }

// Only makes a proxy refuse every target that is not in its table of hosts, addresses included.
func Only() Option { return func(p *Proxy) { p.only = true } }

// Fetch makes an http proxy call f for URLs of schemes other than http. target is the URL with the
// name replaced by its host:port.
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

// Close stops the proxy and closes its connections.
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

// Asked returns the request lines, or for SOCKS the targets, in the order of arrival.
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

// resolve returns the host:port for a target. An address is its own host.
func (p *Proxy) resolve(hostport string) (string, bool) {
	host, port, err := net.SplitHostPort(hostport)
	if err != nil {
		host = hostport
	}
	if to, ok := p.hosts[strings.ToLower(host)]; ok {
		if at, _, err := net.SplitHostPort(to); err == nil && len(port) == len("65535") { // the port of a data connection
			return net.JoinHostPort(at, port), true
		}
		return to, true
	}
	return hostport, !p.only && net.ParseIP(host) != nil
}

// hold records a connection, which Close closes.
func (p *Proxy) hold(c net.Conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.conns[c] = true
	if p.closed {
		c.Close()
	}
}

// HTTP starts an http proxy that resolves the names in hosts. If cfg is not nil, it uses TLS.
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

// forward forwards a request.
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

// connect opens a tunnel.
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

// join relays bytes in both directions until both have ended.
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
