package client_test

import (
	"context"
	"errors"
	"net"
	"slices"
	"sync"
	"testing"

	"locator"
	"locator/client"
	"locator/policy"
	"locator/scheme"
	"locator/scheme/all"
)

// finger is a scheme that package locator does not know. Its port belongs to another protocol than any that it knows.
type finger struct{}

func (finger) Syntax() *locator.Syntax {
	return &locator.Syntax{Name: "finger", Port: 79, Ports: []uint16{79}}
}

func (finger) Access(ctx context.Context, env *scheme.Env, r scheme.Request, _ scheme.AccessOptions) (*scheme.Resource, error) {
	addr, ok := r.URL.Addr()
	if !ok {
		addr = net.JoinHostPort(r.URL.Host(), "79")
	}
	conn, err := env.Dial(ctx, scheme.Dial{Purpose: scheme.ForControl, Addr: addr})
	if err != nil {
		return nil, err
	}
	return nil, conn.Close()
}

// dials records the addresses that a client connects to, and refuses each connection.
type dials struct {
	mu    sync.Mutex
	addrs []string
}

func (d *dials) dial(_ context.Context, network, addr string) (net.Conn, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.addrs = append(d.addrs, network+" "+addr)
	return nil, &net.OpError{Op: "dial", Err: errors.New("no network")}
}

func (d *dials) take() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	addrs := d.addrs
	d.addrs = nil
	return addrs
}

// A registered scheme may use the ports of its Syntax, and no other below 1024.
//
// Covers: P1
func TestRegisteredPorts(t *testing.T) {
	t.Parallel()
	o := policy.Strangers().Options()
	o.Schemes = append(o.Schemes, "finger")
	for name, p := range map[string]policy.Policy{"standard": nil, "strangers": policy.New(o), "wrapped": &logging{Policy: policy.New(o)}} {
		d := &dials{}
		c := client.New(client.Options{Registry: scheme.NewRegistry(append(all.Schemes(), finger{})...), Policy: p, Dial: d.dial})
		defer c.Close()
		for text, want := range map[string]string{
			"finger://8.8.8.8/": "tcp 8.8.8.8:79", "finger://8.8.8.8:79/": "tcp 8.8.8.8:79", "finger://8.8.8.8:25/": "", "finger://8.8.8.8:80/": "",
			"gopher://8.8.8.8:79/": "",
		} {
			_, err := c.Access(t.Context(), scheme.Request{URL: parse(t, text)}, nil)
			got := d.take()
			switch {
			case want == "" && (len(got) > 0 || client.CodeOf(err) != scheme.CodeRefused):
				t.Errorf("%s: %s: dialled %q, %v", name, text, got, err)
			case want != "" && !slices.Equal(got, []string{want}):
				t.Errorf("%s: %s: dialled %q, want %s; %v", name, text, got, want, err)
			}
		}
	}
}

// Under Strangers, what a URL sends to the port of another protocol is never sent, neither directly nor by a hop or a gateway.
//
// Covers: P1, T179
func TestStrangersPorts(t *testing.T) {
	t.Parallel()
	gateway, err := client.ParseVia("http://8.8.4.4/{url}")
	if err != nil {
		t.Fatal(err)
	}
	d := &dials{}
	plain := client.New(client.Options{Registry: all.Registry(), Policy: policy.Strangers(), Dial: d.dial})
	defer plain.Close()
	through := client.New(client.Options{Registry: all.Registry(), Policy: policy.Strangers(), Dial: d.dial,
		Via: map[string]client.Via{"gopher": gateway, "prospero": gateway, "nntp": gateway}})
	defer through.Close()
	o := policy.Strangers().Options()
	o.AllowPorts = []uint16{6379}
	allowing := client.New(client.Options{Registry: all.Registry(), Policy: policy.New(o), Dial: d.dial})
	defer allowing.Close()
	for _, text := range []string{
		"gopher://8.8.8.8:6379/1FLUSHALL", "gopher://8.8.8.8:6379/_CONFIG%20SET%20dir%20/tmp", "gopher://8.8.8.8:11211/1flush_all", "gophers://8.8.8.8:105/1x", "ftp://8.8.8.8:6379/x",
		"nntp://8.8.8.8:6379/comp.x", "wais://8.8.8.8:6379/x", "prospero://8.8.8.8:1900/x", "prospero://8.8.8.8:11211/x",
	} {
		for name, c := range map[string]*client.Client{"direct": plain, "by a gateway": through} {
			for _, from := range []*scheme.Hop{nil, {Kind: scheme.HopRedirect, From: parse(t, "gopher://8.8.8.8/"), N: 1}, {Kind: scheme.HopMenuItem, From: parse(t, "gopher://8.8.8.8/"), N: 1}} {
				_, err := c.Access(t.Context(), scheme.Request{URL: parse(t, text), From: from}, nil)
				wantCode(t, text+" "+name, err, scheme.CodeRefused)
			}
			for _, err := range c.List(t.Context(), scheme.Request{URL: parse(t, text)}, nil) {
				wantCode(t, "list "+text+" "+name, err, scheme.CodeRefused)
			}
		}
	}
	if got := d.take(); len(got) > 0 {
		t.Errorf("dialled %q", got)
	}
	for text, want := range map[string]string{"gopher://8.8.8.8:6379/1x": "tcp 8.8.8.8:6379", "gopher://8.8.8.8/1x": "tcp 8.8.8.8:70", "prospero://8.8.8.8/x": "udp 8.8.8.8:1525"} {
		allowing.Access(t.Context(), scheme.Request{URL: parse(t, text)}, nil)
		if got := d.take(); len(got) == 0 || got[0] != want {
			t.Errorf("%s: dialled %q, want %s", text, got, want)
		}
	}
}
