package nntp_test

import (
	"context"
	"crypto/tls"
	"net"
	"slices"
	"strings"
	"syscall"
	"testing"

	"locator"
	"locator/client"
	"locator/scheme"
	"locator/scheme/nntp/nntptest"
	"locator/schemetest/peer"
)

// A server that has closed a kept connection is asked again on another one.
//
// Covers: A9
func TestDroppedConnection(t *testing.T) {
	t.Parallel()
	s := start(t, numbered(1)...)
	c := newClient(t)
	for range 3 {
		if _, err := get(t, c, s.GroupURL("g.test", 1)); err != nil {
			t.Fatal(err)
		}
		s.Drop()
	}
}

// Covers: A9, S11
func TestServersInOrder(t *testing.T) {
	t.Parallel()
	first, second := start(t, numbered(1)...), start(t, nntptest.Article("g.other", text("only@b.example", "s", "text\r\n")))
	gone := start(t) // refused by the dial: another test may get the port of a server that is closed
	servers := func(list ...*nntptest.Server) func(*client.Options) {
		return func(o *client.Options) {
			o.Dial = func(ctx context.Context, network, addr string) (net.Conn, error) {
				if addr == gone.Addr() {
					return nil, &net.OpError{Op: "dial", Net: network, Err: syscall.ECONNREFUSED}
				}
				return new(net.Dialer).DialContext(ctx, network, addr)
			}
			o.Servers = map[string][]locator.URL{}
			for _, s := range list {
				o.Servers["news"] = append(o.Servers["news"], s.ServerURL())
			}
		}
	}
	u := locator.MustParse("news:only@b.example")
	for _, list := range [][]*nntptest.Server{{second}, {first, second}, {gone, second}, {gone, first, second}} {
		if got, err := get(t, newClient(t, servers(list...)), u); err != nil || !strings.Contains(got, "only@b.example") {
			t.Errorf("%.40q, %v", got, err)
		}
	}
	var notes []string
	hear := func(o *client.Options) {
		o.Trace = &scheme.Trace{Note: func(text string) { notes = append(notes, text) }}
	}
	_, err := get(t, newClient(t, servers(first, gone, second), hear), u)
	if text := strings.Join(notes, "\n"); err != nil || !strings.Contains(text, first.Addr()+": does not have it; trying "+gone.Addr()) ||
		!strings.Contains(text, gone.Addr()+": ") || strings.Contains(text, gone.Addr()+": does not have it") {
		t.Errorf("notes %q, %v", notes, err)
	}
	_, err = get(t, newClient(t, servers(first, second)), locator.MustParse("news:none@b.example"))
	wantCode(t, err, scheme.CodeNotFound)
	_, err = get(t, newClient(t, servers(first, gone)), locator.MustParse("news:none@b.example"))
	wantCode(t, err, scheme.CodeUnreachable) // it may be there
	_, err = get(t, newClient(t), u)
	wantCode(t, err, scheme.CodeLocal, "[Servers=news]")
}

// Covers: A9, P3
func TestLogins(t *testing.T) {
	t.Parallel()
	cert, err := peer.Certify()
	if err != nil {
		t.Fatal(err)
	}
	alice := func(o *client.Options) {
		o.Logins = []scheme.LoginFunc{client.FixedLogin(nntptest.Alice, nntptest.Password)}
	}
	mode := func(m scheme.TLSMode) func(*client.Options) {
		return func(o *client.Options) { o.TLSMode, o.TLS = m, &tls.Config{RootCAs: cert.Roots()} }
	}
	offers, only := nntptest.TLS(cert.Config()), nntptest.OnlyTLS(cert.Config())
	for name, c := range map[string]struct {
		server []nntptest.Option
		client []func(*client.Options)
		code   scheme.Code
		sends  string // a line that the server must see
		never  string // the begin of a line that it must not see
	}{
		"480, TLS offered":            {[]nntptest.Option{nntptest.Login(), offers}, []func(*client.Options){alice, mode(scheme.TLSAuto)}, scheme.CodeOK, "STARTTLS", ""},
		"480, no TLS":                 {[]nntptest.Option{nntptest.Login()}, []func(*client.Options){alice}, scheme.CodeLoginNeeded, "", "AUTHINFO"},
		"480, no TLS, allowed by try": {[]nntptest.Option{nntptest.Login()}, []func(*client.Options){alice, mode(scheme.TLSTry)}, scheme.CodeOK, "AUTHINFO USER alice", "STARTTLS"},
		"480, TLS off":                {[]nntptest.Option{nntptest.Login(), offers}, []func(*client.Options){alice, mode(scheme.TLSOff)}, scheme.CodeOK, "AUTHINFO USER alice", "STARTTLS"},
		"480, no login known":         {[]nntptest.Option{nntptest.Login(), offers}, []func(*client.Options){mode(scheme.TLSAuto)}, scheme.CodeLoginNeeded, "", "AUTHINFO"},
		"SASL":                        {[]nntptest.Option{nntptest.Login(), nntptest.SASL(), offers}, []func(*client.Options){alice, mode(scheme.TLSAuto)}, scheme.CodeOK, "STARTTLS", "AUTHINFO USER"},
		"483":                         {[]nntptest.Option{only}, []func(*client.Options){mode(scheme.TLSAuto)}, scheme.CodeOK, "STARTTLS", ""},
		"483, TLS off":                {[]nntptest.Option{only}, []func(*client.Options){mode(scheme.TLSOff)}, scheme.CodeLoginNeeded, "", "STARTTLS"},
		"483, then 480":               {[]nntptest.Option{only, nntptest.Login()}, []func(*client.Options){alice, mode(scheme.TLSAuto)}, scheme.CodeOK, "STARTTLS", ""},
		"TLS required":                {nil, []func(*client.Options){mode(scheme.TLSRequire)}, scheme.CodeUnsupported, "", "GROUP"},
		"TLS required and offered":    {[]nntptest.Option{offers, nntptest.ModeReader()}, []func(*client.Options){mode(scheme.TLSRequire)}, scheme.CodeOK, "STARTTLS", ""},
		"a certificate not trusted":   {[]nntptest.Option{offers}, []func(*client.Options){func(o *client.Options) { o.TLSMode = scheme.TLSRequire }}, scheme.CodeUntrusted, "", "GROUP"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := start(t, append(numbered(2), c.server...)...)
			cl := newClient(t, c.client...)
			_, err := get(t, cl, s.GroupURL("g.test", 1))
			wantCode(t, err, c.code)
			if _, err := names(t, cl, s.GroupURL("g.test", 0), scheme.ListOptions{}); client.CodeOf(err) != c.code {
				t.Errorf("list: %v", err)
			}
			if _, err := names(t, cl, groupsOf(s), scheme.ListOptions{}); client.CodeOf(err) != c.code {
				t.Errorf("list of groups: %v", err)
			}
			lines := s.Lines()
			if c.sends != "" && !slices.Contains(lines, c.sends) {
				t.Errorf("%q was not sent: %q", c.sends, lines)
			}
			if c.never != "" && slices.ContainsFunc(lines, func(l string) bool { return strings.HasPrefix(l, c.never) }) {
				t.Errorf("%s was sent: %q", c.never, lines)
			}
		})
	}
}

// Some servers ask for a login only when articles are listed or read.
//
// Covers: A9
func TestLateLogin(t *testing.T) {
	t.Parallel()
	alice := func(o *client.Options) {
		o.TLSMode, o.Logins = scheme.TLSOff, []scheme.LoginFunc{client.FixedLogin(nntptest.Alice, nntptest.Password)}
	}
	for name, options := range map[string][]nntptest.Option{
		"OVER":  {nntptest.LoginFor("OVER")},
		"XOVER": {nntptest.Old(), nntptest.LoginFor("XOVER")},
		"HEAD":  {nntptest.Without("OVER", "XOVER"), nntptest.LoginFor("HEAD")},
		"many":  {nntptest.LoginFor("OVER"), nntptest.Sparse(1000)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := start(t, append(numbered(3), options...)...)
			for _, o := range []scheme.ListOptions{{}, {Newest: true, Max: 2}} {
				if got, err := names(t, newClient(t, alice), s.GroupURL("g.test", 0), o); err != nil || len(got) < 2 {
					t.Errorf("%q, %v", got, err)
				}
			}
			_, err := names(t, newClient(t), s.GroupURL("g.test", 0), scheme.ListOptions{})
			wantCode(t, err, scheme.CodeLoginNeeded)
		})
	}
	s := start(t, append(numbered(3), nntptest.LoginFor("ARTICLE", "LIST"))...)
	if _, err := get(t, newClient(t, alice), s.GroupURL("g.test", 2)); err != nil {
		t.Error(err)
	}
	if _, err := names(t, newClient(t, alice), groupsOf(s), scheme.ListOptions{}); err != nil {
		t.Error(err)
	}
}

// A listing that nobody reads leaves nothing behind.
//
// Covers: P6
func TestUnreadListing(t *testing.T) {
	t.Parallel()
	s := start(t, numbered(3)...)
	c := newClient(t)
	for range 3 {
		res, err := c.Access(t.Context(), scheme.Request{URL: s.GroupURL("g.test", 0)}, nil)
		if err != nil || res.Kind != scheme.KindListing {
			t.Fatal(err)
		}
		res.Close()
		for range res.Entries {
			t.Error("an entry of a closed listing")
		}
	}
}

// A login can change what a server says that it can do.
//
// Covers: A9
func TestCapabilitiesAfterLogin(t *testing.T) {
	t.Parallel()
	s := start(t, append(numbered(2), nntptest.Login())...)
	c := newClient(t, func(o *client.Options) {
		o.TLSMode, o.Logins = scheme.TLSOff, []scheme.LoginFunc{client.FixedLogin(nntptest.Alice, nntptest.Password)}
	})
	if got, err := names(t, c, s.GroupURL("g.test", 0), scheme.ListOptions{}); err != nil || len(got) != 2 {
		t.Errorf("%q, %v", got, err)
	}
	if lines := s.Lines(); !slices.Contains(lines, "OVER 1-2") || slices.Contains(lines, "XOVER 1-2") {
		t.Errorf("sent %q", lines)
	}
}

// A server that the policy refuses is passed over like one that is gone.
//
// Covers: A9, P2
func TestRefusedServer(t *testing.T) {
	t.Parallel()
	second := start(t, nntptest.Article("g.other", text("only@b.example", "s", "text\r\n")))
	refused := locator.Current.MustParse("news://127.0.0.1:25/*")
	c := newClient(t, func(o *client.Options) {
		o.Servers = map[string][]locator.URL{"news": {refused, second.ServerURL()}}
	})
	if got, err := get(t, c, locator.MustParse("news:only@b.example")); err != nil || !strings.Contains(got, "only@b.example") {
		t.Errorf("%.40q, %v", got, err)
	}
	alone := newClient(t, func(o *client.Options) { o.Servers = map[string][]locator.URL{"news": {refused}} })
	if _, err := get(t, alone, locator.MustParse("news:only@b.example")); client.CodeOf(err) != scheme.CodeRefused {
		t.Errorf("a refused server alone: %v", err)
	}
}
