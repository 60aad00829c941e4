package proxies

import (
	"encoding/binary"
	"errors"
	"io"
	"net"
	"strconv"
	"time"
)

// SOCKS starts a SOCKS 5 proxy (RFC 1928) that resolves the names in hosts. With Login it requires
// username and password (RFC 1929).
func SOCKS(hosts map[string]string, opts ...Option) (*Proxy, error) {
	p, err := newProxy(hosts, opts)
	if err != nil {
		return nil, err
	}
	p.running.Go(func() {
		for {
			c, err := p.listener.Accept()
			if err != nil {
				return
			}
			p.hold(c)
			p.running.Go(func() {
				defer c.Close()
				p.talk(c)
			})
		}
	})
	return p, nil
}

var errSOCKS = errors.New("not SOCKS 5")

// read returns the next n bytes.
func read(c net.Conn, n int) ([]byte, error) {
	b := make([]byte, n)
	_, err := io.ReadFull(c, b)
	return b, err
}

func (p *Proxy) talk(c net.Conn) {
	if p.greet(c) != nil {
		return
	}
	target, err := request(c)
	if err != nil {
		return
	}
	p.note(target)
	to, ok := p.resolve(target)
	const granted, unreachable = 0, 4
	var server net.Conn
	if ok {
		server, err = net.DialTimeout("tcp", to, 10*time.Second)
	}
	if !ok || err != nil {
		c.Write([]byte{5, unreachable, 0, 1, 0, 0, 0, 0, 0, 0})
		return
	}
	p.hold(server)
	c.Write([]byte{5, granted, 0, 1, 127, 0, 0, 1, 0, 1})
	join(c, server)
}

// greet negotiates the authentication method and authenticates the client.
func (p *Proxy) greet(c net.Conn) error {
	head, err := read(c, 2)
	if err != nil || head[0] != 5 {
		return errSOCKS
	}
	ways, err := read(c, int(head[1]))
	if err != nil {
		return err
	}
	const none, password, unacceptable = 0, 2, 0xFF
	if p.user == "" {
		_, err = c.Write([]byte{5, none})
		return err
	}
	for _, w := range ways {
		if w == password {
			c.Write([]byte{5, password})
			return p.login(c)
		}
	}
	c.Write([]byte{5, unacceptable})
	return errSOCKS
}

func (p *Proxy) login(c net.Conn) error {
	var parts [2]string
	if _, err := read(c, 1); err != nil {
		return err
	}
	for i := range parts {
		n, err := read(c, 1)
		if err != nil {
			return err
		}
		b, err := read(c, int(n[0]))
		if err != nil {
			return err
		}
		parts[i] = string(b)
	}
	if parts != [2]string{p.user, p.pw} {
		c.Write([]byte{1, 1})
		return errSOCKS
	}
	_, err := c.Write([]byte{1, 0})
	return err
}

// request reads a CONNECT request and returns its target.
func request(c net.Conn) (string, error) {
	head, err := read(c, 4)
	if err != nil || head[0] != 5 || head[1] != 1 {
		return "", errSOCKS
	}
	n := map[byte]int{1: 4, 4: 16}[head[3]]
	if head[3] == 3 {
		length, err := read(c, 1)
		if err != nil {
			return "", err
		}
		n = int(length[0])
	}
	host, err := read(c, n)
	if err != nil {
		return "", err
	}
	port, err := read(c, 2)
	if err != nil {
		return "", err
	}
	name := string(host)
	if head[3] != 3 {
		name = net.IP(host).String()
	}
	return net.JoinHostPort(name, strconv.Itoa(int(binary.BigEndian.Uint16(port)))), nil
}
