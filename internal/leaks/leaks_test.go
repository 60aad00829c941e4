package leaks

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// pipe is a network of in-memory connections.
func pipe(context.Context, string, string) (net.Conn, error) {
	here, _ := net.Pipe()
	return here, nil
}

// The ledger reports what is still open and what only the end of the test's context closed, and
// nothing else.
func TestLedger(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		use  func(ctx context.Context, c net.Conn, b io.ReadCloser)
		want int
	}{
		{"both are closed", func(_ context.Context, c net.Conn, b io.ReadCloser) { c.Close(); b.Close(); b.Close() }, 0},
		{"nothing is closed", func(context.Context, net.Conn, io.ReadCloser) {}, 2},
		{"the body is left", func(_ context.Context, c net.Conn, _ io.ReadCloser) { c.Close() }, 1},
		{"the context closes", func(ctx context.Context, c net.Conn, b io.ReadCloser) {
			context.AfterFunc(ctx, func() { c.Close() })
			b.Close()
		}, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				l := Watch(t)
				l.ctx = ctx
				c, err := l.Dial(pipe)(ctx, "tcp", "192.0.2.1:1")
				if err != nil {
					t.Fatal(err)
				}
				tt.use(ctx, c, l.Body(io.NopCloser(strings.NewReader(""))))
				cancel() // as the test does at its end
				synctest.Wait()
				if left := l.left(0); len(left) != tt.want {
					t.Errorf("%q are still open, want %d", left, tt.want)
				}
			})
		})
	}
}

// A Read that times out does not say that the other end has closed.
func TestLedgerTimeout(t *testing.T) {
	t.Parallel()
	c, err := Watch(t).Dial(pipe)(t.Context(), "tcp", "192.0.2.1:1")
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	c.SetReadDeadline(time.Now().Add(-time.Second))
	if _, err := c.Read(make([]byte, 1)); err == nil || c.(*conn).e.ended.Load() {
		t.Errorf("after a timeout (%v) the connection counts as closed by the other end", err)
	}
}

// A connection that net/http closes is reported if a body was left open on it, not if the TLS
// server closed it while it was idle.
func TestLedgerTransport(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		keep bool // the body is left open
		want int
	}{{"idle", false, 0}, {"the body is left", true, 1}} {
		t.Run(tt.name, func(t *testing.T) {
			s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				io.WriteString(w, "some text")
				if tt.keep {
					http.NewResponseController(w).Flush()
					<-r.Context().Done()
				}
			}))
			s.StartTLS()
			defer s.Close()
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			l := Watch(t)
			l.ctx = ctx
			roots := x509.NewCertPool()
			roots.AddCert(s.Certificate())
			c := &http.Client{Transport: &http.Transport{DialContext: l.Dial(nil), TLSClientConfig: &tls.Config{RootCAs: roots}}}
			req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.URL, nil)
			if err != nil {
				t.Fatal(err)
			}
			res, err := c.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			if !tt.keep {
				if _, err := io.Copy(io.Discard, res.Body); err != nil {
					t.Error(err)
				}
				res.Body.Close()
			}
			cancel() // as the test does at its end
			if !tt.keep {
				s.CloseClientConnections()
			}
			if left := l.left(10 * time.Second); len(left) != tt.want {
				t.Errorf("%q are still open, want %d", left, tt.want)
			}
		})
	}
}
