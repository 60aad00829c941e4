package client

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"strconv"

	"locator"
	"locator/internal/hostaddr"
	"locator/internal/netrc"
	"locator/internal/symlink"
	"locator/scheme"
)

// login implements Env.Login.
func (op *operation) login(ctx context.Context, l scheme.LoginRequest) (user, password string, ok bool, err error) {
	l.Realm = op.secret.hide(l.Realm)
	user, password, ok, err = op.findLogin(ctx, l)
	op.secret.addLogin(user, password)
	return user, password, ok, err
}

func (op *operation) findLogin(ctx context.Context, l scheme.LoginRequest) (string, string, bool, error) {
	op.logins.Lock()
	defer op.logins.Unlock()
	l.Scheme = cmp.Or(l.Scheme, op.r.URL.Scheme())
	if op.gatewayed {
		// Only logins that are known for the gateway itself: the others are for the server of the
		// URL, which may even want TLS for them.
		if !op.configured(net.JoinHostPort(l.Host, strconv.Itoa(int(l.Port)))) {
			return "", "", false, nil
		}
		l.Foreign, l.SamePort = true, true
		user, password, ok, err := op.firstLogin(ctx, l)
		if err == nil && !ok && l.Attempt == 0 {
			err = scheme.Fail(scheme.CodeLoginNeeded, "the gateway requires a login (realm \"%s\"); write it in the URL of the gateway, or in a netrc file for its host", l.Realm)
		}
		return user, password, ok, err
	}
	other := op.foreign() || !op.isServer(l.Host, l.Port) // than the server that the user named
	l.Foreign = other && !op.configured(net.JoinHostPort(l.Host, strconv.Itoa(int(l.Port))))
	l.SamePort = op.samePort(l)
	// A redirect to the same server loses the login of the original URL, which was meant for that
	// server and no other.
	if op.hop.Kind != scheme.HopDirect && !other && !l.Account && l.Attempt == 0 {
		user, ok := op.origin.User()
		if password, has := op.origin.Password(); ok && has {
			return locator.Decode(user), locator.Decode(password), true, nil
		}
	}
	return op.firstLogin(ctx, l)
}

// firstLogin returns the first login that a source of the principal has.
func (op *operation) firstLogin(ctx context.Context, l scheme.LoginRequest) (string, string, bool, error) {
	if !op.c.usesLogins {
		return "", "", false, nil
	}
	for _, source := range op.r.Principal.Logins {
		user, password, ok, err := source(ctx, l)
		if errors.Is(err, scheme.ErrNeedPassword) {
			return user, "", true, err
		}
		if err != nil {
			var e *scheme.Error
			if !errors.As(err, &e) && ctx.Err() == nil {
				err = scheme.Fail(scheme.CodeLocal, "cannot get a login: %w", err)
			}
			return "", "", false, err
		}
		if ok {
			return user, password, true, nil
		}
	}
	return "", "", false, nil
}

// samePort reports whether scheme and port of l are those of the URL that the user named. It is
// false if that URL is not known: [scheme.Request].From has the last hop only.
func (op *operation) samePort(l scheme.LoginRequest) bool {
	if len(op.via) > 0 && op.via[0].Foreign {
		return false
	}
	return l.Scheme == op.origin.Scheme() && cmp.Or(l.Port, portOf(op.r.URL)) == portOf(op.origin)
}

// isServer reports whether host and port are those of the operation's URL. A zero value stands for
// that of the URL.
func (op *operation) isServer(host string, port uint16) bool {
	u := op.r.URL
	return (host == "" || hostaddr.Same(host, u.Host()) || hostaddr.Same(host, u.ASCIIHost())) && (port == 0 || port == portOf(u))
}

// Netrc returns a LoginFunc that finds logins in a .netrc file. It reads the file at each call. If
// optional is true, a missing file has no logins; otherwise it is an error. The default entry is
// used only for hosts that the user named. The entry of another host, to which a server led, is
// used only if [scheme.LoginRequest.AllowsHostLogin].
func Netrc(file string, optional bool) scheme.LoginFunc {
	return func(_ context.Context, l scheme.LoginRequest) (string, string, bool, error) {
		if l.Attempt > 0 || !l.AllowsHostLogin() { // after an attempt, the server refused it, and the file has no other
			return "", "", false, nil
		}
		text, err := readNetrc(file)
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
		if !ok || m.Default && l.Foreign { // the default login is only for hosts that the user named
			return "", "", false, nil
		}
		if l.Account {
			return m.Login, m.Account, m.Account != "", nil
		}
		return m.Login, m.Password, true, nil
	}
}

// maxNetrc is the largest netrc file, in bytes.
const maxNetrc = 1 << 20

// readNetrc reads a netrc file, but not through a link that another user may have planted.
func readNetrc(file string) ([]byte, error) {
	h, err := symlink.Open(file)
	if err != nil {
		return nil, err
	}
	defer h.Close()
	text, err := io.ReadAll(io.LimitReader(h, maxNetrc+1))
	if len(text) > maxNetrc {
		return nil, fmt.Errorf("%s is larger than %d bytes", file, maxNetrc)
	}
	return text, err
}

// FixedLogin returns a LoginFunc with one login for the URLs that the user named. It is never sent
// to a host that a server named.
func FixedLogin(user, password string) scheme.LoginFunc {
	return func(_ context.Context, l scheme.LoginRequest) (string, string, bool, error) {
		if u, named := l.User.Get(); l.Foreign || l.Account || l.Attempt > 0 || named && u != user {
			return "", "", false, nil
		}
		return user, password, true, nil
	}
}
