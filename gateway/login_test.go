package gateway

import (
	"context"
	"encoding/base64"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"

	"locator"
	"locator/scheme"
)

// guarded is an http server that asks for a login, and keeps what it was sent.
type guarded struct {
	url  locator.URL
	mu   sync.Mutex
	sent []string
}

func newGuarded(t *testing.T) *guarded {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	g := &guarded{url: locator.MustParse("http://" + l.Addr().String() + "/a.txt")}
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		g.mu.Lock()
		g.sent = append(g.sent, r.Header.Get("Authorization"), r.Header.Get("Cookie"))
		g.mu.Unlock()
		if user, password, _ := r.BasicAuth(); user != "ann" || password != "word" {
			w.Header().Set("WWW-Authenticate", `Basic realm="x"`)
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		w.Header().Set("Content-Type", "text/plain")
		io.WriteString(w, "for ann only")
	})}
	go server.Serve(l)
	t.Cleanup(func() { server.Shutdown(context.Background()) })
	return g
}

// text returns all that the server was sent.
func (g *guarded) text() string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return strings.Join(g.sent, "")
}

func basic(user, password string) string {
	return "Authorization: Basic " + base64.StdEncoding.EncodeToString([]byte(user+":"+password))
}

// A login counts only for the server for which this browser was asked for it.
func TestLogin(t *testing.T) {
	one, other := newGuarded(t), newGuarded(t)
	s := serve(t, Options{}, one.url, other.url)
	login := basic("ann", "word")
	if res := s.page(one.url, login); res.status != http.StatusUnauthorized || one.text() != "" {
		t.Errorf("a login before any question: %d; the server got %q", res.status, one.text())
	}
	res := s.page(one.url)
	if realm := res.header.Get("WWW-Authenticate"); res.status != http.StatusUnauthorized || !strings.Contains(realm, one.url.Scheme()+"://127.0.0.1:"+one.url.Port()) {
		t.Fatalf("%d, %q", res.status, realm)
	}
	if res := s.page(one.url, login); res.status != http.StatusOK || !strings.Contains(res.body, "for ann only") {
		t.Fatalf("%d: %s", res.status, res.body)
	}
	if res := s.page(one.url); res.status != http.StatusUnauthorized {
		t.Errorf("without a login: %d, of a pool that others share", res.status)
	}
	// The browser sends it to another server, too, since the paths are alike.
	for range 2 { // the second time, this browser has been asked
		if res := s.page(other.url, login); res.status != http.StatusUnauthorized || other.text() != "" {
			t.Errorf("another server: %d, and it got %q", res.status, other.text())
		}
	}
	if res := s.page(one.url, basic("ann", "wrong")); res.status != http.StatusUnauthorized {
		t.Errorf("a wrong password: %d", res.status)
	}
	if text := one.text() + s.log.String(); strings.Contains(text, "locator-") || strings.Contains(s.log.String(), "word") {
		t.Errorf("cookies or passwords leave the gateway: %s", text)
	}
	// A cookie of another browser, or one that is changed, says nothing.
	thief := &site{t: t, addr: s.addr, g: s.g, cookies: map[string]string{loginCookie: s.cookies[loginCookie]}}
	if res := thief.page(one.url, login); res.status != http.StatusUnauthorized {
		t.Errorf("the cookie of another session: %d", res.status)
	}
	s.cookies[loginCookie] = "x" + s.cookies[loginCookie]
	if res := s.page(one.url, login); res.status != http.StatusUnauthorized {
		t.Errorf("a forged cookie: %d", res.status)
	}
}

// A server that asks for logins at many ports, or behind a link of another site, does not make the gateway forget of which server a
// login is.
//
// Covers: GWS18
func TestLoginStays(t *testing.T) {
	one, other := newGuarded(t), newGuarded(t)
	var more []*guarded
	var all []locator.URL
	for range maxLogins + 2 {
		x := newGuarded(t)
		more, all = append(more, x), append(all, x.url)
	}
	s := serve(t, Options{}, append(all, one.url, other.url)...)
	login := basic("ann", "word")
	s.page(one.url)
	if res := s.page(one.url, login); res.status != http.StatusOK {
		t.Fatalf("%d: %s", res.status, res.body)
	}
	for _, x := range more {
		s.page(x.url)
	}
	for range 2 {
		if res := s.page(other.url, login); res.status != http.StatusUnauthorized || other.text() != "" {
			t.Errorf("%d, and another server got %q", res.status, other.text())
		}
	}
	for _, x := range more { // each has a login of its own
		s.page(x.url)
		s.page(x.url, basic("ann", x.url.Port()))
	}
	s.page(other.url)
	if res := s.page(other.url, login); res.status == http.StatusOK || strings.Contains(other.text(), "Basic") {
		t.Errorf("with very many logins: %d, and another server got %q", res.status, other.text())
	}
	if res := s.page(one.url, login); res.status != http.StatusOK {
		t.Errorf("the first login is forgotten: %d", res.status)
	}
	// A cookie that a browser does not send when it follows a link of another site is taken for none, and replaced.
	res := newSite(t, s).page(one.url)
	for _, c := range (&http.Response{Header: res.header}).Cookies() {
		if c.SameSite != http.SameSiteLaxMode || !c.HttpOnly {
			t.Errorf("%s: %v", c.Name, c.SameSite)
		}
	}
}

// newSite returns another browser at the same gateway.
func newSite(t *testing.T, s *site) *site {
	return &site{t: t, addr: s.addr, g: s.g, log: s.log, cookies: make(map[string]string)}
}

// A program that uses the gateway as a proxy sends a login for the URL that it names.
func TestProxyLogin(t *testing.T) {
	one := newGuarded(t)
	s := serve(t, Options{}, one.url)
	if res := s.get(one.url.Text()); res.status != http.StatusUnauthorized || res.header.Get("WWW-Authenticate") == "" {
		t.Errorf("%d %v", res.status, res.header)
	}
	if res := s.get(one.url.Text(), basic("ann", "word")); res.status != http.StatusOK || res.body != "for ann only" {
		t.Errorf("%d %q", res.status, res.body)
	}
	if res := s.get(one.url.Text()); res.status != http.StatusUnauthorized {
		t.Errorf("the next client gets %d %q", res.status, res.body)
	}
}

// A login is for the scheme, host, port and user of the URL alone, whatever a driver asks for.
//
// Covers: GWS18
func TestPrincipal(t *testing.T) {
	s := serve(t, Options{})
	u := locator.MustParse("ftp://ann@host.dom:2121/")
	r := request(t, http.MethodGet, u.Text(), basic("ann", "word"))
	x := &exchange{g: s.g, r: r, u: u, place: place{view: viewProxy}}
	p := x.principal()
	if p == nil || strings.Contains(p.ID, "word") {
		t.Fatalf("%+v", p)
	}
	want := scheme.LoginRequest{Scheme: "ftp", Host: "HOST.dom", Port: 2121, User: locator.Some("ann")}
	for name, change := range map[string]func(l *scheme.LoginRequest){
		"":        func(*scheme.LoginRequest) {},
		"scheme":  func(l *scheme.LoginRequest) { l.Scheme = "http" },
		"host":    func(l *scheme.LoginRequest) { l.Host = "evil.dom" },
		"port":    func(l *scheme.LoginRequest) { l.Port = 21 },
		"user":    func(l *scheme.LoginRequest) { l.User = locator.Some("bob") },
		"account": func(l *scheme.LoginRequest) { l.Account = true },
		"foreign": func(l *scheme.LoginRequest) { l.Foreign = true },
	} {
		l := want
		change(&l)
		if user, password, ok, err := p.Logins[0](t.Context(), l); err != nil || ok != (name == "") || ok && (user != "ann" || password != "word") {
			t.Errorf("another %s: %q %q %v %v", name, user, password, ok, err)
		}
	}
	other := &exchange{g: s.g, r: request(t, http.MethodGet, u.Text(), basic("ann", "words")), u: u, place: place{view: viewProxy}}
	if other.principal().ID == p.ID {
		t.Error("connections are shared by logins that differ")
	}
}

// What a server calls a user ends no quoted string of a header field.
func TestQuotable(t *testing.T) {
	if got := strings.Map(quotable, "a\"b\\c\r\nd\u00e9~ "); got != "a_b_c__d_~ " {
		t.Errorf("%q", got)
	}
	one := newGuarded(t)
	s := serve(t, Options{}, one.url)
	u, err := one.url.WithUser(locator.Some("a%22b%5C"), locator.Optional{})
	if err != nil {
		t.Fatal(err)
	}
	if realm := s.get(u.Text()).header.Get("WWW-Authenticate"); strings.Count(realm, `"`) != 4 {
		t.Errorf("%s", realm)
	}
}

// The origin that is for content sends no login to a server.
//
// Covers: GWS16
func TestLoginOfContent(t *testing.T) {
	one := newGuarded(t)
	s := serve(t, Options{Service: Service{ContentOrigin: "https://content.example"}}, one.url)
	s.page(one.url)
	login := basic("ann", "word")
	if res := s.page(one.url, login); res.status != http.StatusOK {
		t.Fatalf("%d: %s", res.status, res.body)
	}
	if res := s.get(string(pathOf(viewRaw, one.url)), login, "Host: content.example"); res.status != http.StatusUnauthorized || strings.Contains(res.body, "for ann only") {
		t.Errorf("%d: %s", res.status, res.body)
	}
}
