package telnettest

import (
	"bufio"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"strings"
	"time"

	"locator/scheme/telnet/internal/option"
	"locator/schemetest/peer"
)

// session is one connection.
type session struct {
	s       *Server
	raw     net.Conn
	conn    net.Conn // raw, or TLS over it
	in      *bufio.Reader
	options option.Negotiation
	line    []byte
	last    byte   // the last data byte
	size    string // of the window
	kind    string // the terminal type
	hidden  bool   // the next line is a secret
	steps   []func(line string)
	over    bool
}

func (s *Server) serve(raw net.Conn) {
	x := &session{s: s, raw: raw, conn: raw, size: "unknown"}
	if s.behavior.tls != nil && s.Fault() != peer.Stall {
		c := tls.Server(raw, s.behavior.tls)
		defer c.Close()
		x.conn = c
	}
	x.in = bufio.NewReader(io.TeeReader(x.conn, noter{s}))
	x.options = option.Negotiation{
		Agrees: func(o option.Option, local bool) bool {
			return o == option.SGA || o == option.Binary || o == option.Echo && local
		},
		Send: func(c option.Command, o option.Option) { x.say(string([]byte{byte(option.IAC), byte(c), byte(o)})) },
	}
	x.converse()
}

type noter struct{ s *Server }

func (n noter) Write(p []byte) (int, error) {
	n.s.note(p)
	return len(p), nil
}

func (x *session) converse() {
	switch x.s.Fault() {
	case peer.Stall:
		io.Copy(io.Discard, x.conn)
		return
	case peer.Storm:
		x.storm()
		return
	case peer.EndlessLine: // a subnegotiation without an end
		x.say(Welcome + "\xff\xfa\x18")
		for x.say(strings.Repeat("x", 1<<10)) {
		}
		return
	case peer.Torn:
		x.say(x.s.behavior.greeting)
		time.Sleep(300 * time.Millisecond) // or the client cannot connect
		x.reset()
		return
	}
	for _, a := range x.s.behavior.asks {
		c := option.Command(a[0])
		x.options.Ask(option.Option(a[1]), c == option.WILL || c == option.WONT, c == option.WILL || c == option.DO)
	}
	if x.s.behavior.character {
		x.options.Ask(option.Echo, true, true)
		x.options.Ask(option.SGA, true, true)
	}
	x.greet()
	if x.s.behavior.login {
		x.login()
	}
	for !x.over && x.read() {
	}
	// What the client has sent is read before the connection is closed. Otherwise the system may
	// reset it, and the client loses the last lines.
	if c, ok := x.conn.(interface{ CloseWrite() error }); ok && x.over && c.CloseWrite() == nil {
		x.conn.SetReadDeadline(time.Now().Add(5 * time.Second))
		io.Copy(io.Discard, x.in)
	}
}

func (x *session) greet() {
	text := x.s.behavior.greeting
	if x.s.Fault() != peer.Drip {
		x.say(text)
		return
	}
	for i := range len(text) {
		x.say(text[i : i+1])
		time.Sleep(5 * time.Millisecond)
	}
}

// storm asks for options without end, and reads nothing.
func (x *session) storm() {
	requests := x.s.behavior.greeting
	for o := range byte(100) {
		requests += string([]byte{255, 253, o, 255, 254, o, 255, 251, o, 255, 252, o})
	}
	requests += "\xff\xfd\x18" + strings.Repeat("\xff\xfa\x18\x01\xff\xf0", 100)
	for x.say(requests) {
	}
}

// say sends octets as they are.
func (x *session) say(octets string) bool {
	_, err := io.WriteString(x.conn, octets)
	return err == nil
}

// data sends data: IAC is doubled.
func (x *session) data(text string) bool { return x.say(strings.ReplaceAll(text, "\xff", "\xff\xff")) }

// login asks for a name and a password, as a Unix system does.
func (x *session) login() {
	x.data("login: ")
	x.steps = append(x.steps, func(string) { x.askSecret() }, func(string) { x.data("Hello\r\n$ ") })
}

func (x *session) askSecret() {
	x.hidden = true
	if !x.s.behavior.character {
		x.options.Ask(option.Echo, true, true)
	}
	x.data("Password: ")
}

// read handles the next byte, or the next command.
func (x *session) read() bool {
	c, err := x.in.ReadByte()
	if err != nil {
		return false
	}
	if option.Command(c) != option.IAC {
		x.typed(c)
		return true
	}
	if c, err = x.in.ReadByte(); err != nil {
		return false
	}
	switch command := option.Command(c); command {
	case option.IAC:
		x.typed(c)
	case option.WILL, option.WONT, option.DO, option.DONT:
		o, err := x.in.ReadByte()
		if err != nil {
			return false
		}
		x.s.event(command.String() + " " + option.Option(o).String())
		x.options.Receive(command, option.Option(o))
	case option.SB:
		return x.subnegotiation()
	default:
		x.s.event(command.String())
		if command == option.AYT {
			x.data("[yes]\r\n")
		}
	}
	return true
}

// subnegotiation reads to IAC SE.
func (x *session) subnegotiation() bool {
	var b []byte
	for {
		part, err := x.in.ReadBytes(255)
		if err != nil || len(b) > 1<<16 {
			return false
		}
		b = append(b, part[:len(part)-1]...)
		c, err := x.in.ReadByte()
		if err != nil {
			return false
		}
		if option.Command(c) == option.SE {
			break
		}
		b = append(b, c)
	}
	if len(b) == 0 {
		return true
	}
	o, data := option.Option(b[0]), b[1:]
	shown := fmt.Sprintf("%q", data)
	switch {
	case o == option.NAWS && len(data) == 4:
		shown = fmt.Sprintf("%d %d", int(data[0])<<8|int(data[1]), int(data[2])<<8|int(data[3]))
		x.size = shown
	case o == option.TerminalType && len(data) > 0:
		shown = "IS " + string(data[1:])
		x.kind = string(data[1:])
		x.data("your terminal is " + x.kind + "\r\n")
	}
	x.s.event("SB " + o.String() + " " + shown)
	return true
}

// typed handles a data byte. A line ends with CR LF or CR NUL.
func (x *session) typed(c byte) {
	last := x.last
	x.last = c
	switch {
	case last == '\r' && (c == '\n' || c == 0):
		return
	case c == '\r':
		line := string(x.line)
		x.line = nil
		if x.s.behavior.character {
			x.data("\r\n")
		}
		x.answer(line)
		return
	}
	x.line = append(x.line, c)
	if x.s.behavior.character && !x.hidden {
		x.data(string([]byte{c}))
	}
}

// answer handles a line.
func (x *session) answer(line string) {
	if x.hidden {
		x.hidden = false
		if !x.s.behavior.character {
			x.options.Ask(option.Echo, true, false)
			x.data("\r\n")
		}
	}
	x.s.Seen(line)
	if len(x.steps) > 0 {
		step := x.steps[0]
		x.steps = x.steps[1:]
		step(line)
		return
	}
	switch line {
	case "exit":
		x.data("Bye\r\n")
		x.over = true
	case "half":
		if c, ok := x.conn.(interface{ CloseWrite() error }); ok {
			c.CloseWrite()
		}
	case "reset":
		x.reset()
	case "size":
		x.data("your window is " + x.size + "\r\n")
	case "type":
		x.say(string([]byte{255, byte(option.SB), byte(option.TerminalType), 1, 255, byte(option.SE)}))
	case "secret":
		x.askSecret()
	default:
		x.data("you said: " + line + "\r\n")
	}
}

// reset ends the connection without close_notify, and with RST.
func (x *session) reset() {
	if c, ok := x.raw.(*net.TCPConn); ok {
		c.SetLinger(0)
	}
	x.raw.Close()
	x.over = true
}
