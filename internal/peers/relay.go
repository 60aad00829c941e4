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

	"locator/schemetest/peer"
)

// A Relay stands before a real server on loopback and passes everything on. It sees what the server's own log does not
// tell: every connection, those for ftp's data too, and every line that a client sends.
type Relay struct {
	*peer.Host
	target string
	edit   func(r *Relay, line string) (string, error) // of what the server says; nil passes it as it is
}

// NewRelay begins to listen on a free port of 127.0.0.1. Of the protocols that tell their clients where to connect it
// knows ftp, whose data ports it then stands before, too, and gopher, in whose menus it writes itself in the server's place.
func NewRelay(target, protocol string) (*Relay, error) {
	h, err := peer.Listen()
	if err != nil {
		return nil, err
	}
	edits := map[string]func(*Relay, string) (string, error){"ftp": (*Relay).dataPort, "gopher": (*Relay).item}
	r := &Relay{Host: h, target: target, edit: edits[protocol]}
	r.Serve(func(client net.Conn) { r.pass(client, target, r.control) })
	return r, nil
}

// pass carries a connection to the target.
func (r *Relay) pass(client net.Conn, target string, carry func(client, server net.Conn)) {
	server, err := net.Dial("tcp", target)
	if err != nil || !r.Hold(server) {
		return
	}
	defer r.Release(server)
	carry(client, server)
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
	for _, line := range lines[:len(lines)-1] {
		w.r.Seen(strings.TrimRight(line, "\r\n"))
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
	if !r.Hold(door) {
		return "", net.ErrClosed
	}
	r.Go(func() {
		defer r.Release(door)
		client, err := door.Accept()
		if err != nil || !r.Adopt(client) {
			return // nobody came
		}
		defer r.Release(client)
		r.pass(client, net.JoinHostPort(host, m[1]), r.data)
	})
	port := strconv.Itoa(door.Addr().(*net.TCPAddr).Port)
	return strings.Replace(line, "|||"+m[1]+"|", "|||"+port+"|", 1), nil
}
