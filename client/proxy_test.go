package client_test

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"locator"
	"locator/client"
	"locator/internal/leaks"
	"locator/internal/proxies"
	"locator/policy"
	"locator/scheme"
	"locator/scheme/ftp"
	"locator/scheme/ftp/ftptest"
	web "locator/scheme/http"
	webtest "locator/scheme/http/httptest"
	"locator/schemetest/peer"
)

// servers are an http and an ftp server of the common tree, and one of https.
type servers struct {
	web, secure *webtest.Server
	ftp         *ftptest.Server
}

func start(t *testing.T) servers {
	t.Helper()
	var s servers
	var err error
	if s.web, err = webtest.Start(peer.Tree()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.web.Close)
	if s.secure, err = webtest.Start(peer.Tree(), webtest.TLS()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.secure.Close)
	if s.ftp, err = ftptest.Start(peer.Tree()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.ftp.Close)
	return s
}

// hosts are names that only a proxy knows.
func (s servers) hosts() map[string]string {
	return map[string]string{"web.example": s.web.Addr(), "two.example": s.web.Addr(), "secure.example": s.secure.Addr(),
		"ftp.example": s.ftp.Addr(), "8.8.8.8": s.web.Addr()}
}

// through returns a client for http, https and ftp that makes every connection through the proxy,
// and its trace.
func (s servers) through(t *testing.T, via string, change ...func(*client.Options)) (*client.Client, *strings.Builder) {
	t.Helper()
	var mu sync.Mutex
	trace := new(strings.Builder)
	say := func(text string) {
		mu.Lock()
		defer mu.Unlock()
		trace.WriteString(text + "\n")
	}
	o := client.Options{
		Registry: scheme.NewRegistry(web.New("http"), web.New("https"), ftp.New()),
		Proxy:    always(t, via),
		TLS:      &tls.Config{RootCAs: s.secure.Roots()},
		Trace:    &scheme.Trace{Sent: say, Received: say, Note: say},
	}
	for _, f := range change {
		f(&o)
	}
	l := leaks.Watch(t)
	o.Dial = l.Dial(o.Dial)
	c := client.New(o)
	l.Ends(c)
	return c, trace
}

func always(t *testing.T, via string) client.ProxyFunc {
	t.Helper()
	f, err := client.ProxyFromEnvironment(func(name string) string { return map[string]string{"all_proxy": via}[name] })
	if err != nil {
		t.Fatal(err)
	}
	// The rules of the environment exempt this host.
	p, err := f("http", "host.example:80")
	if err != nil {
		t.Fatal(err)
	}
	return func(string, string) (*scheme.Proxy, error) { return p, nil }
}

func parse(t *testing.T, text string) locator.URL {
	t.Helper()
	u, err := locator.Current.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func get(t *testing.T, c *client.Client, url string) (string, error) {
	t.Helper()
	res, err := c.Access(t.Context(), scheme.Request{URL: parse(t, url)}, nil)
	if err != nil {
		return "", err
	}
	defer res.Close()
	if res.Kind != scheme.KindObject {
		return "", fmt.Errorf("it is a %v", res.Kind)
	}
	b, err := io.ReadAll(res.Body)
	return string(b), err
}

func wantCode(t *testing.T, what string, err error, code scheme.Code, words ...string) {
	t.Helper()
	if err == nil || client.CodeOf(err) != code {
		t.Errorf("%s: error %v (code %v), want code %v", what, err, client.CodeOf(err), code)
		return
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("%s: error %q does not contain %q", what, err, w)
		}
	}
}

const motd = "the file of RFC 1738 3.2.2\n"

// Requests to an HTTP proxy are in absolute form, and all hosts share one connection; the proxy
// resolves names. https uses a CONNECT tunnel.
//
// Covers: A14, A6
func TestHTTPProxy(t *testing.T) {
	t.Parallel()
	s := start(t)
	plain, err := proxies.HTTP(nil, s.hosts())
	if err != nil {
		t.Fatal(err)
	}
	defer plain.Close()
	secure, err := proxies.HTTP(s.secure.TLSConfig(), s.hosts())
	if err != nil {
		t.Fatal(err)
	}
	defer secure.Close()
	_, port, _ := net.SplitHostPort(secure.Addr)
	for via, p := range map[string]*proxies.Proxy{"http://" + plain.Addr: plain, "https://localhost:" + port + "/": secure} {
		c, _ := s.through(t, via)
		for _, url := range []string{"http://web.example/etc/motd", "http://two.example/etc/motd?a=b", "https://secure.example/etc/motd", "http://web.example:80/names/%2e/../a%20b.txt"} {
			if got, err := get(t, c, url); err != nil || got != motd && !strings.Contains(url, "names") {
				if !strings.Contains(url, "names") {
					t.Errorf("%s: %s: %q, %v", via, url, got, err)
				}
			}
		}
		want := []string{"GET http://web.example/etc/motd", "GET http://two.example/etc/motd?a=b", "CONNECT secure.example:443", "GET http://web.example/names/%2e/../a%20b.txt"}
		if got := p.Asked(); !slices.Equal(got, want) {
			t.Errorf("%s: asked %q, want %q", via, got, want)
		}
		res, err := c.Access(t.Context(), scheme.Request{URL: parse(t, "http://web.example/bytes.bin")}, &scheme.AccessOptions{Range: scheme.Range{Offset: 4000}})
		if err != nil || res.Range.Offset != 4000 {
			t.Errorf("%s: a range: %+v, %v", via, res, err)
		} else {
			res.Close()
		}
		if _, err = c.Replace(t.Context(), scheme.Request{URL: parse(t, "http://web.example/new")}, scheme.Body{Reader: strings.NewReader("new"), Size: scheme.Known(3)}, nil); err != nil {
			t.Errorf("%s: put: %v", via, err)
		}
		if got, _ := s.web.File("new"); string(got) != "new" {
			t.Errorf("%s: put: the server has %q", via, got)
		}
		_, err = get(t, c, "http://nowhere.example/")
		wantCode(t, via+" no such host", err, scheme.CodeUnavailable)
		_, err = get(t, c, "https://nowhere.example/")
		wantCode(t, via+" no such host", err, scheme.CodeUnreachable, "the proxy", "nowhere.example:443")
		_, err = get(t, c, "https://web.example/") // its server does not speak TLS
		if err == nil {
			t.Errorf("%s: TLS with a plain server", via)
		}
	}
}

// The login in the proxy's URL is sent only to the proxy and is never printed.
//
// Covers: A14, P3, T71
func TestProxyLogin(t *testing.T) {
	t.Parallel()
	s := start(t)
	web, err := proxies.HTTP(nil, s.hosts(), proxies.Login("carol", "pr0xy:pw"))
	if err != nil {
		t.Fatal(err)
	}
	defer web.Close()
	socks, err := proxies.SOCKS(s.hosts(), proxies.Login("carol", "pr0xy:pw"))
	if err != nil {
		t.Fatal(err)
	}
	defer socks.Close()
	for _, form := range []string{"http://%s" + web.Addr, "socks5h://%s" + socks.Addr} {
		for login, code := range map[string]scheme.Code{"": scheme.CodeLoginNeeded, "carol:wrong-pw@": scheme.CodeLoginNeeded, "carol:pr0xy%%3Apw@": scheme.CodeOK} {
			via := fmt.Sprintf(form, strings.ReplaceAll(login, "%%", "%"))
			c, trace := s.through(t, via)
			for _, url := range []string{"http://web.example/etc/motd", "https://secure.example/etc/motd"} {
				got, err := get(t, c, url)
				if code == scheme.CodeOK && (err != nil || got != motd) {
					t.Errorf("%s: %q, %v", form, got, err)
				}
				if code != scheme.CodeOK {
					wantCode(t, via+" "+url, err, code, "proxy")
				}
				if text := fmt.Sprint(err, trace); strings.Contains(text, "pw") || strings.Contains(text, "Y2Fyb2w6") {
					t.Errorf("the password is shown: %s", text)
				}
			}
		}
	}
}

// An ftp URL is sent to an HTTP proxy unchanged, with its type; its login is sent in a header
// field. The page that the proxy returns for a directory is parsed as a listing.
//
// Covers: A14, P3
func TestFTPThroughHTTPProxy(t *testing.T) {
	t.Parallel()
	s := start(t)
	var mu sync.Mutex
	var logins []string
	p, err := proxies.HTTP(nil, s.hosts(), proxies.Fetch(func(w http.ResponseWriter, r *http.Request, target string) bool {
		mu.Lock()
		defer mu.Unlock()
		user, password, ok := r.BasicAuth()
		logins = append(logins, fmt.Sprint(user, "/", password, " ", ok))
		if strings.HasSuffix(target, "/") {
			w.Header().Set("Content-Type", "text/html")
			io.WriteString(w, `<html><a href="a%20b.txt">a b.txt</a> <a href="sub/">sub</a> <a href="ftp://ftp.example/elsewhere">x</a></html>`)
			return true
		}
		io.WriteString(w, "content of "+target)
		return true
	}))
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	c, trace := s.through(t, "http://"+p.Addr)
	for _, url := range []string{"ftp://ftp.example/%2Fetc/motd", "ftp://ftp.example:2121/x%3By;type=A", "ftp://alice:s3cret-pw@ftp.example/a", "ftp://alice@ftp.example/a"} {
		got, err := get(t, c, url)
		if strings.Contains(url, "alice@") {
			wantCode(t, url, err, scheme.CodeLoginNeeded, "alice", "password")
		} else if err != nil || !strings.HasPrefix(got, "content of ftp://"+s.ftp.Addr()) {
			t.Errorf("%s: %q, %v", url, got, err)
		}
	}
	res, err := c.Access(t.Context(), scheme.Request{URL: parse(t, "ftp://ftp.example/c.txt")}, &scheme.AccessOptions{Type: 'i'})
	if err != nil {
		t.Fatal(err)
	}
	res.Close()
	var names []string
	for e, err := range client.Entries(c.List(t.Context(), scheme.Request{URL: parse(t, "ftp://ftp.example/dir/")}, nil)) {
		if err != nil {
			t.Error(err)
		}
		names = append(names, e.Name+" "+e.Kind.String()+" "+e.URL.Text())
	}
	if want := []string{"a b.txt object ftp://ftp.example/dir/a%20b.txt", "sub listing ftp://ftp.example/dir/sub/"}; !slices.Equal(names, want) {
		t.Errorf("listed %q, want %q", names, want)
	}
	if want := []string{"GET ftp://ftp.example/%2Fetc/motd", "GET ftp://ftp.example:2121/x%3By;type=A", "GET ftp://ftp.example/a", "GET ftp://ftp.example/c.txt;type=i", "GET ftp://ftp.example/dir/"}; !slices.Equal(p.Asked(), want) {
		t.Errorf("asked %q, want %q", p.Asked(), want)
	}
	if want := []string{"/ false", "/ false", "alice/s3cret-pw true", "/ false", "/ false"}; !slices.Equal(logins, want) {
		t.Errorf("logins %q, want %q", logins, want)
	}
	if strings.Contains(trace.String(), "s3cret") {
		t.Errorf("the password is in the trace: %s", trace)
	}
	if n := s.ftp.Connections(); n != 0 {
		t.Errorf("%d connections to the server itself", n)
	}
}

// A SOCKS proxy forwards every connection, including ftp data connections. With socks5 the client
// resolves names.
//
// Covers: A14, P5
func TestSOCKS(t *testing.T) {
	t.Parallel()
	s := start(t)
	p, err := proxies.SOCKS(s.hosts())
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	c, _ := s.through(t, "socks5://"+p.Addr)
	for _, url := range []string{s.web.URL("etc", "motd").Text(), s.secure.URL("etc", "motd").Text(), s.ftp.URL("etc", "motd").Text(), "ftp://localhost:" + fmt.Sprint(s.ftp.Port()) + "/etc/motd"} {
		for range 2 { // the second time over pooled connections
			if got, err := get(t, c, url); err != nil || got != motd {
				t.Errorf("%s: %q, %v", url, got, err)
			}
		}
	}
	asked := p.Asked()
	if asked[0] != s.web.Addr() || asked[1] != s.secure.Addr() || asked[2] != s.ftp.Addr() {
		t.Errorf("asked %q", asked)
	}
	if n := len(asked); n < 8 { // http, https, and of ftp a control and two data connections, twice
		t.Errorf("asked for %d connections: %q", n, asked)
	}
	for _, a := range asked {
		if !strings.HasPrefix(a, "127.0.0.1:") && !strings.HasPrefix(a, "[::1]:") {
			t.Errorf("the proxy was given the name %q", a)
		}
	}
	c, _ = s.through(t, "socks5h://"+p.Addr)
	for range 2 {
		if got, err := get(t, c, "http://web.example/etc/motd"); err != nil || got != motd {
			t.Errorf("socks5h: %q, %v", got, err)
		}
	}
	if last := p.Asked()[len(p.Asked())-1]; last != "web.example:80" || len(p.Asked()) != len(asked)+1 {
		t.Errorf("socks5h: asked %q", p.Asked())
	}
	_, err = get(t, c, "http://nowhere.example/")
	wantCode(t, "no such host", err, scheme.CodeUnreachable, "SOCKS proxy")
	before := len(p.Asked())
	for _, host := range []string{"FTP.Example", "ftp.example"} { // ftp dials data connections to the name of the control connection
		if got, err := get(t, c, "ftp://"+host+"/etc/motd"); err != nil || got != motd {
			t.Errorf("socks5h: %q, %v", got, err)
		}
	}
	if asked := p.Asked()[before:]; len(asked) != 3 || asked[0] != "FTP.Example:21" || !strings.HasPrefix(asked[1], "FTP.Example:") || !strings.HasPrefix(asked[2], "FTP.Example:") {
		t.Errorf("socks5h: asked %q", asked)
	}
}

// A proxy that is not there, one that sends nonsense, and one that stalls.
//
// Covers: T184
func TestBrokenProxies(t *testing.T) {
	t.Parallel()
	s := start(t)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := l.Addr().String()
	l.Close()
	for _, form := range []string{"http://", "socks5://", "socks5h://"} {
		c, _ := s.through(t, form+addr)
		_, err := get(t, c, "http://web.example/")
		if form == "socks5://" { // the name is resolved first
			_, err = get(t, c, "http://127.0.0.1:8/")
		}
		wantCode(t, form, err, scheme.CodeUnreachable, "the proxy "+addr)
	}
	c, _ := s.through(t, "socks5h://"+s.ftp.Addr()) // it speaks ftp
	_, err = get(t, c, "http://web.example/")
	wantCode(t, "an ftp server", err, scheme.CodeUnreachable, "SOCKS")
	c, _ = s.through(t, "http://"+s.ftp.Addr())
	_, err = get(t, c, "https://web.example/")
	wantCode(t, "an ftp server", err, scheme.CodeBroken, "proxy")
}

// The policy checks the proxy's address, and the server behind it as far as its address is known.
//
// Covers: A14, P5, G3, T183
func TestPolicyAndProxies(t *testing.T) {
	t.Parallel()
	s := start(t)
	web, err := proxies.HTTP(nil, s.hosts())
	if err != nil {
		t.Fatal(err)
	}
	defer web.Close()
	socks, err := proxies.SOCKS(s.hosts())
	if err != nil {
		t.Fatal(err)
	}
	defer socks.Close()
	public := func(o *client.Options) { o.Policy = policy.New(policy.Options{Addresses: policy.PublicOnly}) }
	fromPublic := &scheme.Hop{Kind: scheme.HopMenuItem, N: 1, FromPublic: true}
	for _, tt := range []struct {
		via, url string
		change   func(*client.Options)
		from     *scheme.Hop
		code     scheme.Code
		says     string
	}{
		{"http://" + web.Addr, "http://web.example/etc/motd", public, nil, scheme.CodeRefused, "cannot be checked"},
		{"http://" + web.Addr, "https://secure.example/etc/motd", public, nil, scheme.CodeRefused, "cannot be checked"},
		{"http://" + web.Addr, "ftp://ftp.example/etc/motd", public, nil, scheme.CodeRefused, "cannot be checked"},
		{"socks5h://" + socks.Addr, "http://web.example/etc/motd", public, nil, scheme.CodeRefused, "cannot be checked"},
		{"http://" + web.Addr, "http://10.0.0.1/", public, nil, scheme.CodeRefused, "10.0.0.1"},
		{"socks5://" + socks.Addr, "http://10.0.0.1/", public, nil, scheme.CodeRefused, "10.0.0.1"},
		{"socks5h://" + socks.Addr, "http://10.0.0.1/", public, nil, scheme.CodeRefused, "10.0.0.1"},
		{"socks5://" + socks.Addr, "http://localhost/", public, nil, scheme.CodeRefused, "not public"},
		{"http://" + web.Addr, "http://8.8.8.8/etc/motd", public, nil, scheme.CodeOK, ""}, // the proxy itself may be private
		{"socks5://" + socks.Addr, "http://8.8.8.8/etc/motd", public, nil, scheme.CodeOK, ""},
		{"http://" + web.Addr, "http://127.0.0.1/", nil, fromPublic, scheme.CodeRefused, "127.0.0.1"},
		{"http://" + web.Addr, "http://localhost/", nil, fromPublic, scheme.CodeRefused, "localhost"},
		{"socks5h://" + socks.Addr, "http://x.localhost/", nil, fromPublic, scheme.CodeRefused, "localhost"},
		{"socks5://" + socks.Addr, "http://127.0.0.1/", nil, fromPublic, scheme.CodeRefused, "127.0.0.1"},
		{"http://" + web.Addr, "http://127.0.0.1:25/", nil, nil, scheme.CodeRefused, "port 25"},
		{"http://" + web.Addr, "http://127.0.0.256/", nil, nil, scheme.CodeRefused, "255"},
		{"http://0.0.0.0:80", "http://web.example/etc/motd", nil, nil, scheme.CodeRefused, "0.0.0.0"},
	} {
		if tt.change == nil {
			tt.change = func(*client.Options) {}
		}
		before := len(web.Asked()) + len(socks.Asked())
		c, _ := s.through(t, tt.via, tt.change)
		res, err := c.Access(t.Context(), scheme.Request{URL: parse(t, tt.url), From: tt.from}, nil)
		if tt.code == scheme.CodeOK {
			if err != nil {
				t.Errorf("%s %s: %v", tt.via, tt.url, err)
			} else if res.Close(); !res.Public {
				t.Errorf("%s %s: not marked as public", tt.via, tt.url)
			}
			continue
		}
		wantCode(t, tt.via+" "+tt.url, err, tt.code, tt.says)
		if n := len(web.Asked()) + len(socks.Asked()) - before; n != 0 {
			t.Errorf("%s %s: the proxy got %d requests", tt.via, tt.url, n)
		}
	}
}

// A response through a proxy counts as public, so it cannot redirect to a private address that is
// reached directly.
//
// Covers: G3, T184
func TestNoWayBackFromAProxy(t *testing.T) {
	t.Parallel()
	s := start(t)
	p, err := proxies.HTTP(nil, s.hosts(), proxies.Fetch(func(w http.ResponseWriter, r *http.Request, target string) bool {
		http.Redirect(w, r, s.ftp.URL("etc", "motd").Text(), http.StatusFound)
		return true
	}))
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	c, _ := s.through(t, "http://"+p.Addr, func(o *client.Options) {
		o.Proxy = func(_, addr string) (*scheme.Proxy, error) {
			if strings.HasPrefix(addr, "127.") {
				return nil, nil
			}
			return &scheme.Proxy{Kind: "http", Addr: p.Addr}, nil
		}
	})
	_, err = get(t, c, "ftp://ftp.example/x")
	wantCode(t, "a redirect home", err, scheme.CodeRefused, "a public address led there")
}

// A scheme cannot use Purpose ForProxy to dial other addresses.
//
// Covers: T189
func TestForProxyIsForTheProxy(t *testing.T) {
	t.Parallel()
	c := client.New(client.Options{Registry: scheme.NewRegistry(rogue{}),
		Dial: func(context.Context, string, string) (net.Conn, error) { return nil, errors.New("dialled") }})
	_, err := c.Access(t.Context(), scheme.Request{URL: parse(t, "x-rogue://h/")}, nil)
	wantCode(t, "rogue", err, scheme.CodeRefused, "not the proxy")
}

type rogue struct{}

func (rogue) Syntax() *locator.Syntax { return &locator.Syntax{Name: "x-rogue"} }

func (rogue) Access(ctx context.Context, env *scheme.Env, _ scheme.Request, _ scheme.AccessOptions) (*scheme.Resource, error) {
	_, err := env.Dial(ctx, scheme.Dial{Purpose: scheme.ForProxy, Addr: "10.0.0.1:80"})
	return nil, err
}

// Covers: A14, T188
func TestProxyFromEnvironment(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		env          string // name=value, separated by blanks
		scheme, addr string
		want         string
	}{
		{"", "http", "h:80", ""},
		{"http_proxy=http://p:3128/", "http", "h:80", "http://p:3128"},
		{"http_proxy=p:3128", "http", "h:80", "http://p:3128"},
		{"http_proxy=p:3128", "https", "h:443", ""},
		{"http_proxy=p:3128", "ftp", "h:21", ""},
		{"HTTP_PROXY=p:1 http_proxy=p:2", "http", "h:80", "http://p:2"},
		{"HTTP_PROXY=p:1", "http", "h:80", "http://p:1"},
		{"HTTP_PROXY=p:1 REQUEST_METHOD=GET", "http", "h:80", ""},
		{"http_proxy=p:1 REQUEST_METHOD=GET", "http", "h:80", "http://p:1"},
		{"https_proxy=p:1", "https", "h:443", "http://p:1"},
		{"FTP_PROXY=p:1", "ftp", "h:21", "http://p:1"},
		{"gopher_proxy=p:1", "gopher", "h:70", "http://p:1"},
		{"wais_proxy=p:1", "wais", "h:210", "http://p:1"},
		{"telnet_proxy=p:1", "telnet", "h:23", ""}, // HTTP proxies do not support it
		{"telnet_proxy=socks5://p:1", "telnet", "h:23", "socks5://p:1"},
		{"ftps_proxy=socks5h://p:1", "ftps", "h:990", "socks5h://p:1"},
		{"ftps_proxy=p:1", "ftps", "h:990", ""},
		{"gophers_proxy=socks5h://p:1", "gophers", "h:70", "socks5h://p:1"},
		{"all_proxy=socks5h://p:1", "nntp", "h:119", "socks5h://p:1"},
		{"all_proxy=socks5h://p:1", "x-other", "h:1", "socks5h://p:1"},
		{"all_proxy=http://p:1", "ftp", "h:21", "http://p:1"},
		{"all_proxy=http://p:1", "nntp", "h:119", ""},
		{"all_proxy=http://p:1 ftp_proxy=q:2", "ftp", "h:21", "http://q:2"},
		{"http_proxy=p:1 no_proxy=h", "http", "h:80", ""},
		{"http_proxy=p:1 NO_PROXY=example.org", "http", "a.example.org:80", ""},
		{"http_proxy=p:1 no_proxy=.example.org", "http", "example.org:80", "http://p:1"},
		{"http_proxy=p:1 no_proxy=10.0.0.0/8,h:81", "http", "10.1.2.3:80", ""},
		{"http_proxy=p:1 no_proxy=10.0.0.0/8,h:81", "http", "h:81", ""},
		{"http_proxy=p:1 no_proxy=10.0.0.0/8,h:81", "http", "h:80", "http://p:1"},
		{"http_proxy=p:1 no_proxy=*", "http", "h:80", ""},
		{"all_proxy=socks5://p:1", "ftp", "localhost:21", ""},
		{"all_proxy=socks5://p:1", "ftp", "127.0.0.1:21", ""},
		{"all_proxy=socks5://p:1", "ftp", "[::1]:21", ""},
		{"http_proxy=http://a:b%40c@p:1", "http", "h:80", "http://p:1 a/b@c"},
		{"http_proxy=p", "http", "h:80", "http://p:80"},
		{"https_proxy=HTTPS://p", "https", "h:443", "https://p:443"},
		{"all_proxy=socks5h://[::1]", "http", "h:80", "socks5h://[::1]:1080"},
		{"http_proxy=socks4://p:1", "http", "h:80", "error"},
		{"http_proxy=http://p:99999", "http", "h:80", "error"},
		{"http_proxy=http:///", "http", "h:80", "error"},
		{"ftp_proxy=http://u:s3cret^pw@p:1", "http", "h:80", "error"},
	} {
		env := make(map[string]string)
		for _, pair := range strings.Fields(tt.env) {
			name, value, _ := strings.Cut(pair, "=")
			env[name] = value
		}
		f, err := client.ProxyFromEnvironment(func(name string) string { return env[name] })
		if tt.want == "error" {
			wantCode(t, tt.env, err, scheme.CodeLocal, "_proxy=")
			if err != nil && strings.Contains(err.Error(), "s3cret") {
				t.Errorf("the password is shown: %v", err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", tt.env, err)
			continue
		}
		got := ""
		via, err := f(tt.scheme, tt.addr)
		if via != nil {
			got = via.Kind + "://" + via.Addr
			if user, ok := via.User.Get(); ok {
				got += " " + user + "/" + via.Password
			}
		}
		if err != nil || got != tt.want {
			t.Errorf("%s: %s %s: %q, %v; want %q", tt.env, tt.scheme, tt.addr, got, err, tt.want)
		}
	}
}
