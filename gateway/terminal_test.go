package gateway

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"

	"locator/scheme/session"
)

// fakeSession is a session whose server does what a test says.
type fakeSession struct {
	out    chan string // what the server sends
	modes  chan session.Mode
	taken  atomic.Int64  // bytes that were read
	before func()        // called before output is returned
	deaf   bool          // the server does not read
	closed chan struct{} // by the release of the session

	mu  sync.Mutex
	got []string // what the server gets
}

func newFakeSession() *fakeSession {
	return &fakeSession{out: make(chan string), modes: make(chan session.Mode, 1), closed: make(chan struct{})}
}

func (f *fakeSession) Read(p []byte) (int, error) {
	select {
	case text, ok := <-f.out:
		if !ok {
			return 0, io.EOF
		}
		if f.before != nil {
			f.before()
		}
		n := copy(p, text)
		f.taken.Add(int64(n))
		return n, nil
	case <-f.closed:
		return 0, net.ErrClosed
	}
}

func (f *fakeSession) Write(p []byte) (int, error) { return len(p), f.get(string(p)) }

func (f *fakeSession) get(text string) error {
	if f.deaf {
		<-f.closed
		return net.ErrClosed
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.got = append(f.got, text)
	return nil
}

func (f *fakeSession) Close() error                { return nil }
func (f *fakeSession) CloseWrite() error           { return nil }
func (f *fakeSession) Resize(columns, _ int) error { return f.get("size " + string(rune(columns))) }
func (f *fakeSession) Send(session.Signal) error   { return f.get("signal") }
func (f *fakeSession) Modes() <-chan session.Mode  { return f.modes }
func (f *fakeSession) Advice() []string            { return nil }
func (f *fakeSession) Secret() (string, bool)      { return "", false }

// sent returns what the server got, once nothing happens any more.
func (f *fakeSession) sent() []string {
	synctest.Wait()
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.got)
}

// say sends output.
func (f *fakeSession) say(text string) {
	select {
	case f.out <- text:
	case <-f.closed:
	}
}

// desk is a terminal with a browser and a session, in a bubble of synctest.
type desk struct {
	*socket
	of    *fakeSession
	done  chan struct{} // closed if the gateway stops
	began time.Time
	ended chan error // why the terminal has ended
	ping  bool       // the browser answers pings
	http  http.Header
}

// sit connects a browser, and a session unless its server waits for a first message.
func sit(t *testing.T, limits sessionLimits, of *fakeSession, hello bool) *desk {
	d := &desk{of: of, done: make(chan struct{}), began: time.Now(), ended: make(chan error, 1), ping: true}
	browser, server := net.Pipe()
	l := &pipeListener{conns: make(chan net.Conn, 1)}
	l.conns <- server
	srv := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		x := newTerminal(limits)
		if err := x.accept(w, r); err != nil {
			t.Error(err)
			return
		}
		d.ended <- x.run(context.WithoutCancel(r.Context()), d.done, func(context.Context, command) (session.Session, func(), error) {
			return of, sync.OnceFunc(func() { close(of.closed) }), nil
		})
	})}
	go srv.Serve(l)
	transport := &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) { return browser, nil }}
	t.Cleanup(func() {
		browser.Close()
		transport.CloseIdleConnections()
		close(l.conns)
		srv.Close()
	})
	conn, res, err := websocket.Dial(t.Context(), "ws://gateway/", &websocket.DialOptions{
		HTTPClient: &http.Client{Transport: transport}, CompressionMode: websocket.CompressionContextTakeover,
		OnPingReceived: func(context.Context, []byte) bool { return d.ping },
	})
	if err != nil {
		t.Fatal(err)
	}
	conn.SetReadLimit(1 << 20)
	d.socket, d.http = &socket{t: t, conn: conn}, res.Header
	if hello {
		d.send(command{})
		d.read(time.Second)
	}
	return d
}

// look reads what the gateway sends, as a browser does, until the socket is closed.
func (d *desk) look() {
	go func() {
		for d.read(24 * time.Hour) {
		}
	}()
}

// wantEnd waits for the end of the terminal, and compares its time.
func (d *desk) wantEnd(least, most time.Duration) error {
	d.t.Helper()
	err := <-d.ended
	if took := time.Since(d.began); took < least || took > most {
		d.t.Errorf("ended after %v with %v, want %v to %v", took, err, least, most)
	}
	return err
}

// pipeListener accepts the connections of a channel.
type pipeListener struct{ conns chan net.Conn }

func (l *pipeListener) Accept() (net.Conn, error) {
	if c, ok := <-l.conns; ok {
		return c, nil
	}
	return nil, net.ErrClosed
}
func (*pipeListener) Close() error   { return nil }
func (*pipeListener) Addr() net.Addr { return &net.TCPAddr{} }

// What the server sends after a change of the mode is shown after the browser was told: nobody who sees a question for a password is in
// time to type one that is shown.
func TestModeBeforeOutput(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFakeSession()
		n := 0
		f.before = func() { f.modes <- session.Mode{LineMode: n%2 == 1}; n++ }
		d := sit(t, newSockets().limits, f, true)
		go func() {
			for range 500 {
				f.say("?")
			}
		}()
		for n := range 500 {
			for len(d.shown) <= n && d.read(time.Minute) {
			}
			if want := []string{"key", "line"}[n%2]; len(d.modes) == 0 || d.modes[len(d.modes)-1] != want {
				t.Fatalf("piece %d is shown before the mode is %s", n, want)
			}
		}
	})
}

// A browser that shows nothing stops the server, whose output fills the memory of neither.
//
// Covers: GW64
func TestTerminalPressure(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFakeSession()
		d := sit(t, newSockets().limits, f, true)
		go func() {
			for range 1000 { // it would end if there were no limit
				f.say(strings.Repeat("x", 16<<10))
			}
		}()
		synctest.Wait()
		if n := f.taken.Load(); n > 32<<10 {
			t.Errorf("%d bytes were taken from the server for a browser that reads nothing", n)
		}
		d.look()
		synctest.Wait()
		first := f.taken.Load()
		if first <= maxUnshown || first > maxUnshown+16<<10 || int64(len(d.shown)) != first {
			t.Errorf("%d bytes were taken, and %d sent, of which none was shown", first, len(d.shown))
		}
		d.send(command{Input: "a"})
		synctest.Wait()
		if !strings.HasSuffix(d.shown, "a") {
			t.Error("no echo of what is typed meanwhile")
		}
		d.send(command{Shown: 100 << 10})
		synctest.Wait()
		if next := f.taken.Load(); next < first+90<<10 || next > first+110<<10 {
			t.Errorf("%d bytes were taken after 102400 were shown, %d before", next, first)
		}
		d.send(command{Shown: 1}) // less than before
		if err := d.wantEnd(0, 0); err == nil || d.end == "" {
			t.Error("what was shown became less")
		}
	})
}

// Only what is typed, signalled or sent by the server keeps a session.
func TestTerminalIdle(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		do   func(*desk)
		more bool
	}{
		"nothing": {nil, false},
		"size":    {func(d *desk) { d.send(command{Size: []int{80, 24}}) }, false},
		"input":   {func(d *desk) { d.send(command{Input: "x"}) }, true},
		"signal":  {func(d *desk) { d.send(command{Signal: "break"}) }, true},
		"output":  {func(d *desk) { d.of.say("x") }, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				limits := newSockets().limits
				d := sit(t, limits, newFakeSession(), true)
				d.look()
				least, pause := limits.Idle, limits.Idle*2/3+pingTime/2 // not with a ping: a pipe has no buffer for both
				if tt.do != nil {
					time.Sleep(pause)
					tt.do(d)
				}
				if tt.more {
					least += pause
				}
				d.wantEnd(least, least+limits.Idle/4)
				synctest.Wait()
				if !strings.Contains(d.end, "for 15 minutes") {
					t.Errorf("%q", d.end)
				}
			})
		})
	}
}

// A browser that has gone without a word does not keep a session, whether its system takes bytes or not.
//
// Covers: GW64
func TestTerminalGone(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		look bool
		do   func(*desk)
		end  error // nil if it is another one
		most time.Duration
	}{
		"pings are not answered": {true, nil, errGone, time.Minute},
		"pings are not taken":    {false, nil, errGone, time.Minute},
		"output is not taken":    {false, func(d *desk) { d.of.say("x") }, errGone, 30 * time.Second},
		"the end is not taken":   {false, func(d *desk) { close(d.done) }, nil, 20 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				d := sit(t, newSockets().limits, newFakeSession(), true)
				if d.ping = false; tt.look {
					d.look()
				}
				if tt.do != nil {
					tt.do(d)
				}
				if err := d.wantEnd(0, tt.most); tt.end != nil && !errors.Is(err, tt.end) {
					t.Errorf("%v", err)
				}
			})
		})
	}
}

// A browser gets answers to as many pings as it may send messages, and no compression, which would take a buffer for each socket.
//
// Covers: GW63
func TestTerminalAccept(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d := sit(t, newSockets().limits, newFakeSession(), true)
		if text := d.http.Get("Sec-Websocket-Extensions"); text != "" {
			t.Errorf("extensions %q", text)
		}
		d.look()
		answered := 0
		for range 2 * maxBurst {
			ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
			if d.conn.Ping(ctx) == nil {
				answered++
			}
			cancel()
		}
		if answered < maxBurst-1 || answered > maxBurst+maxPace+1 { // in a second of 1,000 pings without an answer
			t.Errorf("%d pings were answered", answered)
		}
	})
}

// Lines are edited before the server says that it wants keys, a size has two numbers, and what a deaf server does not read is not kept.
func TestTerminalInput(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFakeSession()
		d := sit(t, newSockets().limits, f, true)
		d.look()
		d.send(command{Input: "ab"})
		if got := f.sent(); len(got) > 0 || d.shown != "ab" {
			t.Errorf("the server got %q, shown is %q", got, d.shown)
		}
		for _, size := range [][]int{{}, {80}, {80, 24, 1}, {'P', 24}} {
			d.send(command{Size: size})
		}
		d.send(command{Input: "\r"})
		if got := f.sent(); !slices.Equal(got, []string{"size P", "ab\n"}) {
			t.Errorf("the server got %q", got)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		f := newFakeSession()
		f.deaf = true
		d := sit(t, newSockets().limits, f, true)
		d.look()
		for range maxTodo + 11 {
			d.send(command{Signal: "break"})
			synctest.Wait()
		}
		if d.shown != strings.Repeat("\a", 10) { // one is being sent
			t.Errorf("shown is %q", d.shown)
		}
	})
}
