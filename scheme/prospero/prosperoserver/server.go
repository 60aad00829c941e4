package prosperoserver

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"locator"
)

// Server is a running server.
type Server struct {
	conn    *net.UDPConn
	files   Source
	names   Names
	root    *os.Root // nil if there is none
	options Options
	started time.Time
	queue   *queue
	running sync.WaitGroup

	transport sync.Mutex // for those below
	service   *Service
	quota     *quotas

	mu       sync.Mutex // for those below
	requests int
}

// Options are the settings of a [Server]. The zero value has the defaults.
type Options struct {
	// Name is the host in links, such as "host.dom(1525)". The default is the address that the
	// server listens on, or the name of the computer if those are all of its addresses.
	Name string

	// Software is the name and version of the software, which VERSION and STATUS report. Only the
	// first 39 bytes count, as the clients of 1994 require.
	Software string

	MOTD string            // the message of the day; "" if there is none
	Log  func(line string) // called with the lines of each request; nil means none

	// Service is called with the transport before it gets packets. nil means none.
	Service func(*Service)

	// Outgoing changes the packets that follow from one of a client, before they are sent. nil
	// means none.
	Outgoing func(to netip.AddrPort, packets [][]byte, request []byte) [][]byte
}

// Start serves the files of a folder, but not those whose names begin with a dot, on a host and
// port. Its [LinksFile], and those of the folders in it, have more links: a line each, with a name,
// a tab, and an ftp, gopher, telnet, wais or prospero URL. The name "+" makes a prospero URL a
// union link. The caller must Close the server.
func Start(dir, addr string, o Options) (*Server, error) {
	at, err := net.ResolveUDPAddr("udp", addr)
	if err != nil {
		return nil, err
	}
	conn, err := net.ListenUDP("udp", at)
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		conn.Close()
		return nil, err
	}
	s := newServer(folder{root}, conn, o)
	s.root = root
	s.begin()
	return s, nil
}

// Serve serves files on a socket, which the server closes. The caller must Close the server.
func Serve(files Source, conn *net.UDPConn, o Options) *Server {
	s := newServer(files, conn, o)
	s.begin()
	return s
}

func newServer(files Source, conn *net.UDPConn, o Options) *Server {
	o.Software = o.Software[:min(39, len(o.Software))]
	s := &Server{conn: conn, files: files, options: o, started: time.Now(), queue: newQueue(), quota: newQuotas(time.Now())}
	var ok bool
	if s.names, ok = files.(Names); !ok {
		s.names = filesOnly{}
	}
	if o.Name == "" {
		s.options.Name = fmt.Sprintf("%s(%d)", s.hostName(), s.port())
	}
	s.service = NewService(func(_ netip.AddrPort, request []byte) []byte { return s.answer(request) })
	if o.Service != nil {
		o.Service(s.service)
	}
	return s
}

// begin starts the goroutines of the server.
func (s *Server) begin() {
	for range maxWorkers {
		s.running.Go(s.work)
	}
	s.running.Go(s.serve)
}

// maxFailed is how many errors of the socket in a row are survived.
const maxFailed = 1000

// serve takes packets until the socket is closed.
func (s *Server) serve() {
	defer s.queue.close()
	b := make([]byte, 64<<10)
	for failed := 0; failed < maxFailed; {
		n, from, err := s.conn.ReadFromUDPAddrPort(b)
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil { // on some systems, that a client has gone
			failed++
			continue
		}
		failed = 0
		s.transport.Lock()
		packets, w := s.service.receive(time.Now(), from, b[:n])
		if w == nil {
			s.send(from, packets, b[:n])
		} else if dropped := s.queue.push(w); dropped != nil {
			s.service.drop(dropped) // the client repeats it
		}
		s.transport.Unlock()
	}
}

// work answers requests until the queue is closed.
func (s *Server) work() {
	for {
		w, ok := s.queue.pop()
		if !ok {
			return
		}
		text := s.answer(w.text)
		s.transport.Lock()
		s.send(w.key.from, s.service.respond(time.Now(), w, text), w.last)
		s.transport.Unlock()
		s.queue.done(w)
	}
}

// send sends the packets that follow from one of a client. s.transport is locked.
func (s *Server) send(to netip.AddrPort, packets [][]byte, request []byte) {
	if s.options.Outgoing != nil {
		packets = s.options.Outgoing(to, packets, request)
	}
	now := time.Now()
	for _, p := range packets {
		if s.quota.take(now, to.Addr(), len(p)) {
			_, _ = s.conn.WriteToUDPAddrPort(p, to) // the client repeats what is lost
		}
	}
}

// Handle processes a packet as if it had arrived from an address, and returns those to send back.
// The server must not get packets meanwhile.
func (s *Server) Handle(now time.Time, from netip.AddrPort, packet []byte) [][]byte {
	s.transport.Lock()
	defer s.transport.Unlock()
	return s.service.Handle(now, from, packet)
}

// name is the host in links of the server.
func (s *Server) name() string { return s.options.Name }

// hostName returns the address that the server listens on, or the name of the computer if those are
// all of its addresses.
func (s *Server) hostName() string {
	ip := s.conn.LocalAddr().(*net.UDPAddr).IP
	if name, err := os.Hostname(); ip.IsUnspecified() && err == nil {
		return name
	}
	return ip.String()
}

func (s *Server) port() uint16 { return s.conn.LocalAddr().(*net.UDPAddr).AddrPort().Port() }

// Named returns the URL of an hsoname at the server.
func (s *Server) Named(name string) locator.URL {
	at := s.hostName()
	if strings.Contains(at, ":") {
		at = "[" + at + "]"
	}
	u, err := locator.Build(&locator.Prospero{Hostport: locator.Hostport{Host: at, Port: strconv.Itoa(int(s.port()))}, Name: name})
	if err != nil {
		return locator.URL{}
	}
	return u
}

// URL returns the URL of the folder.
func (s *Server) URL() locator.URL { return s.Named(Root) }

// seen counts a request.
func (s *Server) seen(request string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests++
	if s.options.Log != nil {
		for line := range strings.SplitSeq(request, "\n") {
			s.options.Log(line)
		}
	}
}

// Close stops the server. When it returns, no request is being answered. It may be called twice.
func (s *Server) Close() {
	_ = s.conn.Close() // an error of a second Close does not matter
	s.running.Wait()
	if s.root != nil {
		_ = s.root.Close() // it was only read
	}
}
