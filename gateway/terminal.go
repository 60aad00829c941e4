package gateway

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"
	"golang.org/x/time/rate"

	"locator/internal/lineedit"
	"locator/internal/present"
	"locator/internal/screen"
	"locator/internal/units"
	"locator/scheme/session"
	"locator/wire"
)

// The messages of a socket are JSON texts in both directions, but for what the terminal shows, which is binary. The browser sends the
// fields of command, the first time with a token. The gateway sends those of status.

// command is a message from the browser.
type command struct {
	Token   string `json:"token"`
	Charset string `json:"charset"`
	Size    []int  `json:"size"`   // columns and lines
	Input   string `json:"input"`  // what was typed
	Signal  string `json:"signal"` // one of signals
	Shown   int64  `json:"shown"`  // how many bytes the terminal has shown
}

// status is a message to the browser.
type status struct {
	Connected bool   `json:"connected,omitempty"`
	Mode      string `json:"mode,omitempty"` // "line" or "key"
	End       string `json:"end,omitempty"`  // why the session has ended
}

// signals are the names of signals in messages.
var signals = map[string]session.Signal{
	"break": session.Break, "interrupt": session.Interrupt, "abort-output": session.AbortOutput, "are-you-there": session.AreYouThere,
}

// The terminal in the page, and its limits.
const (
	terminalType = "xterm-256color"
	maxColumns   = 500
	maxLines     = 300
	maxMessage   = 64 << 10 // bytes of a message from the browser
	maxPace      = 100      // messages a second, after a burst of maxBurst
	maxBurst     = 1000
	maxUnshown   = 512 << 10 // bytes that were sent, and that the terminal has not shown
	maxTodo      = 64        // messages that wait for a server that does not read

	messageTime = 30 * time.Second // for a message to the browser
	pingTime    = 30 * time.Second // between two pings
	goodbyeTime = 5 * time.Second  // for the last message
)

// size returns the size of the window within the limits. It is 0 if the browser does not say it.
func (m command) size() (columns, lines int) {
	if len(m.Size) != 2 {
		return 0, 0
	}
	return min(max(m.Size[0], 1), maxColumns), min(max(m.Size[1], 1), maxLines)
}

// ending is why a session ended, in words for the user.
type ending struct {
	text   string
	status websocket.StatusCode // 0 is normal
}

func (e ending) Error() string { return e.text }

// errGone is the reason if the browser has closed the socket, so that nobody is left to read it.
var errGone = errors.New("closed by the browser")

// terminal connects a socket with a session.
type terminal struct {
	limits sessionLimits
	conn   *websocket.Conn
	pace   *rate.Limiter
	end    context.CancelCauseFunc // ends the session

	session  session.Session
	todo     chan func() error // sends input, in order
	mode     atomic.Pointer[session.Mode]
	settle   chan chan struct{} // asks modes to note the mode now; the answer is that the channel is closed
	line     lineedit.Editor    // used by read only
	typed    int64
	received atomic.Int64
	active   atomic.Int64 // when something was typed or received, in Unix nanoseconds

	sent, shown atomic.Int64  // bytes of output
	progress    chan struct{} // gets a value when shown changes
}

func newTerminal(limits sessionLimits) *terminal {
	t := &terminal{limits: limits, pace: rate.NewLimiter(maxPace, maxBurst), todo: make(chan func() error, maxTodo), settle: make(chan chan struct{}), progress: make(chan struct{}, 1)}
	t.mode.Store(&session.Mode{LineMode: true})
	t.touch()
	return t
}

func (t *terminal) touch() { t.active.Store(time.Now().UnixNano()) }

// accept takes over the connection of a request. The error is sent to the browser.
func (t *terminal) accept(w http.ResponseWriter, r *http.Request) (err error) {
	t.conn, err = websocket.Accept(w, r, &websocket.AcceptOptions{OnPingReceived: t.pinged}) // without compression
	return err
}

// run connects the session and serves it until it ends or done is closed. It closes the socket, and returns why.
func (t *terminal) run(ctx context.Context, done <-chan struct{}, connect func(context.Context, command) (session.Session, func(), error)) error {
	ctx, t.end = context.WithCancelCause(ctx)
	defer t.end(nil)
	t.conn.SetReadLimit(maxMessage)
	var group sync.WaitGroup
	group.Go(func() { t.watch(ctx, done) })
	first, err := t.hello(ctx)
	if err == nil {
		group.Go(func() { t.read(context.WithoutCancel(ctx)) })
		var release func()
		if t.session, release, err = connect(ctx, first); err == nil {
			t.say(ctx, status{Connected: true})
			group.Go(func() { t.send(ctx) })
			group.Go(func() { t.modes(ctx) })
			group.Go(func() { t.output(ctx) })
			<-ctx.Done()
			release()
		}
	}
	t.end(err)
	reason := context.Cause(ctx)
	t.goodbye(ctx, reason)
	group.Wait()
	return reason
}

// hello reads the first message.
func (t *terminal) hello(ctx context.Context) (m command, err error) {
	ctx, cancel := context.WithTimeout(ctx, t.limits.Hello)
	defer cancel()
	kind, b, err := t.conn.Read(ctx)
	if err != nil {
		return m, errGone
	}
	return decodeMessage(kind, b)
}

// decodeMessage reads a message from the browser.
func decodeMessage(kind websocket.MessageType, b []byte) (m command, err error) {
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	if kind != websocket.MessageText || d.Decode(&m) != nil || d.More() {
		return m, ending{"The browser sent something that the gateway does not understand.", websocket.StatusPolicyViolation}
	}
	return m, nil
}

// read handles the messages of the browser until the socket is closed.
func (t *terminal) read(ctx context.Context) {
	for {
		kind, b, err := t.conn.Read(ctx)
		if err != nil {
			t.end(errGone)
			return
		}
		m, err := decodeMessage(kind, b)
		if err == nil && !t.pace.Allow() {
			err = errPace
		}
		if err == nil {
			err = t.handle(ctx, m)
		}
		if err != nil {
			t.end(err)
			return
		}
	}
}

var errPace = ending{"The browser sends more messages than anyone can type.", websocket.StatusPolicyViolation}

// pinged counts a ping of the browser as a message. The result says whether it is answered.
func (t *terminal) pinged(context.Context, []byte) bool { return t.pace.Allow() }

// handle handles a message.
func (t *terminal) handle(ctx context.Context, m command) error {
	if m.Shown != 0 {
		if m.Shown < t.shown.Load() || m.Shown > t.sent.Load() {
			return ending{"The browser says that it has shown more than it got.", websocket.StatusPolicyViolation}
		}
		t.shown.Store(m.Shown)
		select {
		case t.progress <- struct{}{}:
		default:
		}
	}
	if columns, lines := m.size(); columns != 0 {
		t.later(ctx, func() error { return t.session.Resize(columns, lines) })
	}
	if m.Signal != "" {
		signal, ok := signals[m.Signal]
		if !ok {
			return ending{"The browser sent an unknown signal.", websocket.StatusPolicyViolation}
		}
		t.touch()
		t.later(ctx, func() error { return t.session.Send(signal) })
	}
	if m.Input != "" {
		t.touch()
		if t.typed += int64(len(m.Input)); t.typed > t.limits.Input {
			return ending{"More than " + units.Size(t.limits.Input) + " were typed, the most that this gateway allows.", websocket.StatusPolicyViolation}
		}
		t.input(ctx, m.Input)
	}
	return nil
}

// input sends what was typed, or edits a line of it, as the server wants.
func (t *terminal) input(ctx context.Context, text string) {
	var echo strings.Builder
	t.line.Input([]byte(text), *t.mode.Load(), func(s string) { echo.WriteString(s) }, func(b []byte) {
		t.later(ctx, func() error { _, err := t.session.Write(b); return err })
	}, func() {
		t.later(ctx, func() error { return t.session.Send(session.Interrupt) })
	})
	t.show(ctx, []byte(echo.String()))
}

// later queues what is sent to the server. If the server does not read, it is dropped, with a bell.
func (t *terminal) later(ctx context.Context, f func() error) {
	select {
	case t.todo <- f:
	default:
		t.show(ctx, []byte("\a"))
	}
}

// send sends what is queued. A server that does not read blocks it, and nothing else.
func (t *terminal) send(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case f := <-t.todo:
			_ = f() // Read reports what is wrong with the connection
		}
	}
}

// modes notes whether the server echoes, and tells the browser whether it wants lines or keys.
func (t *terminal) modes(ctx context.Context) {
	changes := t.session.Modes()
	note := func(m session.Mode, ok bool) {
		if !ok {
			changes = nil // the session is over
			return
		}
		t.mode.Store(&m)
		name := "key"
		if m.LineMode {
			name = "line"
		}
		t.say(ctx, status{Mode: name})
	}
	for {
		select {
		case m, ok := <-changes:
			note(m, ok)
		case done := <-t.settle:
			select {
			case m, ok := <-changes:
				note(m, ok)
			default:
			}
			close(done)
		case <-ctx.Done():
			return
		}
	}
}

// settled waits until the mode is what the server has set it to before the output that was read last. A server turns its echo on before
// it asks for a password, so that nobody who sees the question types one that is shown.
func (t *terminal) settled(ctx context.Context) {
	done := make(chan struct{})
	select {
	case t.settle <- done:
		<-done
	case <-ctx.Done():
	}
}

// output sends what the server sends to the terminal, through a filter, and no faster than the terminal shows it.
func (t *terminal) output(ctx context.Context) {
	var filter screen.Filter
	buf, shown := make([]byte, 16<<10), []byte(nil)
	for {
		n, err := t.session.Read(buf)
		if n > 0 {
			t.touch()
			t.settled(ctx)
			shown = filter.Append(shown[:0], buf[:n])
			t.show(ctx, shown)
			t.wait(ctx)
			if t.received.Add(int64(n)) > t.limits.Output {
				err = ending{text: "The server sent more than " + units.Size(t.limits.Output) + ", the most that this gateway allows."}
			}
		}
		switch {
		case err == nil:
			continue
		case err == io.EOF:
			err = ending{text: "The server has ended the session."}
		}
		t.show(ctx, filter.Reset())
		t.end(present.Bare(err))
		return
	}
}

// wait waits until the terminal has shown most of the output.
func (t *terminal) wait(ctx context.Context) {
	for t.sent.Load()-t.shown.Load() > maxUnshown {
		select {
		case <-t.progress:
		case <-ctx.Done():
			return
		}
	}
}

// show sends output to the terminal.
func (t *terminal) show(ctx context.Context, b []byte) {
	if len(b) > 0 {
		t.sent.Add(int64(len(b)))
		t.write(ctx, websocket.MessageBinary, b, messageTime)
	}
}

// say sends a status to the browser.
func (t *terminal) say(ctx context.Context, s status) {
	b, err := json.Marshal(s)
	if err != nil {
		t.end(err)
		return
	}
	t.write(ctx, websocket.MessageText, b, messageTime)
}

// write sends a message to the browser. A session that has ended does not cut it. If it fails, the socket is closed, and read ends the
// session.
func (t *terminal) write(ctx context.Context, kind websocket.MessageType, b []byte, limit time.Duration) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), limit)
	defer cancel()
	t.conn.Write(ctx, kind, b)
}

// watch ends a session that is idle, whose browser has gone, or whose gateway is being stopped.
func (t *terminal) watch(ctx context.Context, done <-chan struct{}) {
	ping, idle := time.NewTicker(pingTime), time.NewTicker(t.limits.Idle/4)
	defer ping.Stop()
	defer idle.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-done:
			t.end(ending{"The gateway is being stopped.", websocket.StatusGoingAway})
		case <-idle.C:
			if time.Since(time.Unix(0, t.active.Load())) >= t.limits.Idle {
				t.end(ending{text: "Nothing was typed or shown for " + minutes(t.limits.Idle) + ", so the gateway has ended the session."})
			}
		case <-ping.C:
			limited, cancel := context.WithTimeout(context.WithoutCancel(ctx), messageTime)
			if t.conn.Ping(limited) != nil {
				t.end(errGone)
			}
			cancel()
		}
	}
}

// goodbye tells the browser why the session has ended, and closes the socket.
func (t *terminal) goodbye(ctx context.Context, reason error) {
	if errors.Is(reason, errGone) {
		t.conn.CloseNow()
		return
	}
	if b, err := json.Marshal(status{End: endText(reason)}); err == nil {
		t.write(ctx, websocket.MessageText, b, goodbyeTime)
	}
	code := websocket.StatusNormalClosure
	if e, ok := errors.AsType[ending](reason); ok && e.status != 0 {
		code = e.status
	}
	t.conn.Close(code, "") // a browser that does not answer has gone
}

// endText returns why a session ended as a line for the user.
func endText(err error) string {
	text := wire.TextLine(err.Error())
	if _, own := errors.AsType[ending](err); !own && text != "" {
		text = strings.ToUpper(text[:1]) + text[1:] + "."
	}
	return text
}

// minutes returns a limit of time in words.
func minutes(d time.Duration) string {
	switch {
	case d >= time.Hour && d%time.Hour == 0:
		return units.Count(int(d.Hours()), "hour")
	case d >= time.Minute && d%time.Minute == 0:
		return units.Count(int(d.Minutes()), "minute")
	}
	return units.Round(d).String()
}
