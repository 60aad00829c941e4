package gateway

import (
	"cmp"
	"context"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/coder/websocket"

	"locator/internal/present"
	"locator/scheme"
	"locator/scheme/session"
)

// sessionLimits are the limits of the sessions of a gateway.
type sessionLimits struct {
	All, PerClient int           // at the same time
	Hello          time.Duration // until the first message
	Idle           time.Duration // without input or output
	Time           time.Duration // in all, if the policy has no limit
	Output, Input  int64         // bytes
}

// The defaults of sessionLimits.
const (
	maxSessions    = 200
	clientSessions = 4
	sessionHello   = 10 * time.Second
	sessionIdle    = 15 * time.Minute
	sessionTime    = 8 * time.Hour
	sessionOutput  = 256 << 20
	sessionInput   = 16 << 20
)

// sockets counts the sessions in progress, and ends them with the gateway.
type sockets struct {
	limits sessionLimits
	done   chan struct{} // closed by close

	mu     *sync.Mutex
	closed bool
	all    int
	by     map[string]int // client
	group  *sync.WaitGroup
}

func newSockets() sockets {
	return sockets{
		limits: sessionLimits{All: maxSessions, PerClient: clientSessions, Hello: sessionHello, Idle: sessionIdle, Time: sessionTime, Output: sessionOutput, Input: sessionInput},
		done:   make(chan struct{}), mu: new(sync.Mutex), by: make(map[string]int), group: new(sync.WaitGroup),
	}
}

// begin counts a session of a client, and returns its limits. The caller must call end when the session is over.
func (s *sockets) begin(client string) (limits sessionLimits, end func(), err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.closed:
		return limits, nil, &statusError{http.StatusServiceUnavailable, "the gateway is being stopped"}
	case s.by[client] >= s.limits.PerClient:
		return limits, nil, &statusError{http.StatusTooManyRequests, "there are too many sessions from your address; end one of them first"}
	case s.all >= s.limits.All:
		return limits, nil, &statusError{http.StatusServiceUnavailable, "the gateway has too many sessions; try again later"}
	}
	s.all++
	s.by[client]++
	s.group.Add(1)
	return s.limits, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.all--
		if s.by[client]--; s.by[client] == 0 {
			delete(s.by, client)
		}
		s.group.Done()
	}, nil
}

// close ends all sessions, and waits for them.
func (s *sockets) close() {
	s.mu.Lock()
	if !s.closed {
		s.closed = true
		close(s.done)
	}
	s.mu.Unlock()
	s.group.Wait()
}

// socket connects a browser with a session. The session begins when the browser has sent a token of the page, so that no other page
// can begin one.
func (x *exchange) socket() {
	if err := x.checkSocket(); err != nil {
		x.problem(err)
		return
	}
	limits, end, err := x.g.sockets.begin(x.g.clientName(x.r))
	if err != nil {
		x.problem(err)
		return
	}
	defer end()
	t := newTerminal(limits)
	if t.accept(x.w, x.r) != nil {
		return // accept has sent it
	}
	ctx := context.WithoutCancel(x.r.Context()) // that of a request whose connection was taken over says nothing
	limit := cmp.Or(x.g.policy.Limits().Time, t.limits.Time)
	ctx, cancel := context.WithTimeoutCause(ctx, limit, ending{text: "The session has lasted " + minutes(limit) + ", the most that this gateway allows."})
	defer cancel()
	began := time.Now()
	reason := t.run(ctx, x.g.sockets.done, x.connect)
	x.g.opt.Log.LogAttrs(ctx, slog.LevelInfo, "session", slog.String("remote", x.g.clientAddr(x.r).String()), slog.String("target", shown(x.u).Redacted()),
		slog.Int64("received", t.received.Load()), slog.Int64("typed", t.typed), slog.String("end", endText(reason)), slog.Duration("took", time.Since(began)))
}

// checkSocket refuses a socket that is not opened by a page of the gateway. Browsers send the field Origin with each, and let any page
// open one to any host.
func (x *exchange) checkSocket() error {
	if x.r.Method != http.MethodGet || !strings.EqualFold(x.r.Header.Get("Upgrade"), "websocket") {
		x.w.Header().Set("Upgrade", "websocket")
		return &statusError{http.StatusUpgradeRequired, "this is the address of a socket, which the page of the session opens"}
	}
	origin, err := url.Parse(x.r.Header.Get("Origin"))
	if err != nil || !strings.EqualFold(origin.Host, x.r.Host) || len(x.r.Header.Values("Origin")) != 1 {
		return &statusError{http.StatusForbidden, "the socket was opened by a page of another site"}
	}
	if site := x.r.Header.Get("Sec-Fetch-Site"); site != "" && site != "same-origin" {
		return &statusError{http.StatusForbidden, "the socket was opened by a page of another site"}
	}
	if sessionOf(x.r) == "" {
		return &statusError{http.StatusForbidden, "the browser sent no cookie; it must accept those of the gateway"}
	}
	return nil
}

// connect opens the session that a browser asks for. The error is for the user.
func (x *exchange) connect(ctx context.Context, first command) (session.Session, func(), error) {
	if !x.g.signed(first.Token, "form", sessionOf(x.r)) {
		return nil, nil, ending{text: "The page is too old. Reload it.", status: websocket.StatusPolicyViolation}
	}
	o := scheme.AccessOptions{NoSubmit: true, Accept: scheme.Accept{Charset: first.Charset}, Terminal: session.Terminal{Type: terminalType}}
	o.Terminal.Width, o.Terminal.Height = first.size()
	res, err := x.g.client.Access(ctx, x.request(), &o)
	if err != nil {
		return nil, nil, present.Bare(err)
	}
	if res.Kind != scheme.KindSession {
		res.Close()
		return nil, nil, ending{text: "The URL does not locate a session."}
	}
	return res.Session, func() { res.Close() }, nil
}
