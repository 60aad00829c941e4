package ftp_test

import (
	"crypto/tls"
	"crypto/x509"
	"slices"
	"strings"
	"testing"

	"locator/client"
	"locator/scheme"
	"locator/scheme/ftp/ftptest"
	"locator/schemetest/peer"
)

// TestTLS covers the TLS modes. A password is never sent without TLS where TLS is required, and never to a server with a
// bad certificate.
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

// TestDataCertificate checks that the certificate of a data connection is verified too. Nothing is read from or sent to a
// server that presents a different one there.
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

// TestHandshakeFirst reads, lists, stores and misses a file of a server that replies to a command only after the handshake of
// the data connection, by both kinds of TLS. The second access connects after the command.
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
