package ftp_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
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

// TestTLS covers the TLS modes. A password is never sent without TLS where TLS is required, and
// never to a server with a bad certificate.
//
// Covers: A1, P3, T14, T19
func TestTLS(t *testing.T) {
	t.Parallel()
	cert, err := peer.Certify()
	if err != nil {
		t.Fatal(err)
	}
	roots := cert.Roots()
	offered := []ftptest.Option{ftptest.TLS(cert.Config())}
	const secured = "AUTH TLS,USER alice,PASS s3cret-pw,PBSZ 0,PROT P"
	for _, c := range []struct {
		what  string
		opts  []ftptest.Option
		mode  scheme.TLSMode
		roots *x509.CertPool
		anon  bool
		login string // commands up to the login
		code  scheme.Code
	}{
		{what: "try", opts: offered, mode: scheme.TLSTry, roots: roots, login: secured},
		{what: "require", opts: offered, mode: scheme.TLSRequire, roots: roots, login: secured},
		{what: "auto, password", opts: offered, mode: scheme.TLSAuto, roots: roots, login: secured},
		{what: "auto, anonymous", opts: offered, mode: scheme.TLSAuto, roots: roots, anon: true, login: "USER anonymous,PASS locator@"},
		{what: "require, anonymous", opts: offered, mode: scheme.TLSRequire, roots: roots, anon: true, login: "AUTH TLS,USER anonymous,PASS locator@,PBSZ 0,PROT P"},
		{what: "off", opts: offered, mode: scheme.TLSOff, login: "USER alice,PASS s3cret-pw"},
		{what: "try, not offered", mode: scheme.TLSTry, login: "AUTH TLS,USER alice,PASS s3cret-pw"},
		{what: "require, not offered", mode: scheme.TLSRequire, login: "AUTH TLS", code: scheme.CodeUnsupported},
		{what: "require, anonymous, not offered", mode: scheme.TLSRequire, anon: true, login: "AUTH TLS", code: scheme.CodeUnsupported},
		{what: "bad certificate", opts: offered, mode: scheme.TLSTry, roots: x509.NewCertPool(), login: "AUTH TLS", code: scheme.CodeUntrusted},
	} {
		t.Run(c.what, func(t *testing.T) {
			t.Parallel()
			s := start(t, c.opts...)
			cl := newClient(t, func(o *client.Options) {
				o.TLSMode, o.TLS = c.mode, &tls.Config{RootCAs: c.roots}
			})
			u := s.LoginURL(ftptest.Alice, ftptest.Password, "bytes.bin")
			dir := s.LoginURL(ftptest.Alice, ftptest.Password, "etc", "")
			file := s.LoginURL(ftptest.Alice, ftptest.Password, "new")
			if c.anon {
				u, dir, file = s.URL("bytes.bin"), s.URL("etc", ""), s.URL("new")
			}
			res, err := cl.Access(t.Context(), scheme.Request{URL: u}, nil)
			if client.CodeOf(err) != c.code {
				t.Fatalf("%v, want code %v", err, c.code)
			}
			lines := c.login
			if err == nil {
				want, _ := s.File("bytes.bin")
				if got := drain(t, res); got != string(want) {
					t.Errorf("%d octets, want %d", len(got), len(want))
				}
				if res, err = cl.Replace(t.Context(), scheme.Request{URL: file}, scheme.Body{Reader: strings.NewReader(""), Size: scheme.Known(0)}, nil); err != nil {
					t.Fatal(err)
				}
				res.Close()
				if got, ok := s.File("new"); !ok || len(got) != 0 {
					t.Errorf("stored %q, %v", got, ok)
				}
				if res, err = cl.Access(t.Context(), scheme.Request{URL: dir}, nil); err != nil {
					t.Fatal(err)
				}
				if got := drain(t, res); got != "motd\n" {
					t.Errorf("listed %q", got)
				}
				lines += ",TYPE I,EPSV,RETR bytes.bin"
			}
			got := s.Lines()
			if n := strings.Count(lines, ",") + 1; len(got) > n {
				got = got[:n]
			}
			if got := strings.Join(slices.DeleteFunc(got, func(l string) bool { return l == "QUIT" }), ","); got != lines {
				t.Errorf("sent %q, want %q", got, lines)
			}
		})
	}
}

// TestDataCertificate checks that the certificate of a data connection is verified too. Nothing is
// read from or sent to a server that presents a different one there.
//
// Covers: A1, P3, T19
func TestDataCertificate(t *testing.T) {
	t.Parallel()
	good, err := peer.Certify()
	if err != nil {
		t.Fatal(err)
	}
	bad, err := peer.Certify()
	if err != nil {
		t.Fatal(err)
	}
	for _, opts := range [][]ftptest.Option{
		{ftptest.TLS(good.Config())},
		{ftptest.ImplicitTLS(good.Config())},
		{ftptest.TLS(good.Config()), ftptest.HandshakeFirst()},
		{ftptest.ImplicitTLS(good.Config()), ftptest.HandshakeFirst()},
	} {
		s := start(t, append(opts, ftptest.DataTLS(bad.Config()))...)
		c := newClient(t, both, func(o *client.Options) {
			o.TLSMode, o.TLS = scheme.TLSRequire, &tls.Config{RootCAs: good.Roots()}
		})
		_, err := c.Access(t.Context(), scheme.Request{URL: s.LoginURL(ftptest.Alice, ftptest.Password, "bytes.bin")}, nil)
		if client.CodeOf(err) != scheme.CodeUntrusted || !strings.Contains(err.Error(), "the data connection") {
			t.Errorf("access: %v", err)
		}
		_, err = c.Replace(t.Context(), scheme.Request{URL: s.LoginURL(ftptest.Alice, ftptest.Password, "new")}, scheme.Body{Reader: strings.NewReader("secret"), Size: scheme.Known(6)}, nil)
		if client.CodeOf(err) != scheme.CodeUntrusted {
			t.Errorf("replace: %v", err)
		}
		if got, ok := s.File("new"); ok {
			t.Errorf("stored %q", got)
		}
	}
}

// TestHandshakeFirst reads, lists, stores and misses a file of a server that replies to a command
// only after the handshake of the data connection, by both kinds of TLS. The second access connects
// after the command.
//
// Covers: A1, A2, A4
func TestHandshakeFirst(t *testing.T) {
	t.Parallel()
	cert, err := peer.Certify()
	if err != nil {
		t.Fatal(err)
	}
	for _, opts := range [][]ftptest.Option{{ftptest.TLS(cert.Config())}, {ftptest.ImplicitTLS(cert.Config())}} {
		s := start(t, append(opts, ftptest.HandshakeFirst())...)
		c := newClient(t, both, func(o *client.Options) {
			o.TLSMode, o.TLS = scheme.TLSRequire, &tls.Config{RootCAs: cert.Roots()}
		})
		at := func(path ...string) scheme.Request {
			return scheme.Request{URL: s.LoginURL(ftptest.Alice, ftptest.Password, path...)}
		}
		want, _ := s.File("bytes.bin")
		for range 2 {
			res, err := c.Access(t.Context(), at("bytes.bin"), nil)
			if err != nil {
				t.Fatal(err)
			}
			if got := drain(t, res); got != string(want) {
				t.Errorf("%d bytes, want %d", len(got), len(want))
			}
		}
		res, err := c.Replace(t.Context(), at("new"), scheme.Body{Reader: strings.NewReader("text"), Size: scheme.Known(4)}, nil)
		if err != nil {
			t.Fatal(err)
		}
		res.Close()
		if got, _ := s.File("new"); string(got) != "text" {
			t.Errorf("stored %q", got)
		}
		if res, err = c.Access(t.Context(), at("etc", ""), nil); err != nil {
			t.Fatal(err)
		}
		if got := drain(t, res); got != "motd\n" {
			t.Errorf("listed %q", got)
		}
		if _, err = c.Access(t.Context(), at("none"), nil); client.CodeOf(err) != scheme.CodeNotFound {
			t.Errorf("a missing file: %v", err)
		}
	}
}

// both registers ftp and ftps.
func both(o *client.Options) { o.Registry = scheme.NewRegistry(ftp.New(), ftp.NewTLS()) }

// startImplicit starts a server of ftps. It returns the server and the options of a client that
// trusts it.
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

// TestImplicit reads, lists and writes over ftps. Both connections use TLS from the first byte,
// AUTH is never sent whatever the TLS mode, and the entries of listings are ftps URLs.
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
		for e, err := range client.Entries(c.List(t.Context(), scheme.Request{URL: s.LoginURL(ftptest.Alice, ftptest.Password, "names", "")}, nil)) {
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

// TestImplicitDoesNotFallBack checks that the client sends nothing to a server without TLS or with
// an untrusted certificate, and that ftps never reuses a connection of ftp.
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

// TestImplicitLogin checks that a LoginFunc gets the scheme, and that the connection uses TLS.
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
