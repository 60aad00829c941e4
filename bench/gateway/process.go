//go:build linux

package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// process is a running gateway.
type process struct {
	cmd  *exec.Cmd
	addr string // host:port
}

// start starts the gateway with a policy, and waits until it serves.
func start(o options, dir, policy string, ports []string) (*process, error) {
	args := []string{"serve", "--quiet", "--addr", "127.0.0.1:0", "--addresses", "any"}
	for _, p := range ports {
		args = append(args, "--allow-port", p)
	}
	if policy != "" {
		name := dir + "/policy.toml"
		if err := os.WriteFile(name, []byte(policy), 0o600); err != nil {
			return nil, err
		}
		args = append(args, "--policy", name)
	}
	return begin(exec.Command(o.program, args...), dir)
}

// begin starts a program that prints its address, and waits for that.
func begin(cmd *exec.Cmd, dir string) (*process, error) {
	p := &process{cmd: cmd}
	p.cmd.Env = append(os.Environ(), "HOME="+dir, "XDG_CONFIG_HOME="+dir+"/config")
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		p.stop()
		return nil, fmt.Errorf("it did not start: %w", err)
	}
	p.addr = strings.Trim(strings.TrimPrefix(strings.TrimSpace(line), "http://"), "/")
	return p, nil
}

func (p *process) stop() {
	p.cmd.Process.Signal(os.Interrupt)
	p.cmd.Wait()
}

// peak returns the most memory that a process had, in bytes.
func peak(pid int) int64 {
	b, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	for line := range strings.Lines(string(b)) {
		if rest, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			n, _ := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
			return n << 10
		}
	}
	return 0
}

// cpu returns the processor time of a process so far. The kernel counts in hundredths of a second.
func cpu(pid int) time.Duration {
	b, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, rest, _ := strings.Cut(string(b), ") ")
	fields := strings.Fields(rest)
	if len(fields) < 13 {
		return 0
	}
	user, _ := strconv.ParseInt(fields[11], 10, 64)
	system, _ := strconv.ParseInt(fields[12], 10, 64)
	return time.Duration(user+system) * 10 * time.Millisecond
}
