package ftp_test

import (
	"crypto/tls"
	"crypto/x509"
	"net"
	"os"
	"testing"

	"locator"
	"locator/client"
	"locator/internal/peers"
	"locator/scheme"
	"locator/scheme/ftp"
	"locator/schemetest"
)

// The suite against the real servers: as anonymous, who cannot overwrite files anywhere, and as a
// user; without TLS, with AUTH TLS, and with implicit TLS. A short run has one of them.
//
// Covers: A1, A2, A4, A5, A15, P2, P3, P5
func TestConformancePeers(t *testing.T) {
	const noChange = "this anonymous user of vsftpd may make new files only"
	anonymously := map[string]string{"replace": noChange, "update": noChange, "sizes sent": noChange, "commit": noChange,
		"remove": noChange, "rename": noChange, "mkdir": noChange}
	unseen := map[string]string{"policy": "a relay counts connections, and TLS hides from it the ports of data connections"}
	const noLatin1 = "pyftpdlib knows names in UTF-8 only"
	inUTF8 := map[string]string{"round trip": noLatin1, "concurrent use": noLatin1, "list": noLatin1, "attributes": noLatin1}
	for _, p := range []struct {
		name   string
		secure string // the scheme, if the server requires TLS
		login  bool
		except map[string]string
	}{
		{"vsftpd", "", false, anonymously},
		{"proftpd", "", true, nil},
		{"pureftpd", "", true, nil},
		{"pyftpdlib", "", true, inUTF8},
		{"vsftps", "ftps", false, unseen},
		{"proftps", "ftp", true, unseen},
	} {
		t.Run(p.name, func(t *testing.T) {
			if p.name != "proftpd" {
				peers.LongRun(t, p.name)
			}
			e := peers.Start(t, p.name)
			url := func(addr string, path []string) locator.URL {
				v := &locator.FTP{Dirs: path[:len(path)-1], Name: locator.Some(path[len(path)-1])}
				v.Host, v.Port, _ = net.SplitHostPort(addr)
				if p.login {
					v.User, v.Password = locator.Some(e.User), locator.Some(e.Password)
				}
				u, err := locator.Build(v)
				if err == nil && p.secure == "ftps" {
					u, err = locator.Current.Parse("ftps:" + u.SchemePart())
				}
				if err != nil {
					t.Error(err)
				}
				return u
			}
			protocol := "ftp"
			if p.secure != "" { // TLS hides the ports of data connections from the relay
				protocol = ""
			}
			h := schemetest.Harness{
				Scheme:   ftp.New(),
				Start:    func(t *testing.T) schemetest.Server { return e.Serve(t, p.name, protocol, url) },
				Hostile:  hostile,
				Writable: []string{peers.Drop, "new file.txt"},
				Text:     true,
				Except:   p.except,
			}
			if p.login {
				h.Login = func(s schemetest.Server) locator.URL { return s.URL("text.txt") }
				h.Password = e.Password
			}
			if p.secure == "ftps" {
				h.Scheme, h.Hostile = ftp.NewTLS(), implicitly(hostile)
			}
			if p.secure != "" {
				roots := x509.NewCertPool()
				if pem, err := os.ReadFile(e.Cert); err != nil || !roots.AppendCertsFromPEM(pem) {
					t.Fatalf("%s: %v", e.Cert, err)
				}
				h.Options = func(_ schemetest.Server, o *client.Options) {
					o.TLS, o.TLSMode = &tls.Config{RootCAs: roots}, scheme.TLSRequire
				}
			}
			schemetest.Run(t, h)
		})
	}
}
