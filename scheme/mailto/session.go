package mailto

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strings"

	"github.com/emersion/go-smtp"

	"locator/internal/hint"
	"locator/scheme"
	"locator/scheme/internal/dialogue"
	"locator/scheme/message"
	"locator/wire"
)

// session is a session with a submission server.
type session struct {
	*smtp.Client
	conn     *conn
	server   server
	loggedIn bool
	unbind   func() bool
}

// send sends the message through the configured server. note shows a message to the user.
//
// A session begins without a login unless one is known: many servers do not need it. If the server
// then requires TLS or a login, another session follows.
func (e *envelope) send(ctx context.Context, env *scheme.Env, note func(string)) (*scheme.Receipt, error) {
	at, err := newServer(env.Servers[0])
	if err != nil {
		return nil, err
	}
	var want needs
	var receipt *scheme.Receipt
	var refusal error // of the session before
	for {
		s, err := open(ctx, env, at, want)
		if err != nil && refusal != nil && isOurs(err) {
			note("another try, with what the server may require, failed: " + wire.TextLine(err.Error()))
			return receipt, refusal
		}
		if err != nil {
			return nil, err
		}
		receipt, err = e.transmit(ctx, env, s, note)
		again := s.lacks(env, want, err)
		s.end(err)
		if err == nil || again == want || ctx.Err() != nil || receipt != nil && len(receipt.Accepted) > 0 {
			return receipt, err
		}
		refusal = nil
		if !asksForLogin(err) {
			refusal = err
		}
		want = again
	}
}

// asksForLogin reports whether a server has asked for a login or TLS by the code of its reply, and
// not only refused something that it may permit after a login.
func asksForLogin(err error) bool {
	e, ok := errors.AsType[*scheme.Error](err)
	return ok && strings.HasPrefix(e.Reply, "53")
}

// isOurs reports whether an error is one of this side: a certificate that is not trusted, or no
// login for the server. Another attempt leads to the same.
func isOurs(err error) bool {
	if _, untrusted := errors.AsType[*tls.CertificateVerificationError](err); untrusted {
		return true
	}
	e, ok := errors.AsType[*scheme.Error](err)
	return ok && e.Reply == "" && slices.Contains([]scheme.Code{scheme.CodeRefused, scheme.CodeUntrusted, scheme.CodeLoginNeeded, scheme.CodeUnsupported}, e.Code)
}

// needs is what a server required in an earlier session.
type needs struct{ tls, login bool }

// lacks returns what another session should have after an error: what this one had not, and the
// server may require.
func (s *session) lacks(env *scheme.Env, had needs, err error) needs {
	e, ok := errors.AsType[*scheme.Error](err)
	if !ok || e.Code != scheme.CodeLoginNeeded || s.loggedIn {
		return had
	}
	if offered, _ := s.Extension("STARTTLS"); offered && !s.conn.TLS && env.TLSMode == scheme.TLSAuto && !had.tls {
		had.tls = true
		return had
	}
	if offered, _ := s.Extension("AUTH"); offered {
		had.login = true
	}
	return had
}

// open connects to a server, switches to TLS and logs in, as far as that is wanted or known to be
// needed.
func open(ctx context.Context, env *scheme.Env, at server, want needs) (*session, error) {
	c, err := dial(ctx, env, at.host, scheme.Dial{Purpose: scheme.ForServer, Network: "tcp", Addr: at.addr})
	if err != nil {
		return nil, err
	}
	s := &session{conn: c, server: at, unbind: scheme.Bind(ctx, c.Raw)}
	if err = s.begin(ctx, env, want); err != nil {
		s.end(err)
		return nil, err
	}
	return s, nil
}

// begin does what open does after connecting.
func (s *session) begin(ctx context.Context, env *scheme.Env, want needs) error {
	c := s.conn
	must := s.server.user.IsSet() || want.login
	may := must || knowsLogin(ctx, env, s.server)
	if s.server.tls {
		if err := c.startTLS(ctx, env); err != nil {
			if _, ok := errors.AsType[tls.RecordHeaderError](err); ok {
				return scheme.Fail(scheme.CodeProtocol, "the mail server does not begin with TLS; write smtp:// in place of smtps://: %w", err)
			}
			return err
		}
	} else if env.TLSMode != scheme.TLSOff {
		if err := s.startTLS(ctx, env, must, may || want.tls); err != nil {
			return err
		}
	}
	if err := s.hello(); err != nil {
		return err
	}
	switch offered, _ := s.Extension("AUTH"); {
	case offered && (must || may && (c.TLS || env.TLSMode != scheme.TLSAuto)):
		return s.login(ctx, env)
	case must:
		return scheme.Fail(scheme.CodeUnsupported, "a login is wanted, and the mail server offers none%s", map[bool]string{false: " without TLS"}[c.TLS])
	}
	return nil
}

// hello lets package smtp take over the connection.
func (s *session) hello() error {
	s.Client = smtp.NewClient(s.conn)
	if err := s.Hello(localName(s.conn.LocalAddr())); err != nil {
		return failed(atConnect, err)
	}
	return nil
}

// localName is the name of this computer for EHLO: its address, since its name may be private or
// have no address (RFC 5321 4.1.4).
func localName(a net.Addr) string {
	p, err := netip.ParseAddrPort(a.String())
	switch ip := p.Addr().Unmap().WithZone(""); {
	case err != nil:
		return "localhost"
	case ip.Is6():
		return "[IPv6:" + ip.String() + "]"
	default:
		return "[" + ip.String() + "]"
	}
}

// startTLS asks the server for its extensions if TLSMode or try says so, and switches to TLS if it
// offers that. It fails without TLS if TLSMode requires it, or if there will be a login. What the
// server sent before is forgotten (RFC 3207 4.2). Package smtp then reads the greeting again, which
// it expects.
func (s *session) startTLS(ctx context.Context, env *scheme.Env, login, try bool) error {
	c, mode := s.conn, env.TLSMode
	greeting, err := c.readReply(names[atConnect])
	if dialogue.Timeout(err) {
		return scheme.Fail(scheme.CodeBroken, "the mail server says nothing; if it begins with TLS, write smtps:// in place of smtp://: %w", err)
	}
	if err == nil && greeting.Code != 220 {
		err = greeting.fail()
	}
	if err != nil {
		return err
	}
	if mode == scheme.TLSTry || mode == scheme.TLSRequire || try {
		r, err := c.ask("EHLO", "EHLO "+localName(c.LocalAddr()))
		switch {
		case err != nil:
			return err
		case r.Code == 250 && r.has("STARTTLS"):
			if r, err = c.ask("STARTTLS", "STARTTLS"); err != nil {
				return err
			}
			if r.Code != 220 {
				return r.fail()
			}
			if err := c.startTLS(ctx, env); err != nil {
				return err
			}
		case mode == scheme.TLSRequire:
			return scheme.Fail(scheme.CodeUnsupported, "TLS is required, and the mail server does not offer it")
		case mode == scheme.TLSAuto && login:
			return hint.Fail(hint.TLSTry, scheme.CodeLoginNeeded, "a login is needed, and the mail server offers no TLS")
		}
	}
	c.startReplay(greeting.Lines)
	return nil
}

// fail is the error of a reply that refuses something before package smtp takes over.
func (r reply) fail() error {
	e := &smtp.SMTPError{Code: r.Code}
	for i, line := range r.Lines {
		if i > 0 {
			e.Message += " "
		}
		e.Message += line[min(4, len(line)):]
	}
	word, rest, _ := strings.Cut(e.Message, " ")
	var code smtp.EnhancedCode
	if n, err := fmt.Sscanf(word+" ", "%d.%d.%d ", &code[0], &code[1], &code[2]); n == len(code) && err == nil { // RFC 2034
		e.EnhancedCode, e.Message = code, rest
	}
	return fail(atConnect, e)
}

// end ends the session after an operation that ended with err: by QUIT, if the server waits for a
// command.
func (s *session) end(err error) {
	e, replied := errors.AsType[*scheme.Error](err)
	if s.Client != nil && !s.conn.isData && (err == nil || replied && e.Reply != "") {
		scheme.SetIdle(s.conn.Raw, quitTime)
		_ = s.Quit() // the message is sent or refused either way
	}
	s.unbind()
	s.conn.Raw.Close()
}

// usable returns those of the mechanisms for a login that this package knows, best first.
func (s *session) usable() []string {
	return slices.DeleteFunc([]string{"PLAIN", "LOGIN"}, func(name string) bool { return !s.SupportsAuth(name) })
}

// checkReports checks the words of scheme.Reports.
func checkReports(r message.Reports) error {
	if !slices.Contains([]string{"", "full", "hdrs"}, r.Return) {
		return scheme.Fail(scheme.CodeUsage, "%q: a report returns \"full\" or \"hdrs\"", wire.Excerpt(r.Return, maxShown))
	}
	for _, word := range r.Notify {
		if !slices.Contains([]string{"never", "success", "failure", "delay"}, word) || word == "never" && len(r.Notify) > 1 {
			return scheme.Fail(scheme.CodeUsage, "reports are sent \"never\", or after \"success\", \"failure\" and \"delay\"")
		}
	}
	return nil
}
