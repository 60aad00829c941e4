package mailto_test

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"locator"
	"locator/client"
	"locator/internal/peers"
	"locator/policy"
	"locator/scheme"
	"locator/scheme/mailto"
)

// TestPeers sends through aiosmtpd: one without TLS, and one that requires TLS and a login. What
// arrives is compared byte for byte.
//
// Covers: S10, A8
func TestPeers(t *testing.T) {
	e := peers.Start(t, "smtp", "smtps")
	pem, err := os.ReadFile(e.Cert)
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(pem)
	for name, tt := range map[string]struct{ server, password string }{
		"plain": {"smtp://" + e.Addr(t, "smtp"), ""}, "starttls": {"smtp://" + e.User + "@" + e.Addr(t, "smtps"), e.Password},
		"implicit": {"smtps://" + e.User + "@" + e.Addr(t, "smtpstls"), e.Password}, "wrong password": {"smtp://" + e.User + "@" + e.Addr(t, "smtps"), "wrong"},
	} {
		t.Run(name, func(t *testing.T) {
			u, err := mailto.New().Server(tt.server)
			if err != nil {
				t.Fatal(err)
			}
			port, _ := u.PortNumber()
			c := client.New(client.Options{Registry: scheme.NewRegistry(mailto.New()), Policy: policy.New(policy.Options{AllowPorts: []uint16{port}}),
				TLS: &tls.Config{RootCAs: roots}, Servers: map[string][]locator.URL{"mailto": {u}}, Logins: []scheme.LoginFunc{client.FixedLogin(e.User, tt.password)}})
			defer c.Close()
			subject := strings.ReplaceAll(t.Name(), "/", "-") + time.Now().Format("150405.000000")
			text := "From: Ann <ann@from.example>\r\nTo: bob@to.example\r\nCc: \"a b\"@to.example, b\xc3\xb6b@xn--bcher-kva.example\r\nBcc: spy@to.example, gone@to.example\r\nDate: Thu, 01 Dec 1994 12:00:00 +0000\r\n" +
				"Message-ID: <1@from.example>\r\nSubject: " + subject + "\r\n\r\nHello.\r\n.dot\r\n..\r\n.\r\nFrom here\r\n\r\nend\r\n"
			if name == "plain" {
				text = strings.Replace(strings.Replace(text, ", gone@to.example", "", 1), ", b\xc3\xb6b@xn--bcher-kva.example", "", 1) // it refuses nobody, and offers no SMTPUTF8
			}
			to, _ := locator.Current.Parse("mailto:bob@to.example")
			res, err := c.Update(t.Context(), scheme.Request{URL: to}, scheme.Body{Reader: strings.NewReader(text)}, nil)
			if name == "wrong password" {
				wantCode(t, err, scheme.CodeLoginNeeded)
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			bcc := text[strings.Index(text, "Bcc:"):strings.Index(text, "Date:")]
			want := strings.Replace(text, bcc, "", 1)
			if name == "plain" {
				got := find(t, e.Maildir, subject)
				if !strings.Contains(got, "X-MailFrom: ann@from.example\n") || !strings.Contains(got, "X-RcptTo: bob@to.example, \"a b\"@to.example, spy@to.example\n") ||
					!strings.HasSuffix(got, "\n\nHello.\n.dot\n..\n.\nFrom here\n\nend\n") {
					t.Errorf("%q", got)
				}
				return
			}
			var m struct {
				From, Data string
				To         []string
				UTF8       bool
			}
			if err := json.Unmarshal([]byte(find(t, e.Mails, subject)), &m); err != nil {
				t.Fatal(err)
			}
			latin := make([]byte, 0, len(m.Data))
			for _, r := range m.Data {
				latin = append(latin, byte(r))
			}
			if string(latin) != want {
				t.Errorf("arrived %q, want %q", latin, want)
			}
			if list := []string{"bob@to.example", `"a b"@to.example`, "b\xc3\xb6b@xn--bcher-kva.example", "spy@to.example"}; !slices.Equal(m.To, list) || m.From != "ann@from.example" || !m.UTF8 {
				t.Errorf("envelope %+v", m)
			}
			if r := res.Receipt; len(r.Refused) != 1 || r.Refused[0].Code != scheme.CodeNotFound || len(r.Accepted) != 4 {
				t.Errorf("receipt %+v", r)
			}
		})
	}
}

// find returns the file in a folder that contains text.
func find(t *testing.T, dir, text string) string {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		files, _ := filepath.Glob(filepath.Join(dir, "*"))
		for _, name := range files {
			if b, err := os.ReadFile(name); err == nil && strings.Contains(string(b), text) && !strings.HasSuffix(name, ".part") {
				return string(b)
			}
		}
	}
	t.Fatalf("no message %q in %s", text, dir)
	return ""
}
