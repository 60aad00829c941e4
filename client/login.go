package client

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"net"
	"os"
	"strconv"

	"locator"
	"locator/internal/netrc"
	"locator/scheme"
)

// login is Env.Login: the first source that knows something.
func (op *operation) login(ctx context.Context, l scheme.LoginRequest) (string, string, bool, error) {
	op.logins.Lock()
	defer op.logins.Unlock()
	l.Scheme = cmp.Or(l.Scheme, op.r.URL.Scheme())
	l.Foreign = op.foreign() && !op.configured(net.JoinHostPort(l.Host, strconv.Itoa(int(l.Port))))
	// A redirect on one server drops the login that the person gave in the first URL: it is meant for this server.
	if op.hop.Kind != scheme.HopDirect && !l.Foreign && !l.Account && l.Attempt == 0 {
		user, ok := op.first.User()
		if password, has := op.first.Password(); ok && has {
			return locator.Decode(user), locator.Decode(password), true, nil
		}
	}
	for _, source := range op.r.Principal.Logins {
		user, password, ok, err := source(ctx, l)
		if errors.Is(err, scheme.ErrNeedPassword) {
			return user, "", true, err
		}
		if err != nil {
			var e *scheme.Error
			if !errors.As(err, &e) && ctx.Err() == nil {
				err = scheme.Fail(scheme.CodeLocal, "asking for a login: %w", err)
			}
			return "", "", false, err
		}
		if ok {
			return user, password, true, nil
		}
	}
	return "", "", false, nil
}

// Netrc reads logins from a file in the format of ftp's .netrc. The file is read at the first question; a missing one
// knows nothing when optional.
func Netrc(file string, optional bool) scheme.LoginFunc {
	return func(_ context.Context, l scheme.LoginRequest) (string, string, bool, error) {
		if l.Attempt > 0 { // it was refused: the file knows no other
			return "", "", false, nil
		}
		text, err := os.ReadFile(file)
		if optional && errors.Is(err, fs.ErrNotExist) {
			return "", "", false, nil
		}
		if err != nil {
			return "", "", false, scheme.Fail(scheme.CodeLocal, "netrc: %w", err)
		}
		machines, err := netrc.Parse(string(text))
		if err != nil {
			return "", "", false, scheme.Fail(scheme.CodeLocal, "netrc %s: %w", file, err)
		}
		user, named := l.User.Get()
		m, ok := netrc.Find(machines, l.Host, user, named)
		if !ok || m.Default && l.Foreign { // the default login is for hosts that a person named
			return "", "", false, nil
		}
		if l.Account {
			return m.Login, m.Account, m.Account != "", nil
		}
		return m.Login, m.Password, true, nil
	}
}

// FixedLogin is a login that the person gave for the URLs that they named. It never goes to a host that a peer named.
func FixedLogin(user, password string) scheme.LoginFunc {
	return func(_ context.Context, l scheme.LoginRequest) (string, string, bool, error) {
		if u, named := l.User.Get(); l.Foreign || l.Account || l.Attempt > 0 || named && u != user {
			return "", "", false, nil
		}
		return user, password, true, nil
	}
}
