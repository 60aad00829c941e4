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
	judge(t, "no address", p.Addr(scheme.Dial{Scheme: "http"}, netip.AddrPort{}), scheme.CodeRefused, "not an address")
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

// A data connection to a name that a proxy resolves may use any port, but only if its control
// connection is allowed.
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

// The port of a configured server may be any that is not known to belong to another protocol; that
// of a URL may not.
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

func nets(texts ...string) (list []netip.Prefix) {
	for _, text := range texts {
		list = append(list, netip.MustParsePrefix(text))
	}
	return list
}

// A denied network is refused in any mode and spelling, and takes precedence over an allowed one.
// An allowed network counts as public.
//
// Covers: P5, T168
func TestNets(t *testing.T) {
	t.Parallel()
	deny := nets("203.1.0.0/16", "10.9.0.0/16", "::ffff:11.0.0.0/104", "2606:4700::/32", "fe80::/10")
	allow := nets("10.0.0.0/8", "fd00:1::/32", "::ffff:172.16.3.4/128", "203.1.0.0/16")
	any := policy.New(policy.Options{AllowNets: allow, DenyNets: deny})
	public := policy.New(policy.Options{AllowNets: allow, DenyNets: deny, Addresses: policy.PublicOnly})
	deny[0], allow[0] = netip.MustParsePrefix("0.0.0.0/0"), netip.MustParsePrefix("0.0.0.0/0") // New has copies
	const yes, no = scheme.CodeOK, scheme.CodeRefused
	for text, want := range map[string]struct{ any, public, hop scheme.Code }{
		"8.8.8.8:80":                {yes, yes, yes},
		"10.1.2.3:80":               {yes, yes, yes}, // allowed, so a public server may lead there
		"[::ffff:10.1.2.3]:80":      {yes, yes, yes},
		"[64:ff9b::10.1.2.3]:80":    {yes, no, no}, // a translator is not in the network
		"10.9.0.0:80":               {no, no, no},
		"10.9.255.255:80":           {no, no, no},
		"[::ffff:10.9.1.1]:80":      {no, no, no},
		"[::10.9.1.1]:80":           {no, no, no},
		"[64:ff9b::10.9.1.1]:80":    {no, no, no},
		"[2002:a09:101::1]:80":      {no, no, no}, // 6to4
		"[2001:0:1:2:3:4:f5f6:0]:1": {no, no, no}, // Teredo of 10.9.255.255
		"10.10.0.1:80":              {yes, yes, yes},
		"11.1.1.1:80":               {no, no, no},
		"[64:ff9b::11.1.1.1]:80":    {no, no, no},
		"12.1.1.1:80":               {yes, yes, yes},
		"203.1.2.3:80":              {no, no, no},
		"[2606:4700::1]:80":         {no, no, no},
		"[2606:4701::1]:80":         {yes, yes, yes},
		"[fe80::1%eth0]:80":         {no, no, no},
		"[fd00:1::7]:80":            {yes, yes, yes},
		"[fd00:1::7%eth0]:80":       {yes, yes, yes},
		"[fd00:2::7]:80":            {yes, no, no},
		"172.16.3.4:80":             {yes, yes, yes},
		"172.16.3.5:80":             {yes, no, no},
		"127.0.0.1:80":              {yes, no, no},
		"10.1.2.3:25":               {no, no, no}, // the other rules hold
	} {
		d := scheme.Dial{Scheme: "http"}
		judge(t, "any "+text, any.Addr(d, addr(text)), want.any)
		judge(t, "public "+text, public.Addr(d, addr(text)), want.public)
		d.FromPublic = true
		judge(t, "hop "+text, any.Addr(d, addr(text)), want.hop)
		judge(t, "hop, public "+text, public.Addr(d, addr(text)), want.hop)
		if a := addr(text); a.Port() == 80 {
			data := scheme.Dial{Scheme: "ftp", Purpose: scheme.ForData, Peer: a}
			judge(t, "data "+text, public.Addr(data, a), want.public)
			judge(t, "proxy "+text, public.Addr(scheme.Dial{Purpose: scheme.ForProxy}, a), yes)
		}
	}
	judge(t, "denied", any.Addr(scheme.Dial{Scheme: "http"}, addr("[64:ff9b::10.9.1.1]:80")), no, "denied network 10.9.0.0/16")
	judge(t, "a name", any.Proxied(scheme.Dial{Scheme: "http", Addr: "h.example:80"}), no, "a proxy resolves it")
	judge(t, "a name, one network denied", policy.New(policy.Options{DenyNets: nets("10.0.0.0/8")}).Proxied(scheme.Dial{Scheme: "http", Addr: "h.example:80"}), no, "a proxy resolves it")
	judge(t, "a name, no network denied", policy.New(policy.Options{AllowNets: nets("10.0.0.0/8")}).Proxied(scheme.Dial{Scheme: "http", Addr: "h.example:80"}), yes)
	never := policy.New(policy.Options{AllowNets: nets("0.0.0.0/0", "::/0")})
	for _, text := range []string{"0.0.0.0:80", "224.0.0.1:80", "255.255.255.255:80", "[::]:80", "[ff02::1]:80", "[64:ff9b::224.0.0.1]:80"} {
		judge(t, text, never.Addr(scheme.Dial{Scheme: "http"}, addr(text)), no, "is refused")
	}
	defer func() {
		if recover() == nil {
			t.Error("a prefix that is not valid denies nothing, and New took it")
		}
	}()
	policy.New(policy.Options{DenyNets: make([]netip.Prefix, 1)})
}

// A public server may not lead to a name of the proxy's host or network.
//
// Covers: P5, T183
func TestProxiedNames(t *testing.T) {
	t.Parallel()
	p := policy.New(policy.Options{})
	for name, code := range map[string]scheme.Code{
		"localhost": scheme.CodeRefused, "localhost.": scheme.CodeRefused, "foo.LOCALHOST": scheme.CodeRefused, "printer.local": scheme.CodeRefused,
		"intranet": scheme.CodeRefused, "metadata.google.internal": scheme.CodeRefused, "nas.home.arpa": scheme.CodeRefused, "db.corp.": scheme.CodeRefused,
		"h.example": scheme.CodeOK, "localhost.example": scheme.CodeOK, "mylocalhost.example": scheme.CodeOK, "local.example": scheme.CodeOK, "xhome.arpa": scheme.CodeOK,
	} {
		judge(t, name, p.Proxied(scheme.Dial{Scheme: "http", Addr: name + ":80", FromPublic: true}), code)
		judge(t, name+" directly", p.Proxied(scheme.Dial{Scheme: "http", Addr: name + ":80"}), scheme.CodeOK)
	}
}

// If only public addresses are allowed, a file URL is refused unless the scheme was named.
//
// Covers: P5, T177
func TestPublicOnlyFile(t *testing.T) {
	t.Parallel()
	file := current(t, "file:///etc/passwd")
	judge(t, "any", policy.New(policy.Options{}).URL(file, direct), scheme.CodeOK)
	judge(t, "public", policy.New(policy.Options{Addresses: policy.PublicOnly}).URL(file, direct), scheme.CodeRefused, "local file")
	judge(t, "named", policy.New(policy.Options{Addresses: policy.PublicOnly, Schemes: []string{"file"}}).URL(file, direct), scheme.CodeOK)
	judge(t, "another named", policy.New(policy.Options{Addresses: policy.PublicOnly, Schemes: []string{"ftp"}}).URL(file, direct), scheme.CodeRefused)
}
