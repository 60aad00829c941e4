package client

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"locator"
	"locator/policy"
	"locator/scheme"
)

// The policy checks the first URL and each hop before the scheme is called.
func TestReferral(t *testing.T) {
	t.Parallel()
	p := &asked{}
	c := New(Options{Policy: p, Registry: scheme.NewRegistry(fake{name: "http", access: func(_ context.Context, _ *scheme.Env, r scheme.Request) (*scheme.Resource, error) {
		switch r.URL.Text() {
		case "http://a/":
			return refer("http://b/x"), nil
		case "http://b/x":
			if r.From == nil || r.From.N != 1 || r.From.Kind != scheme.HopRedirect || r.From.From.Text() != "http://a/" {
				return nil, fmt.Errorf("hop %+v", r.From)
			}
			return text("there"), nil
		case "http://many/":
			return refer("http://gone/", "http://b/x", "http://never/"), nil
		}
		return nil, scheme.Fail(scheme.CodeUnreachable, "no such host")
	}})})
	got, err := get(t, c, "http://a/")
	if got != "there" || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
	if want := []string{"http://a/", "http://b/x"}; !slices.Equal(p.urls, want) {
		t.Errorf("policy was asked about %q, want %q", p.urls, want)
	}
	p.urls = nil
	p.url = func(u locator.URL, h scheme.Hop) error {
		if h.Kind != scheme.HopDirect {
			return scheme.Fail(scheme.CodeRefused, "no hops today")
		}
		return nil
	}
	_, err = get(t, c, "http://a/")
	wantCode(t, err, scheme.CodeRefused, "http://b/x", "no hops")
}

// The targets of a referral are tried in order; if none works, the first error is returned.
func TestReferralToMany(t *testing.T) {
	t.Parallel()
	c := New(Options{Policy: &asked{}, Registry: scheme.NewRegistry(fake{name: "http", access: func(_ context.Context, _ *scheme.Env, r scheme.Request) (*scheme.Resource, error) {
		switch r.URL.Host() {
		case "many":
			return refer("http://gone/", "http://b/", "http://never/"), nil
		case "none":
			return refer("http://gone/", "http://never/"), nil
		case "b":
			return text("mirror"), nil
		}
		return nil, scheme.Fail(scheme.CodeUnreachable, "no host %s", r.URL.Host())
	}})})
	if got, err := get(t, c, "http://many/"); got != "mirror" || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
	_, err := get(t, c, "http://none/")
	wantCode(t, err, scheme.CodeUnreachable, "no host gone")
}

// Covers: T55
func TestReferralLoop(t *testing.T) {
	t.Parallel()
	n := 0
	c := New(Options{Policy: &asked{}, Limits: scheme.Limits{Hops: 3}, Registry: scheme.NewRegistry(fake{name: "http", access: func(_ context.Context, _ *scheme.Env, r scheme.Request) (*scheme.Resource, error) {
		n++
		return refer(r.URL.Text()), nil
	}})})
	_, err := get(t, c, "http://a/")
	wantCode(t, err, scheme.CodeLoop, "loop")
	if n != 4 {
		t.Errorf("%d accesses, want 4", n)
	}
}

// Credentials are dropped on a redirect to another host, and used again on the original host.
//
// Covers: P3, T65
func TestCredentialsOnHops(t *testing.T) {
	t.Parallel()
	type seen struct {
		header   []string
		user, pw string
		ok       bool
	}
	var got []seen
	target := ""
	c := New(Options{
		Policy: &asked{}, Header: []string{"Authorization: Bearer t", "Accept: text/*", "cookie: c"},
		Logins: []scheme.LoginFunc{FixedLogin("bob", "b")},
		Registry: scheme.NewRegistry(fake{name: "ftp", access: func(ctx context.Context, env *scheme.Env, r scheme.Request) (*scheme.Resource, error) {
			u, p, ok, err := env.Login(ctx, scheme.LoginRequest{Host: r.URL.Host()})
			got = append(got, seen{r.Header, u, p, ok})
			if r.From == nil {
				return refer(target), err
			}
			return text(""), err
		}}),
	})
	for _, test := range []struct {
		first, then string
		header      int
		user        string
		ok          bool
	}{
		{"ftp://alice:a%20a@one/", "ftp://one/x", 3, "alice", true},
		{"ftp://one/", "ftp://one:21/x", 3, "bob", true},
		{"ftp://alice:a@one/", "ftp://two/x", 1, "", false},
		{"ftp://one/", "ftp://one:8080/x", 1, "", false},
		{"ftp://one/", "ftp://ONE/x", 3, "bob", true},
	} {
		got, target = nil, test.then
		if _, err := get(t, c, test.first); err != nil {
			t.Fatal(err)
		}
		last := got[len(got)-1]
		if len(last.header) != test.header || last.user != test.user || last.ok != test.ok {
			t.Errorf("%s to %s: %+v", test.first, test.then, last)
		}
	}
}

// Covers: P3, T65
// A login for the server of a menu is not sent to the servers of its items.
func TestCredentialsOnItems(t *testing.T) {
	t.Parallel()
	known := false
	c := New(Options{Policy: &asked{}, Logins: []scheme.LoginFunc{FixedLogin("bob", "b")},
		Registry: scheme.NewRegistry(fake{name: "ftp", access: func(ctx context.Context, env *scheme.Env, r scheme.Request) (*scheme.Resource, error) {
			var err error
			_, _, known, err = env.Login(ctx, scheme.LoginRequest{Host: r.URL.Host()})
			return text(""), err
		}})})
	for _, test := range []struct {
		from scheme.Hop
		to   string
		want bool
	}{
		{scheme.Hop{Kind: scheme.HopMenuItem, From: parse("ftp://one/"), N: 1}, "ftp://one/x", true},
		{scheme.Hop{Kind: scheme.HopMenuItem, From: parse("ftp://one/"), N: 1}, "ftp://two/x", false},
		{scheme.Hop{Kind: scheme.HopMenuItem, From: parse("ftp://two/"), N: 2, Foreign: true}, "ftp://two/x", false},
	} {
		if _, err := c.Access(t.Context(), scheme.Request{URL: parse(test.to), From: &test.from}, nil); err != nil {
			t.Fatal(err)
		}
		if known != test.want {
			t.Errorf("%+v to %s: login known %v", test.from, test.to, known)
		}
	}
}

// public is an address that the policy considers public.
const public = "192.88.98.1"

// pages is a scheme whose servers answer with a redirect if next has a target, else with a text. It
// connects to the host of each URL, and records the URLs and logins.
type pages struct {
	name   string
	next   func(u string) string
	seen   []string
	logins []string
}

func (p *pages) Syntax() *locator.Syntax { return locator.SyntaxOf(p.name) }

func (p *pages) Access(ctx context.Context, env *scheme.Env, r scheme.Request, _ scheme.AccessOptions) (*scheme.Resource, error) {
	p.seen = append(p.seen, r.URL.Text())
	if r.URL.HasHost() && r.URL.Host() != "" {
		port, _ := r.URL.PortNumber()
		conn, err := env.Dial(ctx, scheme.Dial{Addr: fmt.Sprintf("%s:%d", r.URL.Host(), port)})
		if err != nil {
			return nil, err
		}
		conn.Close()
	}
	user, _, ok, err := env.Login(ctx, scheme.LoginRequest{Host: r.URL.Host()})
	if err != nil {
		return nil, err
	}
	p.logins = append(p.logins, fmt.Sprint(user, ok))
	if to := p.next(r.URL.Text()); to != "" {
		return refer(to), nil
	}
	return text("it is here"), nil
}

// nobody is a dial function whose connections are closed at once.
var nobody = pipeDial(func(_ string, c net.Conn) { c.Close() })

// After an operation has connected to a public address, its ForHop dials to private addresses are
// refused.
//
// Covers: P5, T172
func TestForHopFromPublic(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		first, then string
		code        scheme.Code
	}{
		{public, "127.0.0.1:1525", scheme.CodeRefused},
		{public, "10.0.0.1:1525", scheme.CodeRefused},
		{public, "192.88.98.2:1525", scheme.CodeOK},
		{"127.0.0.1", "127.0.0.2:1525", scheme.CodeOK},
		{"10.0.0.1", "10.0.0.2:1525", scheme.CodeOK},
	} {
		for _, kept := range []bool{false, true} { // the first connection may come from the pool
			c := New(Options{Policy: policy.New(policy.Options{}), Dial: nobody,
				Registry: scheme.NewRegistry(fake{name: "prospero", access: func(ctx context.Context, env *scheme.Env, r scheme.Request) (*scheme.Resource, error) {
					_, _, release, err := env.Keep(ctx, r.URL.Host(), func(ctx context.Context) (scheme.Kept, error) {
						return env.Dial(ctx, scheme.Dial{Addr: r.URL.Host() + ":1525"})
					})
					if err != nil {
						return nil, err
					}
					release(true)
					if r.URL.SchemePart() == "" || strings.HasSuffix(r.URL.Text(), "first") {
						return text(""), nil
					}
					conn, err := env.Dial(ctx, scheme.Dial{Purpose: scheme.ForHop, Addr: test.then})
					if err != nil {
						return nil, err
					}
					return text("led on"), conn.Close()
				}})})
			if kept {
				if _, err := get(t, c, "prospero://"+test.first+"/first"); err != nil {
					t.Fatal(err)
				}
			}
			_, err := get(t, c, "prospero://"+test.first+"/x")
			if CodeOf(err) != test.code {
				t.Errorf("%s to %s, kept %v: %v, want code %v", test.first, test.then, kept, err, test.code)
			}
			c.Close()
		}
	}
}

// The policy refuses redirects of an http.Client as it refuses those of Access.
//
// Covers: P1, P3, P5, P6, T53, T54, T152, T173
func TestTransportHops(t *testing.T) {
	t.Parallel()
	const form = "gopher://192.88.98.2/0f%09%09+%091%0D%0A+-1%0D%0Ax%0D%0A.%0D%0A"
	for _, test := range []struct {
		first, location string
		code            scheme.Code
		touched         bool // the target's scheme is called before the dial is refused
	}{
		{"http://" + public + "/", "file:///etc/passwd", scheme.CodeRefused, false},
		{"http://" + public + "/", "http://127.0.0.1/", scheme.CodeRefused, true},
		{"http://" + public + "/", "http://10.0.0.1/", scheme.CodeRefused, true},
		{"http://" + public + "/", "http://169.254.169.254/latest/meta-data/", scheme.CodeRefused, true},
		{"http://" + public + "/", "gopher://192.88.98.2/", scheme.CodeRefused, false},
		{"http://" + public + "/", "ftp://192.88.98.2/", scheme.CodeRefused, false},
		{"http://" + public + "/", form, scheme.CodeRefused, false},
		{"gopher://" + public + "/0x", form, scheme.CodeRefused, false},
		{"https://" + public + "/", "http://192.88.98.2/", scheme.CodeRefused, false},
		{"http://" + public + "/", "http://192.88.98.2:25/", scheme.CodeRefused, false},
		{"http://" + public + "/", "http://192.88.98.2/x", scheme.CodeOK, true},
		{"http://127.0.0.1/", "http://10.0.0.1/", scheme.CodeOK, true},
		{"http://" + public + "/", "LOOP", scheme.CodeLoop, true},
	} {
		for _, way := range []string{"access", "http.Client"} {
			n := 0
			next := func(u string) string {
				switch {
				case test.location == "LOOP":
					n++
					return fmt.Sprintf("http://%s/%d", public, n)
				case u == test.first:
					return test.location
				}
				return ""
			}
			schemes := map[string]*pages{}
			var list []scheme.Scheme
			for _, name := range []string{"http", "https", "ftp", "gopher", "file"} {
				schemes[name] = &pages{name: name, next: next}
				list = append(list, schemes[name])
			}
			c := New(Options{Registry: scheme.NewRegistry(list...), Dial: nobody, Logins: []scheme.LoginFunc{FixedLogin("bob", "b")}})
			var body string
			var err error
			if way == "access" {
				body, err = get(t, c, test.first)
			} else {
				web := &http.Client{Transport: c.Transport(), CheckRedirect: func(*http.Request, []*http.Request) error { return nil }}
				var resp *http.Response
				if resp, err = web.Get(test.first); err == nil {
					var b []byte
					b, err = io.ReadAll(resp.Body)
					body = string(b)
					resp.Body.Close()
				}
			}
			if CodeOf(err) != test.code || err == nil && body != "it is here" {
				t.Errorf("%s: %s to %s: %q, %v; want code %v", way, test.first, test.location, body, err, test.code)
			}
			asked := 0
			for _, s := range schemes {
				asked += len(s.seen)
			}
			want := 1
			if test.touched {
				want = 2
			}
			if test.location == "LOOP" {
				want = 11 // and ten redirects
			}
			if asked != want {
				t.Errorf("%s: %s to %s: the schemes were asked %d times, want %d", way, test.first, test.location, asked, want)
			}
		}
	}
}

// A login for the URLs that the user named is not sent to other hosts by an http.Client.
//
// Covers: P3, T65
func TestTransportLogins(t *testing.T) {
	t.Parallel()
	for location, want := range map[string]string{
		"http://" + public + "/x":        "bobtrue bobtrue",
		"http://192.88.98.2/x":           "bobtrue false",
		"http://" + public + ":8080/x":   "bobtrue false",
		"http://192.88.98.2/" + "onward": "bobtrue false false", // back to the first server, led by another one
	} {
		for _, way := range []string{"access", "http.Client"} {
			s := &pages{name: "http"}
			s.next = func(u string) string {
				switch {
				case u == "http://"+public+"/":
					return location
				case strings.HasSuffix(u, "onward"):
					return "http://" + public + "/end"
				}
				return ""
			}
			c := New(Options{Registry: scheme.NewRegistry(s), Dial: nobody, Logins: []scheme.LoginFunc{FixedLogin("bob", "b")}})
			if way == "access" {
				if _, err := get(t, c, "http://"+public+"/"); err != nil {
					t.Fatal(err)
				}
			} else {
				resp, err := (&http.Client{Transport: c.Transport()}).Get("http://" + public + "/")
				if err != nil {
					t.Fatal(err)
				}
				resp.Body.Close()
			}
			if got := strings.Join(s.logins, " "); got != want {
				t.Errorf("%s by %s: logins %q, want %q", location, way, got, want)
			}
		}
	}
}

// A redirect by a response of another transport counts as one from a public and foreign server.
//
// Covers: P3, P5, T173
func TestTransportForeignResponse(t *testing.T) {
	t.Parallel()
	s := &pages{name: "http", next: func(string) string { return "" }}
	c := New(Options{Registry: scheme.NewRegistry(s), Dial: nobody})
	req, err := http.NewRequestWithContext(t.Context(), "GET", "http://127.0.0.1/", nil)
	if err != nil {
		t.Fatal(err)
	}
	first, _ := http.NewRequest("GET", "http://elsewhere.example/", nil)
	req.Response = &http.Response{StatusCode: 302, Request: first}
	resp, err := c.Transport().RoundTrip(req)
	if err == nil {
		resp.Body.Close()
	}
	wantCode(t, err, scheme.CodeRefused)
}

// A referral whose scheme does not say by which kind of hop its target is reached is a redirect:
// the user did not name it.
//
// Covers: P1, T150
func TestReferralWithoutHop(t *testing.T) {
	t.Parallel()
	c := New(Options{Registry: scheme.NewRegistry(
		fake{"http", func(context.Context, *scheme.Env, scheme.Request) (*scheme.Resource, error) {
			res := refer("file:///etc/passwd")
			res.Hop = scheme.HopDirect
			return res, nil
		}},
		fake{"file", func(context.Context, *scheme.Env, scheme.Request) (*scheme.Resource, error) { return text("root"), nil }})})
	_, err := get(t, c, "http://h/")
	wantCode(t, err, scheme.CodeRefused, "local file")
}

// A chain of redirects and referrals ends at Limits.Hops of the request or the client. The depth of
// menus is not limited.
//
// Covers: P6, T55
func TestHopLimit(t *testing.T) {
	t.Parallel()
	u := parse("http://h/")
	for _, test := range []struct{ client, request, limit int }{{0, 0, (scheme.Limits{}).WithDefaults().Hops}, {3, 0, 3}, {0, 20, 20}, {20, 3, 3}, {3, 20, 20}} {
		n := 0
		c := New(Options{Limits: scheme.Limits{Hops: test.client}, Registry: scheme.NewRegistry(
			fake{"http", func(context.Context, *scheme.Env, scheme.Request) (*scheme.Resource, error) {
				n++
				return refer(u.Text()), nil
			}},
			fake{"gopher", func(context.Context, *scheme.Env, scheme.Request) (*scheme.Resource, error) { return text("item"), nil }})})
		r := scheme.Request{URL: u, Limits: scheme.Limits{Hops: test.request}}
		_, err := read(t, c, r)
		wantCode(t, err, scheme.CodeLoop, "loop")
		if n != test.limit+1 {
			t.Errorf("%+v: %d accesses", test, n)
		}
		r.URL = parse("gopher://h/0x")
		for _, kind := range []scheme.HopKind{scheme.HopReferral, scheme.HopMenuItem} {
			r.From = &scheme.Hop{Kind: kind, From: r.URL, N: test.limit}
			if _, err := read(t, c, r); err != nil {
				t.Errorf("%+v, the last hop: %v", test, err)
			}
			r.From.N++
			if _, err := read(t, c, r); (err == nil) != (kind == scheme.HopMenuItem) {
				t.Errorf("%+v, one hop more: %v", test, err)
			}
		}
	}
}

// Via has the hops that led to a resource in order, each with whether it is permanent.
func TestVia(t *testing.T) {
	t.Parallel()
	c := New(Options{Policy: &asked{}, Dial: nobody, Registry: scheme.NewRegistry(fake{name: "http", access: func(ctx context.Context, env *scheme.Env, r scheme.Request) (*scheme.Resource, error) {
		switch r.URL.Text() {
		case "http://a/":
			res := refer("http://b/")
			res.Permanent = true
			return res, nil
		case "http://b/":
			return refer("http://" + public + "/"), nil
		}
		conn, err := env.Dial(ctx, scheme.Dial{Addr: r.URL.Host() + ":80"})
		if err != nil {
			return nil, err
		}
		conn.Close()
		res := text("")
		res.Status = "200"
		return res, nil
	}})})
	menu := scheme.Hop{Kind: scheme.HopMenuItem, From: parse("http://menu/"), N: 1}
	for _, from := range []*scheme.Hop{nil, &menu} {
		for name, do := range map[string]func(context.Context, scheme.Request) (*scheme.Resource, error){
			"access": func(ctx context.Context, r scheme.Request) (*scheme.Resource, error) { return c.Access(ctx, r, nil) },
			"check":  func(ctx context.Context, r scheme.Request) (*scheme.Resource, error) { return c.Check(ctx, r, nil) },
		} {
			res, err := do(t.Context(), scheme.Request{URL: parse("http://a/"), From: from})
			if err != nil {
				t.Fatal(err)
			}
			res.Close()
			var got []string
			for _, h := range res.Via {
				got = append(got, fmt.Sprintf("%s %d %d %v", h.From.Text(), h.Kind, h.N, h.Permanent))
			}
			want := []string{"http://a/ 1 1 true", "http://b/ 1 2 false"}
			if from != nil {
				want = []string{"http://menu/ 2 1 false", "http://a/ 1 2 true", "http://b/ 1 3 false"}
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s: %q, want %q", name, got, want)
			}
			if res.URL.Text() != "http://"+public+"/" || res.Addr != netip.MustParseAddrPort(public+":80") || !res.Public || res.Status != "200" || res.Body != nil && name == "check" {
				t.Errorf("%s: %+v", name, res)
			}
			if last := res.From(); last == nil || last.From.Text() != "http://b/" {
				t.Errorf("%s: From() is %+v", name, last)
			}
		}
	}
}

// Referrals with several targets that refer to each other end.
//
// Covers: P6, T55
func TestManyTargets(t *testing.T) {
	t.Parallel()
	n := 0
	c := New(Options{Policy: &asked{}, Registry: scheme.NewRegistry(fake{name: "x-fan", access: func(ctx context.Context, env *scheme.Env, r scheme.Request) (*scheme.Resource, error) {
		n++
		return refer("x-fan:a", "x-fan:b"), nil
	}})})
	_, err := get(t, c, "x-fan:a")
	wantCode(t, err, scheme.CodeLoop)
	if n > 1000 {
		t.Errorf("%d operations", n)
	}
}
