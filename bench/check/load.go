package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"locator"
	"locator/check"
	"locator/client"
	"locator/internal/tour"
	"locator/scheme"
	httpscheme "locator/scheme/http"
)

// serveHTTP serves pages on all loopback addresses of IPv4, each after a pause, and returns the port.
func serveHTTP(pause func(host string) time.Duration) (port int, closes func(), err error) {
	l, err := net.Listen("tcp4", "0.0.0.0:0")
	if err != nil {
		return 0, nil, err
	}
	srv := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host, _, _ := net.SplitHostPort(r.Host)
		time.Sleep(pause(host))
		w.Header().Set("ETag", `"1"`)
		w.Header().Set("Content-Type", "text/html")
	})}
	go srv.Serve(l)
	return l.Addr().(*net.TCPAddr).Port, func() { srv.Close() }, nil
}

// program runs locator, prints its last line, its time and the most memory that it used.
func program(ctx context.Context, o options, args ...string) error {
	c := exec.CommandContext(ctx, o.locator, args...)
	var out strings.Builder
	c.Stdout, c.Stderr = &out, os.Stderr
	start := time.Now()
	err := c.Run()
	if exit, ok := errors.AsType[*exec.ExitError](err); err != nil && (!ok || exit.ExitCode() != 1) { // 1: there are broken ones
		return fmt.Errorf("locator %s: %w", args[0], err)
	}
	d, use := time.Since(start), c.ProcessState.SysUsage().(*syscall.Rusage)
	cpu := c.ProcessState.UserTime() + c.ProcessState.SystemTime()
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	fmt.Printf("locator %s: %.1f s, %.1f s of CPU, peak %d MiB: %s\n", args[0], d.Seconds(), cpu.Seconds(), use.Maxrss>>10, lines[len(lines)-1])
	return nil
}

// mixed checks URLs of all schemes on embedded servers: of http on four thousand addresses, the others one of
// five.
func mixed(ctx context.Context, o options) error {
	port, closes, err := serveHTTP(func(string) time.Duration { return 0 })
	if err != nil {
		return err
	}
	defer closes()
	servers, err := tour.Start()
	if err != nil {
		return err
	}
	defer servers.Close()
	var bases []string
	for _, x := range servers.URLs() {
		if s := x.URL.Scheme(); s != "http" && s != "telnet" {
			bases = append(bases, x.URL.Text())
		}
	}
	list := filepath.Join(o.folder, "list")
	f, err := os.Create(list)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(f)
	for i := range o.n {
		if host := i % 4000; i%5 > 0 {
			fmt.Fprintf(w, "http://127.1.%d.%d:%d/some/path/of/page%d.html\n", host>>8, host&255, port, i)
		} else if base := bases[i/5%len(bases)]; strings.HasPrefix(base, "mailto:") {
			fmt.Fprintf(w, "mailto:user%d@example.org\n", i)
		} else {
			fmt.Fprintf(w, "%s%d\n", base, i)
		}
	}
	if err := errors.Join(w.Flush(), f.Close()); err != nil {
		return err
	}
	return program(ctx, o, "check", "--retry-after", "0", "--allow-port", fmt.Sprint(port), "--run", filepath.Join(o.folder, "run"), "-i", list)
}

// pages checks the links and fragments of a gigabyte of HTML.
func pages(ctx context.Context, o options) error {
	const each = 100_000
	var text strings.Builder
	size := 0
	for i := range o.n / each {
		text.Reset()
		for j := 0; text.Len() < each; j++ {
			fmt.Fprintf(&text, "<h2 id=\"s%d\">Section %d</h2>\n<p>%s <a href=\"page%d.html#s%d\">a link</a>, <a href=\"#s%d\">another</a>.</p>\n", j, j, strings.Repeat("Words of a text that says nothing. ", 40), (i+j*7)%(o.n/each), j%4, j%8)
		}
		size += text.Len()
		if err := os.WriteFile(filepath.Join(o.folder, fmt.Sprintf("page%d.html", i)), []byte(text.String()), 0o644); err != nil {
			return err
		}
	}
	fmt.Printf("pages: %d MB\n", size/1_000_000)
	return program(ctx, o, "check", "--fragments", "--retry-after", "0", o.folder)
}

// crowd measures how long two fast hosts take, alone and beside a thousand that answer after three seconds.
func crowd(ctx context.Context, o options) error {
	port, closes, err := serveHTTP(func(host string) time.Duration {
		if strings.HasPrefix(host, "127.2.") {
			return 3 * time.Second
		}
		return 10 * time.Millisecond
	})
	if err != nil {
		return err
	}
	defer closes()
	alone, err := fastHosts(ctx, port, 0)
	if err != nil {
		return err
	}
	beside, err := fastHosts(ctx, port, 1000)
	if err != nil {
		return err
	}
	fmt.Printf("crowd: 2 fast hosts alone %.1f s, beside a thousand slow ones %.1f s: %.2f\n", alone.Seconds(), beside.Seconds(), beside.Seconds()/alone.Seconds())
	return nil
}

// fastHosts returns how long it takes until the pages of two fast hosts are decided, with ten pages of
// each of some slow ones before them.
func fastHosts(ctx context.Context, port, slow int) (time.Duration, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	c := client.New(client.Options{Registry: scheme.NewRegistry(httpscheme.New("http"))})
	defer c.Close()
	run, err := check.NewMemory(nil).Begin(ctx, nil)
	if err != nil {
		return 0, err
	}
	const each = 500
	var links []check.Link
	add := func(host string, n int) {
		for i := range n {
			links = append(links, check.NewLink(c, locator.Current.Parse, fmt.Sprintf("http://%s:%d/%d", host, port, i), check.Place{}, false))
		}
	}
	for i := range slow {
		add(fmt.Sprintf("127.2.%d.%d", i>>8, i&255), 10)
	}
	add("127.1.0.1", each)
	add("127.1.0.2", each)
	if _, err := run.Add(ctx, links); err != nil {
		return 0, err
	}
	if err := run.Seal(ctx); err != nil {
		return 0, err
	}
	var left atomic.Int64
	left.Store(2 * each)
	w := &check.Worker{
		Checker: &check.Checker{Client: c, Manners: func(string) check.Manners { return check.Manners{PerHost: 2, Interval: 20 * time.Millisecond} }},
		Decided: func(r *check.Result) {
			if strings.Contains(r.URL, "//127.1.") && left.Add(-1) == 0 {
				cancel()
			}
		},
	}
	start := time.Now()
	if err := w.Run(ctx, run); left.Load() > 0 {
		return 0, fmt.Errorf("%d pages are left: %w", left.Load(), err)
	}
	return time.Since(start), nil
}

// second measures how much faster two programs are than one, where the answers are slow.
func second(ctx context.Context, o options) error {
	port, closes, err := serveHTTP(func(string) time.Duration { return 500 * time.Millisecond })
	if err != nil {
		return err
	}
	defer closes()
	list := filepath.Join(o.folder, "list")
	var text strings.Builder
	for i := range o.n {
		fmt.Fprintf(&text, "http://127.1.%d.%d:%d/%d\n", i%1000>>8, i%1000&255, port, i)
	}
	if err := os.WriteFile(list, []byte(text.String()), 0o644); err != nil {
		return err
	}
	for _, helps := range []bool{false, true} {
		name := fmt.Sprintf("second%d-%v", time.Now().Unix(), helps)
		flags := []string{"--parallel", "64", "--allow-port", fmt.Sprint(port), "--store", o.url, "--run", name}
		if helps {
			ctx, cancel := context.WithCancel(ctx)
			defer cancel()
			helper := exec.CommandContext(ctx, o.locator, append([]string{"worker"}, flags...)...)
			if err := helper.Start(); err != nil {
				return err
			}
		}
		if err := program(ctx, o, append([]string{"check", "--per-host", "64", "--retry-after", "0", "-i", list}, flags...)...); err != nil {
			return err
		}
	}
	return nil
}
