package client_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"locator/client"
	"locator/policy"
	"locator/scheme"
	web "locator/scheme/http"
)

// gateway is an http server that returns what it was asked for.
type gateway struct {
	*httptest.Server
	mu    sync.Mutex
	asked []string
}

func startGateway(t *testing.T) *gateway {
	t.Helper()
	g := &gateway{}
	g.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		g.mu.Lock()
		g.asked = append(g.asked, r.RequestURI)
		g.mu.Unlock()
		switch {
		case strings.HasSuffix(r.RequestURI, "/moved"):
			w.Header().Set("Location", strings.TrimSuffix(r.RequestURI, "moved")+"there")
			w.WriteHeader(http.StatusFound)
		case strings.HasSuffix(r.RequestURI, "/away"):
			w.Header().Set("Location", g.URL+"/private")
			w.WriteHeader(http.StatusFound)
		case strings.HasSuffix(r.RequestURI, "/inward"):
			w.Header().Set("Location", "/ftp://127.0.0.1/f")
			w.WriteHeader(http.StatusFound)
		case strings.HasSuffix(r.RequestURI, "/echo"):
			_, password, _ := r.BasicAuth()
			w.Header().Set("WWW-Authenticate", `Basic realm="`+password+`"`)
			w.WriteHeader(http.StatusUnauthorized)
		case strings.HasSuffix(r.RequestURI, "/dir/"):
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprintf(w, `<a href="%sa">a</a> <a href="b">b</a>`, r.RequestURI)
		default:
			io.WriteString(w, r.RequestURI)
		}
	}))
	t.Cleanup(g.Close)
	return g
}

func (g *gateway) client(t *testing.T, text string, change ...func(*client.Options)) *client.Client {
	t.Helper()
	gw, err := client.ParseVia(text)
	if err != nil {
		t.Fatal(err)
	}
	all := make(map[string]client.Via)
	for _, name := range []string{"wais", "prospero", "urn", "x-new", "ftp"} {
		all[name] = gw
	}
	o := client.Options{Registry: scheme.NewRegistry(web.New("http")), Via: all}
	for _, f := range change {
		f(&o)
	}
	c := client.New(o)
	t.Cleanup(func() { c.Close() })
	return c
}

// Covers: A14, S20, T185
func TestGateway(t *testing.T) {
	t.Parallel()
	g := startGateway(t)
	for _, tt := range []struct{ gateway, url, want string }{
		{g.URL + "/", "wais://h.example/db?two%20words", "/wais://h.example/db?two%20words"},
		{g.URL + "/x/", "prospero://h.example:1525/n;v=1", "/x/prospero://h.example:1525/n;v=1"},
		{g.URL + "/x/{url}/raw", "urn:isbn:123", "/x/urn:isbn:123/raw"},
		{g.URL + "/get?u=", "wais://h.example/db?a%2Fb", "/get?u=wais%3A%2F%2Fh.example%2Fdb%3Fa%252Fb"},
		{g.URL + "/get?u={url}&f=1", "urn:a:b", "/get?u=urn%3Aa%3Ab&f=1"},
		{g.URL + "/", "x-new:some/thing?q", "/x-new:some/thing?q"},
		{g.URL + "/", "ftp://alice:s3cret@h.example/f", "/ftp://h.example/f"},
		{g.URL + "/", "ftp://@h.example/f", "/ftp://h.example/f"},
		{g.URL, "wais://h.example/db?a%20b", "wais://h.example:210/db?a%20b"}, // a proxy
	} {
		c := g.client(t, tt.gateway)
		res, err := c.Access(t.Context(), scheme.Request{URL: parse(t, tt.url)}, nil)
		if err != nil {
			t.Errorf("%s: %s: %v", tt.gateway, tt.url, err)
			continue
		}
		b, err := io.ReadAll(res.Body)
		if got := strings.Replace(string(b), "h.example/", "h.example:210/", strings.Count(tt.want, ":210")); err != nil || got != tt.want {
			t.Errorf("%s: %s: asked for %q, want %q (%v)", tt.gateway, tt.url, got, tt.want, err)
		}
		if res.URL.Text() != tt.url {
			t.Errorf("%s: the resource has the URL %s", tt.url, res.URL)
		}
		if dropped := strings.Contains(strings.Join(res.Notes, ""), "login in the URL is not sent"); dropped != strings.Contains(tt.url, "alice") {
			t.Errorf("%s: notes %q", tt.url, res.Notes)
		}
		res.Close()
	}
}

// What a gateway leads to is accessed through it again, and nothing private without it.
//
// Covers: A14, P3, T185
func TestGatewayHops(t *testing.T) {
	t.Parallel()
	g := startGateway(t)
	c := g.client(t, g.URL+"/")
	res, err := c.Access(t.Context(), scheme.Request{URL: parse(t, "wais://h.example/moved")}, nil)
	if err != nil {
		t.Fatal(err)
	}
	b, _ := io.ReadAll(res.Body)
	res.Close()
	if string(b) != "/wais://h.example/there" || res.URL.Text() != "wais://h.example/there" || len(res.Via) != 1 || res.Via[0].From.Text() != "wais://h.example/moved" {
		t.Errorf("asked for %q, URL %s, via %v", b, res.URL, res.Via)
	}
	_, err = c.Access(t.Context(), scheme.Request{URL: parse(t, "wais://h.example/away")}, nil)
	wantCode(t, "a private page", err, scheme.CodeRefused)
	if g.asked[len(g.asked)-1] == "/private" {
		t.Error("the private page was requested")
	}
	_, err = c.Access(t.Context(), scheme.Request{URL: parse(t, "ftp://h.example/inward")}, nil)
	wantCode(t, "this computer, through the gateway", err, scheme.CodeRefused)
	if g.asked[len(g.asked)-1] != "/ftp://h.example/inward" {
		t.Errorf("the gateway was asked for %q", g.asked)
	}
	var names []string
	for e, err := range client.Entries(c.List(t.Context(), scheme.Request{URL: parse(t, "ftp://h.example/dir/")}, nil)) {
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, e.URL.Text())
	}
	if want := []string{"ftp://h.example/dir/a", "ftp://h.example/dir/b"}; !slices.Equal(names, want) {
		t.Errorf("listed %q, want %q", names, want)
	}
}

// Covers: A14, P5, P1, T185
func TestGatewayRefused(t *testing.T) {
	t.Parallel()
	g := startGateway(t)
	public := func(o *client.Options) { o.Policy = policy.New(policy.Options{Addresses: policy.PublicOnly}) }
	at := netip.MustParseAddrPort(strings.TrimPrefix(g.URL, "http://"))
	// The gateway itself may be used, so that only what it shall connect to is refused.
	publicBehind := func(o *client.Options) {
		o.Policy = policy.New(policy.Options{Addresses: policy.PublicOnly, AllowAddrs: []netip.AddrPort{at}})
	}
	denied := func(o *client.Options) {
		o.Policy = policy.New(policy.Options{DenyNets: []netip.Prefix{netip.MustParsePrefix("192.0.2.0/24")}})
	}
	for _, tt := range []struct {
		what, gateway, url string
		code               scheme.Code
		change             []func(*client.Options)
	}{
		{"only public addresses", g.URL + "/", "wais://h.example/db?x", scheme.CodeRefused, []func(*client.Options){public}},
		{"only public addresses, behind an allowed gateway", g.URL + "/", "wais://h.example/db?x", scheme.CodeRefused, []func(*client.Options){publicBehind}},
		{"networks are denied", g.URL + "/", "wais://h.example/db?x", scheme.CodeRefused, []func(*client.Options){denied}},
		{"an address in a denied network", g.URL + "/", "wais://192.0.2.1/db?x", scheme.CodeRefused, []func(*client.Options){denied}},
		{"networks are denied, and a proxy", g.URL, "wais://h.example/db?x", scheme.CodeRefused, []func(*client.Options){denied}},
		{"a line end", g.URL + "/", "ftp://h.example/a%0D%0Ab", scheme.CodeRefused, nil},
		{"the port of another protocol", g.URL + "/", "wais://h.example:25/db?x", scheme.CodeRefused, nil},
		{"no host for a proxy", g.URL, "urn:a:b", scheme.CodeUsage, nil},
		{"a scheme without a gateway", g.URL + "/", "gopher://h.example/", scheme.CodeUnsupported, nil},
		{"a dead gateway", "http://127.0.0.1:1/", "urn:a:b", scheme.CodeRefused, nil}, // port 1 is no port of http
	} {
		_, err := g.client(t, tt.gateway, tt.change...).Access(t.Context(), scheme.Request{URL: parse(t, tt.url)}, nil)
		wantCode(t, tt.what, err, tt.code)
	}
	_, err := g.client(t, g.URL+"/").Replace(t.Context(), scheme.Request{URL: parse(t, "ftp://h.example/f")}, scheme.Body{}, nil)
	wantCode(t, "put", err, scheme.CodeUnsupported)
	if len(g.asked) > 0 {
		t.Errorf("the gateway was asked for %q", g.asked)
	}
	for _, text := range []string{"", "gw.example", "ftp://gw.example/", "http://gw.example/#x", "http://gw.example/{url}/{url}", "http://{url}/", "http://gw.example{url}",
		"http://gw.example/\r\n{url}", "http://al:s3cret@gw.example/#"} {
		_, err := client.ParseVia(text)
		wantCode(t, text, err, scheme.CodeUsage)
		if err != nil && strings.Contains(err.Error(), "s3cret") {
			t.Errorf("the password is shown: %v", err)
		}
	}
}

// A gateway gets only the logins that are known for itself: not those for the server of the URL.
//
// Covers: A14, P3, T186
func TestGatewayLogins(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var sent []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		user, password, _ := r.BasicAuth()
		mu.Lock()
		sent = append(sent, user+":"+password)
		mu.Unlock()
		w.Header().Set("WWW-Authenticate", `Basic realm="gateway"`)
		w.WriteHeader(http.StatusUnauthorized)
	}))
	t.Cleanup(server.Close)
	addr := strings.TrimPrefix(server.URL, "http://")
	host, _, _ := strings.Cut(addr, ":")
	netrc := func(text string) scheme.LoginFunc {
		file := filepath.Join(t.TempDir(), "netrc")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return client.Netrc(file, false)
	}
	fixed := client.FixedLogin("me", "s3cret")
	for _, tt := range []struct {
		what, gateway, url string
		logins             scheme.LoginFunc
		want               string
	}{
		{"--user", server.URL + "/", "ftp://h.example/f", fixed, ":"},
		{"--user for nntp, whose passwords need TLS", server.URL + "/", "nntp://h.example/g/1", fixed, ":"},
		{"--user for the user in the URL", server.URL + "/", "ftp://me@h.example/f", fixed, ":"},
		{"the gateway is on the host of the URL", server.URL + "/", "ftp://" + host + "/f", fixed, ":"},
		{"a proxy", server.URL, "ftp://h.example/f", fixed, ":"},
		{"a proxy and a user in the URL", server.URL, "ftp://me@h.example/f", fixed, ":"},
		{"a proxy and a login in the URL", server.URL, "ftp://me:s3cret@h.example/f", nil, ":"},
		{"the default entry of netrc", server.URL + "/", "ftp://h.example/f", netrc("default login me password s3cret"), ":"},
		{"the entry of netrc for the server of the URL", server.URL + "/", "ftp://h.example/f", netrc("machine h.example login me password s3cret"), ":"},
		{"that, and a proxy", server.URL, "ftp://h.example/f", netrc("machine h.example login me password s3cret"), ":"},
		{"the entry of netrc for the gateway", server.URL + "/", "ftp://h.example/f", netrc("machine " + host + " login gw password opensesame"), "gw:opensesame"},
		{"the login in the URL of the gateway", "http://gw:opensesame@" + addr + "/", "ftp://h.example/f", fixed, "gw:opensesame"},
	} {
		sent = nil
		c := startGateway(t).client(t, tt.gateway, func(o *client.Options) {
			o.Via["nntp"] = o.Via["ftp"]
			if tt.logins != nil {
				o.Logins = []scheme.LoginFunc{tt.logins}
			}
		})
		_, err := c.Access(t.Context(), scheme.Request{URL: parse(t, tt.url)}, nil)
		wantCode(t, tt.what, err, scheme.CodeLoginNeeded)
		if len(sent) == 0 || sent[len(sent)-1] != tt.want {
			t.Errorf("%s: the gateway got the logins %q, want %q", tt.what, sent, tt.want)
		}
		if tt.want == ":" && strings.HasSuffix(tt.gateway, "/") && (strings.Contains(err.Error(), "--user") || !strings.Contains(err.Error(), "write it in the URL of the gateway")) {
			t.Errorf("%s: %v", tt.what, err)
		}
	}
}

// Covers: A14, P3, T186
func TestGatewaySecrets(t *testing.T) {
	t.Parallel()
	g := startGateway(t)
	var said []string
	trace := &scheme.Trace{Received: func(line string) { said = append(said, line) }, Sent: func(line string) { said = append(said, line) }}
	c := g.client(t, "http://gw:opensesame@"+strings.TrimPrefix(g.URL, "http://")+"/", func(o *client.Options) { o.Trace = trace })
	_, err := c.Access(t.Context(), scheme.Request{URL: parse(t, "ftp://h.example/echo")}, nil)
	wantCode(t, "a gateway that refuses its login", err, scheme.CodeLoginNeeded)
	if all := fmt.Sprint(err, said); strings.Contains(all, "opensesame") || !strings.Contains(all, "401") {
		t.Errorf("the password of the gateway is shown, or nothing is: %s", all)
	}
}
