package main

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"locator/internal/peers"
)

func needMake(t *testing.T) {
	t.Helper()
	if runtime.GOOS == "windows" {
		peers.Skip(t, "the Makefile is for Unix")
	}
	if _, err := exec.LookPath("make"); err != nil {
		peers.Skip(t, "make is not installed")
	}
}

// TestInstall builds a package and checks what is installed, without Go, and that uninstall removes
// it.
func TestInstall(t *testing.T) {
	t.Parallel()
	needMake(t)
	dir := t.TempDir()
	run := func(args ...string) (string, error) {
		cmd := exec.CommandContext(t.Context(), "make", append([]string{"-C", "../..", "BUILD=" + dir + "/build", "PREFIX=/usr", "DESTDIR=" + dir + "/the root"}, args...)...)
		cmd.Env = append(os.Environ(), "GOFLAGS="+os.Getenv("GOFLAGS")+" -buildvcs=false", "SOURCE_DATE_EPOCH=1798855200")
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	if out, err := run("install", "GO=false"); err == nil || !strings.Contains(out, "run make first") {
		t.Errorf("install before a build: %v\n%s", err, out)
	}
	// With the flags of the tests the build uses the packages that they have compiled.
	if out, err := run("BUILDFLAGS=", "VERSION=9.9.9", "REVISION=1a2b3c4d"); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	checkSize(t, dir+"/build/locator")
	for _, prefix := range [][]string{{"PREFIX=/a&b"}, {"PREFIX=/a b", "BINDIR=/bin"}} {
		if out, err := run(append(prefix, "install", "GO=false")...); err == nil || !strings.Contains(out, "must consist of letters") {
			t.Errorf("%s, which a unit or make cannot have: %v\n%s", prefix, err, out)
		}
	}
	for range 2 { // again over what is installed
		if out, err := run("install", "GO=false"); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	root := os.DirFS(dir + "/the root")
	var got []string
	if err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			got = append(got, name)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	text := func(name string) string {
		data, err := fs.ReadFile(root, name)
		if err != nil {
			t.Error(err)
		}
		return string(data)
	}
	want := []string{
		"usr/bin/locator", "usr/share/bash-completion/completions/locator", "usr/share/fish/vendor_completions.d/locator.fish",
		"usr/share/zsh/site-functions/_locator", "usr/share/man/man1/locator.1",
		"usr/share/applications/locator.desktop", "usr/share/icons/hicolor/scalable/apps/locator.svg", "usr/share/systemd/user/locator-gateway.service",
		"usr/share/systemd/user/locator-outbox.service", "usr/share/systemd/user/locator-outbox.timer",
	}
	for _, name := range []string{"CHANGELOG.md", "LICENSE", "LICENSES", "README.md"} {
		want = append(want, "usr/share/doc/locator/"+name)
	}
	for _, c := range (&app{}).root().Commands() {
		if !c.Hidden { // a former name has no page
			want = append(want, "usr/share/man/man1/locator-"+c.Name()+".1")
		}
	}
	slices.Sort(want)
	if slices.Sort(got); !slices.Equal(got, want) {
		t.Errorf("installed:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	out, err := exec.CommandContext(t.Context(), filepath.Join(dir, "the root", "usr", "bin", "locator"), "version").Output()
	if err != nil || !strings.HasPrefix(string(out), "locator 9.9.9+1a2b3c4d go") || strings.Contains(string(out), "unknown") {
		t.Errorf("the version is %q, %v", out, err)
	}
	for name, word := range map[string]string{
		"usr/share/man/man1/locator-get.1":                 `.TH "LOCATOR-GET" "1" "2027-01-02" "Locator 9.9.9" "Locator"`,
		"usr/share/bash-completion/completions/locator":    "complete -o default -F __start_locator locator",
		"usr/share/zsh/site-functions/_locator":            "#compdef locator",
		"usr/share/fish/vendor_completions.d/locator.fish": "complete -c locator",
		"usr/share/applications/locator.desktop":           "\nExec=\"/usr/bin/locator\" open %u\n",
		"usr/share/systemd/user/locator-outbox.service":    "\nExecStart=\"/usr/bin/locator\" outbox send -q\n",
		"usr/share/doc/locator/LICENSES":                   "\ngithub.com/spf13/cobra v",
	} {
		if !strings.Contains(text(name), word) {
			t.Errorf("%s does not contain %q", name, word)
		}
	}
	own := filepath.Join(dir, "the root", "usr", "bin", "own")
	if err := os.WriteFile(own, nil, 0o700); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if out, err := run("uninstall", "GO=false"); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	if err := filepath.WalkDir(dir+"/the root", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && name != own || d != nil && d.Name() == "locator" {
			t.Errorf("uninstall leaves %s", name)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
}

// TestCheck runs make check for two packages, of which one skips a test: it counts those by reason.
func TestCheck(t *testing.T) {
	t.Parallel()
	needMake(t)
	cmd := exec.CommandContext(t.Context(), "make", "-C", "../..", "check", "BUILD="+t.TempDir(), "PACKAGES=-run=TestConformancePeers ./internal/octet ./scheme/telnet")
	cmd.Env = append(os.Environ(), "LOCATOR_PEERS=", "GOFLAGS="+os.Getenv("GOFLAGS")+" -buildvcs=false")
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "SKIPPED: 1\n      1 real servers") {
		t.Errorf("%v\n%s", err, out)
	}
}
