package dialogue

import (
	"context"
	"errors"

	"locator"
	"locator/scheme"
	"locator/wire"
)

// attempts bounds how many logins a server gets.
const attempts = 3

// Logins are the logins to try at a server: that of the URL or of the configured server, else those
// that the client knows, which may ask the user.
type Logins struct {
	scheme.LoginRequest // for the client. User is that of the URL or of the configured server, and then the last one that was tried.

	Password locator.Optional // that of the URL or of the configured server, and then the last one that was tried
	own      bool             // user and password were set at the beginning
}

// Next returns the next login. ok is false if none is known, or if the client has nothing but the
// one that was refused. In the mode [scheme.TLSTry], Next warns before a login goes over a
// connection without TLS.
func (l *Logins) Next(ctx context.Context, env *scheme.Env) (user, password string, ok bool, err error) {
	switch {
	case l.Attempt == 0 && l.User.IsSet() && l.Password.IsSet():
		l.own = true
	case l.own || l.Attempt == attempts:
		return "", "", false, nil
	default:
		name, secret, ok, err := env.Login(ctx, l.LoginRequest)
		if errors.Is(err, scheme.ErrNeedPassword) && !l.User.IsSet() {
			l.User = locator.Some(name)
			_, secret, ok, err = env.Login(ctx, l.LoginRequest)
		}
		if err != nil || !ok || l.Attempt > 0 && l.Password == locator.Some(secret) {
			return "", "", false, err
		}
		if !l.User.IsSet() {
			l.User = locator.Some(name)
		}
		l.Password = locator.Some(secret)
	}
	if l.Attempt == 0 && !l.Secure && env.TLSMode == scheme.TLSTry {
		WarnClear(env, l.Host)
	}
	l.Attempt++
	return l.User.Or(""), l.Password.Or(""), true, nil
}

// WarnClear warns that a password goes over a connection without TLS.
func WarnClear(env *scheme.Env, host string) {
	env.Trace.OnWarning(wire.Escape(host) + " offers no TLS; the password is sent unencrypted")
}
