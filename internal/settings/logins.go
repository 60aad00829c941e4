package settings

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"locator"
	"locator/client"
	"locator/internal/console"
	"locator/internal/symlink"
	"locator/scheme"
)

var errNoCertificate = errors.New("file contains no certificate")

// logins returns the sources of logins in the order in which they are asked: --user, netrc, the
// logins by host and the user of the configuration file, a prompt on the terminal. A login in the
// URL comes before them all. Without --user, --password-file is for the user in the URL of one of
// servers, those of --smtp and --news-server.
func (f *Settings) logins(servers map[string][]locator.URL) ([]scheme.LoginFunc, error) {
	var sources []scheme.LoginFunc
	if f.passwordFile != "" && f.User == "" {
		u, ok := serverWithUser(servers)
		if !ok {
			return nil, scheme.Fail(scheme.CodeUsage, "--password-file needs --user, or a user in the URL of --smtp or --news-server")
		}
		password, err := f.readPassword(f.passwordFile)
		if err != nil {
			return nil, scheme.Fail(scheme.CodeLocal, "--password-file: %w", err)
		}
		sources = append(sources, serverLogin(u, password))
	}
	if user, password, both := strings.Cut(f.User, ":"); both {
		if f.passwordFile != "" {
			return nil, scheme.Fail(scheme.CodeUsage, "--user has a password already; leave out --password-file")
		}
		if !f.Quiet {
			f.Warn("warning: the password in --user can be seen by other users of this computer; use --password-file")
		}
		sources = append(sources, client.FixedLogin(user, password))
	} else if f.User != "" {
		if f.passwordFile != "" {
			password, err := f.readPassword(f.passwordFile)
			if err != nil {
				return nil, scheme.Fail(scheme.CodeLocal, "--password-file: %w", err)
			}
			sources = append(sources, client.FixedLogin(f.User, password))
		} else {
			sources = append(sources, f.userLogin(f.User))
		}
	}
	if f.netrcFile != "" {
		sources = append(sources, f.netrcFileLogin(f.netrcFile, false))
	} else if f.netrc {
		home, err := os.UserHomeDir()
		if err != nil {
			return nil, scheme.Fail(scheme.CodeLocal, "--netrc: %w", err)
		}
		sources = append(sources, f.netrcFileLogin(filepath.Join(home, ".netrc"), true))
	}
	sources = append(sources, f.hostLogin())
	if f.configuredUser { // the others are for one host
		sources = append(sources[1:], sources[0])
	}
	return append(sources, f.prompt), nil
}

// serverWithUser returns the server that names a user. ok is false if none does, or several do: a
// password is for one server.
func serverWithUser(servers map[string][]locator.URL) (server locator.URL, ok bool) {
	for _, list := range servers {
		for _, u := range list {
			if _, named := u.User(); named && ok && u.Text() != server.Text() {
				return server, false
			} else if named {
				server, ok = u, true
			}
		}
	}
	return server, ok
}

// serverLogin returns the source of the password for the user in the URL of a server, and for no
// other server.
func serverLogin(server locator.URL, password string) scheme.LoginFunc {
	user, _ := server.User()
	login := client.FixedLogin(locator.Decode(user), password)
	host := strings.Trim(server.ASCIIHost(), "[]")
	port, _ := server.PortNumber()
	return func(ctx context.Context, l scheme.LoginRequest) (string, string, bool, error) {
		if !strings.EqualFold(strings.Trim(l.Host, "[]"), host) || l.Port != port || !l.User.IsSet() {
			return "", "", false, nil
		}
		return login(ctx, l)
	}
}

// netrcFileLogin returns the source of a netrc file. It warns once if other users of the computer
// can read the file.
func (f *Settings) netrcFileLogin(file string, optional bool) scheme.LoginFunc {
	logins := client.Netrc(file, optional)
	var warn sync.Once
	return func(ctx context.Context, l scheme.LoginRequest) (string, string, bool, error) {
		warn.Do(func() { f.warnReadable(file) })
		return logins(ctx, l)
	}
}

func firstLine(file string) (string, error) {
	h, err := symlink.Open(file)
	if err != nil {
		return "", err
	}
	defer h.Close()
	line, err := console.ReadLine(h)
	if err == io.EOF {
		err = nil
	}
	return line, err
}

// userLogin returns the source for --user without --password-file. It prompts for the password once
// for each server, when the server first requires it. The password of one server is not sent to
// another.
func (f *Settings) userLogin(user string) scheme.LoginFunc {
	type answer struct {
		password string
		ok       bool
	}
	var mu sync.Mutex
	answers := make(map[string]answer)
	return func(ctx context.Context, l scheme.LoginRequest) (string, string, bool, error) {
		if u, named := l.User.Get(); l.Foreign || l.Account || l.Attempt > 0 || named && u != user {
			return "", "", false, nil
		}
		if l.NonInteractive {
			return user, "", true, scheme.ErrNeedPassword
		}
		mu.Lock()
		defer mu.Unlock()
		server := fmt.Sprintf("%s://%s:%d", l.Scheme, strings.ToLower(l.Host), l.Port)
		got, asked := answers[server]
		if !asked {
			var err error
			if got.password, got.ok, err = f.Ask(ctx, fmt.Sprintf("Password for %s at %s: ", user, l.Host), true); err != nil {
				return "", "", false, err
			}
			answers[server] = got
		}
		return user, got.password, got.ok, nil
	}
}

// prompt asks for a login at the terminal, at most three times.
func (f *Settings) prompt(ctx context.Context, l scheme.LoginRequest) (string, string, bool, error) {
	if l.NonInteractive || l.Attempt > 2 {
		return "", "", false, nil
	}
	refused := ""
	if l.Attempt > 0 {
		refused = "Login refused. "
	}
	at := l.Host
	if l.Realm != "" {
		at += " (" + l.Realm + ")"
	}
	user, named := l.User.Get()
	if !named {
		var ok bool
		var err error
		if user, ok, err = f.Ask(ctx, refused+"User at "+at+": ", false); !ok || err != nil {
			return "", "", false, err
		}
		refused = "" // it has been said
	}
	what := "Password"
	if l.Account {
		what = "Account"
	}
	password, ok, err := f.Ask(ctx, fmt.Sprintf("%s%s for %s at %s: ", refused, what, user, at), true)
	return user, password, ok, err
}
