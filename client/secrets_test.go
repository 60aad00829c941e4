package client_test

import (
	"bufio"
	"fmt"
	"net"
	nethttp "net/http"
	"strings"
	"testing"

	"locator/client"
	"locator/scheme"
	"locator/scheme/all"
	"locator/schemetest/peer"
)

// echo answers each connection: over http with a status line, in ftp and nntp with replies, in
// gopher with an error item, each of which repeats what the client sent.
func echo(t *testing.T, kind string) string {
	t.Helper()
	h := peer.ListenFor(t)
	h.Serve(func(c net.Conn) { serveEcho(c, kind) })
	return h.Addr()
}

func serveEcho(c net.Conn, kind string) {
	in := bufio.NewReader(c)
	switch kind {
	case "http":
		for {
			r, err := nethttp.ReadRequest(in)
			if err != nil {
				return
			}
			said := strings.Join([]string{r.Header.Get("Authorization"), r.Header.Get("X-Api-Key"), r.Header.Get("Cookie"), r.URL.RequestURI()}, " ")
			if user, password, ok := r.BasicAuth(); ok {
				said += " " + user + " " + password
			}
			if r.Header.Get("Authorization") == "" {
				fmt.Fprintf(c, "HTTP/1.1 401 who %s\r\nWWW-Authenticate: Basic realm=\"r\"\r\nContent-Length: 0\r\n\r\n", said)
				continue
			}
			fmt.Fprintf(c, "HTTP/1.1 404 no %s\r\nContent-Length: 0\r\n\r\n", said)
		}
	case "ftp":
		fmt.Fprint(c, "220 hello\r\n")
		said := ""
		for {
			line, err := in.ReadString('\n')
			if err != nil {
				return
			}
			said += " " + strings.TrimSpace(line)
			switch verb, _, _ := strings.Cut(strings.TrimSpace(line), " "); verb {
			case "AUTH":
				fmt.Fprint(c, "502 no\r\n")
			case "USER":
				fmt.Fprint(c, "331 password\r\n")
			case "CWD":
				fmt.Fprint(c, "250 ok\r\n")
			case "PASS":
				fmt.Fprintf(c, "230 welcome%s\r\n", said)
			default:
				fmt.Fprintf(c, "550 no file:%s\r\n", said)
			}
		}
	case "nntp": // with a login by SASL PLAIN
		fmt.Fprint(c, "200 hello\r\n")
		said := ""
		for {
			line, err := in.ReadString('\n')
			if err != nil {
				return
			}
			said += " " + strings.TrimSpace(line)
			switch verb, _, _ := strings.Cut(strings.TrimSpace(line), " "); verb {
			case "CAPABILITIES":
				fmt.Fprint(c, "101 list\r\nREADER\r\nAUTHINFO SASL\r\nSASL PLAIN\r\n.\r\n")
			case "AUTHINFO":
				fmt.Fprintf(c, "281 welcome%s\r\n", said)
			default:
				fmt.Fprintf(c, "502 no group:%s\r\n", said)
			}
		}
	case "gopher":
		line, _ := in.ReadString('\n')
		fmt.Fprintf(c, "3no item %s\t\terror.host\t1\r\n.\r\n", strings.TrimSpace(line))
	}
}

// What a server repeats of a password, a key or a cookie shows neither in an error nor in a trace.
//
// Covers: P3, T75
func TestEchoedSecrets(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ kind, url string }{
		{"http", "http://u:Qsecret1@HOST/x"},
		{"http", "http://HOST/x?next=http://v:Qsecret2@h/"},
		{"http", "http://u:Qsec%72et1@HOST/x"},
		{"ftp", "ftp://u:Qsecret1@HOST/x"},
		{"ftp", "ftp://HOST/x"},
		{"ftp", "ftp://u:Qsecret1@HOST/a/http://v:Qsecret2@h/x"},
		{"nntp", "nntp://u:Qsecret1@HOST/g/1"},
		{"gopher", "gopher://HOST/0http://v:Qsecret2@h/x"},
	} {
		for _, header := range [][]string{nil, {"Authorization: Bearer Qsecret3", "X-Api-Key: Qsecret4", "Cookie: id=Qsecret5; x=y"}} {
			var trace strings.Builder
			line := func(text string) { trace.WriteString(text + "\n") }
			c := client.New(client.Options{Registry: all.Registry(), TLSMode: scheme.TLSTry, Header: header, Trace: &scheme.Trace{Sent: line, Received: line, Note: line},
				Logins: []scheme.LoginFunc{client.FixedLogin("user", "Qsecret6")}})
			u, err := c.Parse(strings.Replace(test.url, "HOST", echo(t, test.kind), 1))
			if err != nil {
				t.Fatal(err)
			}
			_, err = c.Access(t.Context(), scheme.Request{URL: u}, nil)
			if err == nil {
				t.Fatalf("%s: no error", test.url)
			}
			shown := err.Error() + "\n" + trace.String()
			if strings.Contains(shown, "Qsec") || strings.Contains(shown, "UXNlY3JldD") || strings.Contains(shown, "AHUAUXNl") {
				t.Errorf("%s shows a secret: %s", test.url, shown)
			}
			if !strings.Contains(err.Error(), "no ") {
				t.Errorf("%s: the server's words are missing: %v", test.url, err)
			}
			c.Close()
		}
	}
}
