package ftp_test

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"

	"locator"
	"locator/client"
	"locator/scheme"
	"locator/scheme/ftp/ftptest"
)

// users returns the users that have logged in to a server.
func users(s *ftptest.Server) string {
	var list []string
	for _, l := range s.Lines() {
		if user, ok := strings.CutPrefix(l, "USER "); ok {
			list = append(list, user)
		}
	}
	return strings.Join(list, " ")
}

// TestPrincipals checks that a connection that was logged in for one caller is not used for another, wherever the login
// came from.
//
// Covers: A1, A5, P3, T69
func TestPrincipals(t *testing.T) {
	t.Parallel()
	s := start(t, ftptest.User("net", "rc"), ftptest.User("late", "pw"))
	c := newClient(t, func(o *client.Options) { o.TLSMode = scheme.TLSOff })
	net := client.FixedLogin("net", "rc")
	late := func(_ context.Context, l scheme.LoginRequest) (string, string, bool, error) {
		if l.NonInteractive {
			return "late", "", true, scheme.ErrNeedPassword
		}
		return "late", "pw", true, nil
	}
	alice := &scheme.Principal{ID: "alice", Logins: []scheme.LoginFunc{net}}
	bob := &scheme.Principal{ID: "bob"}
	carol := &scheme.Principal{ID: "carol", Logins: []scheme.LoginFunc{late}}
	for round := range 2 { // in the second round each has its own connection in the pool
		for _, who := range []*scheme.Principal{alice, bob, nil, carol} {
			res, err := c.Access(t.Context(), scheme.Request{URL: s.URL("etc", "motd"), Principal: who}, nil)
			if err != nil {
				t.Fatalf("round %d, %+v: %v", round, who, err)
			}
			drain(t, res)
		}
	}
	if got, want := users(s), "net anonymous anonymous late"; got != want {
		t.Errorf("logins %q, want %q", got, want)
	}
	// Only alice has the password of this user.
	u := locator.MustParse("ftp://net@" + s.Addr() + "/etc/motd")
	res, err := c.Access(t.Context(), scheme.Request{URL: u, Principal: alice}, nil)
	if err != nil {
		t.Fatal(err)
	}
	drain(t, res)
	for _, who := range []*scheme.Principal{bob, nil} {
		if res, err = c.Access(t.Context(), scheme.Request{URL: u, Principal: who}, nil); client.CodeOf(err) != scheme.CodeLoginNeeded {
			t.Errorf("%+v was logged in as another user: %v", who, err)
			if err == nil {
				res.Close()
			}
		}
	}
}

// TestLoginChanges checks that the connection of an old login is not used after the LoginFunc returns another one.
//
// Covers: A5, P3
func TestLoginChanges(t *testing.T) {
	t.Parallel()
	s := start(t, ftptest.User("one", "1"), ftptest.User("two", "2"))
	login := [2]string{"one", "1"}
	c := newClient(t, func(o *client.Options) {
		o.TLSMode = scheme.TLSOff
		o.Logins = []scheme.LoginFunc{func(context.Context, scheme.LoginRequest) (string, string, bool, error) {
			return login[0], login[1], login[0] != "", nil
		}}
	})
	for _, login = range [][2]string{{"one", "1"}, {"two", "2"}, {}, {"one", "1"}} {
		res, err := c.Access(t.Context(), scheme.Request{URL: s.URL("etc", "motd")}, nil)
		if err != nil {
			t.Fatal(err)
		}
		drain(t, res)
	}
	if got, want := users(s), "one two anonymous"; got != want {
		t.Errorf("logins %q, want %q", got, want)
	}
}

// TestListCopy copies a listing as received. The lines that were not understood are notes.
//
// Covers: A4
func TestListCopy(t *testing.T) {
	t.Parallel()
	const listing = "total 2\r\n-r--r--r-- 1 0 0 1 Dec 1 1994 a\r\nwhat \x1b[2J is this?\r\ndrwxr-xr-x 1 0 0 1 Dec 1 1994 d\r\n"
	s := newScripted(t, "< 220 ready\n> USER anonymous\n< 331 mail?\n> PASS locator@\n< 230 in\n> FEAT\n< 500 what?\n> EPSV\n< 229 ok (|||PORT|)\n> LIST\n< 150 here\n"+
		"data send total 2\\x0d\\x0a-r--r--r-- 1 0 0 1 Dec 1 1994 a\\x0d\\x0awhat \\x1b[2J is this?\\x0d\\x0adrwxr-xr-x 1 0 0 1 Dec 1 1994 d\\x0d\\x0a\ndata close\n< 226 sent\n"+
		"> SYST\n< 215 here\n> EPSV\n< 229 ok (|||PORT|)\n> NLST\n< 150 here\ndata send a\\x0d\\x0ad\\x0d\\x0a\ndata close\n< 226 sent\n> QUIT\n")
	c := newClient(t, func(o *client.Options) { o.TLSMode = scheme.TLSOff })
	var copied bytes.Buffer
	var unknown, names []string
	for e, err := range c.List(t.Context(), scheme.Request{URL: locator.MustParse("ftp://" + s.addr + "/")}, &scheme.ListOptions{
		Copy: &copied,
	}) {
		if err != nil {
			t.Fatal(err)
		}
		if e.Kind == scheme.KindNote {
			unknown = append(unknown, e.Name)
		} else {
			names = append(names, e.Name)
		}
	}
	c.Close()
	if copied.String() != listing {
		t.Errorf("copied %q, want %q", copied.String(), listing)
	}
	if !slices.Equal(unknown, []string{"what \x1b[2J is this?"}) || !slices.Equal(names, []string{"a", "d"}) {
		t.Errorf("unknown %q, names %q", unknown, names)
	}
	if err := s.end(); err != nil {
		t.Error(err)
	}
}
