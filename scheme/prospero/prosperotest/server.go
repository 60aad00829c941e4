package prosperotest

import (
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"strings"
	"sync"
	"time"

	"locator"
	"locator/scheme/prospero/internal/ardp"
	"locator/schemetest/peer"
)

const host = "127.0.0.1"

// Server is a running server.
type Server struct {
	conn     *net.UDPConn
	root     *node
	files    []peer.File
	objects  map[string]string
	forwards map[string]string
	service  *Service
	called   string
	filter   func(packets [][]byte) [][]byte
	running  sync.WaitGroup

	mu      sync.Mutex
	fault   peer.Fault
	lines   []string
	clients map[netip.AddrPort]bool
}

var _ peer.Server = (*Server)(nil)

// Option configures a server.
type Option func(*Server)

// Link adds LINK and ATTRIBUTE lines to a directory below Root. "HOST" in them is the server's name and port.
func Link(dir []string, lines ...string) Option {
	return func(s *Server) {
		n := s.find(strings.Join(append([]string{Root}, dir...), "/"))
		for _, l := range lines {
			n.lines = append(n.lines, strings.ReplaceAll(l, "HOST", s.name()))
		}
	}
}

// Object sets the reply to GET-OBJECT-INFO for a name.
func Object(name, reply string) Option { return func(s *Server) { s.objects[name] = reply } }

// Forward forwards a name: to has the words after FORWARDED. "HOST" in it is the server's name and port.
func Forward(name, to string) Option {
	return func(s *Server) { s.forwards[name] = strings.ReplaceAll(to, "HOST", s.name()) }
}

// Name sets the host in links, such as "HOST(1525)". It is the first option.
func Name(host string) Option { return func(s *Server) { s.called = host } }

// Packets changes the packets of each response before they are sent for the first time.
func Packets(f func(packets [][]byte) [][]byte) Option { return func(s *Server) { s.filter = f } }

// Start serves files on a free port of 127.0.0.1. The caller must Close the server.
func Start(files []peer.File, opts ...Option) (*Server, error) {
	conn, err := net.ListenUDP("udp", &net.UDPAddr{IP: net.ParseIP(host)})
	if err != nil {
		return nil, err
	}
	s := &Server{conn: conn, root: tree(files), files: files, objects: make(map[string]string), forwards: make(map[string]string), clients: make(map[netip.AddrPort]bool)}
	for _, o := range opts {
		o(s)
	}
	s.service = NewService(s.answer)
	s.service.Packets = s.filter
	s.running.Go(s.serve)
	return s, nil
}

// serve answers packets until the socket is closed.
func (s *Server) serve() {
	b := make([]byte, 64<<10)
	for {
		n, from, err := s.conn.ReadFromUDPAddrPort(b)
		if err != nil {
			return
		}
		s.mu.Lock()
		s.clients[from] = true
		fault := s.fault
		s.mu.Unlock()
		for _, p := range s.faulty(fault, s.service.Handle(time.Now(), from, b[:n]), b[:n]) {
			_, _ = s.conn.WriteToUDPAddrPort(p, from) // the client repeats what is lost
		}
	}
}

// faulty changes the packets of a response as a fault requires.
func (s *Server) faulty(fault peer.Fault, packets [][]byte, request []byte) [][]byte {
	h, _, _ := ardp.Parse(request)
	one := func(text string) [][]byte { return [][]byte{append(header(h.ID, 1, 1, 0, 7).Append(nil), text...)} }
	switch fault {
	case peer.Stall:
		return nil
	case peer.Torn:
		if isContents(request) && len(packets) > 0 {
			return one(half(packets[0]))
		}
	case peer.StallBody:
		if isContents(request) && len(packets) > 0 {
			return [][]byte{append(header(h.ID, 1, 0, 0, 7).Append(nil), half(packets[0])...)}
		}
		if h.Number == 0 { // of the client that waits for the rest
			return nil
		}
	case peer.EndlessList:
		if strings.Contains(string(request), "LIST ") || h.Number == 0 {
			return s.endless(h)
		}
	case peer.Nonsense:
		return [][]byte{[]byte("HTTP/1.0 400 Bad Request\r\n\r\n")}
	case peer.WrongCode:
		return one("FAILURE BAD-VALUE nothing of the kind\n")
	case peer.Unavailable:
		return one("FAILURE SERVER-FAILED try again later\n")
	}
	return packets
}

// half returns the data of a packet without their end.
func half(packet []byte) string {
	_, data, _ := ardp.Parse(packet)
	return string(data[:max(0, len(data)-3)])
}

func isContents(request []byte) bool {
	return strings.Contains(string(request), "GET-OBJECT-INFO CONTENTS")
}

// endless returns the next window of a listing that does not end.
func (s *Server) endless(h ardp.Header) (packets [][]byte) {
	begin := int(h.ReceivedThrough)
	for n := begin + 1; n <= begin+ardp.Window; n++ {
		k := header(h.ID, n, 0, 1, 7)
		if n == begin+ardp.Window {
			k.Length, k.Flags = 12, ardp.FlagAck
		}
		line := fmt.Sprintf("LINK  L FILE f%d INTERNET-D %s ASCII AFTP 0\n", n, s.name())
		packets = append(packets, append(k.Append(nil), strings.Repeat(line, ardp.MaxData/len(line))...))
	}
	return packets
}

// Handle processes a packet as if it had arrived from an address, and returns those to send back. The server must not get packets meanwhile.
func (s *Server) Handle(now time.Time, from netip.AddrPort, packet []byte) [][]byte {
	return s.service.Handle(now, from, packet)
}

// name is the host in links of the server.
func (s *Server) name() string {
	if s.called != "" {
		return s.called
	}
	return fmt.Sprintf("%s(%d)", host, s.port())
}

func (s *Server) port() uint16 { return s.conn.LocalAddr().(*net.UDPAddr).AddrPort().Port() }

// Named returns the URL of an hsoname at the server.
func (s *Server) Named(name string) locator.URL {
	u, err := locator.Build(&locator.Prospero{Hostport: locator.Hostport{Host: host, Port: strconv.Itoa(int(s.port()))}, Name: name})
	if err != nil {
		return locator.URL{}
	}
	return u
}

// URL implements peer.Server.
func (s *Server) URL(path ...string) locator.URL {
	if n := len(path); n > 0 && path[n-1] == "" {
		path = path[:n-1]
	}
	return s.Named(strings.Join(append([]string{Root}, path...), "/"))
}

// Misbehave implements peer.Server.
func (s *Server) Misbehave(f peer.Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fault = f
}

// Connections implements peer.Server. It returns the number of sockets that sent a packet.
func (s *Server) Connections() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.clients)
}

// Seen records a request.
func (s *Server) Seen(request string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lines = append(s.lines, strings.Split(request, "\n")...)
}

// Lines implements peer.Server.
func (s *Server) Lines() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.lines...)
}

// File implements peer.Server.
func (s *Server) File(path ...string) ([]byte, bool) {
	for _, f := range s.files {
		if strings.Join(f.Path, "\x00") == strings.Join(path, "\x00") {
			return []byte(f.Content), true
		}
	}
	return nil, false
}

// Close implements peer.Server.
func (s *Server) Close() {
	_ = s.conn.Close() // twice is no error that matters
	s.running.Wait()
}
