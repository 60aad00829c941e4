package gateway

import (
	"context"
	"encoding/json"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coder/websocket"

	"locator"
	"locator/policy"
	"locator/scheme/gopher/gophertest"
	"locator/scheme/telnet/telnettest"
	"locator/schemetest/peer"
)

// socket is a browser's end of a session.
type socket struct {
	t      *testing.T
	conn   *websocket.Conn
	shown  string   // the output of the terminal
	modes  []string // as the gateway said them
	end    string   // why the session has ended
	code   websocket.StatusCode
	closed bool
}

// dial opens the socket of a session as a page does. It returns a nil socket if the gateway refuses it, and the status.
func (s *site) dial(u locator.URL, header ...string) (*socket, int) {
	s.t.Helper()
	h := http.Header{"Origin": {"http://" + s.addr}}
	for name, value := range s.cookies {
		h.Add("Cookie", name+"="+value)
	}
	for _, x := range header {
		name, value, _ := strings.Cut(x, ": ")
		if h.Del(name); value != "" {
			h.Set(name, value)
		}
	}
	ctx, cancel := context.WithTimeout(s.t.Context(), 20*time.Second)
	defer cancel()
	conn, res, err := websocket.Dial(ctx, "ws://"+s.addr+string(pathOf(viewSession, u)), &websocket.DialOptions{HTTPHeader: h})
	if err != nil {
		if res == nil {
			s.t.Fatal(err)
		}
		return nil, res.StatusCode
	}
	conn.SetReadLimit(1 << 20)
	s.t.Cleanup(func() { conn.CloseNow() })
	return &socket{t: s.t, conn: conn}, res.StatusCode
}

// connect opens the socket of a session and sends its first message.
func (s *site) connect(u locator.URL, first command) *socket {
	s.t.Helper()
	s.page(u)
	c, status := s.dial(u)
	if c == nil {
		s.t.Fatalf("status %d", status)
	}
	if first.Token == "" {
		first.Token = s.g.sign("form", s.cookies[sessionCookie])
	}
	c.send(first)
	return c
}

// raw sends a frame. An error is that of a socket that the gateway has closed.
func (c *socket) raw(kind websocket.MessageType, b []byte) error {
	ctx, cancel := context.WithTimeout(c.t.Context(), 20*time.Second)
	defer cancel()
	return c.conn.Write(ctx, kind, b)
}

func (c *socket) send(m command) {
	c.t.Helper()
	b, err := json.Marshal(m)
	if err != nil {
		c.t.Fatal(err)
	}
	if err := c.raw(websocket.MessageText, b); err != nil {
		c.t.Fatal(err)
	}
}

// read reads a message. It reports whether there is one.
func (c *socket) read(limit time.Duration) bool {
	ctx, cancel := context.WithTimeout(c.t.Context(), limit)
	defer cancel()
	kind, b, err := c.conn.Read(ctx)
	if err != nil {
		c.code, c.closed = websocket.CloseStatus(err), ctx.Err() == nil
		return false
	}
	if kind == websocket.MessageBinary {
		c.shown += string(b)
		return true
	}
	var s status
	if err := json.Unmarshal(b, &s); err != nil {
		c.t.Fatal(err)
	}
	if s.Mode != "" {
		c.modes = append(c.modes, s.Mode)
	}
	c.end = s.End
	return true
}

// until reads until the terminal has shown a text.
func (c *socket) until(text string) {
	c.t.Helper()
	for !strings.Contains(c.shown, text) {
		if !c.read(20 * time.Second) {
			c.t.Fatalf("no %q in %q; ended: %q", text, c.shown, c.end)
		}
	}
}

// wantEnd reads until the gateway closes the socket.
func (c *socket) wantEnd(text string, code websocket.StatusCode) {
	c.t.Helper()
	for c.read(20 * time.Second) {
	}
	if !c.closed || !strings.Contains(c.end, text) || c.code != code {
		c.t.Errorf("ended with %q and %d (closed: %v), want %q and %d", c.end, c.code, c.closed, text, code)
	}
}

// limit changes the limits of later sessions.
func (s *site) limit(change func(*sessionLimits)) {
	s.g.sockets.mu.Lock()
	defer s.g.sockets.mu.Unlock()
	change(&s.g.sockets.limits)
}

// wantIdle waits until the gateway has no session any more.
func (s *site) wantIdle() {
	s.t.Helper()
	for range 2000 {
		s.g.sockets.mu.Lock()
		n := s.g.sockets.all
		s.g.sockets.mu.Unlock()
		if n == 0 {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	s.t.Error("the session has not ended")
}

func startTelnet(t *testing.T, opts ...telnettest.Option) *telnettest.Server {
	t.Helper()
	srv, err := telnettest.Start(opts...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { srv.Close() })
	return srv
}

func TestSocket(t *testing.T) {
	t.Parallel()
	srv := startTelnet(t, telnettest.Ask(253, 31))
	s := serve(t, Options{}, srv.URL())
	c := s.connect(srv.URL(), command{Size: []int{90, 33}})
	c.until("Welcome to telnettest\r\n")
	c.send(command{Input: "hel"})
	c.send(command{Input: "x\x7flo\r"})
	c.until("helx\b \blo\r\n")
	c.until("you said: hello")
	c.send(command{Size: []int{100_000, -3}})
	for _, signal := range []string{"interrupt", "break", "abort-output", "are-you-there"} {
		c.send(command{Signal: signal})
	}
	c.send(command{Input: "size\r"})
	c.until("500")
	for _, want := range []string{"SB NAWS 90 33", "SB NAWS 500 1", "IP", "BRK", "AO", "AYT"} {
		if !slices.Contains(srv.Events(), want) {
			t.Errorf("no %s in %q", want, srv.Events())
		}
	}
	c.send(command{Input: "exit\r"})
	c.until("Bye")
	c.wantEnd("The server has ended the session.", websocket.StatusNormalClosure)
	s.wantIdle()
	if log := s.log.String(); !strings.Contains(log, "status=101") || !strings.Contains(log, "msg=session") {
		t.Errorf("the log is %s", log)
	}
}

// The server gets keys as they are typed where it wants that, and hidden lines are not shown.
func TestSocketModes(t *testing.T) {
	t.Parallel()
	keys := startTelnet(t, telnettest.Character())
	s := serve(t, Options{}, keys.URL())
	c := s.connect(keys.URL(), command{})
	c.until("Welcome")
	for !slices.Contains(c.modes, "key") && c.read(20*time.Second) {
	}
	c.send(command{Input: "k"})
	c.until("k")
	if strings.Count(c.shown, "k") != 1 {
		t.Errorf("shown %q", c.shown)
	}
	c.conn.CloseNow()
	s.wantIdle()

	login := startTelnet(t, telnettest.Login())
	s = serve(t, Options{}, login.URL())
	c = s.connect(login.URL(), command{})
	c.until("ogin")
	c.send(command{Input: "guest\r"})
	c.until("assword")
	c.send(command{Input: "hidden\r"})
	c.send(command{Input: "hello\r"})
	c.until("you said: hello")
	if strings.Contains(c.shown, "hidden") || !strings.Contains(string(login.Received()), "hidden") {
		t.Errorf("shown %q, received %q", c.shown, login.Received())
	}
	if strings.Contains(s.log.String(), "hidden") {
		t.Error("the log has what was typed")
	}
}

func TestSocketCharset(t *testing.T) {
	t.Parallel()
	srv := startTelnet(t, telnettest.Greeting("caf\xe9\r\n"))
	s := serve(t, Options{}, srv.URL())
	c := s.connect(srv.URL(), command{Charset: "iso-8859-1"})
	c.until("café\r\n")
	c.send(command{Input: "é€\r"})
	c.until("you said: é?")
	if got := string(srv.Received()); !strings.Contains(got, "\xe9?\r") {
		t.Errorf("the server received %q", got)
	}
	c = s.connect(srv.URL(), command{Charset: "no-such-set"})
	c.wantEnd("no-such-set", websocket.StatusNormalClosure)
}

// Covers: GW60
func TestSocketFilter(t *testing.T) {
	t.Parallel()
	srv := startTelnet(t, telnettest.Greeting("\x1b]0;title\a\x1b[6n\x1b[c\x1b]52;c;cm0=\a\x05\x1bP+q\x1b\\\x1b[31mred\x1b]8;;javascript:x\a\u202e\xfe!\r\n"))
	s := serve(t, Options{}, srv.URL())
	c := s.connect(srv.URL(), command{})
	c.until("!")
	if want := "\x1b[31mred\ufffd!\r\n"; c.shown != want {
		t.Errorf("shown %q, want %q", c.shown, want)
	}
	c.send(command{Input: "exit\r"})
	c.wantEnd("The server has ended the session.", websocket.StatusNormalClosure)
	if !strings.HasSuffix(c.shown, "\x1b[m") {
		t.Errorf("the colour is not undone: %q", c.shown)
	}
}

func TestSocketEnds(t *testing.T) {
	t.Parallel()
	srv := startTelnet(t)
	for _, tt := range []struct {
		name  string
		limit func(*sessionLimits)
		do    func(*site, *socket)
		text  string
		code  websocket.StatusCode
	}{
		{"reset", nil, func(_ *site, c *socket) { c.send(command{Input: "reset\r"}) }, "The connection was lost", websocket.StatusNormalClosure},
		{"stopped", nil, func(s *site, c *socket) { go s.g.Close() }, "The gateway is being stopped.", websocket.StatusGoingAway},
		{"idle", func(l *sessionLimits) { l.Idle = 300 * time.Millisecond }, nil, "Nothing was typed or shown for 300ms", websocket.StatusNormalClosure},
		{"output", func(l *sessionLimits) { l.Output = 40 }, func(_ *site, c *socket) { c.send(command{Input: "many words\r"}) }, "sent more than 40", websocket.StatusNormalClosure},
		{"input", func(l *sessionLimits) { l.Input = 4 }, func(_ *site, c *socket) { c.send(command{Input: "hello"}) }, "were typed", websocket.StatusPolicyViolation},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := serve(t, Options{}, srv.URL())
			if tt.limit != nil {
				s.limit(tt.limit)
			}
			c := s.connect(srv.URL(), command{})
			c.until("Welcome")
			if tt.do != nil {
				tt.do(s, c)
			}
			c.wantEnd(tt.text, tt.code)
			s.wantIdle()
		})
	}
	t.Run("time", func(t *testing.T) {
		t.Parallel()
		o := Policy().Options()
		o.Limits.Time = 700 * time.Millisecond
		s := serve(t, Options{Policy: policy.New(o)}, srv.URL())
		s.connect(srv.URL(), command{}).wantEnd("the most that this gateway allows", websocket.StatusNormalClosure)
		s.wantIdle()
	})
	t.Run("time, without that of a policy", func(t *testing.T) {
		t.Parallel()
		o := Policy().Options()
		o.Limits.Time = 0
		s := serve(t, Options{Policy: policy.New(o)}, srv.URL())
		s.limit(func(l *sessionLimits) { l.Time = 300 * time.Millisecond })
		s.connect(srv.URL(), command{}).wantEnd("has lasted 300ms, the most", websocket.StatusNormalClosure)
		s.wantIdle()
	})
	t.Run("the browser goes", func(t *testing.T) {
		t.Parallel()
		s := serve(t, Options{}, srv.URL())
		c := s.connect(srv.URL(), command{})
		c.until("Welcome")
		c.conn.CloseNow()
		s.wantIdle()
	})
}

// No page of another site, no program without a page, and no page of another browser opens a session.
//
// Covers: GW61
func TestSocketRefused(t *testing.T) {
	t.Parallel()
	srv := startTelnet(t)
	s := serve(t, Options{}, srv.URL())
	s.page(srv.URL())
	for _, tt := range []struct {
		name   string
		header []string
		want   int
	}{
		{"another origin", []string{"Origin: http://evil.example"}, http.StatusForbidden},
		{"another port", []string{"Origin: http://127.0.0.1:1"}, http.StatusForbidden},
		{"a sandbox", []string{"Origin: null"}, http.StatusForbidden},
		{"no origin", []string{"Origin: "}, http.StatusForbidden},
		{"another site", []string{"Sec-Fetch-Site: cross-site"}, http.StatusForbidden},
		{"no cookie", []string{"Cookie: "}, http.StatusForbidden},
		{"a name of its own", []string{"Host: evil.example", "Origin: http://evil.example"}, http.StatusForbidden}, // Host is not set by this client, so that the origin is another one
	} {
		if c, got := s.dial(srv.URL(), tt.header...); c != nil || got != tt.want {
			t.Errorf("%s: %v, status %d, want %d", tt.name, c, got, tt.want)
		}
	}
	if r := s.send(http.MethodGet, string(pathOf(viewSession, srv.URL())), "", "Host: evil.example", "Origin: http://evil.example", "Upgrade: websocket"); r.status != http.StatusMisdirectedRequest {
		t.Errorf("a name of its own: status %d", r.status)
	}
	if r := s.get(string(pathOf(viewSession, srv.URL()))); r.status != http.StatusUpgradeRequired {
		t.Errorf("without an upgrade: status %d", r.status)
	}
	for _, method := range []string{http.MethodPost, http.MethodHead} {
		if r := s.send(method, string(pathOf(viewSession, srv.URL())), "", "Origin: http://"+s.addr, "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=="); r.status != http.StatusUpgradeRequired {
			t.Errorf("%s: status %d", method, r.status)
		}
	}
	other := serve(t, Options{}, srv.URL())
	other.page(srv.URL())
	for name, token := range map[string]string{"no token": " ", "another gateway": other.g.sign("form", other.cookies[sessionCookie]), "another browser": s.g.sign("form", "x")} {
		t.Log(name)
		s.connect(srv.URL(), command{Token: token}).wantEnd("The page is too old.", websocket.StatusPolicyViolation)
	}
	if got := srv.Received(); len(got) > 0 {
		t.Errorf("the server received %q", got)
	}
	s.wantIdle()
}

// The policy decides about a session as about every access, and only sessions are served.
//
// Covers: GW62
func TestSocketPolicy(t *testing.T) {
	t.Parallel()
	srv := startTelnet(t)
	s := serve(t, Options{})
	s.page(locator.MustParse("mailto:ann@example.org")) // a page with a form begins a session
	_, port, _ := net.SplitHostPort(s.addr)
	for _, tt := range []struct {
		url    string
		status int
		end    string
	}{
		{srv.URL().Text(), http.StatusForbidden, ""},
		{"telnet://" + s.addr + "/", http.StatusForbidden, ""},
		{"telnet://10.0.0.1/", http.StatusForbidden, ""},
		{"telnet://[::1]:23/", http.StatusForbidden, ""},
		{"telnet://localhost:" + port + "/", http.StatusForbidden, ""},
		{"mailto:ann@example.org", http.StatusSwitchingProtocols, "does not locate a session"},
	} {
		u, err := s.g.client.Parse(tt.url)
		if err != nil {
			t.Fatal(err)
		}
		c, status := s.dial(u)
		if status != tt.status {
			t.Errorf("%s: status %d, want %d", tt.url, status, tt.status)
		}
		if c != nil {
			c.send(command{Token: s.g.sign("form", s.cookies[sessionCookie])})
			c.wantEnd(tt.end, websocket.StatusNormalClosure)
		}
	}
	if got := srv.Received(); len(got) > 0 {
		t.Errorf("the server received %q", got)
	}
}

// Covers: GW63
func TestSocketHostile(t *testing.T) {
	t.Parallel()
	srv := startTelnet(t)
	text := func(s string) func(*socket) { return func(c *socket) { c.raw(websocket.MessageText, []byte(s)) } }
	const wrong = "does not understand"
	for _, tt := range []struct {
		name string
		do   func(*socket)
		text string
		code websocket.StatusCode
	}{
		{"binary", func(c *socket) { c.raw(websocket.MessageBinary, []byte(`{"input":"x"}`)) }, wrong, websocket.StatusPolicyViolation},
		{"no JSON", text("input"), wrong, websocket.StatusPolicyViolation},
		{"cut", text(`{"input":`), wrong, websocket.StatusPolicyViolation},
		{"two values", text(`{}{}`), wrong, websocket.StatusPolicyViolation},
		{"another field", text(`{"url":"telnet://x/"}`), wrong, websocket.StatusPolicyViolation},
		{"another type", text(`{"input":7}`), wrong, websocket.StatusPolicyViolation},
		{"deep", text(strings.Repeat("[", 60_000)), wrong, websocket.StatusPolicyViolation},
		{"no UTF-8", text("\xff\xfe"), wrong, websocket.StatusPolicyViolation},
		{"a signal", text(`{"signal":"kill"}`), "unknown signal", websocket.StatusPolicyViolation},
		{"shown too much", text(`{"shown":1000000}`), "has shown more", websocket.StatusPolicyViolation},
		{"shown less than nothing", text(`{"shown":-1}`), "has shown more", websocket.StatusPolicyViolation},
		{"oversize", text(`{"input":"` + strings.Repeat("x", maxMessage) + `"}`), "", websocket.StatusMessageTooBig},
		{"tiny", func(c *socket) {
			for range 10_000 {
				if c.raw(websocket.MessageText, []byte(`{}`)) != nil {
					return
				}
			}
		}, "more messages than anyone can type", websocket.StatusPolicyViolation},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := serve(t, Options{}, srv.URL())
			c := s.connect(srv.URL(), command{})
			c.until("Welcome")
			tt.do(c)
			c.wantEnd(tt.text, tt.code)
			s.wantIdle()
		})
	}
	t.Run("silent while the gateway stops", func(t *testing.T) {
		t.Parallel()
		s := serve(t, Options{}, srv.URL())
		s.page(srv.URL())
		c, _ := s.dial(srv.URL())
		began := time.Now()
		s.g.Close()
		if took := time.Since(began); c == nil || c.read(20*time.Second) || took > sessionHello/2 {
			t.Errorf("Close took %v", took)
		}
	})
	t.Run("silent", func(t *testing.T) {
		t.Parallel()
		s := serve(t, Options{}, srv.URL())
		s.limit(func(l *sessionLimits) { l.Hello = 200 * time.Millisecond })
		s.page(srv.URL())
		c, _ := s.dial(srv.URL())
		if c == nil || c.read(20*time.Second) || !c.closed {
			t.Error("a socket without a first message is not closed")
		}
		s.wantIdle()
	})
}

// Covers: GW65
func TestSocketCount(t *testing.T) {
	t.Parallel()
	srv := startTelnet(t)
	s := serve(t, Options{}, srv.URL())
	s.limit(func(l *sessionLimits) { l.PerClient = 2 })
	var open []*socket
	for range 2 {
		c := s.connect(srv.URL(), command{})
		c.until("Welcome")
		open = append(open, c)
	}
	if c, got := s.dial(srv.URL()); c != nil || got != http.StatusTooManyRequests {
		t.Errorf("a third session: status %d", got)
	}
	open[0].conn.CloseNow()
	open[1].conn.CloseNow()
	s.wantIdle()
	s.limit(func(l *sessionLimits) { l.All = 0 })
	if c, got := s.dial(srv.URL()); c != nil || got != http.StatusServiceUnavailable {
		t.Errorf("over the limit of all clients: status %d", got)
	}
	s.g.Close()
	if c, got := s.dial(srv.URL()); c != nil || got != http.StatusServiceUnavailable {
		t.Errorf("after Close: status %d", got)
	}
}

// Covers: GW65
func TestSockets(t *testing.T) {
	t.Parallel()
	s := newSockets()
	_, end, err := s.begin("a")
	if err != nil {
		t.Fatal(err)
	}
	var ended atomic.Bool
	go func() { <-s.done; ended.Store(true); end() }()
	if s.close(); !ended.Load() || len(s.by) != 0 {
		t.Errorf("closed before the session has ended; %v", s.by)
	}
	if _, _, err := s.begin("a"); err == nil || statusOf(err) != http.StatusServiceUnavailable {
		t.Errorf("after close: %v", err)
	}
}

// A network of IPv6 is one client, also behind a proxy.
//
// Covers: GW65
func TestSocketNetwork(t *testing.T) {
	t.Parallel()
	srv := startTelnet(t)
	s := serve(t, Options{Service: Service{Proxies: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}}, srv.URL())
	s.limit(func(l *sessionLimits) { l.PerClient = 1 })
	s.page(srv.URL())
	c, status := s.dial(srv.URL(), "X-Forwarded-For: 2001:db8::1")
	if c == nil {
		t.Fatal(status)
	}
	if other, status := s.dial(srv.URL(), "X-Forwarded-For: 2001:db8::2"); other != nil || status != http.StatusTooManyRequests {
		t.Errorf("a second session of the network: %d", status)
	}
	c.conn.CloseNow()
	s.wantIdle()
	if text := s.log.String(); !strings.Contains(text, "msg=session remote=2001:db8::1 ") {
		t.Errorf("the log has another address: %s", text)
	}
	for _, site := range []string{"same-site", "none"} {
		if c, status := s.dial(srv.URL(), "Sec-Fetch-Site: "+site); c != nil || status != http.StatusForbidden {
			t.Errorf("%s: %d", site, status)
		}
	}
	if r := s.get(string(pathOf(viewSession, srv.URL()))); r.header.Get("Upgrade") != "websocket" {
		t.Errorf("%v", r.header)
	}
}

// A socket sends no form that a URL holds, and no password of a URL is in the log of sessions, also of one within another.
//
// Covers: GW62
func TestSocketForm(t *testing.T) {
	t.Parallel()
	sent := make(chan string, 10)
	menus, err := gophertest.Start(peer.Tree(), gophertest.Ask("form", gophertest.Form{Ask: []string{"Ask: Name"}, Handle: func(data string) string { sent <- data; return "" }}))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(menus.Close)
	form := strings.TrimSuffix(menus.Item('0', "/form", "?").Text(), "?") + "+%091%0D%0A+-1%0D%0ABob%0D%0A.%0D%0A"
	s := serve(t, Options{}, menus.Item('1', "/", ""))
	s.page(locator.MustParse("mailto:ann@example.org"))
	for _, u := range []string{form, menus.Item('0', "/ftp://ann:hunter2@host.dom/", "").Text()} {
		c, status := s.dial(locator.MustParse(u))
		if c == nil {
			t.Fatalf("%s: status %d", u, status)
		}
		c.send(command{Token: s.g.sign("form", s.cookies[sessionCookie])})
		for c.read(20 * time.Second) {
		}
		if len(sent) > 0 || !c.closed {
			t.Errorf("%s: %q, %d forms were sent", u, c.end, len(sent))
		}
	}
	s.wantIdle()
	if text := s.log.String(); strings.Contains(text, "hunter2") || strings.Count(text, "msg=session") != 2 {
		t.Errorf("the log is %s", text)
	}
}
