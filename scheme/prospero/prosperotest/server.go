package prosperotest

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"slices"
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
	files    source
	dir      *os.Root // nil if there is none
	dirName  string
	addr     string
	links    map[string][]string // by path
	stored   map[string][]string // attributes, by name
	log      func(text string)
	objects  map[string]string
	forwards map[string]string
	called   string
	software string
	motd     string
	filter   func(packets [][]byte) [][]byte
	kept     int
	started  time.Time
	queue    *queue
	running  sync.WaitGroup

	transport sync.Mutex // for those below
	service   *Service
	quota     *quotas

	mu       sync.Mutex // for those below
	fault    peer.Fault
	lines    []string
	requests int
	clients  map[netip.AddrPort]bool
}

var _ peer.Server = (*Server)(nil)

// Option configures a server.
type Option func(*Server)

// Link adds LINK and ATTRIBUTE lines to a directory below Root. HOST in them is the server's name and port.
func Link(dir []string, lines ...string) Option {
	return func(s *Server) {
		at := strings.Join(dir, "/")
		s.links[at] = append(s.links[at], lines...)
	}
}

// Object sets the reply to GET-OBJECT-INFO for a name.
func Object(name, reply string) Option { return func(s *Server) { s.objects[name] = reply } }

// Stored adds ATTRIBUTE lines that are stored for a name, and sent whatever attributes are asked for.
func Stored(name string, lines ...string) Option {
	return func(s *Server) { s.stored[name] = append(s.stored[name], lines...) }
}

// Forward forwards a name: to has the words after FORWARDED. "HOST" in it is the server's name and port.
func Forward(name, to string) Option {
	return func(s *Server) { s.forwards[name] = to }
}

// Name sets the host in links, such as "HOST(1525)". It is the first option.
func Name(host string) Option { return func(s *Server) { s.called = host } }

// Software sets the name and version of the software, which VERSION and STATUS report. Only the first 39 bytes count, as the clients of 1994 require.
func Software(id string) Option { return func(s *Server) { s.software = id[:min(39, len(id))] } }

// Keep sets how many replies the server keeps, so that it can repeat packets of them. The server of 1994 forgets replies when it is busy.
func Keep(replies int) Option { return func(s *Server) { s.kept = replies } }

// MOTD sets the message of the day.
func MOTD(text string) Option { return func(s *Server) { s.motd = text } }

// Packets changes the packets of each response before they are sent for the first time.
func Packets(f func(packets [][]byte) [][]byte) Option { return func(s *Server) { s.filter = f } }

// Dir serves the files of a folder instead, but not those whose names begin with a dot. Its LinksFile, and those of the folders in it, have more links: a line
// each, with a name, a tab, and an ftp, gopher, telnet, wais or prospero URL. The name "+" makes a prospero URL a union link.
func Dir(name string) Option { return func(s *Server) { s.dirName = name } }

// Addr sets the host and port to listen on. The default is a free port of 127.0.0.1.
func Addr(addr string) Option { return func(s *Server) { s.addr = addr } }

// Log sets a function that is called with the lines of each request. The server does not keep them then: Lines returns none.
func Log(f func(text string)) Option { return func(s *Server) { s.log = f } }

// Start serves files. The caller must Close the server.
func Start(files []peer.File, opts ...Option) (s *Server, err error) {
	s = &Server{objects: make(map[string]string), forwards: make(map[string]string), links: make(map[string][]string), stored: make(map[string][]string),
		clients: make(map[netip.AddrPort]bool), addr: net.JoinHostPort(host, "0"), software: "locator-test", kept: maxKept, started: time.Now(), queue: newQueue(), quota: newQuotas(time.Now())}
	for _, o := range opts {
		o(s)
	}
	m := memory{files: files}
	for at := range s.links {
		m.dirs = append(m.dirs, strings.FieldsFunc(at, func(c rune) bool { return c == '/' }))
	}
	s.files = m
	at, err := net.ResolveUDPAddr("udp", s.addr)
	if err != nil {
		return nil, err
	}
	if s.conn, err = net.ListenUDP("udp", at); err != nil {
		return nil, err
	}
	if s.called == "" {
		s.called = fmt.Sprintf("%s(%d)", s.hostName(), s.port())
	}
	if s.dirName != "" {
		if s.dir, err = os.OpenRoot(s.dirName); err != nil {
			s.conn.Close()
			return nil, err
		}
		s.files = folder{s.dir}
	}
	s.service = NewService(func(_ netip.AddrPort, request []byte) []byte { return s.answer(request) })
	s.service.Packets, s.service.Kept = s.filter, s.kept
	for range maxWorkers {
		s.running.Go(s.work)
	}
	s.running.Go(s.serve)
	return s, nil
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
		s.mu.Lock()
		s.clients[from] = true
		if len(s.clients) > maxLines {
			clear(s.clients)
		}
		s.mu.Unlock()
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
	s.mu.Lock()
	fault := s.fault
	s.mu.Unlock()
	now := time.Now()
	for _, p := range s.faulty(fault, packets, request) {
		if s.quota.take(now, to.Addr(), len(p)) {
			_, _ = s.conn.WriteToUDPAddrPort(p, to) // the client repeats what is lost
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
	s.transport.Lock()
	defer s.transport.Unlock()
	return s.service.Handle(now, from, packet)
}

// name is the host in links of the server.
func (s *Server) name() string { return s.called }

// hostName returns the address that the server listens on, or the name of the computer if those are all of its addresses.
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
	s.requests++
	lines := strings.Split(request, "\n")
	if s.log != nil {
		for _, l := range lines {
			s.log(l)
		}
		return
	}
	if s.lines = append(s.lines, lines...); len(s.lines) > maxLines {
		s.lines = slices.Delete(s.lines, 0, len(s.lines)-maxLines)
	}
}

// maxLines is how many lines of requests a server keeps.
const maxLines = 10_000

// Lines implements peer.Server.
func (s *Server) Lines() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.lines...)
}

// File implements peer.Server.
func (s *Server) File(path ...string) ([]byte, bool) {
	content, ok := s.files.read(path)
	return []byte(content), ok
}

// Close implements peer.Server.
func (s *Server) Close() {
	_ = s.conn.Close() // twice is no error that matters
	s.running.Wait()
	if s.dir != nil {
		_ = s.dir.Close() // it was only read
	}
}
