package mailto

import (
	"context"
	"errors"
	"strings"

	"github.com/emersion/go-sasl"

	"locator"
	"locator/internal/hint"
	"locator/scheme"
	"locator/scheme/internal/dialogue"
	"locator/wire"
)

// loginRequest returns the description of the server for Env.Login.
func (s server) loginRequest() scheme.LoginRequest {
	return scheme.LoginRequest{Scheme: plainName, Host: s.host, Port: s.port, User: s.user}
}

// knowsLogin reports whether a login is known for the server without asking the user.
func knowsLogin(ctx context.Context, env *scheme.Env, s server) bool {
	l := s.loginRequest()
	l.NonInteractive, l.Secure = true, true
	_, _, ok, err := env.Login(ctx, l)
	return ok || errors.Is(err, scheme.ErrNeedPassword)
}

// login sends the login of the URL of the server, else the one that the client knows. Without TLS
// it does so only in the modes off and try.
func (s *session) login(ctx context.Context, env *scheme.Env) error {
	switch mode := env.TLSMode; {
	case s.conn.TLS || mode == scheme.TLSOff || mode == scheme.TLSTry:
	default:
		return hint.Fail(hint.TLSTry, scheme.CodeLoginNeeded, "a login is needed, and the mail server offers no TLS")
	}
	mechanisms := s.usable()
	if len(mechanisms) == 0 {
		_, offered := s.Extension("AUTH")
		return scheme.Fail(scheme.CodeUnsupported, "the mail server offers no login by PLAIN or LOGIN; it offers %s", quoted(offered))
	}
	l := dialogue.Logins{LoginRequest: s.server.loginRequest(), Password: s.server.password}
	l.Secure = s.conn.TLS
	var refusal error
	for {
		user, password, ok, err := l.Next(ctx, env)
		switch {
		case err != nil:
			return err
		case !ok:
			return noLogin(l.User, refusal)
		}
		if refusal = s.authenticate(mechanisms[0], user, password); refusal == nil {
			s.loggedIn = true
			return nil
		}
		if e, ok := errors.AsType[*scheme.Error](refusal); !ok || e.Code != scheme.CodeLoginNeeded {
			return refusal
		}
	}
}

// noLogin is the error if no login is known, or none that the server accepts.
func noLogin(user locator.Optional, refusal error) error {
	if refusal != nil {
		return refusal
	}
	what := "no login"
	if name, ok := user.Get(); ok {
		what = "no password for user " + quoted(name)
	}
	return hint.Fail(hint.Login, scheme.CodeLoginNeeded, "the mail server requires a login, and %s is known", what)
}

// authenticate sends one login.
func (s *session) authenticate(mechanism, user, password string) error {
	for what, text := range map[string]string{"user name": user, "password": password} {
		if err := wire.Check(what, text, ""); err != nil {
			return refused(err)
		}
	}
	var client sasl.Client = &loginClient{user: user, password: password}
	if mechanism == sasl.Plain {
		client = sasl.NewPlainClient("", user, password)
	}
	s.conn.isAuth = true
	defer func() { s.conn.isAuth = false }()
	if err := s.Auth(client); err != nil {
		return failed(atLogin, err)
	}
	return nil
}

// loginClient is a client for the mechanism LOGIN, which no RFC defines: the server asks for the
// user name and then for the password.
//
// QUIRK: servers differ in the words by which they ask. aiosmtpd 1.4.3 asks for "User Name\x00" and
// "Password\x00", others for "Username:" and "Password:"; the client of package sasl knows the
// latter only.
type loginClient struct {
	user, password string
	asked          int
}

// Start implements sasl.Client.
func (c *loginClient) Start() (mechanism string, initial []byte, err error) {
	return sasl.Login, nil, nil
}

// Next implements sasl.Client.
func (c *loginClient) Next(challenge []byte) ([]byte, error) {
	c.asked++
	switch {
	case c.asked == 1 && !strings.HasPrefix(strings.ToLower(string(challenge)), "pass"):
		return []byte(c.user), nil
	case c.asked <= 2:
		return []byte(c.password), nil
	}
	return nil, scheme.Fail(scheme.CodeProtocol, "the mail server asks for more than a user name and a password")
}
