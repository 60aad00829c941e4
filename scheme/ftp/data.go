package ftp

import (
	"errors"
	"net"
	"net/netip"
	"strconv"
	"strings"

	"locator/scheme"
	"locator/wire"
)

// data is a data connection on which a transfer runs.
type data struct {
	net.Conn
	v      *visit
	raw    net.Conn // below TLS
	unbind func() bool
	begun  reply  // the reply to the command
	final  *reply // the reply that ends the transfer, where it has come
}

// transfer opens a data connection and sends the command. Where the server refuses the command, d is nil and the reply
// says why; the visit can go on. before is sent right before the command, if it is not nil (REST).
func (v *visit) transfer(after string, lines []wire.Line, before func() error) (d *data, r reply, err error) {
	for i, l := range v.order(lines) {
		conn, r, err := v.attempt(after, l, before)
		if err != nil || r.class() >= 4 {
			if conn != nil {
				conn.Close()
			}
			if err == nil && r.class() == 5 && i+1 < len(v.order(lines)) {
				continue
			}
			return nil, r, err
		}
		v.rawIAC = v.rawIAC || i > 0
		d, err = v.begin(after, conn, r)
		return d, r, err
	}
	return nil, r, err
}

// attempt opens a data connection, sends one spelling of the command, and reads the reply.
//
// Once a data connection has been made on this control connection, a command that only reads goes out before the next
// one is made: the server waits for it. That saves a round trip. A command that stores does not, for a server may empty
// the file before it waits.
func (v *visit) attempt(after string, l wire.Line, before func() error) (conn net.Conn, r reply, err error) {
	var port uint16
	early := v.reached && reads(after)
	if early {
		port, err = v.port()
	} else {
		conn, err = v.passive()
	}
	if err == nil && before != nil {
		err = before()
	}
	if err == nil {
		err = v.send(after, l)
	}
	if err == nil && early {
		conn, err = v.dialLate(port)
	}
	if err != nil {
		return conn, r, err
	}
	v.reached = true
	r, err = v.reply(after)
	return conn, r, err
}

// reads reports whether a transfer command changes nothing.
func reads(verb string) bool {
	return verb == "RETR" || verb == "MLSD" || verb == "LIST" || verb == "NLST"
}

// dialLate connects to a port that a command is out for already. Where that fails, the reply to the command is not worth
// waiting for; on a kept connection, another one may be tried.
func (v *visit) dialLate(port uint16) (net.Conn, error) {
	conn, err := v.dialData(port)
	if err == nil {
		return conn, nil
	}
	v.unusable.Store(true)
	if v.kept && v.ctx.Err() == nil && !refusedByPolicy(err) {
		err = errDropped{err}
	}
	return nil, err
}

// begin takes over a data connection once the command was answered.
func (v *visit) begin(after string, conn net.Conn, r reply) (*data, error) {
	d := &data{v: v, raw: conn, begun: r}
	switch {
	case r.class() == 1:
	case r.code == 226 || r.code == 250: // RFC 959 5.4 wants 125 or 150 first, but the end is all that is judged by
		d.final = &r
	default:
		conn.Close()
		v.unusable.Store(true)
		return nil, r.unexpected(after)
	}
	d.unbind = scheme.Bind(v.ctx, conn)
	over, err := v.protectData(v.ctx, conn)
	if err != nil {
		d.unbind()
		conn.Close()
		v.unusable.Store(true)
		return nil, err
	}
	d.Conn = over
	return d, nil
}

// passive asks for a port and connects to it.
func (v *visit) passive() (net.Conn, error) {
	port, err := v.port()
	if err != nil {
		return nil, err
	}
	conn, err := v.dialData(port)
	if err == nil || v.noEPSV || v.peer.Is6() || v.ctx.Err() != nil || refusedByPolicy(err) {
		return conn, err
	}
	v.env.Trace.OnNote("the port of EPSV cannot be reached; PASV may name another")
	v.noEPSV = true
	if port, err = v.port(); err != nil {
		return nil, err
	}
	return v.dialData(port)
}

// port asks for a port: EPSV (RFC 2428), else PASV. Only the port of the answer counts. The data connection goes where the
// control connection goes, so that a server cannot send it elsewhere (P5).
func (v *visit) port() (uint16, error) {
	if port := v.portAhead(); port != 0 {
		return port, nil
	}
	r, err := v.ask(v.passiveCommand())
	if err != nil {
		return 0, err
	}
	if !v.noEPSV && r.class() == 5 && !v.peer.Is6() {
		v.noEPSV = true
		if r, err = v.ask(v.passiveCommand()); err != nil {
			return 0, err
		}
	}
	return v.portOf(r)
}

func (v *visit) passiveCommand() (string, wire.Line) {
	if v.noEPSV {
		return "PASV", bare("PASV")
	}
	return "EPSV", bare("EPSV")
}

// portOf reads the reply to the command for a port.
func (v *visit) portOf(r reply) (uint16, error) {
	if r.class() >= 4 {
		return 0, r.fail("the server refused to open a data connection")
	}
	if !v.noEPSV {
		port, ok := parseEPSV(r.text())
		if r.code != 229 || !ok {
			return 0, scheme.Replied(scheme.CodeProtocol, r.shown(), "the reply to EPSV names no port")
		}
		return port, nil
	}
	named, ok := parsePASV(r.text())
	if r.code != 227 || !ok {
		return 0, scheme.Replied(scheme.CodeProtocol, r.shown(), "the reply to PASV names no address")
	}
	if v.peer.IsValid() && named.Addr() != v.peer {
		v.env.Trace.OnNote("PASV names another host, " + named.Addr().String() + ", which is not used: the data connection goes to " + v.peer.String())
	}
	return named.Port(), nil
}

func (v *visit) dialData(port uint16) (net.Conn, error) {
	return v.env.Dial(v.ctx, scheme.Dial{Purpose: scheme.ForData, Network: "tcp", Addr: ":" + strconv.Itoa(int(port)),
		Control: v.raw})
}

// parseEPSV reads "(|||port|)" out of a 229 reply; any character may stand for the "|" (RFC 2428 3).
func parseEPSV(text string) (uint16, bool) {
	_, rest, ok := strings.Cut(text, "(")
	if !ok || len(rest) < 5 {
		return 0, false
	}
	bar := rest[0]
	if bar < 33 || bar > 126 || bar >= '0' && bar <= '9' || rest[1] != bar || rest[2] != bar {
		return 0, false
	}
	digits, _, ok := strings.Cut(rest[3:], string(bar))
	port, err := strconv.ParseUint(digits, 10, 16)
	return uint16(port), ok && err == nil && port > 0
}

// parsePASV finds six numbers "h1,h2,h3,h4,p1,p2" in a 227 reply. RFC 959 does not say where they stand, and RFC 1123
// 4.1.2.6 says to look for the first digit.
func parsePASV(text string) (netip.AddrPort, bool) {
	for i := 0; i < len(text); i++ {
		if !digit(text[i]) || i > 0 && digit(text[i-1]) {
			continue
		}
		if b, ok := sixNumbers(text[i:]); ok {
			port := uint16(b[4])<<8 | uint16(b[5])
			return netip.AddrPortFrom(netip.AddrFrom4([4]byte(b[:4])), port), port > 0
		}
	}
	return netip.AddrPort{}, false
}

func sixNumbers(s string) (b [6]byte, ok bool) {
	for i := range b {
		n, digits := 0, 0
		for digits < len(s) && digits < 3 && digit(s[digits]) {
			n = n*10 + int(s[digits]-'0')
			digits++
		}
		if digits == 0 || n > 255 {
			return b, false
		}
		b[i], s = byte(n), s[digits:]
		if i < 5 {
			if s, ok = strings.CutPrefix(s, ","); !ok {
				return b, false
			}
		}
	}
	return b, s == "" || !digit(s[0])
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

// finish reads the reply that ends a transfer, after all data. Only that reply tells a whole body from one that broke
// off: in stream mode both end alike (RFC 959 3.4.1).
func (d *data) finish(what string) (reply, error) {
	d.close()
	if d.final == nil {
		r, err := d.v.reply("the end of " + what)
		if err != nil {
			return r, err
		}
		d.final = &r
	}
	return *d.final, nil
}

// close ends the data connection.
func (d *data) close() {
	d.unbind()
	d.Conn.Close()
	d.raw.Close()
}

// refusedByPolicy reports whether trying another way is no use.
func refusedByPolicy(err error) bool {
	e, ok := errors.AsType[*scheme.Error](err)
	return ok && e.Code == scheme.CodeRefused
}
