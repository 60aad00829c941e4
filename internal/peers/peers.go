package peers

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

const (
	// startTime bounds the start of all servers that a test uses; other test binaries may hold the
	// lock meanwhile.
	startTime = 2 * time.Minute
	// installTime bounds the start with the download and installation of packages.
	installTime = 8 * time.Minute
	// logTime is how long [Env.WaitLog] waits: some servers write to the log after the reply.
	logTime = 10 * time.Second
	// unreachable is the script's exit status if the package registry cannot be reached.
	unreachable = 75
)

// Env has the addresses of the servers of a test and describes what they serve.
type Env struct {
	Tree      string // the folder that every ftp, http and gopher server serves; tests compare results with the files in it
	User      string // the login of proftpd, pureftpd and nginx's /login/
	Password  string // its password
	Newsgroup string // the group of inn with articles
	Maildir   string // where the smtp server stores messages
	Mails     string // where the smtps server stores messages with their envelopes, as JSON
	Run       string // where postfix and exim, each in a folder of its name, have the program sendmail and the mails that they took
	Cert      string // PEM file of the certificate of the servers with TLS, which is self-signed

	script  string
	env     []string // environment of the script, in addition to that of the process
	names   []string
	addrs   map[string]string
	offsets map[string]int // length of each server's log when Start returned
}

// common is what this process knows of the shared servers. The script takes a fifth of a second
// each time, so that it runs once for a server.
type common struct {
	mu   sync.Mutex
	done map[string]bool // verbs with the names of servers
	env  []byte          // the output of "peers env"
}

// shared returns the one value of a process, since servers outlive tests.
var shared = sync.OnceValue(func() *common { return &common{done: make(map[string]bool)} })

// Start starts the servers with these names, which internal/peers/README.md lists. A server that is
// up already is used as it is, so tests share servers: a test must not rely on being the only
// client. Start skips the test for the reasons in the package comment, and fails it for any other.
func Start(t testing.TB, names ...string) *Env {
	t.Helper()
	e := prepare(t, names)
	if err := e.once(t.Context(), startTime, "start"); err != nil {
		t.Fatalf("peers: %v", err)
	}
	for _, name := range names {
		e.Addr(t, name) // fail now for a name without an address
		e.offsets[name] = len(e.log(t, name))
	}
	return e
}

// once runs a verb of the script for the servers for which this process has not run it yet.
func (e *Env) once(ctx context.Context, limit time.Duration, verb string) error {
	c := shared()
	c.mu.Lock()
	defer c.mu.Unlock()
	args := []string{verb}
	for _, name := range e.names {
		if !c.done[verb+" "+name] {
			args = append(args, name)
		}
	}
	if len(args) == 1 {
		return nil
	}
	if _, err := e.run(ctx, limit, args...); err != nil {
		return err
	}
	for _, name := range args[1:] {
		c.done[verb+" "+name] = true
	}
	return nil
}

// Packages installs Debian packages of programs that a test runs. It skips and fails as [Start]
// does.
func Packages(t testing.TB, names ...string) {
	t.Helper()
	install(t, "packages", names)
}

// prepare installs the servers, or skips the test.
func prepare(t testing.TB, names []string) *Env {
	t.Helper()
	e := install(t, "install", names)
	if err := e.environment(t.Context()); err != nil {
		t.Fatalf("peers: %v", err)
	}
	return e
}

// install runs a verb of the script that installs what is named, or skips the test.
func install(t testing.TB, verb string, names []string) *Env {
	t.Helper()
	what := "real servers"
	if verb == "packages" {
		what = verb
	}
	if reason := unavailable(); reason != "" {
		Skip(t, "%s (%s): %s", what, strings.Join(names, ", "), reason)
	}
	script, err := find("internal/peers/peers")
	if err != nil {
		t.Fatalf("peers: %v", err)
	}
	e := &Env{script: script, names: names, offsets: make(map[string]int)}
	if err := e.once(t.Context(), installTime, verb); err != nil {
		if x, ok := errors.AsType[*exec.ExitError](err); ok && x.ExitCode() == unreachable {
			Skip(t, "%s (%s): the package registry cannot be reached", what, strings.Join(names, ", "))
		}
		t.Fatalf("peers: %v", err)
	}
	return e
}

// environment reads what "peers env" says.
func (e *Env) environment(ctx context.Context) (err error) {
	c := shared()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.env == nil {
		if c.env, err = e.run(ctx, startTime, "env"); err != nil {
			return err
		}
	}
	return e.read(c.env)
}

// unavailable returns the reason why this machine has no real servers, or "".
func unavailable() string {
	if os.Getenv("LOCATOR_PEERS") != "1" {
		return "set LOCATOR_PEERS=1 to run them, as root on Debian; ./test.sh sets it"
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

// find returns the path of a file of the project. It starts from the working folder, which is that
// of the package in a test, and goes up.
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

// run runs the script and returns its standard output. The error includes the standard error.
func (e *Env) run(ctx context.Context, limit time.Duration, args ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	var stdout, stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, e.script, args...)
	cmd.Env = append(os.Environ(), e.env...)
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	cmd.WaitDelay = 10 * time.Second // a busy machine starts the server late, which has the pipes until then
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("internal/peers/peers %s: %w\n%s", strings.Join(args, " "), err, stderr.Bytes())
	}
	return stdout.Bytes(), nil
}

// read parses the output of "peers env": lines of KEY=VALUE, where PEER_NAME=ADDRESS is the address
// of a server.
func (e *Env) read(env []byte) error {
	e.addrs = make(map[string]string)
	for s := bufio.NewScanner(bytes.NewReader(env)); s.Scan(); {
		key, value, ok := strings.Cut(s.Text(), "=")
		if !ok {
			return fmt.Errorf("internal/peers/peers env: the line %q has no =", s.Text())
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
		case "PEER_MAILS":
			e.Mails = value
		case "PEER_RUN":
			e.Run = value
		default:
			name, ok := strings.CutPrefix(key, "PEER_")
			if _, err := netip.ParseAddrPort(value); ok && err == nil {
				e.addrs[strings.ToLower(name)] = value
			}
		}
	}
	return nil
}

// Addr returns host:port of a server. Besides the names given to [Start] there is "nnrpd", the port
// of inn for readers.
func (e *Env) Addr(t testing.TB, name string) string {
	t.Helper()
	addr, ok := e.addrs[name]
	if !ok {
		t.Fatalf("peers: no server %q", name)
	}
	return addr
}

// Log returns what a server has written to its log since [Start], such as its requests
// (internal/peers/README.md has the details). It may include lines of other tests.
func (e *Env) Log(t testing.TB, name string) string {
	t.Helper()
	log := e.log(t, name)
	if n := e.offsets[name]; n <= len(log) {
		return log[n:]
	}
	return log // the server was restarted, and its log is new
}

// WaitLog waits until the log of a server, as returned by [Env.Log], contains text, and returns the
// log. It fails the test after ten seconds.
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

// log returns what "peers log" prints.
func (e *Env) log(t testing.TB, name string) string {
	t.Helper()
	log, err := os.ReadFile(filepath.Join(e.Run, name, "log"))
	if errors.Is(err, fs.ErrNotExist) {
		log, err = os.ReadFile(filepath.Join(e.Run, name, "out"))
	}
	if err != nil {
		t.Fatalf("peers: %v", err)
	}
	return string(log)
}
