package main

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
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
	ctx, cancel := context.WithCancel(t.Context())
	r, w := io.Pipe()
	done := make(chan int, 1)
	go func() {
		done <- run(ctx, []string{"serve", "--addr", "127.0.0.1:0", "--policy", file}, world{In: strings.NewReader(""), Out: w, Err: io.Discard, Getenv: func(string) string { return "" }})
		w.Close()
	}()
	defer func() {
		cancel()
		<-done
	}()
	line, err := bufio.NewReader(r).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	get := func(url string) (int, string) {
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
	if status, text := get("http://" + metrics + "/metrics"); status != http.StatusOK || !strings.Contains(text, "locator_") {
		t.Errorf("the metrics: %d %s", status, text)
	}
	if status, text := get(strings.TrimSpace(line) + "-/raw/http://" + metrics + "/metrics"); status != http.StatusForbidden || !strings.Contains(text, "address of this gateway") {
		t.Errorf("by the gateway: %d %s", status, text)
	}
}
