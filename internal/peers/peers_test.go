package peers

import (
	"bytes"
	"io"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestStart requests a file from a real server and finds the request in its log.
func TestStart(t *testing.T) {
	t.Parallel()
	e := Start(t, "nginx")
	client := &http.Client{Timeout: 10 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}}
	res, err := client.Get("http://" + e.Addr(t, "nginx") + "/text.txt?TestStart")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	got, err := io.ReadAll(io.LimitReader(res.Body, 1<<20))
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(filepath.Join(e.Tree, "text.txt"))
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Errorf("got %q, the tree has %q", got, want)
	}
	e.WaitLog(t, "nginx", "GET /text.txt?TestStart ")
	if e.User == "" || e.Password == "" || e.Newsgroup == "" || e.Maildir == "" || e.Mails == "" {
		t.Errorf("an empty field: %+v", e)
	}
}

// TestScriptError checks that the error contains the message of the script.
func TestScriptError(t *testing.T) {
	t.Parallel()
	script, err := find("internal/peers/peers")
	if err != nil {
		t.Fatal(err)
	}
	if unavailable() != "" {
		Skip(t, "the script of real servers: %s", unavailable())
	}
	e := &Env{script: script}
	if _, err := e.run(t.Context(), startTime, "start", "nosuchserver"); err == nil ||
		!strings.Contains(err.Error(), "no server 'nosuchserver'") {
		t.Errorf("got error %v", err)
	}
}

func TestRead(t *testing.T) {
	t.Parallel()
	var e Env
	if err := e.read([]byte("PEER_NGINX=127.0.0.1:80\nPEER_TREE=/a/tree\nPEER_USER=u\nPEERS_DIR=/a\n")); err != nil {
		t.Fatal(err)
	}
	if e.addrs["nginx"] != "127.0.0.1:80" || e.Tree != "/a/tree" || e.User != "u" || len(e.addrs) != 1 {
		t.Errorf("got %+v", e)
	}
	if err := e.read([]byte("nonsense\n")); err == nil {
		t.Error("no error for a line without =")
	}
}

func TestRecord(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "skips")
	for _, reason := range []string{"one", "two\n lines"} {
		if err := record(file, "TestX", reason); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if want := "TestX: one\nTestX: two lines\n"; string(got) != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if err := record("", "TestX", "one"); err != nil {
		t.Errorf("without a file: %v", err)
	}
	if err := record(filepath.Join(file, "x"), "TestX", "one"); err == nil {
		t.Error("no error for a file that cannot be created")
	}
}

// TestNotInstalled checks that a server is not installed if Debian's database does not know its
// package.
func TestNotInstalled(t *testing.T) {
	t.Parallel()
	script, err := find("internal/peers/peers")
	if err != nil {
		t.Fatal(err)
	}
	if unavailable() != "" {
		Skip(t, "the script of real servers: %s", unavailable())
	}
	cmd := exec.CommandContext(t.Context(), script, "status")
	cmd.Env = append(os.Environ(), "PEERS_DIR="+t.TempDir(), "DPKG_ADMINDIR="+t.TempDir())
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(out)) {
		if !strings.HasSuffix(line, "not installed\n") {
			t.Errorf("without any package: %s", line)
		}
	}
}

// TestListed checks that test.sh installs every server that a test uses. A server that is not on
// its list would be installed while the tests run, within their time limits.
func TestListed(t *testing.T) {
	t.Parallel()
	script, err := find("test.sh")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(script)
	if err != nil {
		t.Fatal(err)
	}
	var listed []string
	for _, list := range regexp.MustCompile(`(?m)^(?:long_)?servers=\((.*?)\)`).FindAllSubmatch(text, -1) {
		listed = append(listed, strings.Fields(string(list[1]))...)
	}
	if len(listed) == 0 {
		t.Fatal("test.sh has no list of servers")
	}
	root := filepath.Dir(script)
	table, err := os.ReadFile(filepath.Join(root, "internal", "peers", "peers"))
	if err != nil {
		t.Fatal(err)
	}
	var known []string
	for _, m := range regexp.MustCompile(`(?m)^(?:table="| {7})([a-z]+) +[0-9]+(?: |$)`).FindAllSubmatch(table, -1) {
		known = append(known, string(m[1]))
	}
	if len(known) < 10 {
		t.Fatalf("read only %q from the table of internal/peers/peers", known)
	}
	for _, name := range listed {
		if !slices.Contains(known, name) {
			t.Errorf("test.sh lists %s, which internal/peers/peers does not know", name)
		}
	}
	if err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && path != root && strings.HasPrefix(d.Name(), ".") {
			return fs.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(path, "_test.go") || filepath.Dir(path) == filepath.Join(root, "internal", "peers") {
			return nil
		}
		source, err := os.ReadFile(path)
		if err != nil || !bytes.Contains(source, []byte(`"locator/internal/peers"`)) {
			return err
		}
		for _, name := range known {
			if !slices.Contains(listed, name) && bytes.Contains(source, []byte(`"`+name+`"`)) {
				t.Errorf("%s uses %s, which is not on the list of servers in test.sh", path, name)
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}
