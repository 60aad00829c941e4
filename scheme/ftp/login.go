package ftp

import (
	"cmp"
	"context"
	"errors"

	"locator"
	"locator/scheme"
	"locator/wire"
)

// defaultMail is the password of anonymous ftp if no address is configured (RFC 1738 3.2.1). It names the program, not the user.
const defaultMail = "locator@"

// attempts bounds how often an interactive login is tried.
const attempts = 3

// login logs in (RFC 1738 3.2.1) with the user of the URL, else with the identity of the plan. A password is sent only if the
// server asks for one.
func (c *control) login(ctx context.Context, env *scheme.Env, p *plan) error {
	a := &authentication{c: c, env: env, p: p, user: p.user, name: p.login.User}
	if password, ok := p.login.Password.Get(); ok {
		a.password, a.pass = locator.Some(password), p.pass
	}
	if !p.login.User.IsSet() {
		if err := a.use(p.identity); err != nil {
			return err
		}
	}
	if err := c.secure(ctx, env, !a.anonymous); err != nil {
		return err
	}
	return a.run(ctx)
}

// authentication is one login.
type authentication struct {
	c         *control
	env       *scheme.Env
	p         *plan
	name      locator.Optional // the name of the user
	password  locator.Optional // absent if it has to be asked for
	user      wire.Line
	pass      wire.Line
	anonymous bool
}

// identity is the login of a plan whose URL names no user.
type identity struct {
	user, password locator.Optional // no user: anonymous; no password: it has to be asked for
}

// identify finds a login without asking the user, such as one in a netrc file; else the login is anonymous. It runs before a
// pooled connection is chosen, since one that another login opened must not be used.
func (p *plan) identify(ctx context.Context, env *scheme.Env) error {
	if p.login.User.IsSet() {
		return nil
	}
	user, password, ok, err := env.Login(ctx, scheme.LoginRequest{
		Scheme: p.scheme(), Host: p.host, Port: p.port, Secure: p.implicit, NonInteractive: true,
	})
	switch {
	case errors.Is(err, scheme.ErrNeedPassword):
		p.identity = identity{user: locator.Some(user)}
		return nil
	case err == nil && ok:
		p.identity = identity{locator.Some(user), locator.Some(password)}
	}
	return err
}

// use sets the login of an identity.
func (a *authentication) use(i identity) (err error) {
	user, ok := i.user.Get()
	if !ok {
		a.anonymous, a.name = true, locator.Some("anonymous")
		mail := cmp.Or(a.env.Mail, defaultMail)
		a.password = locator.Some(mail)
		a.user, a.pass, err = anonymous(mail)
		return err
	}
	a.name, a.password = i.user, i.password
	a.user, err = userLine(user)
	if password, ok := i.password.Get(); ok && err == nil {
		a.pass, err = passLine(password)
	}
	return unsafeAsRefused(err)
}

func (a *authentication) request(realm string) scheme.LoginRequest {
	return scheme.LoginRequest{
		Scheme: a.p.scheme(), Host: a.p.host, Port: a.p.port, User: a.name, Realm: realm, Secure: a.c.tls != nil,
	}
}

// run sends USER, and PASS and ACCT if the server asks for them (RFC 959 5.4). If the user typed the password, a refused one is
// asked for again; that of the URL is not.
func (a *authentication) run(ctx context.Context) error {
	defer func() { a.c.secret = "" }()
	asked := !a.password.IsSet()
	var refused *reply
	for attempt := range attempts {
		r, err := a.dialogue(ctx, asked, attempt, refused)
		if err != nil {
			return err
		}
		switch {
		case r.code == 230, r.code == 202, r.code == 232: // 202: "not needed here"; 232: "TLS was enough" (RFC 2228)
			return nil
		case r.class() != 5 || r.code == 500 || r.code == 502:
			return r.unexpected("the login")
		}
		refused = &r
		if !asked || r.code != 530 {
			break
		}
	}
	return a.refused(*refused)
}

// dialogue is one attempt. refused is the reply that ended the previous one.
func (a *authentication) dialogue(ctx context.Context, asked bool, attempt int, refused *reply) (reply, error) {
	r, err := a.c.ask("USER", a.user)
	if err != nil {
		return r, err
	}
	if r.code == 331 {
		if asked {
			if err := a.askPassword(ctx, r, attempt, refused); err != nil {
				return r, err
			}
		}
		if !a.anonymous {
			a.c.secret = a.password.Or("")
		}
		if r, err = a.c.ask("PASS", a.pass); err != nil {
			return r, err
		}
	}
	if r.code == 332 {
		return a.account(ctx, r, attempt)
	}
	return r, nil
}

// askPassword asks for the password of the user (RFC 1738 3.2.1). A password is never guessed, and an empty one never sent
// unasked.
func (a *authentication) askPassword(ctx context.Context, r reply, attempt int, refused *reply) error {
	l := a.request(wire.Escape(r.text()))
	l.Attempt = attempt
	_, password, ok, err := a.env.Login(ctx, l)
	switch {
	case err != nil:
		return err
	case refused != nil && (!ok || locator.Some(password) == a.password):
		return a.refused(*refused)
	case !ok:
		return scheme.Replied(scheme.CodeLoginNeeded, r.shown(),
			"the server asks for the password of user %s, and none is known: put it into the URL or configure a login for %s",
			quoted(a.name.Or("")), wire.Escape(a.p.host))
	}
	a.password = locator.Some(password)
	a.pass, err = passLine(password)
	return unsafeAsRefused(err)
}

// account answers 332 with ACCT (RFC 959 4.1.1).
func (a *authentication) account(ctx context.Context, r reply, attempt int) (reply, error) {
	l := a.request("account: " + wire.Escape(r.text()))
	l.Attempt, l.Account = attempt, true
	_, account, ok, err := a.env.Login(ctx, l)
	if err != nil {
		return r, err
	}
	if !ok {
		return r, scheme.Replied(scheme.CodeLoginNeeded, r.shown(), "the server asks for an account besides the login of user %s, and none is known: configure one for %s",
			quoted(a.name.Or("")), wire.Escape(a.p.host))
	}
	line, err := acctLine(account)
	if err != nil {
		return r, unsafeAsRefused(err)
	}
	a.c.secret = account
	return a.c.ask("ACCT", line)
}

func (a *authentication) refused(r reply) error {
	if a.anonymous {
		return scheme.Replied(scheme.CodeLoginNeeded, r.shown(), "the server refused the anonymous login: name a user in the URL, or configure a login for %s", wire.Escape(a.p.host))
	}
	return scheme.Replied(scheme.CodeLoginNeeded, r.shown(), "the server refused the login of user %s", quoted(a.name.Or("")))
}
