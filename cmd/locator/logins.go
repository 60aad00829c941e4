package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"golang.org/x/term"

	"locator/client"
	"locator/scheme"
)

var errNoCertificate = errors.New("no certificate in it")

// logins are the sources of logins in their order: --user, netrc when asked for, the user of the configuration, a prompt
// on a terminal. The URL's own login comes before them all.
func (a *app) logins() ([]scheme.LoginFunc, error) {
	f := &a.flags
	var sources []scheme.LoginFunc
	if f.passwordFile != "" && f.user == "" {
		return nil, scheme.Fail(scheme.CodeUsage, "--password-file goes with --user")
	}
	if f.user != "" {
		if f.passwordFile != "" {
			password, err := firstLine(f.passwordFile)
			if err != nil {
				return nil, scheme.Fail(scheme.CodeLocal, "--password-file: %w", err)
			}
			sources = append(sources, client.FixedLogin(f.user, password))
		} else {
			sources = append(sources, a.userLogin(f.user))
		}
	}
	if f.netrcFile != "" {
		sources = append(sources, client.Netrc(f.netrcFile, false))
	} else if f.netrc {
		home, err := os.UserHomeDir()
		if err != nil {
			return nil, scheme.Fail(scheme.CodeLocal, "--netrc: %w", err)
		}
		sources = append(sources, client.Netrc(filepath.Join(home, ".netrc"), true))
	}
	if f.configuredUser && len(sources) == 2 {
		sources[0], sources[1] = sources[1], sources[0]
	}
	return append(sources, a.prompt), nil
}

// maxPassword bounds a password file's first line.
const maxPassword = 4 << 10

func firstLine(file string) (string, error) {
	h, err := os.Open(file)
	if err != nil {
		return "", err
	}
	defer h.Close()
	line, err := bufio.NewReader(io.LimitReader(h, maxPassword)).ReadString('\n')
	if err != nil && err != io.EOF {
		return "", err
	}
	return strings.TrimRight(line, "\r\n"), nil
}

// userLogin is --user without a file: the password is asked for once for each server, when it first asks. What was said
// for one server is not sent to another.
func (a *app) userLogin(user string) scheme.LoginFunc {
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
			if got.password, got.ok, err = a.ask(ctx, fmt.Sprintf("Password of %s at %s: ", user, l.Host), true); err != nil {
				return "", "", false, err
			}
			answers[server] = got
		}
		return user, got.password, got.ok, nil
	}
}

// prompt asks a person, three times at most.
func (a *app) prompt(ctx context.Context, l scheme.LoginRequest) (string, string, bool, error) {
	if l.NonInteractive || l.Attempt > 2 {
		return "", "", false, nil
	}
	at := l.Host
	if l.Realm != "" {
		at += " (" + l.Realm + ")"
	}
	user, named := l.User.Get()
	if !named {
		var ok bool
		var err error
		if user, ok, err = a.ask(ctx, "User at "+at+": ", false); !ok || err != nil {
			return "", "", false, err
		}
	}
	what := "Password"
	if l.Account {
		what = "Account"
	}
	password, ok, err := a.ask(ctx, fmt.Sprintf("%s of %s at %s: ", what, user, at), true)
	return user, password, ok, err
}

// ask asks on the terminal that controls the program; ok is false where there is none. The context ends the question: a
// read of a terminal cannot be called back, so it is left behind.
func (a *app) ask(ctx context.Context, question string, secret bool) (answer string, ok bool, err error) {
	tty, err := openTerminal()
	if err != nil {
		return "", false, nil // nobody there to ask
	}
	defer tty.Close()
	a.errMu.Lock() // no other message in the middle of a question
	defer a.errMu.Unlock()
	before, err := term.GetState(int(tty.Fd()))
	if err != nil {
		return "", false, err
	}
	fmt.Fprint(tty, safe(question))
	type reply struct {
		text string
		err  error
	}
	replied := make(chan reply, 1)
	go func() {
		if secret {
			b, err := term.ReadPassword(int(tty.Fd()))
			replied <- reply{string(b), err}
			return
		}
		line, err := bufio.NewReader(io.LimitReader(tty, maxPassword)).ReadString('\n')
		replied <- reply{strings.TrimRight(line, "\r\n"), err}
	}()
	select {
	case r := <-replied:
		if secret {
			fmt.Fprintln(tty)
		}
		return r.text, r.err == nil, r.err
	case <-ctx.Done():
		_ = term.Restore(int(tty.Fd()), before) // it may hide what is typed
		fmt.Fprintln(tty)
		return "", false, ctx.Err()
	}
}
