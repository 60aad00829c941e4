package policy_test

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"strings"
	"syscall"
	"testing"

	"locator/policy"
	"locator/scheme"
)

func addr(s string) netip.AddrPort { return netip.MustParseAddrPort(s) }

func withPort(a netip.AddrPort, port uint16) netip.AddrPort {
	return netip.AddrPortFrom(a.Addr(), port)
}

// Covers: P5, T167, T168, T172
func TestAddrModes(t *testing.T) {
	t.Parallel()
	const all, public, never = "all", "public", "never"
	for text, want := range map[string]string{
		"8.8.8.8:80":                     public,
		"[2a00:1450:4001:800::200e]:80":  public,
		"[::ffff:8.8.8.8]:80":            public,
		"[64:ff9b::8.8.8.8]:80":          public,
		"127.0.0.1:80":                   all,
		"[::ffff:127.0.0.1]:80":          all,
		"[::1]:80":                       all,
		"10.0.0.1:80":                    all,
		"169.254.169.254:80":             all,
		"192.0.2.1:80":                   all,
		"100.64.0.1:80":                  all,
		"[fe80::1%lo]:80":                all,
		"[fd00::1]:80":                   all,
		"[64:ff9b::10.0.0.1]:80":         all,
		"[64:ff9b:1::8.8.8.8]:80":        all,
		"[2002:7f00:1::1]:80":            all,
		"[2002:808:808::1]:80":           all,
		"[2001:0:808:808::f5ff:fffe]:80": all,
		"[::127.0.0.1]:80":               all,
		"[4000::1]:80":                   all,
		"0.0.0.0:80":                     never,
		"[::]:80":                        never,
		"[::ffff:0.0.0.0]:80":            never,
		"[64:ff9b::]:80":                 never,
		"[2002::1]:80":                   never,
		"224.0.0.1:80":                   never,
		"239.255.255.255:80":             never,
		"[::ffff:224.0.0.1]:80":          never,
		"[64:ff9b::224.0.0.1]:80":        never,
		"[ff02::1]:80":                   never,
		"[ff02::1%lo]:80":                never,
		"255.255.255.255:80":             never,
		"[64:ff9b::255.255.255.255]:80":  never,
		"[2002:ffff:ffff::]:80":          never,
		"[2001:0:1:2:3:4:0:0]:80":        never, // Teredo of 255.255.255.255
		"[2001:0:1:2:3:4:ffff:ffff]:80":  never, // Teredo of 0.0.0.0
	} {
		a := addr(text)
		for mode, p := range map[string]*policy.Standard{
			all: policy.New(policy.Options{}), public: policy.New(policy.Options{Addresses: policy.PublicOnly}),
		} {
			for _, d := range []scheme.Dial{
				{Scheme: "http"}, {Scheme: "http", Purpose: scheme.ForHop, Network: "udp"},
				{Scheme: "ftp", Purpose: scheme.ForData, Peer: withPort(a, 21)},
			} {
				code := scheme.CodeRefused
				if want == public || want == mode {
					code = scheme.CodeOK
				}
				judge(t, mode+" "+text, p.Addr(d, a), code, "is refused")
				// A hop from a public to a private address is refused in any mode.
				d.FromPublic = true
				if want != public {
					code = scheme.CodeRefused
				}
				judge(t, mode+" "+text+" from public", p.Addr(d, a), code, "is refused")
			}
		}
	}
	p := policy.New(policy.Options{})
	judge(t, "no address", p.Addr(scheme.Dial{Scheme: "http"}, netip.AddrPort{}), scheme.CodeRefused, "no address")
	judge(t, "port 0", p.Addr(scheme.Dial{Scheme: "http"}, addr("8.8.8.8:0")), scheme.CodeRefused, "port 0")
}

// Covers: P5
func TestAddrMessages(t *testing.T) {
	t.Parallel()
	p := policy.New(policy.Options{Addresses: policy.PublicOnly})
	d := scheme.Dial{Scheme: "http", Addr: "intern\x1b[2J.example:80"}
	judge(t, "how to allow", p.Addr(d, addr("10.1.2.3:80")), scheme.CodeRefused,
		"10.1.2.3:80", `for intern\x1b[2J.example:80`, "(Private-Use)", "[AllowNets=10.1.2.3]")
	d = scheme.Dial{Scheme: "http", FromPublic: true, Addr: "127.0.0.1:80"}
	judge(t, "from public", p.Addr(d, addr("127.0.0.1:80")), scheme.CodeRefused, "Loopback", "a public address led there", "[]") // not even without the hop
	judge(t, "from public", policy.New(policy.Options{}).Addr(d, addr("127.0.0.1:80")), scheme.CodeRefused, "a public address led there", "[Direct]")
	judge(t, "by a proxy", p.Proxied(scheme.Dial{Scheme: "http", Addr: "intern\x1b.example:80"}), scheme.CodeRefused,
		`address of intern\x1b.example`, "[Addresses=Any]")
	judge(t, "inner", p.Addr(scheme.Dial{Scheme: "http"}, addr("[64:ff9b::10.0.0.1]:80")), scheme.CodeRefused,
		"IPv4-IPv6 Translation of 10.0.0.1: Private-Use)")
}

// Covers: P5
func TestAllowAddrs(t *testing.T) {
	t.Parallel()
	list := []netip.AddrPort{addr("127.0.0.1:7070"), addr("[::ffff:127.0.0.2]:7070"), addr("[::1]:7070")}
	p := policy.New(policy.Options{Addresses: policy.PublicOnly, AllowAddrs: list})
	list[0] = addr("127.0.0.9:7070")
	d := scheme.Dial{Scheme: "gopher"}
	for text, code := range map[string]scheme.Code{
		"127.0.0.1:7070": scheme.CodeOK, "[::ffff:127.0.0.1]:7070": scheme.CodeOK, "127.0.0.2:7070": scheme.CodeOK, "[::1]:7070": scheme.CodeOK,
		"127.0.0.1:7071": scheme.CodeRefused, "127.0.0.3:7070": scheme.CodeRefused, "127.0.0.9:7070": scheme.CodeRefused, "10.0.0.1:7070": scheme.CodeRefused,
		"8.8.8.8:7070": scheme.CodeOK, "[64:ff9b::127.0.0.1]:7070": scheme.CodeRefused,
	} {
		judge(t, text, p.Addr(d, addr(text)), code)
	}
	public := d
	public.FromPublic = true
	judge(t, "a public page cannot lead there", p.Addr(public, addr("127.0.0.1:7070")), scheme.CodeRefused)
	data := scheme.Dial{Scheme: "ftp", Purpose: scheme.ForData, Peer: addr("127.0.0.1:7070")}
	judge(t, "its data connections", p.Addr(data, addr("127.0.0.1:40000")), scheme.CodeOK)
	data.Peer = addr("127.0.0.1:7071")
	judge(t, "data connections of a neighbour", p.Addr(data, addr("127.0.0.1:40000")), scheme.CodeRefused)
	never := policy.New(policy.Options{AllowAddrs: []netip.AddrPort{addr("0.0.0.0:7070"), addr("127.0.0.1:25"), addr("127.0.0.1:0")}})
	for _, a := range []string{"0.0.0.0:7070", "127.0.0.1:25", "127.0.0.1:0"} {
		judge(t, "the other rules hold: "+a, never.Addr(d, addr(a)), scheme.CodeRefused)
	}
}

// A data connection may go to any port of the control connection's address, and to no other host.
//
// Covers: P1, P5, T1
func TestDataConnections(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		peer, to string
		code     scheme.Code
	}{
		{"8.8.8.8:21", "8.8.8.8:20000", scheme.CodeOK},
		{"8.8.8.8:21", "8.8.8.8:25", scheme.CodeOK}, // its own port
		{"8.8.8.8:21", "8.8.8.8:6667", scheme.CodeOK},
		{"8.8.8.8:21", "8.8.8.8:0", scheme.CodeRefused},
		{"8.8.8.8:21", "8.8.4.4:20000", scheme.CodeRefused},
		{"8.8.8.8:21", "127.0.0.1:20000", scheme.CodeRefused},
		{"[::ffff:8.8.8.8]:21", "8.8.8.8:20000", scheme.CodeOK},
		{"8.8.8.8:21", "[::ffff:8.8.8.8]:20000", scheme.CodeOK},
		{"8.8.8.8:21", "[64:ff9b::8.8.8.8]:20000", scheme.CodeRefused},
		{"[2a00::1]:21", "[2a00::1]:20000", scheme.CodeOK},
		{"[2a00::1]:21", "[2a00::2]:20000", scheme.CodeRefused},
		{"[fe80::1%a]:21", "[fe80::1%a]:20000", scheme.CodeOK},
		{"[fe80::1%a]:21", "[fe80::1%b]:20000", scheme.CodeRefused}, // the same address in another zone
		{"[fe80::1%a]:21", "[fe80::1]:20000", scheme.CodeRefused},
		{"127.0.0.1:2121", "127.0.0.1:20000", scheme.CodeOK},
		{"127.0.0.1:2121", "127.0.0.2:20000", scheme.CodeRefused},
		{"127.0.0.1:2121", "10.0.0.1:20000", scheme.CodeRefused},
	} {
		p := policy.New(policy.Options{AllowPorts: []uint16{20000}})
		d := scheme.Dial{Scheme: "ftp", Purpose: scheme.ForData, Peer: addr(c.peer)}
		judge(t, c.peer+" to "+c.to, p.Addr(d, addr(c.to)), c.code)
	}
	p := policy.New(policy.Options{})
	judge(t, "no peer", p.Addr(scheme.Dial{Scheme: "ftp", Purpose: scheme.ForData}, addr("8.8.8.8:2000")), scheme.CodeRefused)
}

// A name that resolves to another address later is checked by its new address.
//
// Covers: P5, T170
func TestRebinding(t *testing.T) {
	t.Parallel()
	p := policy.New(policy.Options{Addresses: policy.PublicOnly})
	u := current(t, "http://rebind.example:8080/")
	d := scheme.Dial{Scheme: "http", Addr: "rebind.example:8080"}
	for _, step := range []struct {
		answer string // of the resolver
		code   scheme.Code
	}{
		{"8.8.8.8:8080", scheme.CodeOK}, {"127.0.0.1:8080", scheme.CodeRefused}, {"8.8.8.8:8080", scheme.CodeOK}, {"169.254.169.254:8080", scheme.CodeRefused},
		{"[::ffff:10.0.0.1]:8080", scheme.CodeRefused}, {"[2002:a00:1::]:8080", scheme.CodeRefused}, {"0.0.0.0:8080", scheme.CodeRefused},
	} {
		judge(t, "URL does not check the address", p.URL(u, direct), scheme.CodeOK)
		judge(t, step.answer, p.Addr(d, addr(step.answer)), step.code)
	}
}

// With a real dialer, refused addresses are not connected to, by TCP or UDP.
//
// Covers: P5
func TestRealDialler(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	accepted := make(chan net.Conn, 10)
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				close(accepted)
				return
			}
			accepted <- c
		}
	}()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	dial := func(p *policy.Standard, network, host string) error {
		d := net.Dialer{ControlContext: func(_ context.Context, network, address string, _ syscall.RawConn) error {
			return p.Addr(scheme.Dial{Scheme: "x-test", Network: network, Addr: net.JoinHostPort(host, port)}, addr(address))
		}}
		c, err := d.DialContext(t.Context(), network, net.JoinHostPort(host, port))
		if err == nil {
			c.Close()
		}
		return err
	}
	public := policy.New(policy.Options{Addresses: policy.PublicOnly, AllowPorts: []uint16{addr(l.Addr().String()).Port()}})
	for _, network := range []string{"tcp", "udp"} {
		for _, host := range []string{"127.0.0.1", "localhost", "::ffff:127.0.0.1"} {
			err := dial(public, network, host)
			var e *scheme.Error
			if !errors.As(err, &e) || e.Code != scheme.CodeRefused || !strings.Contains(err.Error(), "not public") {
				t.Errorf("%s %s: %v", network, host, err)
			}
		}
	}
	open := policy.New(policy.Options{AllowPorts: []uint16{addr(l.Addr().String()).Port()}})
	if err := dial(open, "tcp", "127.0.0.1"); err != nil {
		t.Error(err)
	}
	(<-accepted).Close()
	l.Close()
	for c := range accepted {
		t.Errorf("a refused connection was made: %v", c.RemoteAddr())
	}
}

// A data connection to a name that a proxy resolves may use any port, but only if its control connection is allowed.
//
// Covers: P5, T183
func TestProxiedData(t *testing.T) {
	t.Parallel()
	open, public := policy.New(policy.Options{}), policy.New(policy.Options{Addresses: policy.PublicOnly})
	for _, c := range []struct {
		p    *policy.Standard
		d    scheme.Dial
		code scheme.Code
	}{
		{open, scheme.Dial{Scheme: "ftp", Purpose: scheme.ForData, Addr: "h.example:25"}, scheme.CodeOK},
		{open, scheme.Dial{Scheme: "ftp", Addr: "h.example:25"}, scheme.CodeRefused},
		{open, scheme.Dial{Scheme: "ftp", Purpose: scheme.ForData, Addr: "h.example:0"}, scheme.CodeRefused},
		{public, scheme.Dial{Scheme: "ftp", Purpose: scheme.ForData, Addr: "h.example:2525"}, scheme.CodeRefused},
		{open, scheme.Dial{Scheme: "ftp", Purpose: scheme.ForData, Addr: "localhost:2525", FromPublic: true}, scheme.CodeRefused},
	} {
		judge(t, c.d.Addr, c.p.Proxied(c.d), c.code)
	}
}

// The port of a configured server may be any that is not known to belong to another protocol; that of a URL may not.
//
// Covers: P1
func TestServerPort(t *testing.T) {
	t.Parallel()
	p := policy.New(policy.Options{})
	for port, want := range map[string]scheme.Code{"26": scheme.CodeOK, "2": scheme.CodeOK, "587": scheme.CodeOK, "2525": scheme.CodeOK, "21": scheme.CodeRefused, "0": scheme.CodeRefused} {
		d := scheme.Dial{Scheme: "mailto", Purpose: scheme.ForServer, Addr: "h.example:" + port}
		judge(t, port, p.Addr(d, addr("8.8.8.8:"+port)), want)
		judge(t, port+" by name", p.Proxied(d), want)
	}
	judge(t, "a hop", p.Addr(scheme.Dial{Scheme: "mailto", Purpose: scheme.ForHop}, addr("8.8.8.8:26")), scheme.CodeRefused, "ports below 1024 are reserved for other protocols")
	judge(t, "a gateway", p.Addr(scheme.Dial{Scheme: "http", Purpose: scheme.ForServer}, addr("8.8.8.8:25")), scheme.CodeRefused, "port 25", "belongs to another protocol")
}
