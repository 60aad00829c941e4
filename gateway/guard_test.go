package gateway

import (
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"locator"
	"locator/policy"
	"locator/scheme"
)

// direct is a connection of a scheme to the server of its URL.
func direct(name string) scheme.Dial { return scheme.Dial{Scheme: name, Ports: []uint16{80}} }

// The gateway never connects to itself, under no spelling of its address.
//
// Covers: GWS17
func TestOwnAddress(t *testing.T) {
	o := Policy().Options()
	o.Addresses, o.OwnPorts = policy.Any, false
	s := serve(t, Options{Policy: policy.New(o)})
	port := netip.MustParseAddrPort(s.addr).Port()
	for i, host := range []string{"127.0.0.1", "localhost", "[::ffff:127.0.0.1]", "127.0.0.1.", "127.1", "0x7f.1", "2130706433", "0177.0.0.1", "%3127.0.0.1", "localhost.", "LOCALHOST", "[::ffff:7f00:1]", "127.0.0.1%2e", "0", "0.0.0.0", "[::]", "[::ffff:0.0.0.0]"} {
		texts := []string{"http://" + host + ":", "gopher://" + host + ":", "ftp://" + host + ":"}
		if i >= 4 {
			texts = texts[:1] // the rest are names to the other schemes, which are looked up
		}
		for _, text := range texts {
			text += netip.AddrPortFrom(netip.IPv4Unspecified(), port).String()[len("0.0.0.0:"):] + "/"
			if res := s.get("/" + text); res.status != http.StatusForbidden && res.status != http.StatusBadRequest && res.status != http.StatusGatewayTimeout || strings.Contains(res.body, "What you can do") {
				t.Errorf("%s: %d %s", text, res.status, res.body)
			}
			if res := s.get(text); res.status != http.StatusForbidden && res.status != http.StatusBadRequest && res.status != http.StatusGatewayTimeout {
				t.Errorf("proxy %s: %d", text, res.status)
			}
		}
	}
	g := &guard{Standard: policy.New(o), own: []netip.AddrPort{netip.MustParseAddrPort("0.0.0.0:80")}}
	for _, a := range []string{"127.0.0.1:80", "127.9.9.9:80", "[::1]:80", "[::ffff:127.0.0.1]:80", "0.0.0.0:80"} {
		if err := g.Addr(direct("http"), netip.MustParseAddrPort(a)); err == nil {
			t.Errorf("%s is allowed", a)
		}
	}
	if err := g.Addr(direct("http"), netip.MustParseAddrPort("192.0.2.1:80")); err != nil {
		t.Error(err)
	}
}

// Only public addresses are allowed, also where a redirect leads.
func TestAddresses(t *testing.T) {
	s := serve(t, Options{})
	for _, text := range []string{"ftp://10.0.0.1/", "gopher://169.254.169.254/", "http://[::1]/", "http://0x7f.1/", "telnet://127.0.0.1/", "nntp://192.168.1.1/a", "ftp://localhost/"} {
		if res := s.get("/" + text); res.status != http.StatusForbidden {
			t.Errorf("%s: %d", text, res.status)
		}
	}
	for _, text := range []string{"http://host.dom:25/", "gopher://host.dom:6379/", "ftp://host.dom:22/"} {
		if res := s.get("/" + text); res.status != http.StatusForbidden {
			t.Errorf("%s: %d", text, res.status)
		}
	}
}

func TestFolders(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"pub/a.txt": "public", "private.txt": "secret"} {
		os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700)
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("../private.txt", filepath.Join(dir, "pub", "link")); err != nil {
		t.Fatal(err)
	}
	at := func(name string) locator.URL {
		return locator.MustParse("file://" + filepath.ToSlash(filepath.Join(dir, name)))
	}
	for _, addresses := range []policy.Addresses{policy.PublicOnly, policy.Any} {
		o := Policy().Options()
		o.Addresses = addresses
		without := serve(t, Options{Policy: policy.New(o)})
		if res := without.page(at("pub/a.txt")); res.status != http.StatusForbidden {
			t.Errorf("without folders: %d", res.status)
		}
		s := serve(t, Options{Policy: policy.New(o), Folders: []locator.URL{at("pub")}})
		if res := s.page(at("pub/a.txt")); res.status != http.StatusOK || !strings.Contains(res.body, "public") {
			t.Errorf("%d: %s", res.status, res.body)
		}
		if res := s.page(locator.MustParse(at("pub").Text() + "/")); res.status != http.StatusOK || !strings.Contains(res.body, "a.txt") {
			t.Errorf("folder: %d: %s", res.status, res.body)
		}
		for _, u := range []string{at("private.txt").Text(), at("pub/link").Text(), at("pub").Text() + "/../private.txt", at("pub").Text() + "x", at("pub").Text() + "/%2e%2e/private.txt", at("pub").Text() + "/..%2Fprivate.txt", "file:///etc/passwd"} {
			for _, path := range []string{"/-/go?url=" + url.QueryEscape(u), "/" + u, "/-/raw/" + u, "/-/view/list=1/" + u, u} {
				if res := s.get(path); res.status == http.StatusOK || strings.Contains(res.body, "secret") {
					t.Errorf("%s: %d %s", path, res.status, res.body)
				}
			}
		}
	}
}

// The addresses that are allowed besides, such as those of a demonstration, are for those who ask for them, and not where a public
// server leads.
func TestAlso(t *testing.T) {
	also, public := netip.MustParseAddrPort("127.0.0.1:7070"), netip.MustParseAddrPort("1.1.1.1:80")
	g, err := newGuard(Options{Policy: Policy(), Also: []netip.AddrPort{also}})
	if err != nil {
		t.Fatal(err)
	}
	demo, other := locator.MustParse("gopher://127.0.0.1:7070/1"), locator.MustParse("http://host.dom/")
	for _, x := range []struct {
		hop     scheme.Hop
		refused bool
	}{{scheme.Hop{}, false}, {scheme.Hop{Kind: scheme.HopRedirect, From: demo}, false}, {scheme.Hop{Kind: scheme.HopRedirect, From: other, FromPublic: true}, true}, {scheme.Hop{Kind: scheme.HopReferral, From: other}, true}} {
		if err := g.URL(demo, x.hop); (err != nil) != x.refused {
			t.Errorf("%+v: %v", x.hop, err)
		}
	}
	data := netip.MustParseAddrPort("127.0.0.1:40000")
	for _, x := range []struct {
		dial    scheme.Dial
		to      netip.AddrPort
		refused bool
	}{
		{scheme.Dial{Scheme: "gopher"}, also, false}, {scheme.Dial{Scheme: "gopher", FromPublic: true}, also, true}, {scheme.Dial{Scheme: "gopher"}, data, true},
		{scheme.Dial{Scheme: "ftp", Purpose: scheme.ForData, Peer: also}, data, false}, {scheme.Dial{Scheme: "ftp", Purpose: scheme.ForData, Peer: public}, data, true},
		{scheme.Dial{Scheme: "ftp", Purpose: scheme.ForData, Peer: public}, also, true},
	} {
		if err := g.Addr(x.dial, x.to); (err != nil) != x.refused {
			t.Errorf("%+v to %s: %v", x.dial, x.to, err)
		}
	}
}

// Covers: GWS10
func TestGuardBlocks(t *testing.T) {
	file := filepath.Join(t.TempDir(), "blocked.txt")
	writeList(t, file, "bad.example\n198.51.100.0/24\n")
	g, err := newGuard(Options{Policy: Policy(), Log: noLog(), Service: Service{BlockList: file}})
	if err != nil {
		t.Fatal(err)
	}
	for _, hop := range []scheme.Hop{{}, {Kind: scheme.HopRedirect, From: locator.MustParse("http://host.dom/")}} {
		if err := g.URL(locator.MustParse("ftp://a.bad.example/"), hop); err == nil || !strings.Contains(err.Error(), "block list") {
			t.Errorf("%v", err)
		}
	}
	if err := g.Addr(direct("http"), netip.MustParseAddrPort("198.51.100.7:80")); err == nil || !strings.Contains(err.Error(), "block list") {
		t.Errorf("%v", err)
	}
}

// A folder whose name begins with that of another one is not in it.
func TestWithin(t *testing.T) {
	for _, folder := range []string{"file:///srv/pub", "file:///srv/pub/"} {
		g := &guard{folders: []locator.URL{locator.MustParse(folder)}}
		for u, want := range map[string]bool{
			"file:///srv/pub": true, "file:///srv/pub/": true, "file:///srv/pub/a": true, "file:///srv/pubx": false, "file:///srv/pubx/a": false, "file:///srv/pu": false, "ftp://host.dom/srv/pub/a": false,
		} {
			if got := !g.within(locator.MustParse(u)).IsZero(); got != want {
				t.Errorf("%s in %s: %v", u, folder, got)
			}
		}
	}
}
