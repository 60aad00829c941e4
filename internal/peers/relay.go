package peers

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// A Relay stands before a real server on loopback and passes everything on. It sees what the server's own log does not
// tell: every connection, those for ftp's data too, and every line that a client sends.
type Relay struct {
	target string
	door   net.Listener
	edit   func(r *Relay, line string) (string, error) // of what the server says; nil passes it as it is
	wg     sync.WaitGroup

	mu     sync.Mutex
	open   map[io.Closer]bool
	count  int
	lines  []string
	closed bool
}

// NewRelay begins to listen on a free port of 127.0.0.1. Of the protocols that tell their clients where to connect it
// knows ftp, whose data ports it then stands before, too, and gopher, in whose menus it writes itself in the server's place.
func NewRelay(target, protocol string) (*Relay, error) {
	door, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	edits := map[string]func(*Relay, string) (string, error){"ftp": (*Relay).dataPort, "gopher": (*Relay).item}
	r := &Relay{target: target, door: door, edit: edits[protocol], open: make(map[io.Closer]bool)}
	r.wg.Go(func() {
		for r.pass(door, target, r.control) == nil {
		}
	})
	return r, nil
}

// Addr is the host and port to connect to.
func (r *Relay) Addr() string { return r.door.Addr().String() }

// Connections counts the connections so far, those for data too.
func (r *Relay) Connections() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.count
}

// Lines are the lines that clients have sent so far, without their ends; those of bodies too.
func (r *Relay) Lines() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]string(nil), r.lines...)
}

// Close ends every connection and waits until all is over.
func (r *Relay) Close() {
	r.mu.Lock()
	r.closed = true
	r.door.Close()
	for c := range r.open {
		c.Close()
	}
	r.mu.Unlock()
	r.wg.Wait()
}

// keep remembers what Close has to end; it reports false where that has begun.
func (r *Relay) keep(c io.Closer) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		c.Close()
		return false
	}
	r.open[c] = true
	return true
}

func (r *Relay) drop(c io.Closer) {
	c.Close()
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.open, c)
}

// pass takes one connection at the door and carries it to the target.
func (r *Relay) pass(door net.Listener, target string, carry func(client, server net.Conn)) error {
	client, err := door.Accept()
	if err != nil {
		return err
	}
	r.mu.Lock()
	r.count++
	r.mu.Unlock()
	if !r.keep(client) {
		return nil
	}
	r.wg.Go(func() {
		defer r.drop(client)
		server, err := net.Dial("tcp", target)
		if err != nil || !r.keep(server) {
			return
		}
		defer r.drop(server)
		carry(client, server)
	})
	return nil
}

// both copies both ways until both have ended.
func both(there, back func() error, client, server net.Conn) {
	var wg sync.WaitGroup
	way := func(copy func() error, to net.Conn) {
		if copy() != nil { // the one side is gone: there is nobody to carry to
			client.Close()
			server.Close()
			return
		}
		to.(*net.TCPConn).CloseWrite()
	}
	wg.Go(func() { way(there, server) })
	wg.Go(func() { way(back, client) })
	wg.Wait()
}

func move(to io.Writer, from io.Reader) func() error {
	return func() error {
		_, err := io.Copy(to, from)
		return err
	}
}

// control carries a connection of requests.
func (r *Relay) control(client, server net.Conn) {
	back := move(client, server)
	if r.edit != nil {
		back = func() error { return r.edited(client, server) }
	}
	both(move(server, io.TeeReader(client, &lineWriter{r: r})), back, client, server)
}

// data carries a connection for data.
func (r *Relay) data(client, server net.Conn) {
	both(move(server, client), move(client, server), client, server)
}

// lineWriter notes lines.
type lineWriter struct {
	r    *Relay
	rest string
}

func (w *lineWriter) Write(p []byte) (int, error) {
	lines := strings.SplitAfter(w.rest+string(p), "\n")
	w.rest = lines[len(lines)-1]
	w.r.mu.Lock()
	defer w.r.mu.Unlock()
	for _, line := range lines[:len(lines)-1] {
		w.r.lines = append(w.r.lines, strings.TrimRight(line, "\r\n"))
	}
	return len(p), nil
}

// edited carries what the server says, line by line.
func (r *Relay) edited(client io.Writer, server io.Reader) error {
	in := bufio.NewReaderSize(server, 64<<10)
	for {
		line, err := in.ReadSlice('\n')
		text, bad := r.edit(r, string(line))
		if bad != nil {
			return bad
		}
		if _, bad := io.WriteString(client, text); bad != nil {
			return bad
		}
		switch err {
		case nil, bufio.ErrBufferFull:
		case io.EOF:
			return nil
		default:
			return err
		}
	}
}

// item writes the relay's address over the server's in an item of a menu. Both have as many octets, so that what the
// server has counted still holds.
func (r *Relay) item(line string) (string, error) {
	named := func(addr string) string { return "\t" + strings.Replace(addr, ":", "\t", 1) }
	old, own := named(r.target), named(r.Addr())
	if len(old) != len(own) {
		return "", fmt.Errorf("peers: %s cannot stand for %s: it is longer or shorter", r.Addr(), r.target)
	}
	return strings.Replace(line, old, own, 1), nil
}

// epsv is the reply to EPSV (RFC 2428 3).
var epsv = regexp.MustCompile(`^229 .*\(\|\|\|([0-9]+)\|\)`)

// dataPort writes a port of our own, which leads to one connection to the server's, into a reply to EPSV.
func (r *Relay) dataPort(line string) (string, error) {
	m := epsv.FindStringSubmatch(line)
	if m == nil {
		return line, nil
	}
	host, _, err := net.SplitHostPort(r.target)
	if err != nil {
		return "", err
	}
	door, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	if !r.keep(door) {
		return "", net.ErrClosed
	}
	r.wg.Go(func() {
		defer r.drop(door)
		_ = r.pass(door, net.JoinHostPort(host, m[1]), r.data) // its error is that nobody came
	})
	port := strconv.Itoa(door.Addr().(*net.TCPAddr).Port)
	return strings.Replace(line, "|||"+m[1]+"|", "|||"+port+"|", 1), nil
}
