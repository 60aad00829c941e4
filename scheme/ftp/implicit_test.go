package ftp_test

import (
	"context"
	"crypto/tls"
	"slices"
	"strings"
	"testing"
	"time"

	"locator"
	"locator/client"
	"locator/internal/hint"
	"locator/scheme"
	"locator/scheme/ftp"
	"locator/scheme/ftp/ftptest"
	"locator/schemetest"
	"locator/schemetest/peer"
)

// both registers ftp and ftps.
func both(o *client.Options) { o.Registry = scheme.NewRegistry(ftp.New(), ftp.NewTLS()) }

// startImplicit starts a server of ftps. It returns the server and the options of a client that trusts it.
func startImplicit(t *testing.T, opts ...ftptest.Option) (*ftptest.Server, func(*client.Options)) {
	t.Helper()
	cert, err := peer.Certify()
	if err != nil {
		t.Fatal(err)
	}
	return start(t, append(opts, ftptest.ImplicitTLS(cert.Config()))...), func(o *client.Options) {
		both(o)
		o.TLS = &tls.Config{RootCAs: cert.Roots()}
	}
}

// TestConformanceImplicit runs the suite over ftps.
//
// Covers: A1, A2, A4, A5, A15, P2, P3, P5, P6, T21
func TestConformanceImplicit(t *testing.T) {
	cert, err := peer.Certify()
	if err != nil {
		t.Fatal(err)
	}
	h := schemetest.Harness{
		Scheme: ftp.NewTLS(),
		Start: func(t *testing.T) schemetest.Server {
			s, err := ftptest.Start(schemetest.Tree(), ftptest.ImplicitTLS(cert.Config()))
			if err != nil {
				t.Fatal(err)
			}
			return s
		},
		Options: func(_ schemetest.Server, o *client.Options) { o.TLS = &tls.Config{RootCAs: cert.Roots()} },
		Faults: []schemetest.Fault{
			schemetest.Stall, schemetest.StallBody, schemetest.Torn, schemetest.EndlessLine, schemetest.EndlessList,
			schemetest.WrongCode, schemetest.Unavailable, schemetest.Drip,
		},
		Login: func(s schemetest.Server) locator.URL {
			return s.(*ftptest.Server).LoginURL(ftptest.Alice, ftptest.Password, "text.txt")
		},
		Writable: []string{"new file.txt"},
		Text:     true,
	}
	h.Hostile = implicitly(hostile)
	schemetest.Run(t, h)
}

// implicitly changes URLs of ftp into URLs of ftps.
func implicitly(urls []string) (list []string) {
	for _, u := range urls {
		list = append(list, strings.Replace(u, "ftp:", "ftps:", 1))
	}
	return list
}

func parse(t *testing.T, text string) locator.URL {
	t.Helper()
	u, err := locator.Current.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// TestImplicitSteps checks that an ftps URL has the parts and steps of an ftp URL.
//
// Covers: A1, A2
func TestImplicitSteps(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"ftps://h.dom/a%2Fb/c;type=i": "CONNECT h.dom:990|USER anonymous|PASS ****|CWD a/b|TYPE I|RETR c",
		"ftps://me@h.dom:21//x":       "CONNECT h.dom:21|USER me|PASS ?|CWD |TYPE I|RETR x",
		"ftps://h.dom":                "CONNECT h.dom:990|USER anonymous|PASS ****|MLSD",
		"ftps://[::1]/d/;type=d":      "CONNECT [::1]:990|USER anonymous|PASS ****|CWD d|NLST",
	} {
		got, err := ftp.NewTLS().Steps(parse(t, text))
		if err != nil || strings.Join(got, "|") != want {
			t.Errorf("%s: %q, %v; want %q", text, got, err, want)
		}
	}
	c := newClient(t, both)
	for text, code := range map[string]scheme.Code{
		"ftps:": scheme.CodeMalformed, "ftps://h/a;type=z": scheme.CodeMalformed, "ftps://h:0/": scheme.CodeRefused,
		"ftps://h/a%0D%0Ab": scheme.CodeRefused, "ftps://h:25/a": scheme.CodeRefused,
	} {
		u, err := locator.Current.Parse(text)
		if err == nil {
			_, err = c.Access(t.Context(), scheme.Request{URL: u}, nil)
		}
		if _, isSyntax := err.(*locator.SyntaxError); !isSyntax && client.CodeOf(err) != code {
			t.Errorf("%s: %v, want %v", text, err, code)
		}
	}
}

// TestImplicit reads, lists and writes over ftps. Both connections use TLS from the first byte, AUTH is never sent whatever
// the TLS mode, and the entries of listings are ftps URLs.
//
// Covers: A1, A4, P3
func TestImplicit(t *testing.T) {
	t.Parallel()
	for _, mode := range []scheme.TLSMode{scheme.TLSAuto, scheme.TLSOff, scheme.TLSTry, scheme.TLSRequire} {
		s, trusting := startImplicit(t)
		c := newClient(t, trusting, func(o *client.Options) { o.TLSMode = mode })
		u := s.LoginURL(ftptest.Alice, ftptest.Password, "etc", "motd")
		res, err := c.Access(t.Context(), scheme.Request{URL: u}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := drain(t, res); got != "the file of RFC 1738 3.2.2\n" {
			t.Errorf("mode %d: got %q", mode, got)
		}
		for e, err := range c.List(t.Context(), scheme.Request{URL: s.LoginURL(ftptest.Alice, ftptest.Password, "names", "")}, nil) {
			if err != nil {
				t.Fatal(err)
			}
			if e.URL.Scheme() != "ftps" || e.URL.Port() != u.Port() {
				t.Errorf("mode %d: the entry %q has the URL %s", mode, e.Name, e.URL.Redacted())
			}
		}
		res, err = c.Replace(t.Context(), scheme.Request{URL: s.LoginURL(ftptest.Alice, ftptest.Password, "etc", "new")}, scheme.Body{Reader: strings.NewReader("abc"), Size: scheme.Known(3)}, nil)
		if err != nil {
			t.Fatal(err)
		}
		res.Close()
		res, err = c.Update(t.Context(), scheme.Request{URL: s.LoginURL(ftptest.Alice, ftptest.Password, "etc", "")}, scheme.Body{Reader: strings.NewReader("abc"), Size: scheme.Known(3)}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if res.URL.Scheme() != "ftps" {
			t.Errorf("mode %d: stored at %s", mode, res.URL.Redacted())
		}
		res.Close()
		lines := s.Lines()
		if got := strings.Join(lines[:5], ","); got != "USER alice,PASS s3cret-pw,PBSZ 0,PROT P,CWD etc" || slices.Contains(lines, "AUTH TLS") {
			t.Errorf("mode %d: sent %q", mode, lines)
		}
	}
}

// TestImplicitDoesNotFallBack checks that the client sends nothing to a server without TLS or with an untrusted
// certificate, and that ftps never reuses a connection of ftp.
//
// Covers: A1, P3, T20
func TestImplicitDoesNotFallBack(t *testing.T) {
	t.Parallel()
	open := start(t)
	c := newClient(t, both, func(o *client.Options) { o.Limits.Idle = 2 * time.Second })
	plain := open.LoginURL(ftptest.Alice, ftptest.Password, "text.txt")
	res, err := c.Access(t.Context(), scheme.Request{URL: plain}, nil)
	if err != nil {
		t.Fatal(err)
	}
	drain(t, res)
	before := len(open.Lines())
	if _, err := c.Access(t.Context(), scheme.Request{URL: parse(t, "ftps:"+plain.SchemePart())}, nil); client.CodeOf(err) == scheme.CodeOK || client.CodeOf(err) == scheme.CodeInterrupted {
		t.Errorf("a server without TLS: %v", err)
	}
	for _, l := range open.Lines()[before:] {
		if strings.Contains(l, ftptest.Alice) || strings.Contains(l, ftptest.Password) {
			t.Errorf("sent without TLS: %q", l)
		}
	}
	s, _ := startImplicit(t)
	if _, err := c.Access(t.Context(), scheme.Request{URL: s.LoginURL(ftptest.Alice, ftptest.Password, "text.txt")}, nil); client.CodeOf(err) != scheme.CodeUntrusted || hint.Of(err) != hint.RootCAs {
		t.Errorf("an unknown certificate: %v", err)
	}
	if lines := s.Lines(); len(lines) > 0 {
		t.Errorf("sent %q", lines)
	}
}

// TestImplicitLogin checks that a LoginFunc is told that the connection uses TLS, and the scheme.
//
// Covers: A1, P3
func TestImplicitLogin(t *testing.T) {
	t.Parallel()
	s, trusting := startImplicit(t)
	var asked []scheme.LoginRequest
	c := newClient(t, trusting, func(o *client.Options) {
		o.Logins = []scheme.LoginFunc{func(_ context.Context, l scheme.LoginRequest) (string, string, bool, error) {
			asked = append(asked, l)
			return "alice", ftptest.Password, true, nil
		}}
	})
	u := s.URL("text.txt")
	res, err := c.Access(t.Context(), scheme.Request{URL: u}, nil)
	if err != nil {
		t.Fatal(err)
	}
	drain(t, res)
	if len(asked) != 1 || !asked[0].Secure || asked[0].Scheme != "ftps" {
		t.Errorf("asked for %+v", asked)
	}
}
