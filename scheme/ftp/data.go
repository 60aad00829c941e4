package ftp

import (
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"locator/internal/octet"
	"locator/scheme"
	"locator/scheme/internal/dialogue"
	"locator/wire"
)

// data is a data connection with a transfer.
type data struct {
	net.Conn
	s       *session
	raw     net.Conn // without TLS
	unbind  func() bool
	opening reply  // the reply to the command
	final   *reply // the reply that ends the transfer; nil before it has been read
}

// transfer opens a data connection and sends the command. If the server refuses the command, d is
// nil, r says why, and the session remains usable. before, if not nil, is called directly before
// the command is sent (REST).
func (s *session) transfer(after string, lines []wire.Line, before func() error) (d *data, r reply, err error) {
	for i, l := range s.likely(lines) {
		var opened *dataConn
		opened, r, err = s.openTransfer(after, l, before)
		if err == nil && r.Class() < 4 {
			s.rawIAC = s.rawIAC || i > 0
			d, err = s.startTransfer(after, opened, r)
			return d, r, err
		}
		if bad := opened.drop(); bad != nil { // why the server refused
			s.Unusable.Store(true)
			return nil, r, bad
		}
		if err != nil || r.Class() != 5 {
			break
		}
	}
	return nil, r, err
}

// openTransfer opens a data connection, sends one spelling of the command, and reads the reply.
//
// Once a data connection has been made, a command that only reads is sent before the next one is
// made: the server waits for it. That saves a round trip. A command that stores is sent afterwards,
// since a server may truncate the file before it waits.
func (s *session) openTransfer(after string, l wire.Line, before func() error) (opened *dataConn, r reply, err error) {
	var port uint16
	var conn net.Conn
	early := s.dataWorked && s.place.op != write
	if early {
		port, err = s.requestPort()
	} else {
		conn, err = s.dialPassive()
	}
	if err == nil && before != nil {
		err = before()
	}
	if err == nil {
		err = s.Send(after, l)
	}
	if err == nil && early {
		conn, err = s.dialAfterCommand(port)
	}
	if conn != nil {
		opened = s.protectData(s.ctx, s.env, conn)
	}
	if err != nil {
		return opened, r, err
	}
	s.dataWorked = true
	r, err = s.reply(after)
	return opened, r, err
}

// dialAfterCommand connects to the data port after the command has been sent. If that fails, the
// control connection is unusable, as its reply is not waited for. If it came from the pool, the
// operation may use another one.
func (s *session) dialAfterCommand(port uint16) (net.Conn, error) {
	conn, err := s.dialData(port)
	if err == nil {
		return conn, nil
	}
	s.Unusable.Store(true)
	if s.kept && s.ctx.Err() == nil && !refusedByPolicy(err) {
		err = dialogue.Dropped{Err: err}
	}
	return nil, err
}

// startTransfer takes over a data connection after the reply to the command.
func (s *session) startTransfer(after string, opened *dataConn, r reply) (*data, error) {
	d := &data{s: s, raw: opened.raw, unbind: opened.unbind, opening: r}
	switch {
	case r.Class() == 1:
	case r.Code == 226 || r.Code == 250: // RFC 959 5.4 requires 125 or 150 before it, but only the final reply decides
		d.final = &r
	default:
		opened.drop()
		s.Unusable.Store(true)
		return nil, r.unexpected(after)
	}
	over, err := opened.ready()
	if err != nil {
		opened.drop()
		s.Unusable.Store(true)
		return nil, err
	}
	d.Conn = over
	return d, nil
}

// dialPassive requests a port and connects to it.
func (s *session) dialPassive() (net.Conn, error) {
	port, err := s.requestPort()
	if err != nil {
		return nil, err
	}
	conn, err := s.dialData(port)
	if err == nil || s.noEPSV || s.peer.Is6() || s.ctx.Err() != nil || refusedByPolicy(err) {
		return conn, err
	}
	s.env.Trace.OnNote("the port of EPSV cannot be reached; PASV may name another")
	s.noEPSV = true
	if port, err = s.requestPort(); err != nil {
		return nil, err
	}
	return s.dialData(port)
}

// requestPort requests a port by EPSV (RFC 2428), else PASV. Only the port of the reply is used:
// the data connection goes to the host of the control connection, so that a server cannot redirect
// it (P5).
func (s *session) requestPort() (uint16, error) {
	if port, err := s.prefetchedPort(); err != nil || port != 0 {
		return port, err
	}
	r, err := s.ask(s.passiveCommand())
	if err != nil {
		return 0, err
	}
	if !s.noEPSV && r.Class() == 5 && !s.peer.Is6() {
		s.noEPSV = true
		if r, err = s.ask(s.passiveCommand()); err != nil {
			return 0, err
		}
	}
	return s.parsePort(r)
}

func (s *session) passiveCommand() (string, wire.Line) {
	if s.noEPSV {
		return "PASV", dialogue.Bare("PASV")
	}
	return "EPSV", dialogue.Bare("EPSV")
}

// parsePort parses the reply to EPSV or PASV.
func (s *session) parsePort(r reply) (uint16, error) {
	if r.Class() >= 4 {
		return 0, r.fail("the server refused to open a data connection")
	}
	if !s.noEPSV {
		port, ok := parseEPSV(r.Text())
		if r.Code != 229 || !ok {
			return 0, scheme.Replied(scheme.CodeProtocol, r.Shown(), "the reply to EPSV names no port")
		}
		return port, nil
	}
	named, ok := parsePASV(r.Text())
	if r.Code != 227 || !ok {
		return 0, scheme.Replied(scheme.CodeProtocol, r.Shown(), "the reply to PASV names no address")
	}
	if s.peer.IsValid() && named.Addr() != s.peer {
		s.env.Trace.OnNote("PASV names another host, " + named.Addr().String() + ", which is not used: the data connection goes to " + s.peer.String())
	}
	return named.Port(), nil
}

func (s *session) dialData(port uint16) (net.Conn, error) {
	return s.env.Dial(s.ctx, scheme.Dial{Purpose: scheme.ForData, Network: "tcp", Addr: ":" + strconv.Itoa(int(port)),
		Control: s.Raw})
}

// parseEPSV parses "(|||port|)" in a 229 reply; any character may take the place of "|" (RFC 2428
// 3).
func parseEPSV(text string) (uint16, bool) {
	_, rest, ok := strings.Cut(text, "(")
	if !ok || len(rest) < 5 {
		return 0, false
	}
	bar := rest[0]
	if bar < 33 || bar > 126 || octet.IsDigit(bar) || rest[1] != bar || rest[2] != bar {
		return 0, false
	}
	digits, _, ok := strings.Cut(rest[3:], string(bar))
	port, err := strconv.ParseUint(digits, 10, 16)
	return uint16(port), ok && err == nil && port > 0
}

// parsePASV finds six numbers "h1,h2,h3,h4,p1,p2" in a 227 reply. RFC 959 does not define their
// position; RFC 1123 4.1.2.6 says to scan for digits.
func parsePASV(text string) (netip.AddrPort, bool) {
	for list := range strings.FieldsFuncSeq(text, func(r rune) bool { return r != ',' && (r < '0' || r > '9') }) {
		numbers := strings.Split(strings.Trim(list, ","), ",")
		if len(numbers) != 6 {
			continue
		}
		var b [6]byte
		for i, text := range numbers {
			n, err := strconv.ParseUint(text, 10, 8)
			if err != nil || len(text) > 3 {
				return netip.AddrPort{}, false
			}
			b[i] = byte(n)
		}
		port := uint16(b[4])<<8 | uint16(b[5])
		return netip.AddrPortFrom(netip.AddrFrom4([4]byte(b[:4])), port), port > 0
	}
	return netip.AddrPort{}, false
}

// finish reads the reply that ends a transfer, after all data. Only that reply distinguishes a
// complete body from a truncated one: in stream mode both end with the connection (RFC 959 3.4.1).
func (d *data) finish(what string) (reply, error) {
	d.close()
	if d.final == nil {
		r, err := d.s.reply("the end of " + what)
		if err != nil {
			return r, err
		}
		d.final = &r
	}
	return *d.final, nil
}

// close closes the data connection.
func (d *data) close() {
	d.unbind()
	d.Conn.Close()
	d.raw.Close()
}

// endTime bounds how long endUpload waits for the server to close the connection.
const endTime = 5 * time.Second

// endUpload ends the data of an upload over TLS: it sends close_notify and reads until the server
// closes the connection. A connection that is closed with unread data in it is reset, and the
// server may lose the end of the upload.
//
// QUIRK: vsftpd 3.0.3 sends the session tickets of TLS 1.3 on data connections, and after a reset
// replies 426 "Failure reading network stream" although it has received everything.
func (d *data) endUpload() {
	over, ok := d.Conn.(*tls.Conn)
	if !ok || over.CloseWrite() != nil {
		return
	}
	if half, ok := d.raw.(interface{ CloseWrite() error }); !ok || half.CloseWrite() != nil {
		return
	}
	defer scheme.Bind(d.s.ctx, d.raw)()
	_ = d.raw.SetReadDeadline(time.Now().Add(endTime))
	_, _ = io.CopyN(io.Discard, over, 1) // the server sends no data: this ends with the connection
}

// refusedByPolicy reports whether err is a refusal by policy, which another attempt would not
// change.
func refusedByPolicy(err error) bool {
	e, ok := errors.AsType[*scheme.Error](err)
	return ok && e.Code == scheme.CodeRefused
}
