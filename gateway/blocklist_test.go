package gateway

import (
	"io"
	"log/slog"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"locator"
	"locator/policy"
)

func writeList(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// Covers: GWS10
func TestBlockList(t *testing.T) {
	file := filepath.Join(t.TempDir(), "blocked.txt")
	writeList(t, file, "# hosts\nbad.example\n  Worse.Example.  # and below\n198.51.100.0/24\n2001:db8::1\nhttp://host.dom/private/\nftp://files.dom/private/\nnews:alt.bad\n")
	b, err := newBlockList(file, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	for text, refused := range map[string]bool{
		"ftp://bad.example/": true, "gopher://www.BAD.example:71/": true, "http://bad.example./": true, "http://ba%64.example/": true, "http://user:x@bad.example/": true,
		"telnet://a.b.worse.example/": true, "ftp://198.51.100.9/": true, "http://[2001:db8::1]/": true, "http://[::ffff:198.51.100.1]/": true,
		"http://host.dom/private/x": true, "HTTP://HOST.DOM:80/private/": true, "http://host.dom/%70rivate/x": true, "news:alt.bad": true,
		"http://ann@host.dom/private/": true, "http://ann:x@host.dom:80/private/": true, "http://host.dom./private/": true, "http://host.dom%2e/private/": true, "http://host.dom.:80/private/": true, "ftp://ann@files.dom/private/x": true, "ftp://files.dom./private/x": true,
		"ftp://notbad.example/": false, "http://bad.example.org/": false, "ftp://198.51.101.9/": false, "http://host.dom/public": false, "https://host.dom/private/": false, "mailto:a@host.dom": false,
	} {
		u, err := locator.Current.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if err := b.URL(u); (err != nil) != refused {
			t.Errorf("%s: %v", text, err)
		}
	}
	for text, refused := range map[string]bool{"198.51.100.1": true, "::ffff:198.51.100.1": true, "2001:db8::1": true, "2001:db8::2": false, "192.0.2.1": false} {
		if err := b.Addr(netip.MustParseAddr(text)); (err != nil) != refused {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// A block list that changes is read again, one that is wrong or gone leaves it as it was.
//
// Covers: GWS10
func TestBlockListReloads(t *testing.T) {
	u := menu(t, func(_ string, w io.Writer) { io.WriteString(w, ".\r\n") })
	file := filepath.Join(t.TempDir(), "blocked.txt")
	writeList(t, file, "")
	o := Policy().Options()
	o.Addresses = policy.Any
	s := serve(t, Options{Policy: policy.New(o), Service: Service{BlockList: file}}, u)
	want := func(status int) {
		t.Helper()
		s.g.policy.blocked.mu.Lock()
		s.g.policy.blocked.looked = time.Time{}
		s.g.policy.blocked.mu.Unlock()
		if res := s.page(u); res.status != status {
			t.Errorf("%d, want %d", res.status, status)
		}
	}
	want(http.StatusOK)
	writeList(t, file, "127.0.0.0/8\n")
	want(http.StatusForbidden)
	writeList(t, file, "127.0.0.0/8\n::::\n")
	want(http.StatusForbidden)
	if log := s.log.String(); !strings.Contains(log, "stays as it was") || !strings.Contains(log, "blocked.txt:2") {
		t.Errorf("log: %s", log)
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	want(http.StatusForbidden)
	writeList(t, file, "# nothing any more\n")
	want(http.StatusOK)
	if _, err := New(Options{Client: s.g.opt.Client, Service: Service{BlockList: file + "x"}}); err == nil {
		t.Error("a gateway starts without its block list")
	}
}
