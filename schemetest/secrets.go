package schemetest

import (
	"context"
	"errors"
	"strings"

	"locator"
	"locator/client"
	"locator/scheme"
)

// The default login of Harness.Login, and a password that no server accepts.
const (
	loginUser     = "alice"
	loginPassword = "s3cret-pw"
	wrongPassword = "wr0ng-s3cret"
)

// checkSecrets logs in with right and wrong passwords, from the URL and from a LoginFunc, and to
// servers with faults. Then it searches for the passwords in all texts.
//
// Covers: P3
func checkSecrets(s *stage) {
	u := s.h.Login(s.server)
	bare := u
	if _, inURL := u.User(); inURL { // http URLs have no user (RFC 1738 3.3)
		bare = s.loginByURL(u)
	}
	source := func(password string) scheme.LoginFunc {
		return func(_ context.Context, l scheme.LoginRequest) (string, string, bool, error) {
			s.journal.print(l)
			return loginUser, password, l.Attempt == 0, nil
		}
	}
	if t := s.login(bare, source(s.h.password())); t.err != nil {
		s.Errorf("with the right password from a source of logins: %v", t.err)
	}
	s.wrong("with a wrong password from a source of logins", s.login(bare, source(wrongPassword)).err)

	if e, ok := s.h.Scheme.(scheme.Explainer); ok {
		steps, err := e.Steps(u)
		s.journal.print(steps)
		s.journal.note(err)
	}
	for _, f := range s.h.Faults {
		if f == Drip || f == EndlessList {
			continue // they succeed or end at a limit, with no further texts
		}
		s.server.Misbehave(f)
		s.login(u, source(s.h.password()), func(o *client.Options) { o.Limits.Idle = s.times.idle })
	}
	for _, secret := range []string{s.h.password(), wrongPassword} {
		for _, text := range s.journal.holding(loginUser, secret) {
			s.Errorf("a password is in %q", strings.ReplaceAll(text, secret, "(password)"))
		}
	}
}

// loginByURL logs in with the URL only, and returns the URL without its password.
func (s *stage) loginByURL(u locator.URL) locator.URL {
	s.Helper()
	text, password := u.Text(), s.h.password()
	if user, _ := u.User(); user != loginUser || !strings.Contains(text, ":"+password+"@") {
		s.Fatalf("Harness.Login is %s, which has not the login %s and its password", u.Redacted(), loginUser)
	}
	s.recordURL(u)
	if t := s.login(u, nil); t.err != nil {
		s.Errorf("with the right password: %v", t.err)
	}
	s.wrong("with a wrong password in the URL", s.login(s.parse(strings.Replace(text, password, wrongPassword, 1)), nil).err)
	return s.parse(strings.Replace(text, ":"+password, "", 1))
}

func (s *stage) parse(text string) locator.URL {
	s.Helper()
	u, err := locator.Current.Parse(text)
	if err != nil {
		s.Fatalf("Harness.Login without its password, or with another, is no URL: %v", err)
	}
	return u
}

// login accesses u with a new client and records the result.
func (s *stage) login(u locator.URL, source scheme.LoginFunc, change ...func(*client.Options)) taken {
	s.Helper()
	c := s.client(append(change, func(o *client.Options) {
		o.Logins = nil
		if source != nil {
			o.Logins = []scheme.LoginFunc{source}
		}
	})...)
	t := s.take(s.ctx, c, scheme.Request{URL: u})
	if t.res != nil {
		s.recordURL(t.res.URL)
		s.journal.print(t.res)
		s.journal.print(*t.res)
		for _, e := range t.entries {
			s.recordURL(e.URL)
			s.journal.print(e)
		}
	}
	if t.err != nil {
		s.journal.print(t.err)
		for err := t.err; err != nil; err = errors.Unwrap(err) {
			s.journal.note(err)
		}
	}
	return t
}

// recordURL records a URL as printed by everything except Text, which is for the wire.
func (s *stage) recordURL(u locator.URL) {
	s.journal.print(u)
	s.journal.print(&u)
	s.journal.print(struct{ U locator.URL }{u})
	s.journal.print(u.Redacted())
	s.journal.print(u.String())
}

func (s *stage) wrong(what string, err error) {
	s.Helper()
	s.code(what, err, scheme.CodeLoginNeeded)
}
