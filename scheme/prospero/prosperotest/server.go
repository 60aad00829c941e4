package prosperotest

import (
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"time"

	"locator"
	"locator/scheme/prospero/prosperoserver"
	"locator/schemetest/peer"
)

const host = "127.0.0.1"

// Server is a running server.
type Server struct {
	server  *prosperoserver.Server
	files   *memory
	options prosperoserver.Options
	called  string
	kept    int // 0 means the default
	filter  func(packets [][]byte) [][]byte

	mu      sync.Mutex // for those below
	fault   peer.Fault
	lines   []string
	clients map[netip.AddrPort]bool
}

var _ peer.Server = (*Server)(nil)

// Option configures a server.
type Option func(*Server)

// Link adds LINK and ATTRIBUTE lines to a directory below Root. HOST in them is the server's name
// and port.
func Link(dir []string, lines ...string) Option {
	return func(s *Server) {
		at := strings.Join(dir, "/")
		s.files.added[at] = append(s.files.added[at], lines...)
	}
}

// Object sets the reply to GET-OBJECT-INFO for a name. HOST in it is the server's name and port.
func Object(name, reply string) Option { return func(s *Server) { s.files.objects[name] = reply } }

// Stored adds ATTRIBUTE lines that are stored for a name, and sent whatever attributes are asked
// for.
func Stored(name string, lines ...string) Option {
	return func(s *Server) { s.files.stored[name] = append(s.files.stored[name], lines...) }
}

// Forward forwards a name: to has the words after FORWARDED. HOST in it is the server's name and
// port.
func Forward(name, to string) Option {
	return func(s *Server) { s.files.forwards[name] = to }
}

// Name sets the host in links, such as "HOST(1525)".
func Name(host string) Option { return func(s *Server) { s.called = host } }

// Software sets the name and version of the software, which VERSION and STATUS report.
func Software(id string) Option { return func(s *Server) { s.options.Software = id } }

// Keep sets how many replies the server keeps, so that it can repeat packets of them. The server of
// 1994 forgets replies when it is busy.
func Keep(replies int) Option { return func(s *Server) { s.kept = replies } }

// MOTD sets the message of the day.
func MOTD(text string) Option { return func(s *Server) { s.options.MOTD = text } }

// Packets changes the packets of each response before they are sent for the first time.
func Packets(f func(packets [][]byte) [][]byte) Option { return func(s *Server) { s.filter = f } }

// Start serves files on a free port of 127.0.0.1. The caller must Close the server.
func Start(files []peer.File, opts ...Option) (*Server, error) {
	s := &Server{
		files: newMemory(files), options: prosperoserver.Options{Software: "locator-test"},
		clients: make(map[netip.AddrPort]bool),
	}
	for _, o := range opts {
		o(s)
	}
	conn, err := net.ListenUDP("udp", &net.UDPAddr{IP: net.ParseIP(host)})
	if err != nil {
		return nil, err
	}
	if s.called == "" {
		s.called = fmt.Sprintf("%s(%d)", host, conn.LocalAddr().(*net.UDPAddr).Port)
	}
	s.files.host = s.called
	s.options.Name, s.options.Log, s.options.Outgoing = s.called, s.seen, s.outgoing
	s.options.Service = func(t *prosperoserver.Service) {
		t.Packets = s.filter
		if s.kept != 0 {
			t.Kept = s.kept
		}
	}
	s.server = prosperoserver.Serve(s.files, conn, s.options)
	return s, nil
}

// outgoing notes a client, and changes what it gets as the fault requires.
func (s *Server) outgoing(to netip.AddrPort, packets [][]byte, request []byte) [][]byte {
	s.mu.Lock()
	s.clients[to] = true
	if len(s.clients) > maxLines {
		clear(s.clients)
	}
	fault := s.fault
	s.mu.Unlock()
	return s.faulty(fault, packets, request)
}

// Handle processes a packet as if it had arrived from an address, and returns those to send back.
// The server must not get packets meanwhile.
func (s *Server) Handle(now time.Time, from netip.AddrPort, packet []byte) [][]byte {
	return s.server.Handle(now, from, packet)
}

// Named returns the URL of an hsoname at the server.
func (s *Server) Named(name string) locator.URL { return s.server.Named(name) }

// URL implements peer.Server.
func (s *Server) URL(path ...string) locator.URL {
	if n := len(path); n > 0 && path[n-1] == "" {
		path = path[:n-1]
	}
	return s.Named(strings.Join(append([]string{prosperoserver.Root}, path...), "/"))
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

// maxLines is how many lines of requests a server keeps.
const maxLines = 10_000

// seen keeps a line of a request.
func (s *Server) seen(line string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.lines = append(s.lines, line); len(s.lines) > 2*maxLines {
		s.lines = slices.Delete(s.lines, 0, len(s.lines)-maxLines)
	}
}

// Lines implements peer.Server.
func (s *Server) Lines() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.lines)
}

// File implements peer.Server.
func (s *Server) File(path ...string) ([]byte, bool) {
	content, ok := s.files.Read(path)
	return []byte(content), ok
}

// Close implements peer.Server.
func (s *Server) Close() { s.server.Close() }
