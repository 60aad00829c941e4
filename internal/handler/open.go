package handler

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"
)

// The limits of what is asked and started here.
const (
	askTime   = 3 * time.Second
	startTime = 15 * time.Second
	quickTime = 2 * time.Second // a browser that has not failed until then runs
	maxAnswer = 64 << 10        // bytes
)

// ErrNoGateway is the error if nothing listens at an address.
var ErrNoGateway = errors.New("no gateway runs there")

// Ask asks the gateway at an address, such as "127.0.0.1:1738", for the address of the page of a
// URL.
func Ask(ctx context.Context, addr, target string) (page string, err error) {
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	base := url.URL{Scheme: "http", Host: addr}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, base.String()+"/-/handler", nil)
	if err != nil {
		return "", err
	}
	r.Header.Set("Accept", "application/json")
	direct := &http.Transport{DisableKeepAlives: true} // without a proxy
	res, err := direct.RoundTrip(r)
	if err != nil {
		if _, ok := errors.AsType[*net.OpError](err); ok && ctx.Err() == nil {
			return "", ErrNoGateway
		}
		return "", err
	}
	defer res.Body.Close()
	var found struct {
		Gateway string `json:"gateway"`
		Open    string `json:"open"`
	}
	err = json.NewDecoder(io.LimitReader(res.Body, maxAnswer)).Decode(&found)
	if err != nil || found.Gateway != "locator" || !strings.HasPrefix(found.Open, "/") {
		return "", fmt.Errorf("what listens at %s is not a gateway of locator", addr)
	}
	return base.String() + found.Open + url.QueryEscape(target), nil
}

// StartGateway starts the program as a gateway at an address. It returns when the gateway listens,
// and leaves it running.
func StartGateway(ctx context.Context, program, addr string) error {
	cmd := exec.Command(program, "serve", "--addr", addr) // not with ctx: it goes on
	detach(cmd)
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	ready := make(chan error, 1)
	go func() {
		_, err := bufio.NewReader(io.LimitReader(out, maxAnswer)).ReadString('\n')
		if err != nil {
			err = fmt.Errorf("it ended at once; run it to see why: %s serve", program)
		}
		ready <- err
	}()
	select {
	case err = <-ready:
	case <-ctx.Done():
		err = context.Cause(ctx)
	case <-time.After(startTime):
		err = errors.New("it did not listen in time")
	}
	if err != nil {
		cmd.Process.Kill()
		out.Close()
		cmd.Wait() // its error is known
		return err
	}
	return cmd.Process.Release()
}

// Browse shows an address in the user's browser: that of $BROWSER or of the desktop. It does not
// wait until the user closes it.
func Browse(ctx context.Context, getenv func(string) string, address string) error {
	var failed error
	for _, args := range browsers(getenv("BROWSER"), runtime.GOOS, address) {
		path, err := exec.LookPath(args[0])
		if err == nil {
			err = quick(ctx, path, args[1:])
		}
		if err == nil || ctx.Err() != nil {
			return err
		}
		failed = cmp.Or(failed, err)
	}
	return fmt.Errorf("no browser can be started (%w); set BROWSER to the name of one, or open %s yourself", failed, address)
}

// browsers returns the commands that may show an address, best first. The variable has the commands
// of the user, separated by colons; "%s" in one stands for the address.
func browsers(variable, system, address string) (list [][]string) {
	for item := range strings.SplitSeq(variable, string(os.PathListSeparator)) {
		args := strings.Fields(item)
		if len(args) == 0 {
			continue
		}
		placed := false
		for i, a := range args[1:] {
			if strings.Contains(a, "%s") {
				args[i+1], placed = strings.ReplaceAll(a, "%s", address), true
			}
		}
		if !placed {
			args = append(args, address)
		}
		list = append(list, args)
	}
	switch system {
	case "darwin":
		return append(list, []string{"open", address})
	case "windows":
		return append(list, []string{"rundll32", "url.dll,FileProtocolHandler", address})
	}
	for _, name := range []string{"xdg-open", "sensible-browser", "x-www-browser", "www-browser"} {
		list = append(list, []string{name, address})
	}
	return list
}

// quick starts a program, and returns its error if it fails quickly.
func quick(ctx context.Context, path string, args []string) error {
	cmd := exec.Command(path, args...)
	detach(cmd)
	if err := cmd.Start(); err != nil {
		return err
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	select {
	case err := <-done:
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-time.After(quickTime):
		return nil
	}
}
