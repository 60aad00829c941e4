//go:build linux

package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"locator"
)

// noLimits is a policy without limits per server and client.
const noLimits = `hosts = ["127.0.0.1"]
addresses = "any"

[cache]
folder = "cache"

[limits]
clients = 10000

[upstream]
at_once = 10000
per_second = 1e6
burst = 1000000

[client]
at_once = 10000
per_second = 1e6
burst = 1000000
`

// load sends so many requests from so many clients at once, each on a connection of its own. target
// returns that of request i: a path of the gateway, or a URL for a proxy of any scheme. It returns
// how long it took and how many failed.
func load(addr string, clients, requests int, target func(i int) string) (took time.Duration, failed int64, why string) {
	var next, bad atomic.Int64
	var text atomic.Value
	var wg sync.WaitGroup
	start := time.Now()
	for range clients {
		wg.Go(func() {
			c := &conn{addr: addr}
			defer c.close()
			for {
				i := int(next.Add(1)) - 1
				if i >= requests {
					return
				}
				if err := c.get(target(i), io.Discard); err != nil {
					bad.Add(1)
					text.CompareAndSwap(nil, err.Error())
					c.close()
				}
			}
		})
	}
	wg.Wait()
	why, _ = text.Load().(string)
	return time.Since(start), bad.Load(), why
}

// conn is a connection that is kept. Package net/http asks a proxy for URLs of http only.
type conn struct {
	addr string
	c    net.Conn
	in   *bufio.Reader
}

func (c *conn) close() {
	if c.c != nil {
		c.c.Close()
		c.c = nil
	}
}

// get sends a request, and copies the body of its response to w.
func (c *conn) get(target string, w io.Writer) error {
	if c.c == nil {
		conn, err := net.Dial("tcp", c.addr)
		if err != nil {
			return err
		}
		c.c, c.in = conn, bufio.NewReaderSize(conn, 64<<10)
	}
	c.c.SetDeadline(time.Now().Add(10 * time.Minute))
	if _, err := fmt.Fprintf(c.c, "GET %s HTTP/1.1\r\nHost: %s\r\nUser-Agent: bench\r\nAccept-Encoding: gzip\r\n\r\n", target, c.addr); err != nil {
		return err
	}
	res, err := http.ReadResponse(c.in, nil)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if _, err := io.Copy(w, res.Body); err != nil {
		return err
	}
	if res.Close {
		c.close()
	}
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", target, res.Status)
	}
	return nil
}

// firstByte notes when the first byte is written, and counts.
type firstByte struct {
	at time.Time
	n  int64
}

func (f *firstByte) Write(p []byte) (int, error) {
	if f.n == 0 {
		f.at = time.Now()
	}
	f.n += int64(len(p))
	return len(p), nil
}

// manyClients reads pages of all schemes from servers that answer late.
func manyClients(o options, dir string, s *servers) (result, error) {
	p, err := start(o, dir, noLimits, ports(s.pages, s.slow))
	if err != nil {
		return result{}, err
	}
	defer p.stop()
	took, failed, why := load(p.addr, o.clients, 4*o.clients, func(i int) string { return "/" + s.slow[i%len(s.slow)].Text() })
	mem := peak(p.cmd.Process.Pid)
	r := result{got: fmt.Sprintf("%d clients, %d pages of %d servers that answer after %v: %.1f s, %d MiB, %d failed", o.clients, 4*o.clients, len(s.slow), delay, took.Seconds(), mem>>20, failed)}
	if failed > 0 {
		r.got += " (" + why + ")"
	}
	r.missed = failed > 0 || mem > 300<<20
	return r, nil
}

// largeFile sends a file through the gateway: with flat memory, and the first byte before the last
// one has come.
func largeFile(o options, dir string, s *servers) (result, error) {
	p, err := start(o, dir, noLimits, ports([]locator.URL{s.large}))
	if err != nil {
		return result{}, err
	}
	defer p.stop()
	before, began := peak(p.cmd.Process.Pid), time.Now()
	c, body := &conn{addr: p.addr}, &firstByte{}
	defer c.close()
	if err := c.get(s.large.Text(), body); err != nil {
		return result{}, err
	}
	took, first, mem := time.Since(began), body.at.Sub(began), peak(p.cmd.Process.Pid)
	return result{
		got:    fmt.Sprintf("%d MiB in %.1f s, the first byte after %d ms, memory from %d to %d MiB, %.2f s of CPU", body.n>>20, took.Seconds(), first.Milliseconds(), before>>20, mem>>20, cpu(p.cmd.Process.Pid).Seconds()),
		missed: body.n != o.megabytes<<20 || mem-before > 32<<20 || first > took/2,
	}, nil
}

// pageRate compares the front page, which needs no other server, and a page that is kept with a
// handler of net/http that sends a page.
func pageRate(o options, dir string, s *servers) (result, error) {
	p, err := start(o, dir, noLimits, ports([]locator.URL{s.pages[0]}))
	if err != nil {
		return result{}, err
	}
	defer p.stop()
	rate := func(addr, target string) float64 {
		took, _, _ := load(addr, 64, o.requests*5, func(int) string { return target })
		return float64(o.requests*5) / took.Seconds()
	}
	own, err := os.Executable()
	if err != nil {
		return result{}, err
	}
	other, err := begin(exec.Command(own, "-bare"), dir)
	if err != nil {
		return result{}, err
	}
	defer other.stop()
	bare, page, cached := rate(other.addr, "/"), rate(p.addr, "/"), rate(p.addr, "/"+s.pages[0].Text())
	return result{
		got:    fmt.Sprintf("the front page %.2f, a page that is kept %.2f of the %.0f pages a second of a bare handler", page/bare, cached/bare, bare),
		missed: cached < bare/2,
	}, nil
}

// besideSquid compares files by ftp and http with squid, of which each is asked for once: requests a second, and CPU for 1 GiB. Debian's
// squid refuses gopher. The bound for small files of http is that of decision 0177.
func besideSquid(o options, dir string, s *servers) (result, error) {
	addr, pid, _ := strings.Cut(o.squid, ",")
	other, err := strconv.Atoi(pid)
	if err != nil {
		return result{}, fmt.Errorf("-squid: must be host:port and the process, such as 127.0.0.1:3128,1234")
	}
	p, err := start(o, dir, strings.Replace(noLimits, "folder", "# folder", 1), ports(s.pages))
	if err != nil {
		return result{}, err
	}
	defer p.stop()
	var r result
	for i, url := range s.files {
		for _, x := range []struct {
			folder, text    string
			clients, number int
			rate            float64
		}{{"small", "4 KiB", 64, min(o.requests, smallFiles), []float64{1, 0.6}[i]}, {"large", "4 MiB", 8, largeFiles, 1}} {
			one := func(proxy string, pid int) (rate, used float64) {
				before := cpu(pid)
				took, failed, why := load(proxy, x.clients, x.number, func(i int) string { return url(x.folder, fmt.Sprintf("%05d", i)).Text() })
				if failed > 0 {
					r.got += fmt.Sprintf("%d by %s failed (%s); ", failed, proxy, why)
				}
				return float64(x.number) / took.Seconds(), (cpu(pid) - before).Seconds()
			}
			rate, used := one(p.addr, p.cmd.Process.Pid)
			theirs, theirUse := one(addr, other)
			r.got += fmt.Sprintf("%s, %s: %.2f of the %.0f requests a second of squid, %.2f of its CPU; ", url().Scheme(), x.text, rate/theirs, theirs, used/max(theirUse, 0.01))
			r.missed = r.missed || rate < theirs*x.rate || x.folder == "large" && used > theirUse
		}
	}
	r.got = strings.TrimSuffix(r.got, "; ")
	return r, nil
}
