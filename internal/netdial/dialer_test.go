package netdial

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"locator"
	"locator/policy"
	"locator/scheme"
)

// anyAddress is a policy that allows everything.
type anyAddress struct{ policy.Standard }

func (*anyAddress) URL(locator.URL, scheme.Hop) error      { return nil }
func (*anyAddress) Addr(scheme.Dial, netip.AddrPort) error { return nil }

// A pooled connection without an address is refused, since the policy cannot check it.
//
// Covers: P5
func TestPooledWithoutAddress(t *testing.T) {
	t.Parallel()
	for name, addr := range map[string]net.Addr{"none": nil, "a pipe": &net.UnixAddr{Name: "/x", Net: "unix"}} {
		_, err := (&Dialer{Policy: &anyAddress{}}).CheckPooled(scheme.Dial{}, addr, nil)
		if e, ok := errors.AsType[*scheme.Error](err); !ok || e.Code != scheme.CodeRefused {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Request.Waiting is called once for a connection that takes long to open, and once for a server
// whose first byte is late, unless the client is still sending.
//
// Covers: P6
func TestWaiting(t *testing.T) {
	t.Parallel()
	const step = Patience - time.Second
	for _, tt := range []struct {
		name    string
		opening time.Duration
		first   time.Duration   // when the server sends, after the connection was opened
		writes  []time.Duration // when the client does
		dial    scheme.Dial
		want    []string
	}{
		{"quick", step, step, nil, scheme.Dial{}, nil},
		{"slow to open", 2 * Patience, step, nil, scheme.Dial{}, []string{"no address"}},
		{"no greeting", 0, 5 * Patience, nil, scheme.Dial{}, []string{"192.0.2.1:21"}},
		{"both", 2 * Patience, 2 * Patience, nil, scheme.Dial{}, []string{"no address", "192.0.2.1:21"}},
		{"an upload", 0, 3 * step, []time.Duration{step, 2 * step}, scheme.Dial{}, nil},
		{"data", 2 * Patience, 2 * Patience, nil, scheme.Dial{Purpose: scheme.ForData}, nil},
		{"a session", 0, 2 * Patience, nil, scheme.Dial{Interactive: true}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				here, there := net.Pipe()
				defer there.Close()
				d := &Dialer{Policy: policy.New(policy.Options{}), Connect: func(context.Context, string, string) (net.Conn, error) {
					time.Sleep(tt.opening)
					return addressed{here}, nil
				}}
				called := make(chan string, 10)
				r := &Request{Dial: tt.dial, Waiting: func(remote net.Addr) {
					if remote == nil {
						called <- "no address"
						return
					}
					called <- remote.String()
				}}
				r.Network, r.Addr, r.Scheme = "tcp", "192.0.2.1:21", "ftp"
				if r.Purpose == scheme.ForData {
					control := &Conn{Conn: addressed{here}, route: &route{}}
					r.Control, r.Addr, r.Peer = control, ":21", netip.MustParseAddrPort("192.0.2.1:21")
				}
				c, err := d.Dial(t.Context(), r)
				if err != nil {
					t.Fatal(err)
				}
				defer c.Close()
				for _, at := range tt.writes {
					time.AfterFunc(at, func() { c.Write([]byte{1}) })
				}
				go func() {
					b := make([]byte, 1)
					for range tt.writes {
						there.Read(b)
					}
				}()
				time.AfterFunc(tt.first, func() {
					there.Write([]byte{1})
					time.Sleep(2 * Patience) // the next byte may be as late as it likes
					there.Write([]byte{2})
				})
				b := make([]byte, 1)
				for range 2 {
					if _, err := c.Read(b); err != nil {
						t.Fatal(err)
					}
				}
				synctest.Wait() // for calls of Waiting
				close(called)
				var got []string
				for text := range called {
					got = append(got, text)
				}
				if !slices.Equal(got, tt.want) {
					t.Errorf("called with %q, want %q", got, tt.want)
				}
			})
		})
	}
}

// addressed is a connection to 192.0.2.1:21.
type addressed struct{ net.Conn }

func (addressed) RemoteAddr() net.Addr {
	return net.TCPAddrFromAddrPort(netip.MustParseAddrPort("192.0.2.1:21"))
}
