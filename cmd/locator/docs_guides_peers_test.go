//go:build linux

package main

import (
	"net"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"locator/internal/peers"
)

// TestGuideServers runs the servers of the guides by the commands that stand there, and then the
// commands of locator.
func TestGuideServers(t *testing.T) {
	t.Parallel()
	e := peers.Start(t, "pyftpdlib", "gophernicus", "smtp", "inn") // installs what the commands need
	for _, g := range guides() {
		if g.open == nil {
			continue
		}
		t.Run(g.name, func(t *testing.T) {
			t.Parallel()
			_, code := g.page(t)
			at := e.Addr(t, "inn")
			if g.name != "news" { // its server belongs to the system
				at = startAsShown(t, g, code[ownServer])
			}
			for _, line := range code[ownServer] {
				if !isLocator(line) {
					continue
				}
				if out, errs, status := runLine(t.Context(), t, strings.ReplaceAll(line, g.at, at)); status != 0 || out == "" {
					t.Errorf("%s: %d, %q, %s", line, status, out, errs)
				}
			}
		})
	}
}

// startAsShown runs the commands of a guide that are not locator's, except the installation, as a
// user without rights and on a free port. The last one is the server. It returns its host and port.
func startAsShown(t *testing.T, g guide, lines []string) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := strconv.Itoa(l.Addr().(*net.TCPAddr).Port)
	l.Close()
	_, shown, _ := strings.Cut(g.at, ":")
	var script []string
	for _, line := range lines {
		if !isLocator(line) && !strings.HasPrefix(line, "sudo ") {
			script = append(script, strings.ReplaceAll(line, shown, port))
		}
	}
	script[len(script)-1] = "exec " + script[len(script)-1]
	dir, err := os.MkdirTemp("", "locator-guide-") // which the other user can enter
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	cmd := exec.Command("/bin/bash", "-c", strings.Join(script, "\n"))
	cmd.Dir, cmd.Env = dir, []string{"PATH=/usr/sbin:/usr/bin:/sbin:/bin", "HOME=" + dir}
	const nobody = 65534
	if err := os.Chown(dir, nobody, nobody); err != nil {
		t.Fatal(err)
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL, Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	var said strings.Builder
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		cmd.Wait()
	})
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if c, err := net.Dial("tcp", "127.0.0.1:"+port); err == nil {
			c.Close()
			return "127.0.0.1:" + port
		}
	}
	syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	cmd.Wait()
	t.Fatalf("the server does not start: %s", said.String())
	return ""
}
