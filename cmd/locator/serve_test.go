package main

import (
	"bufio"
	"context"
	"fmt"
	"html"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"locator"
	"locator/scheme/ftp/ftptest"
	"locator/scheme/gopher/gophertest"
	"locator/scheme/nntp/nntptest"
	"locator/schemetest/peer"
)

// A URL of the metrics is one of the gateway itself, whatever addresses are allowed.
//
// Covers: GWS17
func TestServeMetrics(t *testing.T) {
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	metrics := free.Addr().String()
	free.Close()
	_, port, _ := net.SplitHostPort(metrics)
	file := filepath.Join(t.TempDir(), "gateway.toml")
	if err := os.WriteFile(file, []byte("addresses = \"any\"\nallow_ports = ["+port+"]\nmetrics = \""+metrics+"\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	at := startServe(t, "--policy", file)
	if status, text := get(t, "http://"+metrics+"/metrics"); status != http.StatusOK || !strings.Contains(text, "locator_") {
		t.Errorf("the metrics: %d %s", status, text)
	}
	if status, text := get(t, at+"-/raw/http://"+metrics+"/metrics"); status != http.StatusForbidden || !strings.Contains(text, "address of this gateway") {
		t.Errorf("by the gateway: %d %s", status, text)
	}
}

// Without --addr the gateway is at http://127.0.0.1:1738/, unless another program has that port.
func TestServeAddress(t *testing.T) {
	const at = "127.0.0.1:1738"
	if l, err := net.Listen("tcp", at); err != nil {
		if out, errs, status := runText(t, "", "serve"); status != 11 || out != "" || !strings.Contains(errs, "cannot listen on "+at) {
			t.Errorf("%d: %s%s", status, out, errs)
		}
		return
	} else {
		l.Close()
	}
	if got := startServeAt(t); got != "http://"+at+"/" {
		t.Fatalf("it listens on %s", got)
	}
	if status, front := get(t, "http://"+at+"/"); status != http.StatusOK || !strings.Contains(front, "<h1>Locator</h1>") {
		t.Errorf("%d: %s", status, front)
	}
}

// startServe runs the gateway at a free port, and returns the address that it prints.
func startServe(t *testing.T, args ...string) string {
	t.Helper()
	return startServeAt(t, append([]string{"--addr", "127.0.0.1:0"}, args...)...)
}

func startServeAt(t *testing.T, args ...string) string {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	r, w := io.Pipe()
	done := make(chan int, 1)
	go func() {
		done <- run(ctx, append([]string{"serve"}, args...), world{In: strings.NewReader(""), Out: w, Err: io.Discard, Getenv: func(string) string { return "" }})
		w.Close()
	}()
	t.Cleanup(func() {
		cancel()
		<-done
	})
	line, err := bufio.NewReader(r).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(line)
}

// get returns the status and the text of a page.
func get(t *testing.T, url string) (int, string) {
	t.Helper()
	res, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(b)
}

// A demonstration has a live example of each scheme on its front page.
func TestServeDemo(t *testing.T) {
	at := startServe(t, "--demo")
	_, front := get(t, at)
	seen := make(map[string]bool)
	for _, m := range regexp.MustCompile(`href="/(([a-z]+):[^"]*)"`).FindAllStringSubmatch(front, -1) {
		seen[m[2]] = true
		if status, text := get(t, at+html.UnescapeString(m[1])); status != http.StatusOK {
			t.Errorf("%s: %d %s", m[1], status, text)
		}
	}
	for _, name := range []string{"ftp", "http", "gopher", "mailto", "news", "nntp", "telnet", "wais", "file", "prospero"} {
		if !seen[name] {
			t.Errorf("no example of %s: %s", name, front)
		}
	}
}

// What is got, listed and stored through the gateway, as a proxy and by its raw view, is what the servers have.
//
// Covers: G1
func TestServeClients(t *testing.T) {
	t.Parallel()
	files, err := ftptest.Start(append(peer.Tree(), peer.File{Path: []string{"na\xefve.txt"}, Content: "x", Modified: time.Date(2001, 2, 3, 4, 5, 6, 0, time.UTC)}))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(files.Close)
	menus, err := gophertest.Start(peer.Tree())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(menus.Close)
	news, err := nntptest.Start(peer.Tree())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(news.Close)
	lists := []locator.URL{files.URL(""), files.URL("etc", ""), menus.URL(), menus.Item('1', "/etc", ""), news.GroupURL("tree.etc", 0)}
	urls := append(lists, files.URL("bytes.bin"), menus.Item('9', "/bytes.bin", ""), news.GroupURL("tree.etc", 1))
	var ports []string
	for _, u := range []locator.URL{files.URL(), menus.URL(), news.GroupURL("tree.etc", 0)} {
		n, _ := u.PortNumber()
		ports = append(ports, "--allow-port", strconv.Itoa(int(n)))
	}
	at := startServe(t, append([]string{"--addresses", "any"}, ports...)...)
	ports = append(ports, "--allow-port", portOf(at))
	for _, gateway := range []string{strings.TrimSuffix(at, "/"), at + "-/raw/"} {
		for i, u := range urls {
			verb := []string{"get", "-O"}
			if i < len(lists) {
				verb = []string{"list", "--json"}
			}
			var got [2]string
			for i, via := range [][]string{nil, {"--gateway", u.Scheme() + "=" + gateway}} {
				args, dir := append(append(append([]string{}, verb...), ports...), via...), t.TempDir()
				if verb[0] == "get" {
					args = append(args, "--dir", dir)
				}
				out, errs, status := runText(t, "", append(args, u.Text())...)
				if status != 0 {
					t.Fatalf("%q: %d: %s", append(args, u.Text()), status, errs)
				}
				if got[i] = out; verb[0] == "get" {
					got[i] = contents(t, dir)
				}
			}
			if got[0] != got[1] || got[0] == "" {
				t.Errorf("%s by %s: %.600s\nwant %.600s", u, gateway, got[1], got[0])
			}
		}
	}
	via := []string{"put", "--gateway", "ftp=" + strings.TrimSuffix(at, "/"), "-", files.URL("new.txt").Text()}
	if _, errs, status := runText(t, "new\xff\r\n", append(via, ports...)...); status != 0 {
		t.Fatalf("put: %d: %s", status, errs)
	}
	if b, ok := files.File("new.txt"); !ok || string(b) != "new\xff\r\n" {
		t.Errorf("the server has %q", b)
	}
	via[2] = "ftp=" + at
	if _, errs, status := runText(t, "x", append(via, ports...)...); status != 10 || !strings.Contains(errs, "nothing can be stored through the gateway") {
		t.Errorf("put through pages: %d: %s", status, errs)
	}
}

// portOf returns the port of the address of the gateway.
func portOf(at string) string { return strings.Trim(at[strings.LastIndex(at, ":")+1:], "/") }

// contents returns the name, the date and the bytes of the files in a folder.
func contents(t *testing.T, dir string) (all string) {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		if strings.HasPrefix(e.Name(), ".") { // what is known of the files, such as when they were got
			continue
		}
		info, err := e.Info()
		if err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		date := ""
		if time.Since(info.ModTime()) > time.Hour { // else the server has told none
			date = info.ModTime().UTC().String()
		}
		all += fmt.Sprintf("%s %s %q\n", e.Name(), date, b)
	}
	return all
}
