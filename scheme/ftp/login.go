package ftp

import (
	"cmp"
	"context"
	"errors"

	"locator"
	"locator/internal/hint"
	"locator/scheme"
	"locator/scheme/internal/dialogue"
	"locator/wire"
)

// defaultMail is the password of anonymous ftp if no address is configured (RFC 1738 3.2.1). It
// names the program, not the user.
const defaultMail = "locator@"

// attempts bounds how often an interactive login is tried.
const attempts = 3

// credentials are a login and its command lines.
type credentials struct {
	user      locator.Optional
	password  locator.Optional // absent if it has to be asked for
	userLine  wire.Line
	passLine  wire.Line
	anonymous bool
}

func newCredentials(user string, password locator.Optional) (l credentials, err error) {
	l.user = locator.Some(user)
	l.userLine, err = argument("USER", "user name", user)
	if text, ok := password.Get(); ok && err == nil {
		err = l.setPassword(text)
	}
	return l, err
}

// setPassword does not mask an empty password, which RFC 1738 3.1 distinguishes from a missing one.
func (l *credentials) setPassword(password string) (err error) {
	l.password = locator.Some(password)
	l.passLine, err = secret("PASS", "password", password)
	if password == "" {
		l.passLine = l.passLine.Masked("PASS ")
	}
	return err
}

// anonymous returns the login of RFC 1738 3.2.1 for a URL without a user.
func anonymous(mail string) (credentials, error) {
	l, err := newCredentials("anonymous", locator.Optional{})
	if err == nil {
		l.anonymous, l.password = true, locator.Some(mail)
		l.passLine, err = secret("PASS", "mail address", mail)
	}
	return l, err
}

// identify finds the login of a URL without a user, without asking: one in a netrc file, for
// example, or else anonymous. It runs before a pooled connection is chosen, since one that another
// login opened must not be used.
func (p *place) identify(ctx context.Context, env *scheme.Env) error {
	if p.login.User.IsSet() {
		return nil
	}
	user, password, ok, err := env.Login(ctx, scheme.LoginRequest{Host: p.host, Port: p.port, Secure: p.implicit, NonInteractive: true})
	switch {
	case errors.Is(err, scheme.ErrNeedPassword):
		p.credentials, err = newCredentials(user, locator.Optional{})
	case err != nil:
	case ok:
		p.credentials, err = newCredentials(user, locator.Some(password))
	default:
		p.credentials, err = anonymous(cmp.Or(env.Mail, defaultMail))
	}
	return err
}

// authentication is one login.
type authentication struct {
	credentials
	c   *conn
	env *scheme.Env
	p   *place
}

// login logs in with the login of the place (RFC 1738 3.2.1). It sends USER, and PASS and ACCT if
// the server asks for them (RFC 959 5.4). If the user typed the password, a refused one is asked
// for again; that of the URL is not.
func (c *conn) login(ctx context.Context, env *scheme.Env, p *place) error {
	a := &authentication{p.credentials, c, env, p}
	if err := c.secure(ctx, env, !a.anonymous); err != nil {
		return err
	}
	asked := !a.password.IsSet()
	var refused *reply
	for attempt := range attempts {
		r, err := a.dialogue(ctx, asked, attempt, refused)
		if err != nil {
			return err
		}
		switch {
		case r.Code == 230, r.Code == 202, r.Code == 232: // 202: "not needed here"; 232: "TLS was enough" (RFC 2228)
			return nil
		case r.Class() != 5 || r.Code == 500 || r.Code == 502:
			return r.unexpected("the login")
		}
		refused = &r
		if !asked || r.Code != 530 {
			break
		}
	}
	return a.refused(*refused)
}

// dialogue is one attempt. refused is the reply that ended the previous one.
func (a *authentication) dialogue(ctx context.Context, asked bool, attempt int, refused *reply) (reply, error) {
	r, err := a.c.ask("USER", a.userLine)
	if err != nil {
		return r, err
	}
	if r.Code == 331 {
		if asked {
			if err := a.askPassword(ctx, r, attempt, refused); err != nil {
				return r, err
			}
		}
		if a.c.clear {
			dialogue.WarnClear(a.env, a.p.host)
			a.c.clear = false
		}
		if r, err = a.c.ask("PASS", a.passLine); err != nil {
			return r, err
		}
	}
	if r.Code == 332 {
		return a.account(ctx, r, attempt)
	}
	return r, nil
}

// request asks the client for a password, or for an account. The realm is in the words of the
// server.
func (a *authentication) askClient(ctx context.Context, realm string, attempt int, account bool) (string, bool, error) {
	_, text, ok, err := a.env.Login(ctx, scheme.LoginRequest{
		Host: a.p.host, Port: a.p.port, User: a.user, Realm: realm, Secure: a.c.TLS, Attempt: attempt, Account: account,
	})
	return text, ok, err
}

// askPassword asks for the password of the user (RFC 1738 3.2.1). A password is never guessed, and
// an empty one never sent unasked.
func (a *authentication) askPassword(ctx context.Context, r reply, attempt int, refused *reply) error {
	password, ok, err := a.askClient(ctx, wire.Escape(r.Text()), attempt, false)
	switch {
	case err != nil:
		return err
	case refused != nil && (!ok || locator.Some(password) == a.password):
		return a.refused(*refused)
	case !ok:
		return hint.Replied(hint.Login, scheme.CodeLoginNeeded, r.Shown(),
			"no password for user %s", dialogue.Quoted(a.user.Or("")))
	}
	return a.setPassword(password)
}

// account answers 332 with ACCT (RFC 959 4.1.1).
func (a *authentication) account(ctx context.Context, r reply, attempt int) (reply, error) {
	account, ok, err := a.askClient(ctx, "account: "+wire.Escape(r.Text()), attempt, true)
	if err != nil {
		return r, err
	}
	if !ok {
		return r, scheme.Replied(scheme.CodeLoginNeeded, r.Shown(), "the server asks for an account besides the login of user %s, and none is known: configure one for %s",
			dialogue.Quoted(a.user.Or("")), wire.Escape(a.p.host))
	}
	line, err := secret("ACCT", "account", account)
	if err != nil {
		return r, err
	}
	return a.c.ask("ACCT", line)
}

func (a *authentication) refused(r reply) error {
	if a.anonymous {
		return hint.Replied(hint.Login, scheme.CodeLoginNeeded, r.Shown(), "the server refused the anonymous login")
	}
	return scheme.Replied(scheme.CodeLoginNeeded, r.Shown(), "the server refused the login of user %s", dialogue.Quoted(a.user.Or("")))
}
