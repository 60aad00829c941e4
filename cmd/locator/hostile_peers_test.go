package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"locator/internal/faults"
	"locator/internal/peers"
)

// realFaults are faults of real servers.
func realFaults() []fault {
	return []fault{
		{"vsftpd, proftpd, pure-ftpd, nginx: cut at 0, 10, ... 90 %", realCuts},
		{"the same four killed during the transfer, at 5, 15 and 25 %, and restarted", realKills},
		{"the same four killed and restarted within one run, with `--retries 4`", realRestarts},
	}
}

// realSize is the size of the file: half of it does not fit into the buffers of the server and the
// system.
const realSize = 32 << 20

// realSites returns sites of real servers that no other test uses. Without through, there is no
// proxy before them.
func realSites(t *testing.T, through bool, size int, names ...string) (*peers.Env, []*site) {
	t.Helper()
	e := peers.Own(t, names...)
	content := octetsOf(size, "real")
	if err := os.WriteFile(filepath.Join(e.Tree, "file.bin"), content, 0o644); err != nil {
		t.Fatal(err)
	}
	var list []*site
	for _, name := range names {
		x := &site{name: name, content: content}
		login := ""
		if name == "pureftpd" {
			login = e.User + ":" + e.Password + "@"
		}
		addr := e.Addr(t, name)
		start, scheme := faults.FTP, "ftp"
		if name == "nginx" {
			start, scheme = faults.TCP, "http"
		}
		var err error
		if x.proxy, err = start(addr); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(x.proxy.Close)
		if through {
			addr = x.proxy.Addr()
		}
		x.url = fmt.Sprintf("%s://%s%s/file.bin", scheme, login, addr)
		list = append(list, x)
	}
	return e, list
}

// Covers: R19
func realCuts(t *testing.T) {
	_, list := realSites(t, true, fileSize, "vsftpd", "proftpd", "pureftpd", "nginx")
	for _, x := range list {
		for tenth := range 10 {
			s := x.scene(t)
			what := fmt.Sprintf("cut at %d %%", 10*tenth)
			x.proxy.Set(faults.Fault{How: faults.Cut, After: int64(len(x.content) * tenth / 10)})
			left := aPart
			if tenth == 0 {
				left = noPart
			}
			s.fails(what, 8, left)
			s.heals(what)
		}
	}
}

// when calls do when the part has reached a size.
func when(t *testing.T, part string, size int64, do func()) (done chan struct{}) {
	done = make(chan struct{})
	go func() {
		defer close(done)
		for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
			if in, err := os.Stat(part); err == nil && in.Size() >= size {
				do()
				return
			}
		}
		t.Errorf("%s never had %d bytes", part, size)
	}()
	return done
}

// mid is a rate at which a download takes longer than stopping a server.
const mid = "6M"

// Covers: R20
func realKills(t *testing.T) {
	for _, name := range []string{"vsftpd", "proftpd", "pureftpd", "nginx"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if strings.HasPrefix(name, "p") { // one server of each scheme
				peers.LongRun(t, name)
			}
			e, list := realSites(t, false, realSize, name)
			for _, percent := range []int{5, 15, 25} {
				s := list[0].scene(t)
				what := fmt.Sprintf("killed at %d %%", percent)
				done := when(t, s.file+".part", int64(realSize*percent/100), func() { e.Kill(t, name) })
				s.fails(what, 8, aPart, "--limit-rate", mid)
				<-done
				_, errs, status := runText(t, "", "get", "--continue", "--retries", "0", "-o", s.file, s.url)
				if status != 5 {
					t.Errorf("nobody there: status %d: %s", status, errs)
				}
				e.Restart(t, name)
				s.heals(what)
			}
		})
	}
}

// Covers: R21
func realRestarts(t *testing.T) {
	for _, name := range []string{"vsftpd", "proftpd", "pureftpd", "nginx"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if strings.HasPrefix(name, "p") { // one server of each scheme
				peers.LongRun(t, name)
			}
			e, list := realSites(t, false, realSize, name)
			s := list[0].scene(t)
			done := when(t, s.file+".part", realSize/4, func() { e.Kill(t, name); e.Restart(t, name) })
			if errs := s.works("restarted", "--limit-rate", mid, "--retries", "4"); !strings.Contains(errs, "; try ") {
				t.Errorf("it says %q", errs)
			}
			<-done
		})
	}
}
