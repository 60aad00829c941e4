package policy_test

import (
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"locator"
	"locator/internal/hint"
	"locator/internal/hostaddr"
	"locator/policy"
	"locator/scheme"
	"locator/vet"
	"locator/wire"
)

var direct scheme.Hop

// current parses a URL with the Current syntax.
func current(t testing.TB, text string) locator.URL {
	t.Helper()
	u, err := locator.Current.Parse(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return u
}

// judge checks the code of a result of the policy, CodeOK for nil, and that its text contains the
// strings in want.
func judge(t testing.TB, what string, err error, code scheme.Code, want ...string) {
	t.Helper()
	if code == scheme.CodeOK {
		if err != nil {
			t.Errorf("%s: %v", what, err)
		}
		return
	}
	var e *scheme.Error
	if !errors.As(err, &e) || e.Code != code {
		t.Errorf("%s: %v, want an error of code %v", what, err, code)
		return
	}
	for _, w := range want { // of the text, or the hint in brackets
		if !strings.Contains(err.Error()+" ["+hint.Of(err)+"]", w) {
			t.Errorf("%s: %q does not contain %q", what, err, w)
		}
	}
	if text := err.Error(); strings.ReplaceAll(wire.Escape(text), `\\`, `\`) != text {
		t.Errorf("%s: the message has control characters: %q", what, text)
	}
}

// fetchBadPorts is the table of bad ports in the Fetch standard, section "Port blocking", review
// draft of June 2026, repeated here to detect changes of the table in use.
var fetchBadPorts = []uint16{
	0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110, 111,
	113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554,
	556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666,
	6667, 6668, 6669, 6679, 6697, 10080,
}

// portRules are the rules of P1: a URL template of each scheme with a port, and the ports of the
// scheme.
var portRules = []struct {
	scheme, url string
	own         []uint16
	http        bool // only the bad ports of the Fetch standard are refused
}{
	{"http", "http://h:%d/", nil, true},
	{"https", "https://h:%d/", nil, true},
	{"ftp", "ftp://h:%d/", []uint16{21, 990}, false},
	{"gopher", "gopher://h:%d/", []uint16{70, 105}, false},
	{"nntp", "nntp://h:%d/g", []uint16{119, 563}, false},
	{"telnet", "telnet://h:%d/", []uint16{23, 992}, false},
	{"wais", "wais://h:%d/db", []uint16{210}, false},
	{"prospero", "prospero://h:%d/x", []uint16{191, 1525}, false},
	{"ftps", "ftps://h:%d/", []uint16{21, 990}, false},
	{"gophers", "gophers://h:%d/", []uint16{70}, false},
	{"z39.50s", "z39.50s://h:%d/", []uint16{210}, false},
	{"nfs", "nfs://h:%d/", []uint16{2049}, false},
	{"x-other", "x-other://u:p@h:%d/", nil, false},
}

// Every port of every scheme, with URL and Addr.
//
// Covers: P1, T149, T178
func TestPorts(t *testing.T) {
	t.Parallel()
	p := policy.New(policy.Options{})
	a := addr("192.0.2.1:0")
	for _, r := range portRules {
		t.Run(r.scheme, func(t *testing.T) {
			t.Parallel()
			for n := range 1 << 16 {
				port := uint16(n)
				_, bad := slices.BinarySearch(fetchBadPorts, port)
				refused := (bad || !r.http && port < 1024) && !slices.Contains(r.own, port)
				// Addr is fast enough for all ports; URLs are parsed only near changes.
				d := scheme.Dial{Scheme: r.scheme, Purpose: scheme.Purpose(2 * (n % 2))}
				if err := p.Addr(d, withPort(a, port)); (err != nil) != refused {
					t.Errorf("Addr, port %d: %v, want refused %v", port, err, refused)
				}
				if near := n < 1100 || n > 65530 || bad || n%251 == 0; !near {
					continue
				}
				u := current(t, fmt.Sprintf(r.url, port))
				if !u.HasHost() {
					t.Fatalf("%s has no host", u)
				}
				if err := p.URL(u, direct); (err != nil) != refused {
					t.Errorf("URL, port %d: %v, want refused %v", port, err, refused)
				} else if refused {
					judge(t, u.String(), err, scheme.CodeRefused, fmt.Sprintf("port %d ", port))
				}
			}
		})
	}
}

// With OwnPorts, http and https have the ports that browsers allow, and every other scheme has
// those of its protocol.
//
// Covers: P1, T179
func TestOwnPorts(t *testing.T) {
	t.Parallel()
	p, more := policy.New(policy.Options{OwnPorts: true}), policy.New(policy.Options{OwnPorts: true, AllowPorts: []uint16{6379}})
	for _, r := range portRules {
		for n := range 1 << 16 {
			port := uint16(n)
			_, bad := slices.BinarySearch(fetchBadPorts, port)
			want := slices.Contains(r.own, port) || r.http && port != 0 && !bad
			for _, d := range []scheme.Dial{{Scheme: r.scheme}, {Scheme: r.scheme, Purpose: scheme.ForHop, Network: "udp"}} {
				if err := p.Addr(d, withPort(addr("192.0.2.1:0"), port)); (err == nil) != want {
					t.Errorf("%s %d: %v, want allowed %v", r.scheme, port, err, want)
				}
			}
			if n > 200 && n%997 != 0 && n != 1525 && n != 6379 && n != 990 {
				continue
			}
			u := current(t, fmt.Sprintf(r.url, port))
			for _, kind := range []scheme.HopKind{scheme.HopDirect, scheme.HopMenuItem, scheme.HopReferral} {
				if err := p.URL(u, scheme.Hop{Kind: kind, From: current(t, "prospero://h/x")}); (err == nil) != want {
					t.Errorf("%s: %v, want allowed %v", u, err, want)
				}
			}
			if err := p.Proxied(scheme.Dial{Scheme: r.scheme, Addr: fmt.Sprintf("h.example:%d", port)}); (err == nil) != want {
				t.Errorf("%s by a proxy: %v, want allowed %v", u, err, want)
			}
		}
		judge(t, r.scheme+" AllowPorts", more.URL(current(t, fmt.Sprintf(r.url, 6379)), direct), scheme.CodeOK)
		judge(t, r.scheme+" AllowPorts", more.Addr(scheme.Dial{Scheme: r.scheme}, addr("8.8.8.8:6379")), scheme.CodeOK)
	}
	control := addr("8.8.8.8:21")
	judge(t, "data", p.Addr(scheme.Dial{Scheme: "ftp", Purpose: scheme.ForData, Peer: control}, addr("8.8.8.8:6379")), scheme.CodeOK)
	judge(t, "data by a proxy", p.Proxied(scheme.Dial{Scheme: "ftp", Purpose: scheme.ForData, Addr: "h.example:6379"}), scheme.CodeOK)
	judge(t, "configured", p.Addr(scheme.Dial{Scheme: "news", Purpose: scheme.ForServer}, addr("8.8.8.8:6379")), scheme.CodeOK)
	judge(t, "registered", p.URL(current(t, "x-echo://h:10738/"), scheme.Hop{Ports: []uint16{10738}}), scheme.CodeOK)
}

// The URLs of some schemes have no server: it comes from the configuration or is a mail exchanger.
//
// Covers: P1
func TestPortsOfConfiguredServers(t *testing.T) {
	t.Parallel()
	p := policy.New(policy.Options{})
	for name, own := range map[string][]uint16{"news": {119, 563}, "mailto": {25, 465, 587}, "tn3270": {23, 992}, "": nil} {
		for port := uint16(1); port < 1024; port++ {
			code := scheme.CodeRefused
			if slices.Contains(own, port) {
				code = scheme.CodeOK
			}
			judge(t, fmt.Sprintf("%q %d", name, port), p.Addr(scheme.Dial{Scheme: name}, withPort(addr("192.0.2.1:0"), port)), code)
		}
	}
}

// No scheme is refused its default port, and the tables of the two packages agree.
//
// Covers: P1, S5
func TestOwnPortsAgree(t *testing.T) {
	t.Parallel()
	p := policy.New(policy.Options{})
	for _, s := range locator.Schemes() {
		if s.Port != 0 && !slices.Contains(s.Ports, s.Port) {
			t.Errorf("%s: its default port %d is not among its own", s.Name, s.Port)
		}
		for _, port := range s.Ports {
			judge(t, fmt.Sprintf("%s %d", s.Name, port), p.Addr(scheme.Dial{Scheme: s.Name}, withPort(addr("192.0.2.1:0"), port)), scheme.CodeOK)
		}
		for _, r := range portRules {
			if own := slices.Clone(s.Ports); r.scheme == s.Name && !r.http && !slices.Equal(own, r.own) {
				t.Errorf("%s: own ports %v, want %v", s.Name, own, r.own)
			}
		}
	}
}

// Covers: P1
func TestAllowPorts(t *testing.T) {
	t.Parallel()
	ports := []uint16{25, 6667}
	p := policy.New(policy.Options{AllowPorts: ports})
	ports[0] = 26 // the policy keeps no reference
	for text, code := range map[string]scheme.Code{
		"gopher://h:25/": scheme.CodeOK, "http://h:6667/": scheme.CodeOK, "x-any://h:25/": scheme.CodeOK, "gopher://h:26/": scheme.CodeRefused,
		"gopher://h:7/": scheme.CodeRefused,
		"gopher://h:0/": scheme.CodeRefused, "gopher://h:0025/": scheme.CodeOK, "http://h:06666/": scheme.CodeRefused,
	} {
		judge(t, text, p.URL(current(t, text), direct), code)
	}
	hop := scheme.Hop{Ports: []uint16{7}} // of a registered scheme that package locator does not know
	for text, code := range map[string]scheme.Code{"x-echo://h:7/": scheme.CodeOK, "x-echo://h:8/": scheme.CodeRefused, "x-echo://h:1024/": scheme.CodeOK} {
		judge(t, text, p.URL(current(t, text), hop), code)
	}
	judge(t, "its address", p.Addr(scheme.Dial{Scheme: "x-echo", Ports: hop.Ports}, addr("8.8.8.8:7")), scheme.CodeOK)
	judge(t, "another address", p.Addr(scheme.Dial{Scheme: "x-echo", Ports: hop.Ports}, addr("8.8.8.8:8")), scheme.CodeRefused)
	judge(t, "its name", p.Proxied(scheme.Dial{Scheme: "x-echo", Ports: hop.Ports, Addr: "h.example:7"}), scheme.CodeOK)
	zero := policy.New(policy.Options{AllowPorts: []uint16{0}})
	judge(t, "port 0 is never allowed", zero.URL(current(t, "http://h:0/"), direct), scheme.CodeRefused, "port 0")
	judge(t, "how to allow", zero.URL(current(t, "gopher://h:25/"), direct), scheme.CodeRefused, "[AllowPorts=25]", "gopher")
	judge(t, "how to allow", zero.URL(current(t, "http://h:25/"), direct), scheme.CodeRefused, "another protocol", "[AllowPorts=25]")
}

// Covers: S4
func TestHosts(t *testing.T) {
	t.Parallel()
	p := policy.New(policy.Options{})
	for text, want := range map[string]string{
		"ftp://h/":                                  "",
		"ftp://localhost/":                          "",
		"ftp://a1.b2.c3/":                           "",
		"ftp://0.0.0.0.example/":                    "",
		"ftp://127.0.0.1/":                          "",
		"ftp://255.255.255.255/":                    "broadcast",
		"ftp://010.000.00000.1/":                    "", // decimal, although some resolvers read octal
		"ftp://256.1.1.1/":                          "digit group 256",
		"ftp://1.1.1.0256/":                         "digit group 0256",
		"http://1.999.1.1/":                         "digit group 999",
		"gopher://1.1.1.99999999999999999999999/":   "digit group 99999999999999999999999",
		"x-other://300.1.1.1/":                      "digit group 300",
		"wais://1.1.1.1:65536/db":                   "port 65536",
		"ftp://h:00000/":                            "port 00000",
		"ftp://h:" + strings.Repeat("9", 500) + "/": "port 9999999999999999999999999999999999999999... ",
		"file://256.0.0.1/x":                        "digit group 256",
		"file:///x":                                 "",
		"file://localhost/x":                        "",
		"http://[::1]/":                             "",
		"A://[::]":                                  "unspecified",
		"http://[::ffff:1.2.3.4]:8080/":             "",
		"mailto:a@256.1.1.1":                        "", // not the host of a URL
		"news:a@256.1.1.1":                          "",
		"x-other:256.1.1.1":                         "",
	} {
		code := scheme.CodeOK
		if want != "" {
			code = scheme.CodeRefused
		}
		judge(t, text, p.URL(current(t, text), direct), code, want)
	}
}

// Covers: P1
func TestSchemes(t *testing.T) {
	t.Parallel()
	allowed := []string{"http", "gopher"}
	p := policy.New(policy.Options{Schemes: allowed})
	allowed[0] = "ftp"
	for text, code := range map[string]scheme.Code{
		"http://h/": scheme.CodeOK, "HTTP://h/": scheme.CodeOK, "gopher://h/": scheme.CodeOK, "ftp://h/": scheme.CodeRefused, "https://h/": scheme.CodeRefused,
		"x-other:y": scheme.CodeRefused, "file:///x": scheme.CodeRefused,
	} {
		judge(t, text, p.URL(current(t, text), direct), code, "http, gopher")
	}
	judge(t, "none allowed", policy.New(policy.Options{Schemes: []string{}}).URL(current(t, "http://h/"), direct), scheme.CodeRefused)
	judge(t, "the zero URL", p.URL(locator.URL{}, direct), scheme.CodeRefused)
}

// agree checks that vet and policy agree about the host of an http URL with its default port.
func agree(t *testing.T, u locator.URL) {
	t.Helper()
	// The findings about which host it is, and not about how it is written.
	about := []string{"no-address", "numeric-host", "unusable-address", "local-address", "special-address", "single-label"}
	any, public := policy.New(policy.Options{}), policy.New(policy.Options{Addresses: policy.PublicOnly})
	found, danger := false, false
	for _, f := range vet.URL(u) {
		if slices.Contains(about, f.Code) {
			found, danger = true, danger || f.Severity == vet.SeverityDanger
		}
	}
	refused := public.Check(u)
	if addr, ok := u.Addr(); refused == nil && ok && !hostaddr.Read(u.ASCIIHost()).Addr.IsValid() { // a name, as far as it tells
		refused = any.Proxied(scheme.Dial{Scheme: "http", Addr: addr, FromPublic: true})
	}
	if found != (refused != nil) || danger != (any.Check(u) != nil) {
		t.Errorf("%s: findings %v; the policy refuses it: %v, in any mode: %v", u.Text(), vet.URL(u), refused, any.Check(u))
	}
}

// FuzzPolicyAndVet looks for hosts about which policy and vet do not agree.
func FuzzPolicyAndVet(f *testing.F) {
	for _, host := range []string{"127.0.0.1", "[::ffff:1.2.3.4]", "localhost.", "0x7f.1", "a.local", "%31.2.3.4", "h", "１.2.3.4", "[64:ff9b::1]", "1.2.3.4..", "..", "a..b", "A0.."} {
		f.Add(host)
	}
	f.Fuzz(func(t *testing.T, host string) {
		u, err := locator.Current.Parse("http://" + host + "/")
		if path, _ := u.Path(); err == nil && path == "" && u.Port() == "" {
			agree(t, u)
		}
	})
}

// What the policy refuses where only public addresses are allowed has a finding, what it refuses in
// any mode is a danger, and nothing else has one: both read hosts and know special addresses in the
// same way.
//
// Covers: P5, S4, T206
func TestPolicyAndVetAgree(t *testing.T) {
	t.Parallel()
	check := func(host string) { agree(t, current(t, "http://"+host+"/")) }
	for _, host := range []string{
		// addresses of this machine and of networks, in all spellings
		"127.0.0.1", "127.0.0.1.", "127.255.255.254", "0.0.0.0", "0.1.2.3", "localhost", "localhost.", "LOCALHOST", "foo.localhost", "foo.localhost.",
		"10.0.0.1", "172.16.0.1", "172.15.0.1", "172.32.0.1", "192.168.1.1", "100.64.0.1", "100.100.100.200", "169.254.169.254", "169.254.170.2",
		"[::1]", "[::]", "[::ffff:127.0.0.1]", "[::ffff:10.0.0.1]", "[::127.0.0.1]", "[::169.254.169.254]", "[::a9fe:a9fe]", "[::8.8.8.8]",
		"[64:ff9b::127.0.0.1]", "[64:ff9b::a9fe:a9fe]", "[64:ff9b::8.8.8.8]", "[64:ff9b:1::a9fe:a9fe]", "[64:ff9b:1::808:808]",
		"[2002:a00:1::1]", "[2002:808:808::1]", "[2001:0:1:2:3:4:f5ff:fffe]", "[fc00::1]", "[fd00:ec2::254]", "[fe80::1]", "[fec0::1]", "[ff02::1]",
		// special ones
		"192.0.0.192", "192.0.0.9", "192.0.0.170", "192.0.2.1", "198.51.100.1", "203.0.113.1", "198.18.0.1", "198.19.255.255", "198.20.0.1",
		"192.88.99.1", "192.31.196.1", "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.254", "255.255.255.255", "168.63.129.16",
		"[100::1]", "[2001:db8::1]", "[2001:2::1]", "[3fff::1]", "[5f00::1]", "[4000::1]", "[2606:4700::1111]", "[::2]",
		// names
		"intranet", "metadata", "ftp", "intranet.", "metadata.google.internal", "printer.local", "nas.lan", "x.corp", "host.home.arpa", "h.example", "h.example.",
		"localhost.example", "localdomain.example",
		// numbers
		"2130706433", "0x7f000001", "0x7f.1", "127.1", "017700000001", "1.2.3.256", "8.8.8.8", "8.8.8.8..", "1.2.3.4.5", "127.0.0.%31", "%31%32%37.0.0.1",
	} {
		check(host)
	}
	for _, c := range blockCases {
		p := netip.MustParsePrefix(c.block)
		for _, a := range []netip.Addr{p.Addr(), p.Addr().Next(), p.Addr().Prev()} {
			switch {
			case !a.IsValid():
			case a.Is4():
				check(a.String())
			default:
				check("[" + a.String() + "]")
			}
		}
	}
}

// The ports that the policy refuses to a scheme are dangers, and no others are.
//
// Covers: P1
func TestPolicyAndVetAgreeOnPorts(t *testing.T) {
	t.Parallel()
	p := policy.New(policy.Options{})
	ports := []int{0, 65535, 65536}
	for port := range 1100 {
		ports = append(ports, port)
	}
	for _, port := range fetchBadPorts {
		ports = append(ports, int(port))
	}
	asked := 0
	for _, s := range locator.Schemes() {
		if len(s.Ports) == 0 {
			continue
		}
		for _, port := range ports {
			u, err := locator.Current.Parse(fmt.Sprintf("%s://8.8.8.8:%d/x", s.Name, port))
			if err != nil {
				continue
			}
			asked++
			danger := slices.ContainsFunc(vet.URL(u), func(f vet.Finding) bool { return f.Severity == vet.SeverityDanger })
			if refused := p.URL(u, direct); danger != (refused != nil) {
				t.Errorf("%s: danger %v, the policy: %v", u.Text(), danger, refused)
			}
		}
	}
	if asked < 10_000 {
		t.Errorf("only %d URLs", asked)
	}
}

// RFC 1738 has no rule for https and finds no host in its URLs, but every client does. A program
// that asks only the policy is protected, too.
//
// Covers: S4, P5, T117
func TestURLOfAnotherReading(t *testing.T) {
	t.Parallel()
	strangers, standard := policy.Strangers(), policy.New(policy.Options{})
	for _, text := range []string{
		"https://0x7f.1/", "https://2130706433/", "https://127.1?x", "https://h:99999?x", "https://[::1%25eth0]/", "https://host:25/",
		"https://127.0.0.1\\@good.example/", "https://good.example:80\\@127.0.0.1/", "ftps://0x7f.1/x", "gophers://0x7f.1/x", "nntps://0x7f.1/g",
		"https://h/%zz", "https:///x", "x-unknown://0x7f.1/",
	} {
		u, err := locator.Parse(text)
		if err != nil {
			continue // nothing to judge
		}
		t.Run(text, func(t *testing.T) {
			judge(t, "Strangers", strangers.URL(u, direct), scheme.CodeRefused)
			judge(t, "Check", strangers.Check(u), scheme.CodeRefused)
			judge(t, "Standard", standard.URL(u, direct), scheme.CodeRefused)
		})
	}
	for _, text := range []string{"https://127.0.0.1/", "https://10.0.0.1?x", "https://localhost/", "ftps://192.168.0.1/"} {
		u, err := locator.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		judge(t, text, strangers.Check(u), scheme.CodeRefused)
		judge(t, text, standard.URL(u, direct), scheme.CodeOK)
	}
	for _, text := range []string{"https://www.example.com/a?b", "x-unknown:anything at all", "urn:isbn:1", "https://8.8.8.8/"} {
		u, err := locator.Parse(text)
		if err != nil {
			continue
		}
		judge(t, text, standard.URL(u, direct), scheme.CodeOK)
	}
}
