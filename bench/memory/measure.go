//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// command is a run of locator.
type command struct {
	shown string // without the address of the server
	args  []string
}

// maxTime is for --max-time. After killTime the program is killed, which is a failure.
const (
	maxTime  = 20 * time.Second
	killTime = maxTime + 15*time.Second
)

// commands returns the runs against a server.
func commands(s server, short bool) []command {
	type form struct{ shown, args string }
	forms := []form{
		{"get", "get"}, {"list", "list"}, {"list --details", "list --details"}, {"attr --details", "attr --details"},
		{"get -c -o FILE", "get -c -o DIR/file"}, {"get -r --max-size 64M", "get -r --dir DIR/tree"},
		{"get -r --dry-run", "get -r --dry-run"},
	}
	switch scheme, rest, _ := strings.Cut(s.url, ":"); scheme {
	case "nntp":
		forms = append([]form{{"get --to mbox -o FILE", "get --to mbox -o DIR/file"}, {"list --threads", "list --threads"}}, forms...)
	case "smtp": // which no URL to get names
		forms = []form{{"put", "put --mail me@mail.example --outbox DIR/outbox --smtp " + s.url + " DIR/text"}}
		s.url = "mailto:ann@mail.example"
	case "telnet":
		forms = []form{{"get", "get"}}
	case "file":
		s.url = strings.TrimPrefix(rest, "//")
		forms = []form{{"find --linkify", "find --linkify"}, {"find --decompress", "find --decompress --json"}, {"find", "find"}}
	}
	limit := maxTime
	if short {
		forms, limit = forms[:min(2, len(forms))], 5*time.Second
	}
	var list []command
	for _, f := range forms {
		c := command{shown: f.shown, args: strings.Fields(f.args)}
		if c.args[0] != "find" { // which has no limit, since it reads local files
			c.args = append(c.args, "--max-time", strconv.Itoa(int(limit.Seconds())), "--timeout", "2")
		}
		if c.args[0] == "get" {
			c.args = append(c.args, "--retries", "0", "--max-size", "64M")
		}
		c.args = append(c.args, s.url)
		list = append(list, c)
	}
	return list
}

// result is what a run took.
type result struct {
	status    int
	wall, cpu time.Duration
	peak      int64 // bytes; at least what this program had when it started the child, which the system counts too
	killed    bool
}

// measure runs a command. What it writes is dropped.
func measure(program, dir string, c command) (r result, err error) {
	work, err := os.MkdirTemp(dir, "run-")
	if err != nil {
		return r, err
	}
	defer os.RemoveAll(work)
	if err := os.WriteFile(filepath.Join(work, "text"), []byte("text\n"), 0o600); err != nil { // a mail
		return r, err
	}
	args := make([]string, len(c.args))
	for i, a := range c.args {
		args[i] = strings.ReplaceAll(a, "DIR", work)
	}
	ctx, cancel := context.WithTimeout(context.Background(), killTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir, cmd.Env = work, append(os.Environ(), "HOME="+work, "XDG_CONFIG_HOME="+work)
	begun := time.Now()
	if err := cmd.Start(); err != nil {
		return r, err
	}
	err = cmd.Wait()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		return r, err
	}
	r = result{status: cmd.ProcessState.ExitCode(), wall: time.Since(begun), cpu: cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), killed: ctx.Err() != nil}
	usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	if !ok {
		return r, fmt.Errorf("the memory of %q is not known", c.args)
	}
	r.peak = usage.Maxrss << 10
	return r, nil
}
