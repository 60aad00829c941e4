package peers

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

const (
	// startTime bounds the start of all servers that a test asks for; other test binaries may hold the lock meanwhile.
	startTime = 2 * time.Minute
	// installTime bounds the download and installation of packages, too.
	installTime = 8 * time.Minute
	// logTime is how long [Env.WaitLog] waits: some servers write a line only after the client has its answer.
	logTime = 10 * time.Second
	// unreachable is the script's exit status when there is no way to the package registry.
	unreachable = 75
)

// Env tells a test where its servers are and what they serve.
type Env struct {
	Tree      string // the folder that every ftp, http and gopher server serves; a test compares with the files in it
	User      string // the login of proftpd, pureftpd and nginx's /login/
	Password  string // its password
	Newsgroup string // inn's group that has articles
	Maildir   string // where smtp drops what it takes
	Cert      string // PEM file of the certificate of the servers with TLS, which vouches for itself

	script  string
	env     []string // of the script, beside the process's
	names   []string
	addrs   map[string]string
	offsets map[string]int // length of each server's log when Start returned
}

// Start brings up the servers with these names (peers/README.md lists them) and says where they are. A server that is
// up already is used as it is, so tests share them: a test must not rely on being a server's only client. Start skips the
// test for the reasons in the package comment and fails it for any other.
func Start(t testing.TB, names ...string) *Env {
	t.Helper()
	e := prepare(t, names)
	if _, err := e.run(t.Context(), startTime, append([]string{"start"}, names...)...); err != nil {
		t.Fatalf("peers: %v", err)
	}
	out, err := e.run(t.Context(), startTime, "env")
	if err == nil {
		err = e.read(out)
	}
	if err != nil {
		t.Fatalf("peers: %v", err)
	}
	for _, name := range names {
		e.Addr(t, name) // a name without an address must fail here, not in the middle of a test
		e.offsets[name] = len(e.log(t, name))
	}
	return e
}

// prepare installs the servers, or skips.
func prepare(t testing.TB, names []string) *Env {
	t.Helper()
	if reason := absent(); reason != "" {
		Skip(t, "real servers (%s): %s", strings.Join(names, ", "), reason)
	}
	script, err := find("peers/peers")
	if err != nil {
		t.Fatalf("peers: %v", err)
	}
	e := &Env{script: script, names: names, offsets: make(map[string]int)}
	if _, err := e.run(t.Context(), installTime, append([]string{"install"}, names...)...); err != nil {
		if x, ok := errors.AsType[*exec.ExitError](err); ok && x.ExitCode() == unreachable {
			Skip(t, "real servers (%s): the package registry cannot be reached", strings.Join(names, ", "))
		}
		t.Fatalf("peers: %v", err)
	}
	return e
}

// absent says why this machine has no real servers, and "" if it may have them.
func absent() string {
	if os.Getenv("LOCATOR_PEERS") != "1" {
		return "they run with LOCATOR_PEERS=1, as root on Debian; ./test.sh sets it"
	}
	if runtime.GOOS != "linux" {
		return "they need Debian, this is " + runtime.GOOS
	}
	if _, err := os.Stat("/etc/debian_version"); err != nil {
		return "they need Debian, and there is no /etc/debian_version"
	}
	if os.Geteuid() != 0 {
		return "they need root"
	}
	return ""
}

// find looks for a file of the project from the working folder upwards; a test's working folder is its package.
func find(name string) (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for d := dir; ; d = filepath.Dir(d) {
		path := filepath.Join(d, filepath.FromSlash(name))
		if _, err := os.Stat(path); err == nil {
			return path, nil
		}
		if d == filepath.Dir(d) {
			return "", fmt.Errorf("no %s in any folder above %s", name, dir)
		}
	}
}

// run calls the script and gives its standard output; the error holds its standard error.
func (e *Env) run(ctx context.Context, limit time.Duration, args ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	var stdout, stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, e.script, args...)
	cmd.Env = append(os.Environ(), e.env...)
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	cmd.WaitDelay = time.Second
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("peers/peers %s: %w\n%s", strings.Join(args, " "), err, stderr.Bytes())
	}
	return stdout.Bytes(), nil
}

// read takes in the lines of "peers env": KEY=VALUE, where PEER_NAME=ADDRESS says where a server is.
func (e *Env) read(env []byte) error {
	e.addrs = make(map[string]string)
	for s := bufio.NewScanner(bytes.NewReader(env)); s.Scan(); {
		key, value, ok := strings.Cut(s.Text(), "=")
		if !ok {
			return fmt.Errorf("peers/peers env: the line %q has no =", s.Text())
		}
		switch key {
		case "PEER_TREE":
			e.Tree = value
		case "PEER_USER":
			e.User = value
		case "PEER_PASSWORD":
			e.Password = value
		case "PEER_NEWSGROUP":
			e.Newsgroup = value
		case "PEER_CERT":
			e.Cert = value
		case "PEER_MAILDIR":
			e.Maildir = value
		default:
			name, ok := strings.CutPrefix(key, "PEER_")
			if _, err := netip.ParseAddrPort(value); ok && err == nil {
				e.addrs[strings.ToLower(name)] = value
			}
		}
	}
	return nil
}

// Addr gives host:port of a server. Besides the names given to [Start] there is "nnrpd", the second face of inn.
func (e *Env) Addr(t testing.TB, name string) string {
	t.Helper()
	addr, ok := e.addrs[name]
	if !ok {
		t.Fatalf("peers: no server %q", name)
	}
	return addr
}

// Log gives what a server has written to its log since [Start]: what it says it was asked (peers/README.md has the
// column). Lines of other tests may stand between.
func (e *Env) Log(t testing.TB, name string) string {
	t.Helper()
	log := e.log(t, name)
	if n := e.offsets[name]; n <= len(log) {
		return log[n:]
	}
	return log // the server was started afresh meanwhile, and its log with it
}

// WaitLog waits until a server's log, as [Env.Log] gives it, contains text, and returns it; if that does not happen in
// ten seconds, it fails the test.
func (e *Env) WaitLog(t testing.TB, name, text string) string {
	t.Helper()
	for end := time.Now().Add(logTime); ; time.Sleep(50 * time.Millisecond) {
		log := e.Log(t, name)
		if strings.Contains(log, text) {
			return log
		}
		if time.Now().After(end) {
			t.Fatalf("peers: the log of %s has no %q:\n%s", name, text, log)
		}
	}
}

func (e *Env) log(t testing.TB, name string) string {
	t.Helper()
	out, err := e.run(t.Context(), startTime, "log", name)
	if err != nil {
		t.Fatalf("peers: %v", err)
	}
	return string(out)
}
