package client

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"net"
	"net/netip"
	"testing"

	"locator"
	"locator/policy"
	"locator/scheme"
)

// plain is a policy whose errors have no code.
type plain struct {
	policy.Policy
	url, addr error
}

func (p plain) URL(locator.URL, scheme.Hop) error      { return p.url }
func (p plain) Addr(scheme.Dial, netip.AddrPort) error { return p.addr }

// Errors of a policy and of a Dial function that have no code are not blamed on the server.
func TestPlainErrors(t *testing.T) {
	t.Parallel()
	own, any := errors.New("own words"), policy.New(policy.Options{})
	for name, tt := range map[string]struct {
		policy plain
		dial   error
		code   scheme.Code
	}{
		"URL":  {plain{any, own, nil}, nil, scheme.CodeRefused},
		"Addr": {plain{any, nil, own}, nil, scheme.CodeRefused},
		"Dial": {plain{any, nil, nil}, own, scheme.CodeUnreachable},
	} {
		for _, replaced := range []bool{true, false} { // the network
			if !replaced && tt.dial != nil {
				continue
			}
			o := Options{Policy: tt.policy, Registry: scheme.NewRegistry(&pages{name: "http", next: func(string) string { return "" }})}
			if replaced {
				o.Dial = func(context.Context, string, string) (net.Conn, error) { return nil, tt.dial }
			}
			_, err := get(t, New(o), "http://127.0.0.1:9/")
			wantCode(t, err, tt.code, "own words")
			if !errors.Is(err, own) {
				t.Errorf("%s: the cause is lost: %v", name, err)
			}
		}
	}
}

// A Read after Close, and one during which the body is closed, match fs.ErrClosed, whatever the scheme's body returns.
func TestReadAfterClose(t *testing.T) {
	t.Parallel()
	r, w := io.Pipe()
	defer w.Close()
	c := New(Options{Policy: &asked{}, Registry: scheme.NewRegistry(fake{"http", func(context.Context, *scheme.Env, scheme.Request) (*scheme.Resource, error) {
		return &scheme.Resource{Kind: scheme.KindObject, Body: r}, nil
	}})})
	res, err := c.Access(t.Context(), scheme.Request{URL: parse("http://h/"), Limits: scheme.Limits{Time: 1e12}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	during := make(chan error)
	go func() {
		_, err := res.Body.Read(make([]byte, 1))
		during <- err
	}()
	res.Body.Close()
	_, after := res.Body.Read(make([]byte, 1))
	_, copied := io.Copy(io.Discard, res.Body)
	for _, err := range []error{<-during, after, copied} {
		if !errors.Is(err, fs.ErrClosed) {
			t.Errorf("%v", err)
		}
	}
}
