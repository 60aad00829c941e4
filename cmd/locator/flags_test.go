package main

import (
	"bytes"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/spf13/pflag"

	"locator/internal/manual"
	"locator/scheme/all"
)

// TestMeaninglessFlags refuses each flag of schemeFlags for each scheme that it means nothing for,
// before anything is sent, and for no other: the policy refuses those.
func TestMeaninglessFlags(t *testing.T) {
	t.Parallel()
	file, box := filepath.Join(t.TempDir(), "text.txt"), t.TempDir()
	if err := os.WriteFile(file, []byte("text\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	values := map[string]string{"query": "x", "field": "a=b", "field-file": "a=" + file, "like": "wais://127.0.0.1:1/a/b/c", "output": file + ".reply", "type": "text/plain",
		"subject": "x", "from": "a@example.org", "attach": file, "notify": "never", "return": "full"}
	registry := all.Registry()
	refused := 0
	for _, f := range schemeFlags {
		args := []string{f.verb, "--" + f.name}
		if v, ok := values[f.name]; ok {
			args = append(args, v)
		}
		if f.verb == "put" {
			args = append(args, "--outbox", box, "--smtp", "127.0.0.1:1", "--mail", "a@example.org", file)
		}
		var has []string
		for _, name := range registry.Names() {
			if s, _ := registry.Lookup(name); f.means(s) {
				has = append(has, name)
			}
		}
		if len(has) == 0 || len(has) == len(registry.Names()) {
			t.Errorf("%s --%s is no flag of some schemes: %q", f.verb, f.name, has)
		}
		for _, name := range registry.Names() {
			url := map[string]string{"file": "file:///nothing/x", "mailto": "mailto:ann@127.0.0.1", "news": "news:a.b", "snews": "snews://127.0.0.1:1/a.b", "nntp": "nntp://127.0.0.1:1/a.b", "nntps": "nntps://127.0.0.1:1/a.b",
				"prospero": "prospero://127.0.0.1:1/x"}[name]
			if url == "" {
				url = name + "://127.0.0.1:1/"
			}
			if slices.Contains(has, name) {
				continue
			}
			refused++
			want := fmt.Sprintf("%s %s: --%s does not apply to %s URLs; it works with %s\n", f.verb, url, f.name, name, strings.Join(has, ", "))
			if out, errs, status := runText(t, "", append(slices.Clone(args), url)...); status != 2 || !strings.Contains(errs, want) {
				t.Errorf("%q: %d, %q, %s; want %s", args, status, out, errs, want)
			}
		}
	}
	if refused < 200 {
		t.Errorf("%d refused", refused)
	}
	for _, args := range [][]string{ // all ways of get and put
		{"get", "-r", "--decode", "ftp://127.0.0.1:1/"}, {"get", "-O", "--decode", "ftp://127.0.0.1:1/x"}, {"get", "--dry-run", "--open", "http://127.0.0.1:1/"},
		{"get", "--decode", "ftp://127.0.0.1:1/*.txt"}, {"list", "--threads", "ftp://127.0.0.1:1/*.txt"}, {"list", "-r", "--threads", "ftp://127.0.0.1:1/"},
		{"put", "-r", "--create-dirs", t.TempDir(), "http://127.0.0.1:1/"},
	} {
		if _, errs, status := runText(t, "", args...); status != 2 || !strings.Contains(errs, " does not apply to ") {
			t.Errorf("%q: %d, %s", args, status, errs)
		}
	}
}

// A setting of the configuration file is for the schemes that it means something for.
func TestMeaninglessSettings(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	conf, file := filepath.Join(dir, "c.toml"), filepath.Join(dir, "a")
	for name, text := range map[string]string{conf: "[get]\ndecode = true\nopen = true\n", file: "text\n"} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if out, errs, status := runText(t, "", "--config", conf, "get", "file://"+file); status != 0 || out != "text\n" {
		t.Errorf("%d, %q, %s", status, out, errs)
	}
}

// TestMessagesOfMistakes checks that messages begin with what is wrong, not with a call of the
// system.
func TestMessagesOfMistakes(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "text.txt")
	if err := os.WriteFile(file, []byte("text\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		status int
		want   string
		args   []string
	}{
		{11, "-o " + file + "/x: " + file + " is a file, not a folder", []string{"get", "-o", file + "/x", "http://127.0.0.1:1/"}},
		{4, "port 1 is refused", []string{"--outbox", t.TempDir(), "put", "--smtp", "smtp://127.0.0.1:1", "--from", "a@example.org", "--subject", "x", file, "mailto:ann@example.org"}},
		{4, "port 25 is refused", []string{"--news-server", "127.0.0.1:25", "get", "news:comp.lang.c"}},
	} {
		if out, errs, status := runText(t, "", tt.args...); status != tt.status || !strings.Contains(errs, tt.want) || strings.Contains(errs, "dial tcp") || strings.Contains(errs, "open ") {
			t.Errorf("%q: %d, %q, %s", tt.args, status, out, errs)
		}
	}
}

// A verb that accesses nothing has no other shared flags than those about messages, and the tables
// name only flags that exist.
//
// Covers: A15
func TestSharedFlags(t *testing.T) {
	t.Parallel()
	a := &app{}
	root := a.root()
	version, _, _ := root.Find([]string{"version"})
	var used []string
	a.flags.All.VisitAll(func(f *pflag.Flag) {
		if version.Flags().Lookup(f.Name) == f {
			used = append(used, f.Name)
		}
	})
	if got := strings.Join(used, " "); got != "json quiet verbose config" {
		t.Errorf("version uses %s", got)
	}
	for other, name := range manual.OtherNames {
		found := false
		for _, c := range root.Commands() {
			found = found || c.Flags().Lookup(name) != nil
		}
		if !found {
			t.Errorf("%s: there is no flag --%s", other, name)
		}
	}
	a.flags.All.VisitAll(func(f *pflag.Flag) {
		found := 0
		for _, c := range root.Commands() {
			if c.Flags().Lookup(f.Name) == f {
				found++
			}
		}
		if found == 0 {
			t.Errorf("no verb uses --%s", f.Name)
		}
	})
	for _, c := range manual.Pages(root)[1:] {
		if !strings.Contains(manual.VerbOrder, " "+c.Name()+" ") {
			t.Errorf("manual.VerbOrder lacks %s", c.Name())
		}
	}
}

// TestRequireTLS refuses schemes that cannot use TLS before anything is connected to, if --tls
// require is on the command line: a password in their URLs would go in clear text. Those that can
// are connected to.
//
// Covers: P1
func TestRequireTLS(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	var connected atomic.Int32
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			connected.Add(1)
			conn.Close()
		}
	}()
	at := l.Addr().String()
	_, port, _ := net.SplitHostPort(at)
	clear := "TLS is required, and %s sends everything in clear text; "
	web, over := fmt.Sprintf(clear, "http")+"use a URL that begins with https:", httptest.NewTLSServer(http.RedirectHandler("http://"+at+"/", http.StatusFound))
	defer over.Close()
	asked := "TLS is required, and the proxy or gateway is asked by http, which"
	for _, tt := range []struct {
		want string
		args []string
	}{
		{web, []string{"get", "http://ann:secret@" + at + "/"}},
		{web, []string{"get", "-O", "--dir", t.TempDir(), "http://ann:secret@" + at + "/x"}},
		{web, []string{"get", "--dry-run", "http://" + at + "/x"}},
		{web, []string{"attr", "http://" + at + "/"}},
		{web, []string{"list", "-r", "http://" + at + "/"}},
		{web, []string{"rm", "http://" + at + "/x"}},
		{web, []string{"put", os.DevNull, "http://" + at + "/x"}},
		{web, []string{"get", "--insecure", "--allow-port", over.URL[strings.LastIndex(over.URL, ":")+1:], over.URL + "/"}},
		{fmt.Sprintf(clear, "gopher") + "use a URL that begins with gophers:", []string{"list", "gopher://" + at + "/"}},
		{fmt.Sprintf(clear, "telnet") + "use a URL that begins with telnets:", []string{"get", "telnet://" + at + "/"}},
		{fmt.Sprintf(clear, "wais") + "no scheme has it over TLS", []string{"list", "wais://" + at + "/a?b"}},
		{fmt.Sprintf(clear, "prospero") + "no scheme has it over TLS", []string{"list", "prospero://" + at + "/a"}},
		{asked, []string{"get", "--gateway", "wais=http://" + at + "/", "wais://" + at + "/a"}},
		{asked, []string{"get", "--gateway", "wais=http://" + at, "wais://" + at + "/a"}},
	} {
		args := append([]string{"--tls", "require", "--allow-port", port}, tt.args...)
		if out, errs, status := runText(t, "", args...); status != 4 || !strings.Contains(errs, tt.want) || connected.Load() != 0 {
			t.Errorf("%q: %d, %q, %s, %d connections", tt.args, status, out, errs, connected.Load())
		}
	}
	var errs bytes.Buffer
	status := run(t.Context(), []string{"--tls", "require", "--allow-port", port, "--proxy-env", "get", "ftp://192.0.2.1/x"},
		world{In: strings.NewReader(""), Out: &errs, Err: &errs, Getenv: func(name string) string {
			return map[string]string{"ftp_proxy": "http://" + at}[name]
		}})
	if status != 4 || !strings.Contains(errs.String(), asked) || connected.Load() != 0 {
		t.Errorf("ftp by an http proxy: %d, %s, %d connections", status, errs.String(), connected.Load())
	}

	for i, url := range []string{"https://" + at + "/", "gophers://" + at + "/", "telnets://" + at + "/", "ftps://" + at + "/", "ftp://" + at + "/", "nntp://" + at + "/a.b"} {
		_, errs, status := runText(t, "", "--tls", "require", "--retries", "0", "--allow-port", port, "get", url)
		if status == 0 || strings.Contains(errs, "TLS is required") || int(connected.Load()) <= i {
			t.Errorf("%s: %d, %s, %d connections", url, status, errs, connected.Load())
		}
	}
	dir := t.TempDir()
	file, conf := filepath.Join(dir, "a"), filepath.Join(dir, "c.toml")
	for name, text := range map[string]string{file: "text\n", conf: "tls = \"require\"\n"} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if out, errs, status := runText(t, "", "--tls", "require", "get", "file://"+file); status != 0 || out != "text\n" {
		t.Errorf("file: %d, %q, %s", status, out, errs)
	}
	if _, errs, status := runText(t, "", "--tls", "require", "get", "mailto:ann@example.org"); status != 0 {
		t.Errorf("mailto: %d, %s", status, errs)
	}
	plain := httptest.NewServer(http.NotFoundHandler())
	defer plain.Close()
	if _, errs, status := runText(t, "", "--config", conf, "--allow-port", plain.URL[strings.LastIndex(plain.URL, ":")+1:], "get", plain.URL+"/"); status != 7 {
		t.Errorf("a setting of the configuration file is not for http: %d, %s", status, errs)
	}
}
