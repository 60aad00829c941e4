package gateway

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"locator/scheme/session"
)

// asking is a session whose server changes the mode before each piece of output.
type asking struct {
	session.Session
	modes chan session.Mode
	left  int
	ended chan struct{}
}

func (a *asking) Read(p []byte) (int, error) {
	if a.left--; a.left < 0 {
		<-a.ended
		return 0, net.ErrClosed
	}
	select {
	case <-a.modes:
	default:
	}
	a.modes <- session.Mode{LineMode: a.left%2 == 0}
	return copy(p, "?"), nil
}

func (a *asking) Modes() <-chan session.Mode { return a.modes }

// What the server sends after a change of the mode is shown after the browser was told: nobody who sees a question for a password is in
// time to type one that is shown.
func TestModeBeforeOutput(t *testing.T) {
	t.Parallel()
	const rounds = 500
	a := &asking{modes: make(chan session.Mode, 1), left: rounds, ended: make(chan struct{})}
	limits := newSockets().limits
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		conn, err := websocket.Accept(w, r, nil)
		if err != nil {
			t.Error(err)
			return
		}
		newTerminal(limits).run(r.Context(), conn, nil, func(context.Context, command) (session.Session, func(), error) {
			return a, func() { close(a.ended); close(a.modes) }, nil
		})
	}))
	defer srv.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	conn, _, err := websocket.Dial(ctx, "ws"+strings.TrimPrefix(srv.URL, "http"), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.CloseNow()
	c := &socket{t: t, conn: conn}
	c.send(command{})
	for n := range rounds {
		for len(c.shown) <= n {
			if !c.read(20 * time.Second) {
				t.Fatalf("ended after %d: %s", n, c.end)
			}
		}
		if want := []string{"key", "line"}[n%2]; len(c.modes) == 0 || c.modes[len(c.modes)-1] != want {
			t.Fatalf("piece %d is shown before the mode is %s", n, want)
		}
	}
}
