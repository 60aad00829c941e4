package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"locator/scheme/all"
)

// TestMeaninglessFlags refuses each flag of schemeFlags for each scheme that it means nothing for, before anything is sent, and for no
// other: the policy refuses those.
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

// TestMessagesOfMistakes checks that messages begin with what is wrong, not with a call of the system.
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
