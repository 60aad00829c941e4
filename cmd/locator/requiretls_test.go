package main

import (
	"bytes"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
)

// TestRequireTLS refuses schemes that cannot use TLS before anything is connected to, if --tls require is on the command line: a password
// in their URLs would go in clear text. Those that can are connected to.
//
// Covers: P1
func TestRequireTLS(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	var connected atomic.Int32
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			connected.Add(1)
			conn.Close()
		}
	}()
	at := l.Addr().String()
	_, port, _ := net.SplitHostPort(at)
	clear := "TLS is required, and %s sends everything in clear text; "
	web, over := fmt.Sprintf(clear, "http")+"use a URL that begins with https:", httptest.NewTLSServer(http.RedirectHandler("http://"+at+"/", http.StatusFound))
	defer over.Close()
	asked := "TLS is required, and the proxy or gateway is asked by http, which"
	for _, tt := range []struct {
		want string
		args []string
	}{
		{web, []string{"get", "http://ann:secret@" + at + "/"}},
		{web, []string{"get", "-O", "--dir", t.TempDir(), "http://ann:secret@" + at + "/x"}},
		{web, []string{"get", "--dry-run", "http://" + at + "/x"}},
		{web, []string{"attr", "http://" + at + "/"}},
		{web, []string{"list", "-r", "http://" + at + "/"}},
		{web, []string{"rm", "http://" + at + "/x"}},
		{web, []string{"put", os.DevNull, "http://" + at + "/x"}},
		{web, []string{"get", "--insecure", "--allow-port", over.URL[strings.LastIndex(over.URL, ":")+1:], over.URL + "/"}},
		{fmt.Sprintf(clear, "gopher") + "use a URL that begins with gophers:", []string{"list", "gopher://" + at + "/"}},
		{fmt.Sprintf(clear, "telnet") + "use a URL that begins with telnets:", []string{"get", "telnet://" + at + "/"}},
		{fmt.Sprintf(clear, "wais") + "no scheme has it over TLS", []string{"list", "wais://" + at + "/a?b"}},
		{fmt.Sprintf(clear, "prospero") + "no scheme has it over TLS", []string{"list", "prospero://" + at + "/a"}},
		{asked, []string{"get", "--gateway", "wais=http://" + at + "/", "wais://" + at + "/a"}},
		{asked, []string{"get", "--gateway", "wais=http://" + at, "wais://" + at + "/a"}},
	} {
		args := append([]string{"--tls", "require", "--allow-port", port}, tt.args...)
		if out, errs, status := runText(t, "", args...); status != 4 || !strings.Contains(errs, tt.want) || connected.Load() != 0 {
			t.Errorf("%q: %d, %q, %s, %d connections", tt.args, status, out, errs, connected.Load())
		}
	}
	var errs bytes.Buffer
	status := run(t.Context(), []string{"--tls", "require", "--allow-port", port, "--proxy-env", "get", "ftp://192.0.2.1/x"},
		world{In: strings.NewReader(""), Out: &errs, Err: &errs, Getenv: func(name string) string {
			return map[string]string{"ftp_proxy": "http://" + at}[name]
		}})
	if status != 4 || !strings.Contains(errs.String(), asked) || connected.Load() != 0 {
		t.Errorf("ftp by an http proxy: %d, %s, %d connections", status, errs.String(), connected.Load())
	}

	for i, url := range []string{"https://" + at + "/", "gophers://" + at + "/", "telnets://" + at + "/", "ftps://" + at + "/", "ftp://" + at + "/", "nntp://" + at + "/a.b"} {
		_, errs, status := runText(t, "", "--tls", "require", "--retries", "0", "--allow-port", port, "get", url)
		if status == 0 || strings.Contains(errs, "TLS is required") || int(connected.Load()) <= i {
			t.Errorf("%s: %d, %s, %d connections", url, status, errs, connected.Load())
		}
	}
	dir := t.TempDir()
	file, conf := filepath.Join(dir, "a"), filepath.Join(dir, "c.toml")
	for name, text := range map[string]string{file: "text\n", conf: "tls = \"require\"\n"} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if out, errs, status := runText(t, "", "--tls", "require", "get", "file://"+file); status != 0 || out != "text\n" {
		t.Errorf("file: %d, %q, %s", status, out, errs)
	}
	if _, errs, status := runText(t, "", "--tls", "require", "get", "mailto:ann@example.org"); status != 0 {
		t.Errorf("mailto: %d, %s", status, errs)
	}
	plain := httptest.NewServer(http.NotFoundHandler())
	defer plain.Close()
	if _, errs, status := runText(t, "", "--config", conf, "--allow-port", plain.URL[strings.LastIndex(plain.URL, ":")+1:], "get", plain.URL+"/"); status != 7 {
		t.Errorf("a setting of the configuration file is not for http: %d, %s", status, errs)
	}
}
