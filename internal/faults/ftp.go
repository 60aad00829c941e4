package faults

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
)

// dialogue is one control connection.
type dialogue struct {
	p              *Proxy
	client, server net.Conn

	mu      sync.Mutex
	command string // last command sent to the server
}

// talk relays an ftp dialogue line by line.
func (p *Proxy) talk(client, server net.Conn) {
	d := &dialogue{p: p, client: client, server: server}
	var both sync.WaitGroup
	both.Go(func() {
		defer client.Close()
		d.replies()
	})
	both.Go(func() {
		defer server.Close()
		d.commands()
	})
	both.Wait()
}

// commands relays the lines of the client.
func (d *dialogue) commands() {
	r := bufio.NewReader(d.client)
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			return
		}
		if f := d.p.currentFault(); f.Command != nil {
			if answer, hangUp, handled := f.Command(strings.TrimRight(line, "\r\n")); handled {
				io.WriteString(d.client, answer)
				if hangUp {
					d.client.Close()
					return
				}
				continue
			}
		}
		d.mu.Lock()
		d.command = strings.TrimRight(line, "\r\n")
		d.mu.Unlock()
		if _, err := io.WriteString(d.server, line); err != nil {
			return
		}
	}
}

// replies relays the replies of the server.
func (d *dialogue) replies() {
	r := bufio.NewReader(d.server)
	for {
		reply, err := readReply(r)
		if err != nil {
			return
		}
		reply = d.redirectData(reply)
		hangUp := false
		if f := d.p.currentFault(); f.Reply != nil {
			d.mu.Lock()
			command := d.command
			d.mu.Unlock()
			reply, hangUp = f.Reply(command, reply)
		}
		if _, err := io.WriteString(d.client, reply); err != nil || hangUp {
			return
		}
	}
}

// readReply reads a reply of one or more lines (RFC 959 4.2).
func readReply(r *bufio.Reader) (string, error) {
	first, err := r.ReadString('\n')
	if err != nil || len(first) < 4 || first[3] != '-' {
		return first, err
	}
	for all := first; ; {
		line, err := r.ReadString('\n')
		all += line
		if err != nil || len(line) >= 4 && line[:3] == first[:3] && line[3] == ' ' {
			return all, err
		}
	}
}

var (
	extended = regexp.MustCompile(`^229 .*\(\|\|\|(\d+)\|\)`)
	passive  = regexp.MustCompile(`^227 .*?(\d+),(\d+),(\d+),(\d+),(\d+),(\d+)`)
)

// redirectData returns the reply with the port of a data connection replaced by one of the proxy.
// It returns other replies unchanged.
func (d *dialogue) redirectData(reply string) string {
	port := 0
	if m := extended.FindStringSubmatch(reply); m != nil {
		port, _ = strconv.Atoi(m[1])
	} else if m := passive.FindStringSubmatch(reply); m != nil {
		high, _ := strconv.Atoi(m[5])
		low, _ := strconv.Atoi(m[6])
		port = high<<8 | low
	}
	if port == 0 {
		return reply
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return reply
	}
	if !d.p.Hold(l) {
		return reply
	}
	host, _, _ := net.SplitHostPort(d.p.target)
	d.p.Go(func() {
		defer d.p.Release(l)
		d.p.data(l, net.JoinHostPort(host, strconv.Itoa(port)))
	})
	ours := l.Addr().(*net.TCPAddr).Port
	if strings.HasPrefix(reply, "229") {
		return fmt.Sprintf("229 Entering Extended Passive Mode (|||%d|)\r\n", ours)
	}
	m := passive.FindStringSubmatch(reply)
	return fmt.Sprintf("227 Entering Passive Mode (%s,%s,%s,%s,%d,%d).\r\n", m[1], m[2], m[3], m[4], ours>>8, ours&255)
}

// acceptTime is how long the proxy waits for a data connection.
const acceptTime = 20 * time.Second

// data relays one data connection.
func (p *Proxy) data(l net.Listener, target string) {
	l.(*net.TCPListener).SetDeadline(time.Now().Add(acceptTime))
	client, err := l.Accept()
	if err != nil {
		return
	}
	if !p.Adopt(client) {
		return
	}
	defer p.Release(client)
	p.to(target, client, p.pass)
}
