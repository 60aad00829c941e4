package scheme

import (
	"context"
	"errors"

	"locator"
)

// Principal is a user of a client. Pools and caches are kept apart by principal: what was opened with the logins of one
// is never reused for another.
type Principal struct {
	// ID tells principals apart. It must not be empty, and two principals of one client must not share one.
	ID string
	// Logins are asked in order, and only when a server asks.
	Logins []LoginFunc
}

// LoginFunc is a source of logins. ok is false where it knows none. An error ends the operation.
type LoginFunc func(ctx context.Context, l LoginRequest) (user, password string, ok bool, err error)

// ErrNeedPassword comes with a user whose password is not known yet. Ask again with User set when the server wants it.
var ErrNeedPassword = errors.New("the password has to be asked for")

// LoginRequest says which server asks for a login.
type LoginRequest struct {
	Scheme string // the name of the protocol; the client fills in that of the URL where it is ""
	Host   string
	Port   uint16
	User   locator.Optional // from the URL, or known otherwise
	Realm  string           // what the server says it is for, escaped for a terminal
	// Attempt counts from 0. A login that was refused is not tried twice.
	Attempt int
	// NonInteractive asks only sources that need no person, for a login that may as well be anonymous. A source that knows
	// the user but not the password answers with the user and ErrNeedPassword.
	NonInteractive bool
	// Account asks for an account (RFC 959 4.1.1) instead of a password.
	Account bool
	Secure  bool // the password would be sent over TLS
	// Foreign says that a server led to this host: a login meant for another host must not be used here. It is false for a
	// configured server.
	Foreign bool
}
