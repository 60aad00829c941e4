package ftp_test

import (
	"net"
	"testing"

	"locator"
	"locator/internal/peers"
	"locator/scheme/ftp"
	"locator/schemetest"
)

// The suite against the real servers: as anonymous, who may write nowhere twice, and as a user.
//
// Covers: A1, A2, A4, A5, A15, P2, P3, P5
func TestConformancePeers(t *testing.T) {
	for _, p := range []struct {
		name   string
		login  bool
		except map[string]string
	}{
		{"vsftpd", false, map[string]string{
			"replace": "an anonymous user cannot overwrite a file there", "update": "nor append to one",
		}},
		{"proftpd", true, nil},
		{"pureftpd", true, nil},
	} {
		t.Run(p.name, func(t *testing.T) {
			e := peers.Start(t, p.name)
			url := func(addr string, path []string) locator.URL {
				v := &locator.FTP{Dirs: path[:len(path)-1], Name: locator.Some(path[len(path)-1])}
				v.Host, v.Port, _ = net.SplitHostPort(addr)
				if p.login {
					v.User, v.Password = locator.Some(e.User), locator.Some(e.Password)
				}
				u, err := locator.Build(v)
				if err != nil {
					t.Error(err)
				}
				return u
			}
			h := schemetest.Harness{
				Scheme:   ftp.New(),
				Start:    func(t *testing.T) schemetest.Server { return e.Serve(t, p.name, "ftp", url) },
				Hostile:  hostile,
				Writable: []string{peers.Drop, "new file.txt"},
				Text:     true,
				Except:   p.except,
			}
			if p.login {
				h.Login = func(s schemetest.Server) locator.URL { return s.URL("text.txt") }
				h.Password = e.Password
			}
			schemetest.Run(t, h)
		})
	}
}
