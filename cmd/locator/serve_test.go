package main

import (
	"bufio"
	"context"
	"html"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
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
