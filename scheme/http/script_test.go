package http_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"locator"
	"locator/client"
	"locator/internal/leaks"
	"locator/scheme"
	"locator/scheme/http"
	"locator/schemetest/peer"
)

// Markers at the beginning and the end of a reply.
const (
	hangUp = "<hang up>"
	stall  = "<stall>"
	pause  = "<pause>" // 1.2 s
)

// script is a server that answers each request with the next reply and records the requests.
type script struct {
	addr  string
	mu    sync.Mutex
	left  []string
	heads []string // request line and header fields, as they came
	body  []string
	conns int
}

func newScript(t *testing.T, replies ...string) *script {
	t.Helper()
	h := peer.ListenFor(t)
	s := &script{addr: h.Addr(), left: replies}
	h.Serve(func(c net.Conn) {
		s.mu.Lock()
		s.conns++
		s.mu.Unlock()
		s.talk(c)
	})
	return s
}

func (s *script) talk(c net.Conn) {
	r := bufio.NewReader(c)
	for {
		head, length := "", int64(0)
		for !strings.HasSuffix(head, "\r\n\r\n") {
			line, err := r.ReadString('\n')
			head += line
			if err != nil {
				return
			}
			if v, ok := strings.CutPrefix(strings.ToLower(line), "content-length:"); ok {
				length, _ = strconv.ParseInt(strings.TrimSpace(v), 10, 64)
			}
		}
		if strings.Contains(head, "Expect: 100-continue") {
			io.WriteString(c, "HTTP/1.1 100 Continue\r\n\r\n")
		}
		body, _ := io.ReadAll(io.LimitReader(r, length))
		s.mu.Lock()
		s.heads, s.body = append(s.heads, head), append(s.body, string(body))
		reply := hangUp
		if len(s.left) > 0 {
			reply, s.left = s.left[0], s.left[1:]
		}
		s.mu.Unlock()
		reply, late := strings.CutPrefix(reply, pause)
		if late {
			time.Sleep(1200 * time.Millisecond)
		}
		text, close := strings.CutSuffix(reply, hangUp)
		text, wait := strings.CutSuffix(text, stall)
		io.WriteString(c, text)
		if close {
			return
		}
		if wait {
			io.Copy(io.Discard, c)
		}
	}
}

func (s *script) requests() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.heads...)
}

func (s *script) connections() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.conns
}

// ok returns a 200 response.
func ok(body string, fields ...string) string {
	return "HTTP/1.1 200 OK\r\n" + strings.Join(append(fields, ""), "\r\n") +
		"Content-Length: " + strconv.Itoa(len(body)) + "\r\n\r\n" + body
}

// web returns a client for http and https with short limits.
func web(t *testing.T, change ...func(*client.Options)) *client.Client {
	t.Helper()
	o := client.Options{
		Registry: scheme.NewRegistry(http.New("http"), http.New("https")),
		Limits:   scheme.Limits{Idle: 20 * time.Second},
		Settings: []any{http.Settings{UserAgent: "locator-test"}},
	}
	for _, f := range change {
		f(&o)
	}
	l := leaks.Watch(t)
	o.Dial = l.Dial(o.Dial)
	c := client.New(o)
	l.Ends(c)
	return c
}

// get accesses a URL and reads the body, if there is one.
func get(t *testing.T, c *client.Client, r scheme.Request, o ...scheme.AccessOptions) (*scheme.Resource, string, error) {
	t.Helper()
	o = append(o, scheme.AccessOptions{})
	res, err := c.Access(t.Context(), r, &o[0])
	if err != nil {
		return nil, "", err
	}
	defer res.Close()
	if res.NotModified {
		return res, "", nil
	}
	b, err := io.ReadAll(res.Body)
	return res, string(b), err
}

func parse(t *testing.T, text string) locator.URL {
	t.Helper()
	u, err := locator.Current.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// wantCode checks the code of an error, and that its text has no control characters.
func wantCode(t *testing.T, err error, want scheme.Code) {
	t.Helper()
	if err == nil {
		t.Fatalf("no error, want code %v", want)
	}
	if got := client.CodeOf(err); got != want {
		t.Errorf("code %v, want %v: %v", got, want, err)
	}
	if _, ok := errors.AsType[*scheme.Error](err); !ok && !errors.Is(err, context.Canceled) {
		t.Errorf("a %T, want a *scheme.Error", err)
	}
	if strings.ContainsFunc(err.Error(), func(r rune) bool { return r < ' ' || r == 0x7F }) {
		t.Errorf("the error holds control characters: %q", err)
	}
}
