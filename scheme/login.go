package scheme

import (
	"context"
	"errors"

	"locator"
)

// Principal is a user of a client. Each principal has its own connection pool and cache: a
// connection opened for one is never reused for another.
type Principal struct {
	// ID identifies the principal. It must not be empty, and must be unique in a client.
	ID string
	// Logins are called in order, only when a server requires a login.
	Logins []LoginFunc
}

// LoginFunc returns the login for a server. ok is false if it has none. An error ends the
// operation.
type LoginFunc func(ctx context.Context, l LoginRequest) (user, password string, ok bool, err error)

// ErrNeedPassword is returned with a user whose password is not yet known. If the server requires
// the password, call again with User set and NonInteractive false.
var ErrNeedPassword = errors.New("password required")

// ErrDenied is matched by the error of a change whose refusal by the server says that it is not
// allowed, and not that, for example, a directory is not empty.
var ErrDenied = errors.New("not allowed")

// LoginRequest describes the server that requires a login.
type LoginRequest struct {
	Scheme string // name of the protocol; if "", the client sets that of the URL
	Host   string
	Port   uint16
	User   locator.Optional // user name, if known
	Realm  string           // the server's description, escaped for a terminal
	// Attempt counts the attempts from 0. A login that was refused is not tried again.
	Attempt int
	// NonInteractive forbids prompting the user, since an anonymous login is possible as well. A
	// source that knows the user but not the password returns the user and ErrNeedPassword.
	NonInteractive bool
	// Account requests an account (RFC 959 4.1.1) instead of a password.
	Account bool
	Secure  bool // the password will be sent over TLS
	// Foreign reports that another server led to this host. A login meant for another host must not
	// be sent to it. It is false for a configured server.
	Foreign bool
	// SamePort reports, if Foreign is true, that scheme and port are those of the URL that the user
	// named.
	SamePort bool
}

// AllowsHostLogin reports whether a login that is known for Host, whatever the scheme and port, may
// be used. After a hop to another server that takes TLS, or the scheme and port of the URL that the
// user named: otherwise a server could choose another service of the host, or one in clear text, to
// which the password is sent.
func (l LoginRequest) AllowsHostLogin() bool { return !l.Foreign || l.Secure || l.SamePort }
