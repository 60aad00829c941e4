package client_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"locator"
	"locator/client"
	"locator/internal/leaks"
	"locator/scheme"
	"locator/scheme/ftp"
	web "locator/scheme/http"
	"locator/scheme/nntp"
	"locator/schemetest/peer"
)

// identities is an http and an https server. They redirect a request with a search part to what
// that says; the https server asks for a client certificate, and sends "sent" or "none".
type identities struct {
	plain, secure string // host:port
	cert          *peer.Certificate
}

func newIdentities(t *testing.T, change func(*tls.Config)) identities {
	t.Helper()
	cert, err := peer.Certify()
	if err != nil {
		t.Fatal(err)
	}
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.RawQuery != "":
			http.Redirect(w, r, r.URL.RawQuery, http.StatusFound)
		case r.TLS != nil && len(r.TLS.PeerCertificates) > 0:
			io.WriteString(w, "sent")
		default:
			io.WriteString(w, "none")
		}
	})
	plain, secure := httptest.NewServer(handler), httptest.NewUnstartedServer(handler)
	secure.TLS = cert.Config()
	secure.TLS.ClientAuth = tls.RequestClientCert
	secure.Config.ErrorLog = log.New(io.Discard, "", 0)
	change(secure.TLS)
	secure.EnableHTTP2 = secure.TLS.MaxVersion == 0
	secure.Listener = lingering{secure.Listener}
	secure.StartTLS()
	t.Cleanup(plain.Close)
	t.Cleanup(secure.Close)
	return identities{plain.Listener.Addr().String(), secure.Listener.Addr().String(), cert}
}

// lingering is a listener whose connections are read to their end before they are closed. Otherwise
// a reset could overtake an alert.
type lingering struct{ net.Listener }

func (l lingering) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return lingeringConn{c}, nil
}

type lingeringConn struct{ net.Conn }

func (c lingeringConn) Close() error {
	c.Conn.(*net.TCPConn).CloseWrite()
	c.SetReadDeadline(time.Now().Add(time.Second))
	io.Copy(io.Discard, c.Conn)
	return c.Conn.Close()
}

// client returns a client with a certificate, the server's own.
func (s identities) client(t *testing.T, change func(*client.Options)) *client.Client {
	t.Helper()
	l := leaks.Watch(t)
	o := client.Options{
		Registry: scheme.NewRegistry(web.New("http"), web.New("https"), ftp.NewTLS(), nntp.NewTLS()),
		TLS:      &tls.Config{RootCAs: s.cert.Roots(), Certificates: s.cert.Config().Certificates},
	}
	change(&o)
	o.Dial = l.Dial(o.Dial)
	c := client.New(o)
	l.Ends(c)
	return c
}

func (s identities) get(t *testing.T, c *client.Client, text string) (string, error) {
	t.Helper()
	text = strings.NewReplacer("PLAIN", s.plain, "SECURE", s.secure, "OTHER", strings.Replace(s.secure, peer.Address, "localhost", 1)).Replace(text)
	u, err := locator.Current.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	res, err := c.Access(t.Context(), scheme.Request{URL: u}, nil)
	if err != nil {
		return "", err
	}
	defer res.Close()
	b, err := io.ReadAll(res.Body)
	return string(b), err
}

// A client certificate goes to the host of the URL that the user named, and not to one that another
// host led to, even over a connection that has been used before.
//
// Covers: P3, P5, T66
func TestCertificateStays(t *testing.T) {
	t.Parallel()
	s := newIdentities(t, func(*tls.Config) {})
	direct := "https://SECURE/"
	for _, urls := range [][2]string{
		{direct, "sent"},
		{"https://SECURE/?https://SECURE/", "sent"},
		{"http://PLAIN/?https://SECURE/", "sent"},
		{"http://PLAIN/?https://SECURE/?https://SECURE/", "sent"},
		{"https://OTHER/", "sent"},
		{"https://SECURE/?https://OTHER/", "none"},
		{"https://OTHER/?https://SECURE/", "none"},
		{"http://PLAIN/?https://OTHER/", "none"},
		{"https://SECURE/?https://OTHER/?https://SECURE/", "none"},
	} {
		for _, before := range []string{"", direct, "https://OTHER/", "http://PLAIN/?https://SECURE/", "https://OTHER/?https://SECURE/"} {
			c := s.client(t, func(*client.Options) {})
			if before != "" {
				if _, err := s.get(t, c, before); err != nil {
					t.Fatal(err)
				}
			}
			if got, err := s.get(t, c, urls[0]); got != urls[1] || err != nil {
				t.Errorf("%s after %q: %q, %v; want %s", urls[0], before, got, err, urls[1])
			}
		}
	}
	// An entry of a listing that another host led to.
	u, err := locator.Current.Parse("https://" + s.secure + "/")
	if err != nil {
		t.Fatal(err)
	}
	for foreign, want := range map[bool]string{false: "sent", true: "none"} {
		c := s.client(t, func(*client.Options) {})
		res, err := c.Access(t.Context(), scheme.Request{URL: u, From: &scheme.Hop{Kind: scheme.HopMenuItem, From: u, N: 2, Foreign: foreign}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(res.Body); string(got) != want || err != nil {
			t.Errorf("foreign %v: %q, %v", foreign, got, err)
		}
		res.Close()
	}
}

// The function of a configuration is asked for the same hosts only.
//
// Covers: P3
func TestCertificateFunction(t *testing.T) {
	t.Parallel()
	s := newIdentities(t, func(*tls.Config) {})
	calls := 0
	c := s.client(t, func(o *client.Options) {
		own := o.TLS.Certificates[0]
		o.TLS.Certificates, o.TLS.GetClientCertificate = nil, func(*tls.CertificateRequestInfo) (*tls.Certificate, error) { calls++; return &own, nil }
	})
	for url, want := range map[string]string{"https://SECURE/": "sent", "https://OTHER/?https://SECURE/": "none"} {
		if got, err := s.get(t, c, url); got != want || err != nil {
			t.Errorf("%s: %q, %v", url, got, err)
		}
	}
	if calls != 2 { // for SECURE and OTHER, each named
		t.Errorf("%d calls", calls)
	}
}

// A server that refuses the connection because of the client certificate says so by an alert. It is
// not a reason to try again.
//
// Covers: A6
func TestCertificateRefused(t *testing.T) {
	t.Parallel()
	require := func(c *tls.Config) { c.ClientAuth = tls.RequireAnyClientCert }
	verify := func(c *tls.Config) { c.ClientAuth, c.ClientCAs = tls.RequireAndVerifyClientCert, x509.NewCertPool() }
	others := func(c *tls.Config) { // the request names the issuers
		c.ClientAuth, c.ClientCAs = tls.RequireAndVerifyClientCert, x509.NewCertPool()
		c.ClientCAs.AddCert(&x509.Certificate{Raw: []byte("another"), RawSubject: []byte("0\x101\x0e0\x0c\x06\x03U\x04\x03\x0c\x05other")})
	}
	for _, tt := range []struct {
		name   string
		server func(*tls.Config)
		sent   bool
		want   string
	}{
		{"required", require, false, "the server requires a client certificate (tls: "},
		{"of another issuer", others, true, "the server does not accept the client certificate (tls: "},
		{"not trusted", verify, true, "the server does not accept the client certificate (tls: "},
		{"accepted", require, true, ""},
	} {
		for _, version := range []uint16{0, tls.VersionTLS12, tls.VersionTLS13} { // HTTP/2 without a limit
			t.Run(fmt.Sprintf("%s %x", tt.name, version), func(t *testing.T) {
				t.Parallel()
				s := newIdentities(t, func(c *tls.Config) { tt.server(c); c.MaxVersion = version })
				c := s.client(t, func(o *client.Options) {
					if !tt.sent {
						o.TLS.Certificates = nil
					}
				})
				if tt.want == "" {
					if got, err := s.get(t, c, "https://SECURE/"); got != "sent" || err != nil {
						t.Errorf("%q, %v", got, err)
					}
					return
				}
				for _, url := range []string{"https://SECURE/", "ftps://SECURE/x", "nntps://SECURE/group"} {
					if _, err := s.get(t, c, url); client.CodeOf(err) != scheme.CodeLoginNeeded || !strings.Contains(err.Error(), tt.want) {
						t.Errorf("%s: code %v, %v", url, client.CodeOf(err), err)
					}
				}
			})
		}
	}
}

// A configured server is named by the user, and so is offered the certificate; an https proxy is
// not.
//
// Covers: P3, T66
func TestCertificateForServers(t *testing.T) {
	t.Parallel()
	cert, err := peer.Certify()
	if err != nil {
		t.Fatal(err)
	}
	h := peer.ListenFor(t)
	seen := make(chan bool, 2)
	h.Serve(func(c net.Conn) {
		config := cert.Config()
		config.ClientAuth = tls.RequestClientCert
		over := tls.Server(c, config)
		err := over.HandshakeContext(context.Background())
		seen <- err == nil && len(over.ConnectionState().PeerCertificates) > 0
	})
	server, err := locator.Current.Parse("snews://" + h.Addr() + "/")
	if err != nil {
		t.Fatal(err)
	}
	u, err := locator.Current.Parse("news:some.group")
	if err != nil {
		t.Fatal(err)
	}
	https, err := locator.Current.Parse("https://localhost/")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		u    locator.URL
		want bool
	}{{u, true}, {https, false}} {
		c := client.New(client.Options{
			Registry: scheme.NewRegistry(nntp.NewNews(), nntp.NewNewsTLS(), web.New("https")),
			TLS:      &tls.Config{RootCAs: cert.Roots(), Certificates: cert.Config().Certificates},
			Servers:  map[string][]locator.URL{"news": {server}},
			Proxy: func(name, _ string) (*scheme.Proxy, error) {
				if name != "https" {
					return nil, nil
				}
				return &scheme.Proxy{Kind: "https", Addr: h.Addr()}, nil
			},
		})
		if _, err := c.Access(t.Context(), scheme.Request{URL: tt.u}, nil); err == nil {
			t.Error("it succeeds")
		}
		if got := <-seen; got != tt.want {
			t.Errorf("%s: certificate sent: %v, want %v", tt.u.Text(), got, tt.want)
		}
		c.Close()
	}
}
