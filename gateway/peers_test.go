package gateway

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"locator"
	"locator/internal/peers"
	"locator/internal/tour"
)

// Programs that people have use the gateway as a proxy for the schemes that they can be told to.
//
// Covers: G1
func TestPeersProxy(t *testing.T) {
	servers, err := tour.Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(servers.Close)
	var urls []locator.URL
	for _, x := range servers.URLs() {
		urls = append(urls, x.URL)
	}
	s := serve(t, Options{}, urls...)
	proxy := "http://" + s.addr + "/"
	env := append(os.Environ(), "no_proxy=", "NO_PROXY=", "HOME="+t.TempDir(), "LANG=C.UTF-8", "TERM=dumb")
	for _, name := range []string{"http", "ftp", "gopher", "wais", "news", "nntp"} {
		env = append(env, name+"_proxy="+proxy)
	}
	const motd = "the file of RFC 1738 3.2.2"
	for _, tt := range []struct {
		program string
		args    []string
		schemes []string
	}{
		{"curl", []string{"-sS", "--max-time", "30"}, []string{"ftp", "http"}},
		{"wget", []string{"-q", "-O", "-", "--tries=1", "--timeout=30"}, []string{"ftp", "http"}},
		{"lynx", []string{"-cfg=/dev/null", "-dump", "-nolist"}, []string{"ftp", "http", "gopher", "wais", "news"}},
		{"w3m", []string{"-dump"}, []string{"ftp", "http", "gopher"}},
	} {
		if _, err := exec.LookPath(tt.program); err != nil {
			if os.Geteuid() == 0 {
				t.Errorf("%s is not installed; test.sh installs it", tt.program)
			} else {
				peers.Skip(t, "%s as a client of the gateway: it is not installed", tt.program)
			}
			continue
		}
		for _, name := range tt.schemes {
			t.Run(tt.program+"/"+name, func(t *testing.T) {
				tried := 0
				for _, u := range urls {
					want := motd
					switch text := u.Text(); {
					case u.Scheme() != name:
						continue
					case strings.Contains(text, "?"): // of an index
						want = "a blank"
					case strings.Contains(text, "search"):
						want = "motd"
					case strings.Contains(text, "/1%09"):
						want = "The folder of it"
					case !strings.Contains(text, "motd") && name != "news":
						want = "etc"
					}
					// QUIRK: w3m 0.5.3 leaves the type of an item out when it asks a proxy.
					if tt.program == "w3m" && name == "gopher" {
						if want != "The folder of it" {
							continue
						}
						addr, _ := u.Addr()
						u = locator.MustParse("gopher://" + addr + "/")
					}
					if strings.HasSuffix(u.Text(), "/form%09%09?") {
						continue
					}
					tried++
					ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
					cmd := exec.CommandContext(ctx, tt.program, append(tt.args, u.Text())...)
					cmd.Env = env
					out, err := cmd.CombinedOutput()
					cancel()
					if err != nil || !strings.Contains(string(out), want) {
						t.Errorf("%s %s: %v: %s", tt.program, u, err, out)
					}
				}
				if tried == 0 {
					t.Error("the tour has no URL of the scheme")
				}
				for end := time.Now().Add(10 * time.Second); ; time.Sleep(10 * time.Millisecond) { // the record comes after the response
					log := s.log.String()
					if strings.Contains(log, "target="+name+":") || strings.Contains(log, `target="`+name+":") {
						break
					}
					if time.Now().After(end) {
						t.Errorf("nothing came by the proxy: %s", log)
						break
					}
				}
			})
		}
	}
}
