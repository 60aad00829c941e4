package gopher_test

import (
	"fmt"
	"net"
	"path"
	"slices"
	"strings"
	"testing"

	"locator"
	"locator/internal/peers"
	"locator/scheme/gopher"
	"locator/scheme/gopher/gophertest"
	"locator/schemetest"
)

// TestConformancePeers runs the suite against real servers, with the URLs of their menus.
//
// Covers: S9, A7, A15, P2, P5, P6
func TestConformancePeers(t *testing.T) {
	for _, p := range []struct {
		name     string
		selector func(path []string) (selector string, ok bool)
		plus     bool
	}{
		{"pygopherd", pygopherdSelector, true},
		{"gophernicus", gophernicusSelector, false},
	} {
		t.Run(p.name, func(t *testing.T) {
			if !p.plus {
				peers.LongRun(t, p.name)
			}
			e := peers.Start(t, p.name)
			url := func(addr string, path []string) (u locator.URL) {
				selector, ok := p.selector(path)
				if !ok {
					return u
				}
				v := &locator.Gopher{Type: locator.Some(peerType(path)), Selector: locator.Some(selector)}
				v.Host, v.Port, _ = net.SplitHostPort(addr)
				if p.plus {
					v.Search, v.Plus = locator.Some(""), locator.Some("+")
				}
				u, err := locator.Build(v)
				if err != nil {
					t.Error(err)
				}
				return u
			}
			schemetest.Run(t, schemetest.Harness{
				Scheme:  gopher.New(),
				Start:   func(t *testing.T) schemetest.Server { return e.Serve(t, p.name, "gopher", url) },
				Hostile: harness(gophertest.Strict()).Hostile,
				Text:    true,
				Titles:  true,
			})
		})
	}
}

// peerType returns the item type that both servers assign to a file of the tree.
func peerType(p []string) string {
	switch name := p[len(p)-1]; {
	case name == "":
		return "1"
	case path.Ext(name) == ".html":
		return "h"
	case path.Ext(name) == ".bin":
		return "9"
	}
	return "0"
}

// pygopherdSelector returns a selector of pygopherd. A folder has no slash at its end, and one
// named "etc" is hidden.
func pygopherdSelector(path []string) (string, bool) {
	return strings.TrimSuffix("/"+strings.Join(path, "/"), "/"), !slices.Contains(path, "etc")
}

// gophernicusSelector returns a selector of gophernicus. A folder has a slash at its end, some
// bytes are in octal, and a question mark begins a query. The text etc/motd is left out, because
// the server changes its line ends and its name does not show that.
func gophernicusSelector(path []string) (string, bool) {
	var b strings.Builder
	for _, c := range []byte("/" + strings.Join(path, "/")) {
		if c < 0x80 && strings.IndexByte(" %#", c) < 0 {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "#%03o", c)
		}
	}
	return b.String(), !strings.Contains(b.String(), "?") && path[len(path)-1] != "motd"
}
