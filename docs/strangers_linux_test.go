package docs_test

import (
	"bufio"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"golang.org/x/net/dns/dnsmessage"

	"locator"
	"locator/client"
	"locator/internal/peers"
	"locator/policy"
	"locator/scheme"
	"locator/scheme/all"
)

// inside is the environment variable that is set in the network namespace.
const inside = "LOCATOR_TEST_NAMESPACE"

// TestStrangers runs the samples of guides/strangers.md against attacks. It runs in a network
// namespace of its own where every address of the Internet is this machine, so that a connection
// that should be refused succeeds and is recorded.
//
// Covers: P1, P2, P3, P5, P6, T53, T166, T170, T173, T179
func TestStrangers(t *testing.T) {
	t.Parallel()
	if os.Getenv(inside) != "" {
		attackStrangers(t)
		return
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := exec.LookPath("ip"); err != nil {
		peers.Skip(t, "the program ip is missing: %v", err)
	}
	cmd := exec.Command(program, "-test.run=^TestStrangers$", "-test.timeout=2m")
	cmd.Env = append(os.Environ(), inside+"=1", "http_proxy=http://10.20.1.1:3128", "all_proxy=http://10.20.1.1:3128",
		"SSL_CERT_FILE="+filepath.Join(t.TempDir(), "roots.pem"))
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNET,
		UidMappings: []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}},
		Pdeathsig:   syscall.SIGKILL,
	}
	out, err := cmd.CombinedOutput()
	if errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EINVAL) {
		peers.Skip(t, "no network namespace: %v", err)
	}
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// internet is a network where every address is this machine.
type internet struct {
	mu      sync.Mutex
	reached []string // the addresses that clients have connected to, with their ports
	lookups atomic.Int32
}

// attackStrangers sets up the network and runs the attacks.
func attackStrangers(t *testing.T) {
	for _, line := range []string{"link set lo up", "route add local 0.0.0.0/0 dev lo", "-6 route add local ::/0 dev lo"} {
		if out, err := exec.Command("ip", strings.Fields(line)...).CombinedOutput(); err != nil {
			t.Fatalf("ip %s: %v\n%s", line, err, out)
		}
	}
	n := &internet{}
	net.DefaultResolver = n.resolver()
	web := &http.Server{Handler: http.HandlerFunc(n.web), ErrorLog: log.New(io.Discard, "", 0)}
	for _, port := range []int{80, 8080, 2375, 9200, 3128} {
		go web.Serve(n.listen(t, port))
	}
	go web.Serve(tls.NewListener(n.listen(t, 443), certificate(t)))
	for _, port := range []int{21, 22, 25, 70, 119, 6379, 11211} {
		go n.serve(n.listen(t, port))
	}
	t.Run("allowed", func(t *testing.T) { strangers(func(c *client.Client, web *http.Client) { n.allowed(t, c, web) }) })
	t.Run("refused", func(t *testing.T) { strangers(func(c *client.Client, web *http.Client) { n.refused(t, c, web) }) })
	t.Run("web only", func(t *testing.T) { webOnly(func(c *client.Client, web *http.Client) { n.webOnly(t, c, web) }) })
	t.Run("bounded", func(t *testing.T) { strangers(func(c *client.Client, web *http.Client) { n.bounded(t, c, web) }) })
	t.Run("default policy", n.hostileLocations)
	t.Run("own network", func(t *testing.T) { ownNetwork(func(c *client.Client, web *http.Client) { n.own(t, c, web) }) })
}

// listen listens on a port of every address, and records what connects.
func (n *internet) listen(t *testing.T, port int) net.Listener {
	l, err := net.Listen("tcp", ":"+strconv.Itoa(port))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return recorder{l, n}
}

type recorder struct {
	net.Listener
	n *internet
}

func (r recorder) Accept() (net.Conn, error) {
	c, err := r.Listener.Accept()
	if err == nil {
		r.n.mu.Lock()
		r.n.reached = append(r.n.reached, c.LocalAddr().String())
		r.n.mu.Unlock()
	}
	return c, err
}

// take returns what was reached since the last call.
func (n *internet) take() []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	reached := n.reached
	n.reached = nil
	return reached
}

// web answers http requests. /to?URL redirects there.
func (n *internet) web(w http.ResponseWriter, r *http.Request) {
	if r.Host == "rebind.example" && r.URL.Path == "/" {
		w.Header().Set("Connection", "close")
		http.Redirect(w, r, "/again", http.StatusFound)
		return
	}
	switch path := strings.Split(r.URL.Path, "/"); path[1] {
	case "to":
		to, _ := url.QueryUnescape(r.URL.RawQuery)
		w.Header().Set("Location", to)
		w.WriteHeader(http.StatusFound)
	case "hops": // as many as the number says
		left, _ := strconv.Atoi(path[2])
		if left == 0 {
			io.WriteString(w, "ok")
			return
		}
		http.Redirect(w, r, fmt.Sprintf("/hops/%d", left-1), http.StatusFound)
	case "endless":
		for chunk := make([]byte, 1<<16); ; {
			if _, err := w.Write(chunk); err != nil {
				return
			}
		}
	case "drip":
		for {
			if _, err := w.Write([]byte{'x'}); err != nil {
				return
			}
			w.(http.Flusher).Flush()
			time.Sleep(20 * time.Millisecond)
		}
	case "headers":
		c, _, _ := w.(http.Hijacker).Hijack()
		defer c.Close()
		io.WriteString(c, "HTTP/1.1 200 OK\r\n")
		for i := 0; ; i++ {
			if _, err := fmt.Fprintf(c, "X-%d: y\r\n", i); err != nil {
				return
			}
		}
	case "login":
		if _, _, ok := r.BasicAuth(); ok {
			io.WriteString(w, "a login was sent")
			return
		}
		w.Header().Set("WWW-Authenticate", `Basic realm="x"`)
		w.WriteHeader(http.StatusUnauthorized)
	default:
		io.WriteString(w, "ok")
	}
}

// serve answers the lines of other protocols. Gopher selectors that begin with "/endless" have an
// endless menu.
func (n *internet) serve(l net.Listener) {
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		go func() {
			defer c.Close()
			c.SetDeadline(time.Now().Add(30 * time.Second))
			line, err := bufio.NewReader(c).ReadString('\n')
			if err != nil {
				return
			}
			if strings.HasPrefix(line, "/endless") {
				out := bufio.NewWriter(c)
				for {
					if _, err := out.WriteString("0a\t/a\t8.8.8.8\t70\r\n"); err != nil {
						return
					}
				}
			}
			io.WriteString(c, "ok")
		}()
	}
}

// resolver knows the names of the attacks.
func (n *internet) resolver() *net.Resolver {
	names := map[string][]string{
		"pub.example.":    {"8.8.8.8"},
		"inner.example.":  {"127.0.0.1"},
		"cloud.example.":  {"169.254.169.254"},
		"lan.example.":    {"10.1.2.3"},
		"six.example.":    {"::1"},
		"mapped.example.": {"::ffff:127.0.0.1"},
		"nat64.example.":  {"64:ff9b::7f00:1"},
		"ula.example.":    {"fd00:ec2::254"},
		"mixed.example.":  {"127.0.0.1", "::1", "8.8.8.8"},
		"all.example.":    {"127.0.0.1", "10.0.0.1", "::1"},
		"zero.example.":   {"0.0.0.0", "::"},
		"own.example.":    {"10.20.3.4"},
		"localhost.":      {"127.0.0.1"},
		"foo.localhost.":  {"127.0.0.1"},
	}
	return &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
		here, there := net.Pipe()
		go answer(there, func(name string, kind dnsmessage.Type) []string {
			if name == "rebind.example." { // the first lookup is public, each other one is not
				if kind == dnsmessage.TypeA && n.lookups.Add(1) == 1 {
					return []string{"8.8.8.8"}
				}
				return []string{"127.0.0.1"}
			}
			return names[name]
		})
		return here, nil
	}}
}

// answer answers the questions of one connection (RFC 1035 4.2.2).
func answer(c net.Conn, addrs func(string, dnsmessage.Type) []string) {
	defer c.Close()
	for {
		var head [2]byte
		if _, err := io.ReadFull(c, head[:]); err != nil {
			return
		}
		msg := make([]byte, int(head[0])<<8|int(head[1]))
		var m dnsmessage.Message
		if _, err := io.ReadFull(c, msg); err != nil || m.Unpack(msg) != nil || len(m.Questions) != 1 {
			return
		}
		q := m.Questions[0]
		m.Response, m.Additionals = true, nil
		for _, text := range addrs(q.Name.String(), q.Type) {
			a, head := netip.MustParseAddr(text), dnsmessage.ResourceHeader{Name: q.Name, Type: q.Type, Class: q.Class}
			switch {
			case a.Is4() && q.Type == dnsmessage.TypeA:
				m.Answers = append(m.Answers, dnsmessage.Resource{Header: head, Body: &dnsmessage.AResource{A: a.As4()}})
			case a.Is6() && q.Type == dnsmessage.TypeAAAA:
				m.Answers = append(m.Answers, dnsmessage.Resource{Header: head, Body: &dnsmessage.AAAAResource{AAAA: a.As16()}})
			}
		}
		out, err := m.Pack()
		if err != nil {
			return
		}
		if _, err := c.Write(append([]byte{byte(len(out) >> 8), byte(len(out))}, out...)); err != nil {
			return
		}
	}
}

// certificate makes a certificate for 8.8.8.8, and the file of trusted ones that SSL_CERT_FILE
// names.
func certificate(t *testing.T) *tls.Config {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	c := &x509.Certificate{SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(8, 8, 8, 8)}, IsCA: true, BasicConstraintsValid: true}
	der, err := x509.CreateCertificate(rand.Reader, c, c, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(os.Getenv("SSL_CERT_FILE"), pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600); err != nil {
		t.Fatal(err)
	}
	return &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}}
}

// fetch returns the body of a URL by Access.
func fetch(c *client.Client, text string) (string, error) {
	u, err := locator.Current.Parse(text)
	if err != nil {
		return "", err
	}
	res, err := c.Access(context.Background(), scheme.Request{URL: u}, nil)
	if err != nil {
		return "", err
	}
	defer res.Close()
	if res.Kind != scheme.KindObject {
		return "", fmt.Errorf("it is a %v", res.Kind)
	}
	b, err := io.ReadAll(res.Body)
	return string(b), err
}

// fetchWeb returns the body of a URL by an http.Client.
func fetchWeb(web *http.Client, text string) (string, error) {
	resp, err := web.Get(text)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	return string(b), err
}

// both calls do for each way to fetch a URL.
func both(c *client.Client, web *http.Client, do func(way string, fetch func(string) (string, error))) {
	do("Access", func(text string) (string, error) { return fetch(c, text) })
	do("http.Client", func(text string) (string, error) { return fetchWeb(web, text) })
}

func (n *internet) allowed(t *testing.T, c *client.Client, web *http.Client) {
	both(c, web, func(way string, get func(string) (string, error)) {
		for _, text := range []string{
			"http://8.8.8.8/", "http://pub.example/", "https://8.8.8.8/", "http://[2606:4700::1111]/", "http://8.8.8.8:8080/", "http://mixed.example/",
			"gopher://8.8.8.8/0a", "http://8.8.8.8/to?https://8.8.8.8/", "http://8.8.8.8/to?http://pub.example/", "http://8.8.8.8/hops/9", "http://[64:ff9b::808:808]/",
		} {
			if body, err := get(text); err != nil || body != "ok" {
				t.Errorf("%s by %s: %q, %v", text, way, body, err)
			}
		}
	})
	if body, err := fetch(c, "http://8.8.8.8/hops/10"); err != nil || body != "ok" { // an http.Client follows fewer
		t.Errorf("10 redirects: %q, %v", body, err)
	}
	n.onlyPublic(t, "what is allowed")
}

// onlyPublic checks that nothing but public addresses was reached.
func (n *internet) onlyPublic(t *testing.T, what string) (reached []string) {
	reached = n.take()
	for _, at := range reached {
		a, err := netip.ParseAddrPort(at)
		if err != nil || !policy.Public(a.Addr()) || a.Port() == 25 || a.Port() == 22 {
			t.Errorf("%s: %s was reached", what, at)
		}
	}
	return reached
}

func (n *internet) refused(t *testing.T, c *client.Client, web *http.Client) {
	n.take()
	hosts := []string{
		"127.0.0.1", "127.0.0.1.", "127.1", "127.0.1", "0x7f.0.0.1", "0x7f000001", "2130706433", "017700000001", "0", "0.0.0.0", "127.0.0.%31",
		"１２７.0.0.1", "127。0。0。1", "10.0.0.1", "172.16.0.1", "192.168.0.1", "100.64.0.1", "169.254.169.254", "169.254.170.2", "100.100.100.200", "192.0.0.192",
		"168.63.129.16", "198.18.0.1", "224.0.0.1", "240.0.0.1", "255.255.255.255", "[::1]", "[::]", "[0:0:0:0:0:0:0:1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]",
		"[::127.0.0.1]", "[::169.254.169.254]", "[64:ff9b::127.0.0.1]", "[64:ff9b::a9fe:a9fe]", "[64:ff9b:1::a9fe:a9fe]", "[2002:7f00:1::]", "[2002:a9fe:a9fe::1]",
		"[2001:0:1:2:3:4:80ff:fffe]", "[fe80::1]", "[fe80::1%25lo]", "[fc00::1]", "[fd00:ec2::254]", "[fec0::1]", "[ff02::1]", "localhost", "localhost.", "foo.localhost",
		"inner.example", "cloud.example", "lan.example", "six.example", "mapped.example", "nat64.example", "ula.example", "all.example", "zero.example",
	}
	attacks := []string{
		"file:///etc/passwd", "file:/etc/passwd", "file://localhost/etc/passwd", "FILE:///etc/passwd",
		"gopher://8.8.8.8:25/0HELO%20x", "gopher://8.8.8.8:6379/0x%0D%0Aflushall", "gopher://8.8.8.8:22/0x", "gopher://127.0.0.1:6379/0FLUSHALL", "gopher://lan.example/0x",
		"gophers://10.0.0.1/0x", "gopher://8.8.8.8:6379/1FLUSHALL", "gopher://8.8.8.8:11211/1flush_all", "nntp://8.8.8.8:6379/comp.x/1", "wais://8.8.8.8:6379/x",
		"prospero://8.8.8.8:1900/x", "prospero://8.8.8.8:11211/x", "ftp://8.8.8.8:6379/x", "http://8.8.8.8:25/", "http://8.8.8.8:22/", "ftp://8.8.8.8:25/x", "ftp://127.0.0.1/x", "ftp://8.8.8.8/a%0D%0ADELE%20b",
		"gopher://8.8.8.8/0f%09%09+%091%0D%0A+-1%0D%0Ayes%0D%0A.%0D%0A", // a filled form
		"telnet://8.8.8.8/", "mailto:a@pub.example", "news:a.b", "news://8.8.8.8/a.b", "news://127.0.0.1/a.b", "nntps://10.0.0.1/a.b/1", "nfs://8.8.8.8/x", "ldap://127.0.0.1/", "dict://127.0.0.1:11211/stat", "jar:http://127.0.0.1/!/x",
		"tftp://127.0.0.1/x", "data:text/plain,x", "javascript:1",
		"http://user:pw@127.0.0.1/", "http://8.8.8.8@127.0.0.1/", "http://127.0.0.1:80#@8.8.8.8/", "http://8.8.8.8:80@127.0.0.1/",
	}
	for _, host := range hosts {
		attacks = append(attacks, "http://"+host+"/", "https://"+host+"/", "http://"+host+":9200/", "gopher://"+host+"/0x", "ftp://"+host+"/x", "nntp://"+host+"/comp.x/1")
	}
	both(c, web, func(way string, get func(string) (string, error)) {
		for _, text := range attacks {
			if body, err := get(text); err == nil {
				t.Errorf("%s by %s: %q", text, way, body)
			} else if _, malformed := errors.AsType[*locator.SyntaxError](err); way == "Access" && !malformed && client.CodeOf(err) != scheme.CodeRefused &&
				client.CodeOf(err) != scheme.CodeUnsupported && client.CodeOf(err) != scheme.CodeUnreachable {
				t.Errorf("%s: %v", text, err)
			}
			if reached := n.take(); len(reached) > 0 {
				t.Errorf("%s by %s: reached %q", text, way, reached)
			}
			first := "http://8.8.8.8/to?" + url.QueryEscape(text) // a public page leads there
			if body, err := get(first); err == nil {
				t.Errorf("%s by %s: %q", first, way, body)
			}
			for _, at := range n.take() {
				if at != "8.8.8.8:80" {
					t.Errorf("%s by %s: reached %q", first, way, at)
				}
			}
		}
		for _, text := range []string{
			"https://8.8.8.8/to?http://8.8.8.8/",    // TLS to clear text
			"http://8.8.8.8/to?gopher://8.8.8.8/0a", // another protocol
			"http://8.8.8.8/to?ftp://8.8.8.8/a",
			"http://8.8.8.8/hops/11",
		} {
			if body, err := get(text); err == nil {
				t.Errorf("%s by %s: %q", text, way, body)
			}
			n.onlyPublic(t, text)
		}
		for _, text := range []string{"http://0177.0.0.1/", "http://8.8.8.8/to?http://0177.0.0.1/", "http://8.8.8.8/to?http://127.0.0.1%5C@8.8.8.8/"} {
			get(text) // to others it is 127.0.0.1; here it is a public address or an error
			n.onlyPublic(t, text)
		}
		n.lookups.Store(0)
		if body, err := get("http://rebind.example/"); err == nil {
			t.Errorf("rebinding by %s: %q", way, body)
		}
		if reached := n.onlyPublic(t, "rebinding"); len(reached) != 1 {
			t.Errorf("rebinding by %s: reached %q", way, reached)
		}
	})
	for _, text := range []string{"file:///", "ftp://127.0.0.1/", "gopher://lan.example/", "http://127.0.0.1/"} {
		for _, err := range client.Entries(c.List(t.Context(), scheme.Request{URL: locator.Current.MustParse(text)}, nil)) {
			if client.CodeOf(err) != scheme.CodeRefused {
				t.Errorf("list %s: %v", text, err)
			}
		}
	}
	if reached := n.take(); len(reached) > 0 {
		t.Errorf("listings: reached %q", reached)
	}
}

// hostileLocations follows redirects under the default policy, which allows any address that the
// user names, but not what a public server leads to. A login for the first server does not go on.
func (n *internet) hostileLocations(t *testing.T) {
	c := client.New(client.Options{Registry: all.Registry(), Logins: []scheme.LoginFunc{client.FixedLogin("me", "secret")}})
	defer c.Close()
	both(c, &http.Client{Transport: c.Transport()}, func(way string, get func(string) (string, error)) {
		n.take()
		if body, err := get("http://127.0.0.1/"); err != nil || body != "ok" { // the user named it
			t.Errorf("this machine by %s: %q, %v", way, body, err)
		}
		n.take()
		for _, to := range []string{
			"file:///etc/passwd", "http://127.0.0.1/", "http://10.0.0.1/", "http://169.254.169.254/", "http://[fe80::1]/", "http://[::ffff:127.0.0.1]/", "http://inner.example/",
			"ftp://8.8.8.8/x", "gopher://8.8.8.8/0x", "gopher://8.8.8.8/0f%09%09+%091%0D%0A+-1%0D%0Ayes%0D%0A.%0D%0A", "http://8.8.8.8:25/", "mailto:a@pub.example",
		} {
			if body, err := get("http://8.8.8.8/to?" + url.QueryEscape(to)); err == nil {
				t.Errorf("%s by %s: %q", to, way, body)
			}
			for _, at := range n.take() {
				if at != "8.8.8.8:80" {
					t.Errorf("%s by %s: reached %s", to, way, at)
				}
			}
		}
		for _, text := range []string{"https://8.8.8.8/to?http://8.8.8.8/", "http://8.8.8.8/hops/11", "http://8.8.8.8/to?file:///etc/passwd"} {
			if body, err := get(text); err == nil {
				t.Errorf("%s by %s: %q", text, way, body)
			}
		}
		for text, want := range map[string]bool{
			"http://8.8.8.8/login": true, "http://8.8.8.8/to?http://8.8.8.8/login": true, "http://8.8.8.8/to?http://8.8.4.4/login": false,
			"http://8.8.8.8/to?http://8.8.8.8:8080/login": false, "http://8.8.8.8/to?http://pub.example/login": false,
		} {
			if body, err := get(text); (err == nil && strings.Contains(body, "login was sent")) != want {
				t.Errorf("%s by %s: %q, %v; login expected: %v", text, way, body, err, want)
			}
		}
	})
}

// webOnly checks that no scheme but http and https is accessed.
func (n *internet) webOnly(t *testing.T, c *client.Client, web *http.Client) {
	both(c, web, func(way string, get func(string) (string, error)) {
		for text, want := range map[string]bool{"http://8.8.8.8/": true, "https://8.8.8.8/": true, "gopher://8.8.8.8/0a": false, "ftp://8.8.8.8/x": false, "nntp://8.8.8.8/comp.x/1": false} {
			n.take()
			if _, err := get(text); (err == nil) != want || !want && len(n.take()) > 0 {
				t.Errorf("%s by %s: %v", text, way, err)
			}
		}
	})
}

func (n *internet) bounded(t *testing.T, c *client.Client, web *http.Client) {
	both(c, web, func(way string, get func(string) (string, error)) {
		if body, err := get("http://8.8.8.8/endless"); err == nil || len(body) != 64<<20 {
			t.Errorf("an endless body by %s: %d bytes, %v", way, len(body), err)
		}
		if _, err := get("http://8.8.8.8/headers"); err == nil {
			t.Errorf("endless headers by %s", way)
		}
	})
	entries := 0
	for e, err := range client.Entries(c.List(t.Context(), scheme.Request{URL: locator.MustParse("gopher://8.8.8.8/1/endless")}, nil)) {
		if err != nil {
			break
		}
		if e.URL.IsZero() { // the note about the limit
			continue
		}
		entries++
	}
	if entries == 0 || entries > 10_000 {
		t.Errorf("an endless menu: %d entries", entries)
	}
	if body, err := fetchWeb(web, "http://8.8.8.8/login"); err == nil && strings.Contains(body, "was sent") {
		t.Errorf("a login was sent")
	}
	n.onlyPublic(t, "what is bounded")
}

func (n *internet) own(t *testing.T, c *client.Client, web *http.Client) {
	both(c, web, func(way string, get func(string) (string, error)) {
		for _, text := range []string{"http://10.20.3.4/", "http://own.example/", "http://8.8.8.8/to?http://own.example/", "http://8.8.8.8/"} {
			if body, err := get(text); err != nil || body != "ok" {
				t.Errorf("%s by %s: %q, %v", text, way, body, err)
			}
		}
		n.take()
		for _, text := range []string{"http://10.20.9.1/", "http://10.21.0.1/", "http://8.8.8.8/to?http://10.20.9.1/", "http://127.0.0.1/", "http://[64:ff9b::10.20.3.4]/", "file:///etc/passwd"} {
			if body, err := get(text); err == nil {
				t.Errorf("%s by %s: %q", text, way, body)
			}
			n.onlyPublic(t, text)
		}
		began := time.Now()
		if _, err := get("http://8.8.8.8/drip"); err == nil || !strings.Contains(err.Error(), "limit of 2s") {
			t.Errorf("a slow body by %s: %v", way, err)
		}
		if took := time.Since(began); took > 20*time.Second {
			t.Errorf("a slow body by %s took %v", way, took)
		}
	})
}
