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

// A Relay is a proxy on loopback for a real server. It records what the server's log may lack:
// every connection, ftp data connections included, and every line that a client sends.
type Relay struct {
	*peer.Host
	target string
	edit   func(r *Relay, line string) (string, error) // changes a line of the server; nil if none is changed
}

// NewRelay starts a relay on a free port of 127.0.0.1. For ftp it relays the data connections too,
// and for gopher it replaces the address of the server in menus by its own.
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

// pass connects to the target and relays the client's connection.
func (r *Relay) pass(client net.Conn, target string, carry func(client, server net.Conn)) {
	server, err := net.Dial("tcp", target)
	if err != nil || !r.Hold(server) {
		return
	}
	defer r.Release(server)
	carry(client, server)
}

// both copies in both directions until both have ended.
func both(there, back func() error, client, server net.Conn) {
	var wg sync.WaitGroup
	way := func(copy func() error, to net.Conn) {
		if copy() != nil { // one side is closed, so close the other
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

// control relays a connection with requests.
func (r *Relay) control(client, server net.Conn) {
	back := move(client, server)
	if r.edit != nil {
		back = func() error { return r.edited(client, server) }
	}
	both(move(server, io.TeeReader(client, &lineWriter{r: r})), back, client, server)
}

// data relays a data connection.
func (r *Relay) data(client, server net.Conn) {
	both(move(server, client), move(client, server), client, server)
}

// lineWriter records lines.
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

// edited relays the lines of the server and changes them.
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

// item replaces the address of the server in a menu item by that of the relay. Both must have the
// same length, since the server may have sent the length of the menu.
func (r *Relay) item(line string) (string, error) {
	named := func(addr string) string { return "\t" + strings.Replace(addr, ":", "\t", 1) }
	old, own := named(r.target), named(r.Addr())
	if len(old) != len(own) {
		return "", fmt.Errorf("peers: %s cannot replace %s: the lengths differ", r.Addr(), r.target)
	}
	return strings.Replace(line, old, own, 1), nil
}

// epsv matches the reply to EPSV (RFC 2428 3).
var epsv = regexp.MustCompile(`^229 .*\(\|\|\|([0-9]+)\|\)`)

// dataPort listens on a port that relays one connection to the data port in a reply to EPSV, and
// returns the reply with that port.
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
			return // no connection
		}
		defer r.Release(client)
		r.pass(client, net.JoinHostPort(host, m[1]), r.data)
	})
	port := strconv.Itoa(door.Addr().(*net.TCPAddr).Port)
	return strings.Replace(line, "|||"+m[1]+"|", "|||"+port+"|", 1), nil
}
