package gopher

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"net"
	"net/netip"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"locator"
	"locator/client"
	"locator/internal/clock"
	"locator/internal/leaks"
	"locator/policy"
	"locator/scheme"
	"locator/scheme/form"
	"locator/scheme/gopher/gophertest"
	tree "locator/schemetest/peer"
)

// script is a server that sends its replies in order, one per connection, and records what it
// receives.
type script struct {
	mu      sync.Mutex
	replies []io.Reader
	sent    []string
	closed  int
	traced  []string
}

// say returns a script of whole replies.
func say(replies ...string) *script {
	s := &script{}
	for _, r := range replies {
		s.replies = append(s.replies, bytes.NewReader([]byte(r)))
	}
	return s
}

// env returns an Env whose connections all go to the script. The test must close them all before it
// ends.
func (s *script) env(t testing.TB) *scheme.Env {
	note := func(what string) func(string) {
		return func(text string) {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.traced = append(s.traced, what+text)
		}
	}
	l := leaks.Watch(t)
	l.Ends(nil)
	return &scheme.Env{
		Dial: l.DialFor(func(_ context.Context, d scheme.Dial) (net.Conn, error) {
			s.mu.Lock()
			defer s.mu.Unlock()
			n := len(s.sent)
			if n >= len(s.replies) {
				return nil, errors.New("the script has no more replies")
			}
			s.sent = append(s.sent, "")
			return &scripted{s: s, n: n, addr: d.Addr, r: s.replies[n]}, nil
		}),
		Keep: func(ctx context.Context, _ string, open func(context.Context) (scheme.Kept, error)) (scheme.Kept, bool, func(bool), error) {
			c, err := open(ctx)
			return c, false, func(bool) {}, err
		},
		Trace:  &scheme.Trace{Sent: note("> "), Received: note("< "), Note: note("* ")},
		Limits: scheme.Limits{}.WithDefaults(),
		Clock:  clock.System{},
		Cache:  noCache{},
	}
}

// noCache forgets everything.
type noCache struct{}

func (noCache) Get(string) (any, bool)         { return nil, false }
func (noCache) Put(string, any, time.Duration) {}

// requests returns what was received, one string per connection.
func (s *script) requests() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.sent...)
}

// scripted is a connection of a script.
type scripted struct {
	s      *script
	n      int
	addr   string
	r      io.Reader
	closed bool
}

func (c *scripted) Read(b []byte) (int, error) {
	c.s.mu.Lock()
	closed := c.closed
	c.s.mu.Unlock()
	if closed {
		return 0, net.ErrClosed
	}
	return c.r.Read(b)
}

func (c *scripted) Write(b []byte) (int, error) {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	c.s.sent[c.n] += string(b)
	return len(b), nil
}

func (c *scripted) Close() error {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	if !c.closed {
		c.closed = true
		c.s.closed++
	}
	if closer, ok := c.r.(io.Closer); ok {
		closer.Close()
	}
	return nil
}

func (*scripted) LocalAddr() net.Addr              { return &net.TCPAddr{} }
func (*scripted) RemoteAddr() net.Addr             { return &net.TCPAddr{} }
func (*scripted) SetDeadline(time.Time) error      { return nil }
func (*scripted) SetReadDeadline(time.Time) error  { return os.ErrNoDeadline }
func (*scripted) SetWriteDeadline(time.Time) error { return os.ErrNoDeadline }

// access accesses a URL, with the first of o. It closes the resource when the test ends.
func (s *script) access(t *testing.T, r scheme.Request, o ...scheme.AccessOptions) (*scheme.Resource, error) {
	t.Helper()
	o = append(o, scheme.AccessOptions{})
	env := s.env(t)
	return closed(t, func(ctx context.Context) (*scheme.Resource, error) { return New().Access(ctx, env, r, o[0]) })
}

func request1(t *testing.T, url string) scheme.Request {
	t.Helper()
	u, err := locator.Parse(url)
	if err != nil {
		t.Fatalf("%s: %v", url, err)
	}
	return scheme.Request{URL: u}
}

// bodyOf reads an Object.
func bodyOf(t *testing.T, res *scheme.Resource) string {
	t.Helper()
	if res.Kind != scheme.KindObject {
		t.Fatalf("got a %s, want an object", res.Kind)
	}
	b, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatalf("after %q: %v", b, err)
	}
	return string(b)
}

// entriesOf reads a Listing.
func entriesOf(t *testing.T, res *scheme.Resource) []scheme.Entry {
	t.Helper()
	if res.Kind != scheme.KindListing {
		t.Fatalf("got a %s, want a listing", res.Kind)
	}
	var all []scheme.Entry
	for e, err := range res.Entries {
		if err != nil {
			t.Fatalf("after %d entries: %v", len(all), err)
		}
		all = append(all, e)
	}
	return all
}

// listed returns the entries of a listing, or its error as the only one. The listing is closed at
// the end.
func listed(res *scheme.Resource, err error) iter.Seq2[scheme.Entry, error] {
	return func(yield func(scheme.Entry, error) bool) {
		if err != nil {
			yield(scheme.Entry{}, err)
			return
		}
		defer res.Close()
		if res.Kind != scheme.KindListing {
			yield(scheme.Entry{}, fmt.Errorf("got a %s, want a listing", res.Kind))
			return
		}
		res.Entries(yield)
	}
}

// asked is a form with the scheme that asked for it.
type asked struct {
	*form.Form
	env *scheme.Env
	r   scheme.Request
}

func (a asked) fill(answers []form.Answer) (locator.URL, bool) {
	return New().Fill(a.r, a.Form, answers)
}

func (a asked) submit(t *testing.T, answers []form.Answer) (*scheme.Resource, error) {
	t.Helper()
	return closed(t, func(ctx context.Context) (*scheme.Resource, error) {
		return New().Submit(ctx, a.env, a.r, scheme.SubmitOptions{Form: a.Form, Answers: answers})
	})
}

// closed runs do and closes the resource when the test ends. The context of do ends after that.
// t.Context ends earlier, and would close what do failed to close.
func closed(t *testing.T, do func(context.Context) (*scheme.Resource, error)) (*scheme.Resource, error) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	res, err := do(ctx)
	t.Cleanup(func() {
		if err == nil {
			res.Close()
		}
		cancel()
	})
	return res, err
}

// codeOf returns the code of an error, CodeProtocol if it has none.
func codeOf(err error) scheme.Code {
	if err == nil {
		return scheme.CodeOK
	}
	if e, ok := errors.AsType[*scheme.Error](err); ok {
		return e.Code
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return scheme.CodeBroken
	}
	return scheme.CodeProtocol
}

// world is a server and its client.
type world struct {
	*gophertest.Server
	c *client.Client
}

func start(t *testing.T, opts ...gophertest.Option) world {
	t.Helper()
	s, err := gophertest.Start(tree.Tree(), opts...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	l := leaks.Watch(t)
	c := client.New(client.Options{
		Dial: l.Dial(nil), Registry: scheme.NewRegistry(Scheme{grace: 50 * time.Millisecond}), Syntax: locator.RFC1738,
		Policy: policy.New(policy.Options{Addresses: policy.PublicOnly, AllowAddrs: []netip.AddrPort{netip.MustParseAddrPort(s.Addr())}}),
	})
	l.Ends(c)
	return world{s, c}
}

// read accesses a URL and reads the body, or the lines of the listing.
func (w world) read(t *testing.T, u locator.URL) (string, *scheme.Resource, error) {
	t.Helper()
	res, err := w.c.Access(t.Context(), scheme.Request{URL: u}, nil)
	if err != nil {
		return "", nil, err
	}
	defer res.Close()
	var b strings.Builder
	switch res.Kind {
	case scheme.KindObject:
		_, err = io.Copy(&b, res.Body)
	case scheme.KindListing:
		for e, err := range res.Entries {
			if err != nil {
				return b.String(), res, err
			}
			b.WriteString(line(e))
		}
	}
	return b.String(), res, err
}
