package http_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/tls"
	"fmt"
	"io"
	nethttp "net/http"
	"net/http/cookiejar"
	nethttptest "net/http/httptest"
	"net/http/httptrace"
	"net/textproto"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"locator/client"
	"locator/policy"
	"locator/scheme"
)

// exchanges are the requests that TestTransportIsNetHTTP sends.
func exchanges() (list []session) {
	for _, status := range []string{"200", "201", "202", "203", "204", "205", "206", "300", "304", "400", "401", "402", "403", "404", "405", "406", "409", "410", "412", "413", "415",
		"416", "418", "422", "425", "429", "451", "500", "501", "502", "503", "504", "599"} {
		list = append(list, session{method: "GET", path: "/status/" + status})
	}
	for _, method := range []string{"GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "PROPFIND", "REPORT"} {
		body := ""
		if method != "GET" && method != "HEAD" {
			body = "the body of " + method
		}
		list = append(list, session{method: method, path: "/echo?a=1;b=%0D%0A", body: body}, session{method: method, path: "/status/409", body: body})
	}
	return append(list,
		session{method: "GET", path: "/gzip"},
		session{method: "GET", path: "/gzip", header: "Accept-Encoding: gzip"},
		session{method: "HEAD", path: "/gzip"},
		session{method: "GET", path: "/chunked"},
		session{method: "GET", path: "/trailer"},
		session{method: "GET", path: "/empty"},
		session{method: "GET", path: "/close"},
		session{method: "GET", path: "/cookie"},
		session{method: "GET", path: "/fields"},
		session{method: "GET", path: "/early-hints"},
		session{method: "GET", path: "/login"},
		session{method: "GET", path: "/login", header: "Authorization: Basic YTpi"},
		session{method: "GET", path: "/range", header: "Range: bytes=2-4"},
		session{method: "GET", path: "/range", header: "Range: bytes=-3"},
		session{method: "GET", path: "/range", header: "Range: bytes=0-0,2-3"},
		session{method: "GET", path: "/range", header: "Range: bytes=900-"},
		session{method: "GET", path: "/range", header: "If-None-Match: \"tag\""},
		session{method: "GET", path: "/range", header: "If-Modified-Since: nonsense"},
		session{method: "GET", path: "/redirect/302"},
		session{method: "POST", path: "/redirect/307", body: "again"},
		session{method: "POST", path: "/redirect/308", body: "again"},
		session{method: "POST", path: "/redirect/303", body: "once"},
		session{method: "PUT", path: "/redirect/301", body: "once"},
		session{method: "GET", path: "/redirect/302-relative", differs: "moved%20a"}, // net/http sends the blank in the request line, and gets a 400
		session{method: "GET", path: "/echo", header: "X-Own: 1|X-Own: 2|Accept: text/plain|Accept-Language: de, en;q=0.5|Te: trailers"},
		session{method: "GET", path: "/echo", host: "elsewhere.example"},
		session{method: "GET", path: "//double//./slash/../%2Fa%20b"},
		session{method: "POST", path: "/echo", body: "of unknown size", unknown: true},
		session{method: "POST", path: "/echo", body: strings.Repeat("long ", 500_000)},
		session{method: "POST", path: "/echo", body: "expected", header: "Expect: 100-continue"},
		session{method: "POST", path: "/ignore", body: "{}"},
		session{method: "POST", path: "/ignore", body: strings.Repeat("x", 200<<10)},
		session{method: "POST", path: "/echo", body: "with a trailer", unknown: true, trailer: true},
		session{method: "GET", path: "/echo", login: true},
	)
}

type session struct {
	method, path, body string
	header             string // lines between "|"
	host               string
	unknown, trailer   bool // of the body: its size is not known; it has a trailer
	login              bool // in the URL
	// differs is in the body of a response that differs from that of net/http on purpose.
	differs string
}

// echo is the server of TestTransportIsNetHTTP.
func echo(w nethttp.ResponseWriter, r *nethttp.Request) {
	h := w.Header()
	h.Set("Date", "Thu, 01 Dec 1994 16:00:00 GMT")
	h["Set-Cookie"] = []string{"sid=1; Path=/", "b=2"}
	first, rest, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	switch first {
	case "status":
		var status int
		fmt.Sscan(rest, &status)
		h.Set("Retry-After", "120")
		h.Set("Link", `</next>; rel="next", </p>; rel="prev"`)
		h.Set("WWW-Authenticate", `Basic realm="x"`)
		h.Set("X-Status", rest)
		h.Set("Location", "")
		w.WriteHeader(status)
		if status != 204 && status != 304 {
			io.WriteString(w, "the server's own words\n")
		}
	case "gzip":
		if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
			h.Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			z.Write(bytes.Repeat([]byte("compressed "), 1000))
			z.Close()
		}
	case "chunked":
		for range 3 {
			io.WriteString(w, "a piece ")
			nethttp.NewResponseController(w).Flush()
		}
	case "trailer":
		h.Set("Trailer", "X-Sum")
		io.WriteString(w, "with a trailer")
		h.Set("X-Sum", "14")
		h.Set(nethttp.TrailerPrefix+"X-Late", "yes")
	case "empty":
	case "close":
		h.Set("Connection", "close")
		io.WriteString(w, "the last")
	case "fields":
		h["X-Many"] = []string{"1", "2", ""}
		h.Set("X-Bytes", "caf\xe9")
		h.Set("Content-Type", "not a type")
	case "early-hints":
		h.Set("Link", "</style.css>; rel=preload")
		w.WriteHeader(nethttp.StatusEarlyHints)
		io.WriteString(w, "after the hints")
	case "login":
		if _, _, ok := r.BasicAuth(); !ok {
			h.Set("WWW-Authenticate", `Basic realm="own"`)
			w.WriteHeader(401)
			return
		}
	case "range":
		h.Set("ETag", `"tag"`)
		nethttp.ServeContent(w, r, "x.txt", time.Time{}, strings.NewReader("0123456789"))
	case "ignore":
		w.WriteHeader(201)
	case "redirect":
		status, relative := 0, false
		fmt.Sscan(strings.TrimSuffix(rest, "-relative"), &status)
		if relative = strings.HasSuffix(rest, "-relative"); relative {
			h.Set("Location", "../echo?moved a")
		} else {
			h.Set("Location", "/echo?moved")
		}
		w.WriteHeader(status)
		io.WriteString(w, "see there")
	default:
		body, err := io.ReadAll(r.Body)
		fmt.Fprintf(w, "%s %s %s\nHost: %s\nlength %d %q, trailer %v, error %v\n", r.Method, r.RequestURI, r.Proto, strings.Replace(r.Host, r.Context().Value(nethttp.LocalAddrContextKey).(fmt.Stringer).String(), "here", 1), r.ContentLength, r.TransferEncoding, r.Trailer, err)
		r.Header.Write(w)
		w.Write(body)
	}
}

// outcome is what an http.Client returns.
type outcome struct {
	Status, Proto, Body, URL, Err string
	StatusCode                    int
	Header, Trailer               nethttp.Header
	ContentLength                 int64
	TransferEncoding              []string
	Uncompressed, Close, TLS      bool
	Requests                      int // of the chain of redirects
}

// do sends x with web.
func (x session) do(t *testing.T, web *nethttp.Client, root string) (o outcome) {
	t.Helper()
	if x.login {
		root = strings.Replace(root, "://", "://user:pass@", 1)
	}
	var body io.Reader
	if x.body != "" {
		body = strings.NewReader(x.body)
	}
	if x.unknown {
		body = io.MultiReader(body)
	}
	req, err := nethttp.NewRequestWithContext(t.Context(), x.method, root+x.path, body)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.SplitSeq(x.header, "|") {
		if name, value, ok := strings.Cut(line, ": "); ok {
			req.Header.Add(name, value)
		}
	}
	if x.host != "" {
		req.Host = x.host
	}
	if x.trailer {
		req.Trailer = nethttp.Header{"X-Trailer": {"sum"}}
	}
	req.Header.Set("User-Agent", "test")
	resp, err := web.Do(req)
	if err != nil {
		return outcome{Err: err.Error()}
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	o = outcome{Status: resp.Status, StatusCode: resp.StatusCode, Proto: resp.Proto, Header: resp.Header, Body: string(text), ContentLength: resp.ContentLength,
		TransferEncoding: resp.TransferEncoding, Uncompressed: resp.Uncompressed, Close: resp.Close, Trailer: resp.Trailer, TLS: resp.TLS != nil, URL: resp.Request.URL.String()}
	if resp.TLS != nil && len(resp.TLS.PeerCertificates) == 0 {
		t.Error("resp.TLS has no certificate")
	}
	if err != nil {
		o.Err = err.Error()
	}
	if _, boundary, ok := strings.Cut(resp.Header.Get("Content-Type"), "boundary="); ok { // is random
		o.Body = strings.ReplaceAll(o.Body, boundary, "B")
		resp.Header.Set("Content-Type", "multipart/byteranges; boundary=B")
	}
	for r := resp; r != nil && r.Request != nil; r = r.Request.Response {
		o.Requests++
	}
	return o
}

// echoServers are the servers of echo, by the version of HTTP, with a transport of net/http for
// each.
func echoServers(t *testing.T, handler nethttp.HandlerFunc) map[string]*nethttptest.Server {
	list := map[string]*nethttptest.Server{}
	for _, name := range []string{"http", "https", "HTTP/2"} {
		s := nethttptest.NewUnstartedServer(handler)
		s.EnableHTTP2 = name == "HTTP/2"
		if name == "http" {
			s.Start()
		} else {
			s.StartTLS()
		}
		t.Cleanup(s.Close)
		list[name] = s
	}
	return list
}

// overTransport returns an http.Client over the Transport of a client that trusts s.
func overTransport(t *testing.T, s *nethttptest.Server, change ...func(*client.Options)) *nethttp.Client {
	if s.TLS != nil {
		roots := s.Client().Transport.(*nethttp.Transport).TLSClientConfig.RootCAs
		change = append(change, func(o *client.Options) { o.TLS = &tls.Config{RootCAs: roots} })
	}
	return &nethttp.Client{Transport: web(t, change...).Transport()}
}

// An http.Client over the transport gets what one over the transport of net/http gets. Where they
// differ on purpose, the row says why. The requests are the same, too, but for the User-Agent.
//
// Covers: A6, A15
func TestTransportIsNetHTTP(t *testing.T) {
	t.Parallel()
	for name, s := range echoServers(t, echo) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			theirs, ours := s.Client(), overTransport(t, s)
			for _, x := range exchanges() {
				want, got := x.do(t, theirs, s.URL), x.do(t, ours, s.URL)
				if x.differs != "" {
					if !strings.Contains(got.Body, x.differs) || strings.Contains(want.Body, x.differs) {
						t.Errorf("%s: %q, net/http %q", x.path, got.Body, want.Body)
					}
					continue
				}
				a, b := reflect.ValueOf(want), reflect.ValueOf(got)
				for i := range a.NumField() {
					if !reflect.DeepEqual(a.Field(i).Interface(), b.Field(i).Interface()) {
						t.Errorf("%s %s %s: %s is %.300q, want %.300q", x.method, x.path, x.header, a.Type().Field(i).Name, fmt.Sprint(b.Field(i)), fmt.Sprint(a.Field(i)))
					}
				}
			}
		})
	}
}

// What net/http does besides responses: cookies, interim responses, and the events of httptrace.
//
// Covers: A6
func TestTransportHooks(t *testing.T) {
	t.Parallel()
	for name, s := range echoServers(t, echo) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var theirs string
			wrote := make(chan error, 8) // may come before or after the response
			for _, web := range []*nethttp.Client{s.Client(), overTransport(t, s)} {
				web.Jar, _ = cookiejar.New(nil)
				var mu sync.Mutex
				var events []string
				saw := func(format string, args ...any) {
					mu.Lock()
					defer mu.Unlock()
					events = append(events, fmt.Sprintf(format, args...))
				}
				ctx := httptrace.WithClientTrace(t.Context(), &httptrace.ClientTrace{
					GetConn:           func(at string) { saw("get %v", at == s.Listener.Addr().String()) },
					GotConn:           func(i httptrace.GotConnInfo) { saw("got, reused %v, idle %v, %v", i.Reused, i.WasIdle, i.Conn != nil) },
					ConnectStart:      func(network, _ string) { saw("connect %s", network) },
					ConnectDone:       func(_, _ string, err error) { saw("connected %v", err) },
					TLSHandshakeStart: func() { saw("handshake") },
					TLSHandshakeDone:  func(c tls.ConnectionState, err error) { saw("handshake done %v %v", c.NegotiatedProtocol == "h2", err) },
					WroteHeaders: func() {
						if name != "HTTP/2" {
							saw("headers")
						}
					},
					WroteRequest:         func(i httptrace.WroteRequestInfo) { wrote <- i.Err },
					GotFirstResponseByte: func() { saw("first byte") },
					Got1xxResponse:       func(code int, h textproto.MIMEHeader) error { saw("%d %s", code, h.Get("Link")); return nil },
				})
				var requests []string                                                                      // the events of each
				for len(requests) < 10 && !strings.Contains(strings.Join(requests, "\n"), "reused true") { // net/http closes a connection if it is slow itself
					mu.Lock()
					events = nil
					mu.Unlock()
					req, err := nethttp.NewRequestWithContext(ctx, "GET", s.URL+"/early-hints", nil)
					if err != nil {
						t.Fatal(err)
					}
					resp, err := web.Do(req)
					if err != nil {
						t.Fatal(err)
					}
					select {
					case err := <-wrote:
						saw("wrote %v", err)
					case <-time.After(10 * time.Second):
						t.Fatal("no WroteRequest")
					}
					io.Copy(io.Discard, resp.Body)
					resp.Body.Close()
					saw("%d of %v", resp.StatusCode, req.Cookies())
					mu.Lock()
					requests = append(requests, strings.Join(events, "\n"))
					mu.Unlock()
				}
				first, second := requests[0], requests[len(requests)-1]
				if theirs == "" {
					theirs = first
					continue
				}
				if first != theirs {
					t.Errorf("events\n%s\nwant\n%s", first, theirs)
				}
				if !strings.HasPrefix(second, "get true\ngot, reused true, idle true, true\n") || !strings.HasSuffix(second, "\nwrote <nil>\n200 of [sid=1 b=2]") {
					t.Errorf("events of the second request\n%s", second)
				}
			}
		})
	}
}

// The policy, the limits, and the rules about logins and header fields apply to responses that are
// passed on whole.
//
// Covers: P3, P5, P6, T174, T175
func TestTransportGuards(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	got := map[string]nethttp.Header{}
	keep := func(w nethttp.ResponseWriter, r *nethttp.Request) {
		mu.Lock()
		defer mu.Unlock()
		got[r.URL.Path] = r.Header
		if user, _, ok := r.BasicAuth(); strings.HasPrefix(r.URL.Path, "/login") && (!ok || user == "") {
			w.Header().Set("WWW-Authenticate", `Basic realm="x"`)
			w.WriteHeader(401)
			io.WriteString(w, "log in")
		}
	}
	other := nethttptest.NewServer(nethttp.HandlerFunc(keep))
	t.Cleanup(other.Close)
	s := nethttptest.NewServer(nethttp.HandlerFunc(func(w nethttp.ResponseWriter, r *nethttp.Request) {
		io.Copy(io.Discard, r.Body) // the server notices the end of the connection only then
		switch r.URL.Path {
		case "/to":
			w.Header().Set("Location", r.URL.RawQuery)
			w.WriteHeader(307)
		case "/loop":
			w.Header().Set("Location", "/loop")
			w.WriteHeader(307)
		case "/bomb":
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			for range 64 {
				z.Write(make([]byte, 1<<20))
			}
		case "/hints":
			for r.Context().Err() == nil {
				w.Header().Set("Link", "</style.css>; rel=preload")
				w.WriteHeader(nethttp.StatusEarlyHints)
			}
		case "/header":
			w.Header().Set("X-Long", strings.Repeat("x", 100<<10))
		case "/drip":
			for r.Context().Err() == nil {
				io.WriteString(w, "x")
				nethttp.NewResponseController(w).Flush()
				time.Sleep(5 * time.Millisecond)
			}
		case "/silent":
			<-r.Context().Done()
		default:
			keep(w, r)
		}
	}))
	t.Cleanup(s.Close)
	login := func(o *client.Options) { o.Logins = []scheme.LoginFunc{client.FixedLogin("alice", "s3cret-pw")} }
	send := func(web *nethttp.Client, path string) (string, error) {
		req, err := nethttp.NewRequestWithContext(t.Context(), "POST", s.URL+path, strings.NewReader("body"))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"Authorization", "Cookie", "X-Api-Key", "Accept"} {
			req.Header.Set(name, "secret-"+name)
		}
		if strings.HasPrefix(path, "/login") || strings.Contains(path, "?http") && strings.HasSuffix(path, "/login") {
			req.Header.Del("Authorization")
		}
		resp, err := web.Do(req)
		if err != nil {
			return "", err
		}
		defer resp.Body.Close()
		n, err := io.Copy(io.Discard, resp.Body)
		return fmt.Sprintf("%d, %d bytes", resp.StatusCode, n), err
	}
	// Header fields and logins stay with the first server.
	web := overTransport(t, s, login)
	for path, want := range map[string]string{"/login": "200, 0 bytes", "/to?" + other.URL + "/login": "401, 6 bytes", "/to?/login2": "401, 6 bytes"} {
		if text, err := send(web, path); text != want || err != nil {
			t.Errorf("%s: %s, %v; want %s", path, text, err, want)
		}
	}
	if _, err := send(web, "/to?"+other.URL+"/elsewhere"); err != nil {
		t.Fatal(err)
	}
	for path, names := range map[string]string{"/elsewhere": "Accept", "/login2": "Accept Authorization Cookie X-Api-Key"} {
		var has []string
		for _, name := range []string{"Accept", "Authorization", "Cookie", "X-Api-Key"} {
			if got[path].Get(name) != "" {
				has = append(has, name)
			}
		}
		if strings.Join(has, " ") != names {
			t.Errorf("%s got the fields %q, want %q", path, has, names)
		}
	}
	// Where a redirect may not lead to.
	for _, to := range []string{"file:///etc/passwd", "gopher://127.0.0.1/", "http://127.0.0.1:25/", "/loop"} {
		if text, err := send(web, "/to?"+to); err == nil || to != "/loop" && client.CodeOf(err) != scheme.CodeRefused && client.CodeOf(err) != scheme.CodeUnsupported {
			t.Errorf("redirect to %s: %s, %v", to, text, err)
		}
	}
	strangers := overTransport(t, s, login, func(o *client.Options) { o.Policy = policy.Strangers() })
	if text, err := send(strangers, "/echo"); client.CodeOf(err) != scheme.CodeRefused {
		t.Errorf("a private address: %s, %v", text, err)
	}
	bare := overTransport(t, s, login, func(o *client.Options) { o.Policy = policy.New(policy.Options{NoLogins: true}) })
	if text, err := send(bare, "/login"); text != "401, 6 bytes" || err != nil {
		t.Errorf("without logins: %s, %v", text, err)
	}
	// Limits.
	for path, limits := range map[string]scheme.Limits{"/bomb": {Body: 1 << 20}, "/header": {Header: 64 << 10}, "/hints": {Header: 64 << 10}, "/drip": {Time: 200 * time.Millisecond},
		"/silent": {Idle: 200 * time.Millisecond}} {
		began := time.Now()
		text, err := send(overTransport(t, s, func(o *client.Options) { o.Limits = limits }), path)
		if client.CodeOf(err) != scheme.CodeBroken && client.CodeOf(err) != scheme.CodeInDoubt || time.Since(began) > time.Minute {
			t.Errorf("%s: %s, %v, after %v", path, text, err, time.Since(began))
		}
		late, ok := err.(interface{ Timeout() bool })
		if path == "/silent" && (!ok || !late.Timeout()) {
			t.Errorf("%s: %v is no timeout", path, err)
		}
	}
}

// After 101 the body is the connection, in both directions, as with net/http.
//
// Covers: A6
func TestSwitchingProtocols(t *testing.T) {
	t.Parallel()
	s := nethttptest.NewServer(nethttp.HandlerFunc(func(w nethttp.ResponseWriter, r *nethttp.Request) {
		conn, rw, err := nethttp.NewResponseController(w).Hijack()
		if err != nil {
			return
		}
		defer conn.Close()
		fmt.Fprintf(conn, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: %s\r\n\r\nhello\n", r.Header.Get("Upgrade"))
		line, _ := rw.ReadString('\n')
		io.WriteString(conn, "got "+line)
	}))
	t.Cleanup(s.Close)
	for name, web := range map[string]*nethttp.Client{"net/http": s.Client(), "Transport": overTransport(t, s)} {
		req, err := nethttp.NewRequestWithContext(t.Context(), "GET", s.URL, nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header = nethttp.Header{"Connection": {"Upgrade"}, "Upgrade": {"chat"}}
		resp, err := web.Do(req)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		conn, ok := resp.Body.(io.ReadWriteCloser)
		if !ok || resp.StatusCode != 101 || resp.Header.Get("Upgrade") != "chat" {
			t.Errorf("%s: %s, %v, body %T", name, resp.Status, resp.Header, resp.Body)
			resp.Body.Close()
			continue
		}
		in := bufio.NewReader(conn)
		first, _ := in.ReadString('\n')
		io.WriteString(conn, "ping\n")
		second, err := in.ReadString('\n')
		if first != "hello\n" || second != "got ping\n" || err != nil {
			t.Errorf("%s: %q, %q, %v", name, first, second, err)
		}
		conn.Close()
	}
}
