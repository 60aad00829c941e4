package nntp

import (
	"context"
	"encoding/base64"

	"locator"
	"locator/internal/hint"
	"locator/scheme"
	"locator/scheme/internal/dialogue"
	"locator/wire"
)

// prepare switches to TLS and logs in, as far as the URL and Env.TLSMode ask for it without the
// server asking.
func (c *conn) prepare(ctx context.Context, env *scheme.Env) error {
	if mode := env.TLSMode; mode == scheme.TLSTry || mode == scheme.TLSRequire {
		if err := c.secure(ctx, env, false); err != nil {
			return err
		}
	}
	if c.server.user.IsSet() {
		return c.login(ctx, env, reply{})
	}
	return nil
}

// secure switches to TLS if the mode allows it and the server offers it. password reports that a
// password will be sent: then only the modes off and try allow it without TLS.
func (c *conn) secure(ctx context.Context, env *scheme.Env, password bool) error {
	mode := env.TLSMode
	switch {
	case c.TLS || mode == scheme.TLSOff || mode == scheme.TLSAuto && !password:
		return nil
	case c.caps == nil || c.caps.has("STARTTLS"):
		err := c.startTLS(ctx, env)
		if c.TLS || err == nil || c.caps != nil || c.Unusable.Load() {
			return err
		}
	}
	switch {
	case mode == scheme.TLSRequire:
		return scheme.Fail(scheme.CodeUnsupported, "TLS is required, and the server does not offer it")
	case password && mode == scheme.TLSAuto:
		return hint.Fail(hint.TLSTry, scheme.CodeLoginNeeded, "a login is needed, and the server offers no TLS")
	}
	return nil
}

// answer does what the server requires by 480, a login, or by 483, TLS. The dialogue can then be
// repeated.
func (c *conn) answer(ctx context.Context, env *scheme.Env, needed errAuthenticate) error {
	if needed.reply.Code == 483 {
		if c.TLS || env.TLSMode == scheme.TLSOff || c.caps != nil && !c.caps.has("STARTTLS") {
			return needed.error
		}
		return c.startTLS(ctx, env)
	}
	if c.loggedIn {
		return needed.error
	}
	c.selected = ""
	return c.login(ctx, env, needed.reply)
}

// login sends the login of the URL or of the configured server, else the one that the client knows
// (RFC 4643). needed is the reply 480, if that asked for it.
func (c *conn) login(ctx context.Context, env *scheme.Env, needed reply) error {
	if err := c.secure(ctx, env, true); err != nil {
		return err
	}
	l := dialogue.Logins{Password: c.server.password, LoginRequest: scheme.LoginRequest{
		Host: c.server.host, Port: c.server.port, User: c.server.user, Realm: wire.Escape(needed.Text()), Secure: c.TLS}}
	var refusal *reply
	for {
		user, password, ok, err := l.Next(ctx, env)
		switch {
		case err != nil:
			return err
		case !ok:
			return noLogin(l.User, needed, refusal)
		}
		r, err := c.authenticate(user, password)
		switch {
		case err != nil:
			return err
		case r.Class() == 2:
			c.loggedIn = true
			if c.caps != nil { // which the login may have changed (RFC 3977 12.6)
				return c.askCapabilities()
			}
			return nil
		case r.Class() == 3: // the server waits for more
			c.Unusable.Store(true)
		}
		if r.Code != 481 && r.Code != 482 && r.Code != 502 {
			return scheme.Replied(loginCode(r), r.Shown(), "the server refused the login of user %s", dialogue.Quoted(user))
		}
		refusal = &r
	}
}

// loginCode is the code of a reply that refuses a login.
func loginCode(r reply) scheme.Code {
	switch r.Code {
	case 400, 403:
		return scheme.CodeUnavailable
	case 483, 481, 482, 502:
		return scheme.CodeLoginNeeded
	}
	if r.Class() == 5 {
		return scheme.CodeUnsupported
	}
	return scheme.CodeProtocol
}

// noLogin is the error if no login is known, or none that the server accepts.
func noLogin(user locator.Optional, needed reply, refusal *reply) error {
	switch {
	case refusal != nil:
		return scheme.Replied(scheme.CodeLoginNeeded, refusal.Shown(), "the server refused the login of user %s", dialogue.Quoted(user.Or("")))
	case user.IsSet():
		return hint.Replied(hint.Login, scheme.CodeLoginNeeded, needed.Shown(), "no password for user %s", dialogue.Quoted(user.Or("")))
	}
	return needed.fail("the request")
}

// authenticate sends one login: by AUTHINFO USER, or by SASL PLAIN if the server offers only that.
func (c *conn) authenticate(user, password string) (reply, error) {
	if c.caps != nil && !c.caps.offers("AUTHINFO", "USER") && c.caps.offers("SASL", "PLAIN") {
		return c.plain(user, password)
	}
	name, err := wire.Command("AUTHINFO USER", "user name", user)
	if err != nil {
		return reply{}, refused(err)
	}
	word, err := wire.Secret("AUTHINFO PASS", "password", password)
	if err != nil {
		return reply{}, refused(err)
	}
	r, err := c.ask("AUTHINFO USER", name)
	if err != nil || r.Code != 381 {
		return r, err
	}
	return c.ask("AUTHINFO PASS", word)
}

// plain logs in by SASL PLAIN (RFC 4616) with an initial response (RFC 4643 2.4).
func (c *conn) plain(user, password string) (reply, error) {
	if err := wire.Check("user name", user, ""); err != nil {
		return reply{}, refused(err)
	}
	if err := wire.Check("password", password, ""); err != nil {
		return reply{}, refused(err)
	}
	encoded := base64.StdEncoding.EncodeToString([]byte("\x00" + user + "\x00" + password))
	l, err := wire.Secret("AUTHINFO SASL PLAIN", "password", encoded)
	if err != nil {
		return reply{}, refused(err)
	}
	return c.ask("AUTHINFO SASL PLAIN", l)
}
