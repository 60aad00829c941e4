package ftptest

import (
	"crypto/tls"
	"fmt"
	"net"
	"net/netip"
	"strings"
	"time"

	"locator/schemetest/peer"
)

// acceptTime bounds how long the server waits for a data connection.
const acceptTime = 10 * time.Second

// dataNextTime is acceptTime for [DataNext].
const dataNextTime = 2 * time.Second

// handshakeTime bounds the handshake for [HandshakeFirst].
const handshakeTime = 2 * time.Second

func (c *session) pasvCommand(string, bool) {
	port, ok := c.listen()
	if !ok {
		return
	}
	host := netip.MustParseAddr("127.0.0.1")
	if c.s.behavior.foreign.IsValid() {
		host = c.s.behavior.foreign
	}
	c.reply(227, fmt.Sprintf("Entering Passive Mode (%s,%d,%d).", strings.ReplaceAll(host.String(), ".", ","), port>>8, port&255))
	if c.s.behavior.dataNext && !c.accept(dataNextTime) {
		c.reply(550, "Requested action not taken: internal server error")
	}
}

func (c *session) epsvCommand(string, bool) {
	if c.s.behavior.noEPSV {
		c.reply(500, "Unknown command")
		return
	}
	if port, ok := c.listen(); ok {
		c.reply(229, fmt.Sprintf("Entering Extended Passive Mode (|||%d|)", port))
	}
}

func (c *session) listen() (port int, ok bool) {
	c.closePassive()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		c.reply(425, "No port")
		return 0, false
	}
	c.passive = l
	return l.Addr().(*net.TCPAddr).Port, true
}

// open returns the data connection that the client opened. text is the text of the first reply.
func (c *session) open(text string) (net.Conn, bool) {
	if c.passive == nil {
		c.reply(425, "Use PASV or EPSV first")
		return nil, false
	}
	defer c.closePassive()
	if c.s.Fault() == peer.WrongCode {
		c.reply(350, "What is next?")
		return nil, false
	}
	if c.data == nil && !c.accept(acceptTime) {
		c.reply(425, "No data connection came")
		return nil, false
	}
	conn := c.data
	c.data = nil
	if c.s.behavior.implicit && !c.private {
		_ = c.s.Release(conn)
		c.reply(522, "Data connections must be encrypted")
		return nil, false
	}
	if !c.s.behavior.tlsFirst {
		c.reply(150, text)
	}
	if c.private {
		cfg := c.s.behavior.tls
		if c.s.behavior.dataTLS != nil {
			cfg = c.s.behavior.dataTLS
		}
		over := tls.Server(conn, cfg)
		code, words := 522, "No TLS on the data connection"
		if c.s.behavior.tlsFirst {
			code, words = 425, "No connection established"
			_ = conn.SetDeadline(time.Now().Add(handshakeTime))
		}
		if over.Handshake() != nil {
			_ = c.s.Release(conn)
			c.reply(code, words)
			return nil, false
		}
		_ = conn.SetDeadline(time.Time{})
		conn = &tlsData{over, conn}
	}
	if c.s.behavior.tlsFirst {
		c.reply(150, text)
	}
	return conn, true
}

// accept takes the data connection that the client makes.
func (c *session) accept(within time.Duration) bool {
	_ = c.passive.(*net.TCPListener).SetDeadline(time.Now().Add(within))
	conn, err := c.passive.Accept()
	if err != nil || !c.s.Adopt(conn) {
		return false
	}
	c.data = conn
	return true
}

// tlsData is a data connection over TLS and the connection below it.
type tlsData struct {
	*tls.Conn
	below net.Conn
}

// tear sends half of a body and the beginning of a TLS record header, and closes the connection.
func (t *tlsData) tear(body []byte) {
	const applicationData, major = 23, 3 // RFC 8446 5.1
	_, _ = t.Write(body[:len(body)/2])
	_, _ = t.below.Write([]byte{applicationData, major})
	t.below.Close()
}

func (c *session) done(conn net.Conn) {
	t, secure := conn.(*tlsData)
	if !secure || !c.s.behavior.noNotify {
		conn.Close()
	}
	if secure {
		conn = t.below
		conn.Close()
	}
	_ = c.s.Release(conn)
}

// send performs a whole transfer to the client. text and end are those of the replies before and
// after it.
func (c *session) send(text string, body []byte, end string) {
	conn, ok := c.open(text)
	if !ok {
		return
	}
	defer c.done(conn)
	if t, ok := conn.(*tlsData); ok && c.s.behavior.tornTLS {
		t.tear(body)
		c.done(conn)
		c.reply(226, "Done")
		return
	}
	switch c.s.Fault() {
	case peer.StallBody:
		_, _ = conn.Write(body[:len(body)/2])
		peer.Hang(c.conn)
		return
	case peer.Torn:
		_, _ = conn.Write(body[:len(body)/2])
		c.conn.Close()
		return
	case peer.Short:
		_, _ = conn.Write(body[:len(body)/2])
	case peer.Drip:
		_ = peer.WriteSlowly(conn, body)
	default:
		if _, err := conn.Write(body); err != nil {
			c.done(conn)
			c.reply(426, "The data connection broke")
			return
		}
	}
	c.done(conn)
	c.reply(226, end)
}
