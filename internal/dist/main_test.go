package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"locator/internal/buildinfo"
	"locator/internal/peers"
)

const testEpoch = "1798855200" // 2027-01-02

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func write(t *testing.T, name, text string, mode fs.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}

// runIn runs a command with a fixed author and date of commits.
func runIn(t *testing.T, dir, name string, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null", "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.org",
		"GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.org", "GIT_AUTHOR_DATE=@"+testEpoch+" +0000", "GIT_COMMITTER_DATE=@"+testEpoch+" +0000")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", cmd, err, out)
	}
}

func need(t *testing.T, programs ...string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		peers.Skip(t, "the Makefile is for Unix")
	}
	for _, p := range programs {
		if _, err := exec.LookPath(p); err != nil {
			peers.Skip(t, "%s is not installed", p)
		}
	}
}

// writeTree writes the source of testdata/tree.txtar, with a module that it requires.
func writeTree(t *testing.T, root string) {
	t.Helper()
	const module = "github.com/spf13/pflag"
	a, err := txtar.ParseFile("testdata/tree.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range a.Files {
		mode := fs.FileMode(0o644)
		if bytes.HasPrefix(f.Data, []byte("#!")) {
			mode = 0o755
		}
		write(t, filepath.Join(root, f.Name), string(f.Data), mode)
	}
	write(t, filepath.Join(root, "Makefile"), read(t, "../../Makefile"), 0o644)
	line := regexp.MustCompile(`(?m)^module .*|^go .*|^\s*`+module+` (.*)`).FindAllStringSubmatch(read(t, "../../go.mod"), -1)
	write(t, filepath.Join(root, "go.mod"), fmt.Sprintf("%s\n\n%s\n\nrequire %s %s\n", line[0][0], line[1][0], module, line[2][1]), 0o644)
	sums := regexp.MustCompile(`(?m)^`+module+` `+regexp.QuoteMeta(line[2][1])+`.*\n`).FindAllString(read(t, "../../go.sum"), -1)
	write(t, filepath.Join(root, "go.sum"), strings.Join(sums, ""), 0o644)
	var text strings.Builder
	all := realLicenses(t)
	for _, l := range all {
		switch l.Module {
		case all[0].Module, module, "the Go standard library", "xterm.js":
			name := strings.TrimSpace(l.Module + " " + l.Version + " " + l.Sum)
			fmt.Fprintf(&text, "\n%s%s\n%s\n%s", buildinfo.RuleOfLicenses, name, buildinfo.RuleOfLicenses, l.Text)
		}
	}
	write(t, filepath.Join(root, "cmd", "locator", "LICENSES"), text.String(), 0o644)
}

// checkout writes the source and commits it.
func checkout(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	writeTree(t, root)
	runIn(t, root, "git", "init", "-q")
	commit(t, root)
	return root
}

func commit(t *testing.T, root string) {
	t.Helper()
	runIn(t, root, "git", "add", "-A")
	runIn(t, root, "git", "commit", "-q", "-m", "a")
}

func testOptions(root string) options {
	return options{
		root: root, version: "1.2.3", out: filepath.Join(root, "build", "dist"), platforms: "linux/amd64", goCommand: "go", getenv: getenv, log: io.Discard,
	}
}

// getenv has no date, which a tester may have set.
func getenv(name string) string {
	if name == "SOURCE_DATE_EPOCH" {
		return ""
	}
	return os.Getenv(name)
}

// TestDist makes a release of a small source, from two checkouts and from its source archive, with
// the same bytes.
func TestDist(t *testing.T) {
	t.Parallel()
	need(t, "git", "make", "ssh-keygen")
	root := checkout(t)
	runIn(t, root, "git", "tag", "v1.2.3")
	key := filepath.Join(t.TempDir(), "key")
	runIn(t, ".", "ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "releases", "-f", key)
	o := testOptions(root)
	o.packages, o.signKey = "deb", key
	var log strings.Builder
	o.log = &log
	if err := run(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(log.String(), "not signed") {
		t.Errorf("log:\n%s", log.String())
	}
	if found, _ := os.ReadDir(filepath.Join(root, "build")); len(found) != 1 {
		t.Errorf("beside the result is %v", found)
	}
	want := files(t, o.out)
	names := []string{
		"SHA256SUMS", "SHA256SUMS.sig", "locator-1.2.3-linux-amd64.tar.gz", "locator-1.2.3-source.tar.gz", "locator-1.2.3.cdx.json", "locator.rb", "locator_1.2.3_amd64.deb",
	}
	if got := sorted(want); !slices.Equal(got, names) {
		t.Errorf("files %q\nwant %q", got, names)
	}
	checkSums(t, want)
	checkProgramArchive(t, want["locator-1.2.3-linux-amd64.tar.gz"])
	if deb := want["locator_1.2.3_amd64.deb"]; !strings.Contains(deb, "./usr/bin/locator\n") || !strings.Contains(deb, "./usr/share/man/man1/locator.1\n") ||
		!strings.HasSuffix(deb, testEpoch+"\n") {
		t.Errorf("the package holds:\n%s", deb)
	}

	again := testOptions(filepath.Join(t.TempDir(), "again"))
	again.packages, again.signKey = o.packages, o.signKey
	runIn(t, ".", "git", "clone", "-q", root, again.root)
	write(t, filepath.Join(again.out, "SHA256SUMS"), sumOfText("")+"  old\n", 0o644) // a result before, which is replaced
	write(t, filepath.Join(again.out, "old"), "", 0o644)
	if err := run(t.Context(), again); err != nil {
		t.Fatal(err)
	}
	equal(t, files(t, again.out), want)

	source := unpack(t, want["locator-1.2.3-source.tar.gz"])
	if _, ok := source["locator-1.2.3/vendor/modules.txt"]; !ok {
		t.Errorf("the source archive has only %q", sorted(source))
	}
	dir := t.TempDir()
	for name, text := range source {
		mode := fs.FileMode(0o644)
		if strings.HasPrefix(text, "#!") {
			mode = 0o755
		}
		write(t, filepath.Join(dir, name), text, mode)
	}
	third := testOptions(filepath.Join(dir, "locator-1.2.3"))
	third.packages, third.signKey = o.packages, o.signKey
	write(t, filepath.Join(third.root, "build", "old"), "", 0o644) // what is built is not packed
	third.getenv = func(name string) string {
		switch name {
		case "GOMODCACHE":
			return filepath.Join(dir, "none") // the modules are in the archive
		case "GOFLAGS":
			return "-mod=mod"
		}
		return getenv(name)
	}
	if err := run(t.Context(), third); err != nil {
		t.Fatal(err)
	}
	equal(t, files(t, third.out), want)
	checkInstallPage(t, o.out, key+".pub")
}

func sorted(m map[string]string) (names []string) {
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	found, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	all := make(map[string]string)
	for _, f := range found {
		all[f.Name()] = read(t, filepath.Join(dir, f.Name()))
	}
	return all
}

func equal(t *testing.T, got, want map[string]string) {
	t.Helper()
	if !slices.Equal(sorted(got), sorted(want)) {
		t.Errorf("files %q\nwant %q", sorted(got), sorted(want))
	}
	for name := range want {
		if got[name] != want[name] {
			t.Errorf("%s has other bytes", name)
		}
	}
}

// unpack returns the files of an archive, and checks what has to be the same everywhere.
func unpack(t *testing.T, archive string) map[string]string {
	t.Helper()
	z, err := gzip.NewReader(strings.NewReader(archive))
	if err != nil {
		t.Fatal(err)
	}
	all := make(map[string]string)
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		mode := int64(0o644)
		if strings.HasPrefix(string(data), "#!") || strings.HasPrefix(string(data), "\x7fELF") {
			mode = 0o755
		}
		if h.Mode != mode || fmt.Sprint(h.ModTime.Unix()) != testEpoch || h.Uid != 0 || h.Uname != "" {
			t.Errorf("%s: mode %o, time %v, owner %d %q", h.Name, h.Mode, h.ModTime, h.Uid, h.Uname)
		}
		all[h.Name] = string(data)
	}
}

func checkSums(t *testing.T, all map[string]string) {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(all["SHA256SUMS"]), "\n")
	if len(lines) != len(all)-2 {
		t.Errorf("%d sums of %d files", len(lines), len(all))
	}
	for _, line := range lines {
		sum, name, _ := strings.Cut(line, "  ")
		if got := sumOfText(all[name]); got != sum {
			t.Errorf("%s: sum %s, want %s", name, sum, got)
		}
	}
}

func checkProgramArchive(t *testing.T, archive string) {
	t.Helper()
	all := unpack(t, archive)
	const folder = "locator-1.2.3-linux-amd64/"
	want := []string{"CHANGELOG.md", "LICENSE", "LICENSES", "README.md", "completion/locator.bash", "completion/locator.fish", "completion/locator.zsh", "locator", "man/locator.1"}
	for i := range want {
		want[i] = folder + want[i]
	}
	if got := sorted(all); !slices.Equal(got, want) {
		t.Errorf("the archive has %q\nwant %q", got, want)
	}
	if got := all[folder+"man/locator.1"]; got != ".TH locator 1 2027-01-02\n" {
		t.Errorf("the manual page is %q", got)
	}
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		return
	}
	program := filepath.Join(t.TempDir(), "locator")
	write(t, program, all[folder+"locator"], 0o755)
	out, err := exec.CommandContext(t.Context(), program, "version").Output()
	if err != nil || !regexp.MustCompile(`^version 1\.2\.3 1\.2\.3 [0-9a-f]{40} 2027-01-02\n$`).Match(out) {
		t.Errorf("the program says %q, %v", out, err)
	}
}

// TestNothingHalfMade stops a run in the middle, and lets a build fail.
func TestNothingHalfMade(t *testing.T) {
	t.Parallel()
	need(t, "git", "make")
	root := checkout(t)
	o := testOptions(root)
	ctx, cancel := context.WithCancelCause(t.Context())
	stopped := errors.New("stopped")
	o.log = writerFunc(func(p []byte) (int, error) {
		if strings.Contains(string(p), "manual pages") {
			cancel(stopped)
		}
		return len(p), nil
	})
	if err := run(ctx, o); !errors.Is(err, stopped) {
		t.Errorf("stopped: %v", err)
	}
	write(t, filepath.Join(root, "cmd", "locator", "bad.go"), "package main\n\nvar x int = y\n", 0o644)
	commit(t, root)
	o.log = io.Discard
	if err := run(t.Context(), o); err == nil || !strings.Contains(err.Error(), "undefined: y") {
		t.Errorf("a source with an error: %v", err)
	}
	if found, err := os.ReadDir(filepath.Join(root, "build")); err != nil || len(found) != 0 {
		t.Errorf("left: %v, %v", found, err)
	}
}

// TestReplaceFolder keeps an earlier result that cannot be replaced.
func TestReplaceFolder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	to := filepath.Join(dir, "to")
	write(t, filepath.Join(to, "file"), "", 0o644)
	if err := replaceFolder(filepath.Join(dir, "missing"), to, filepath.Join(dir, "before")); err == nil || !exists(filepath.Join(to, "file")) {
		t.Errorf("the earlier result is gone: %v", err)
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

// TestBadInput checks that a run says what is wrong before it makes anything.
func TestBadInput(t *testing.T) {
	t.Parallel()
	need(t, "git", "make", "ssh-keygen")
	root := checkout(t)
	bare := t.TempDir()
	writeTree(t, bare)
	notKey := filepath.Join(t.TempDir(), "text")
	write(t, notKey, "hello", 0o644)
	damaged := filepath.Join(t.TempDir(), "damaged")
	write(t, damaged, "-----BEGIN OPENSSH PRIVATE KEY-----\n", 0o600)
	write(t, filepath.Join(bare, "full", "file"), "", 0o644)
	write(t, filepath.Join(bare, "more", "SHA256SUMS"), sumOfText("")+"  a\n", 0o644)
	write(t, filepath.Join(bare, "more", "a"), "", 0o644)
	write(t, filepath.Join(bare, "more", "diary"), "", 0o644)
	dirty := checkout(t)
	write(t, filepath.Join(dirty, "README.md"), "changed", 0o644)
	for i := range 12 {
		write(t, filepath.Join(dirty, fmt.Sprintf("new %d\x1b", i)), "", 0o644)
	}
	tagged := checkout(t)
	runIn(t, tagged, "git", "tag", "v1.3.0")
	runIn(t, tagged, "git", "tag", "other")
	for _, test := range []struct {
		name, want string
		change     func(*options)
	}{
		{"no version", "name it with VERSION=1.2.3", func(o *options) { o.version = "" }},
		{"bad version", "VERSION=v1.2.3 is not a version: write three numbers without v", func(o *options) { o.version = "v1.2.3" }},
		{"no such platform", `PLATFORMS names "linux/vax": known are linux/amd64`, func(o *options) { o.platforms = "linux/amd64 linux/vax" }},
		{"no such package", `PACKAGES names "apk": known are deb rpm oci`, func(o *options) { o.packages = "deb apk" }},
		{"no key", "SIGN_KEY=/no/key cannot be read: no such file", func(o *options) { o.signKey = "/no/key" }},
		{"key is a folder", "cannot be read: is a directory", func(o *options) { o.signKey = root }},
		{"not a key", "is not a key of ssh: make one with ssh-keygen", func(o *options) { o.signKey = notKey }},
		{"damaged key", "damaged does not sign: exit status", func(o *options) { o.signKey = damaged }},
		{"base URL", "BASEURL=http://example.org is not an https URL", func(o *options) { o.baseURL = "http://example.org" }},
		{"no go", "no-such-go is not installed: install the package golang-go", func(o *options) { o.goCommand = "no-such-go" }},
		{"other files", "holds other files than those of a release: name another folder with DIST=", func(o *options) { o.out = filepath.Join(bare, "full") }},
		{"downloads", "more holds other files than those of a release", func(o *options) { o.out = filepath.Join(bare, "more") }},
		{"no folder", "dist holds other files than those of a release", func(o *options) { o.out = "" }},
		{"changed", `has changes, commit or remove them first: "README.md", "new 0\x1b", "new 1\x1b"`, func(o *options) { o.root = dirty }},
		{"many changes", " and 3 more", func(o *options) { o.root = dirty }},
		{"tag", "the revision has the tag v1.3.0: VERSION=1.2.3 needs v1.2.3", func(o *options) { o.root = tagged }},
		{"several problems", "set SOURCE_DATE_EPOCH, in seconds since 1970, and REVISION if you know it\nno version: name it", func(o *options) { o.root, o.version = bare, "" }},
		{"bad date", "SOURCE_DATE_EPOCH=2026-11-29 is not a date in seconds", func(o *options) {
			o.getenv = func(string) string { return "2026-11-29" }
		}},
	} {
		o := testOptions(root)
		o.out = filepath.Join(bare, "build", "dist")
		test.change(&o)
		if err := run(t.Context(), o); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v; want %s", test.name, err, test.want)
		}
		if exists(filepath.Join(bare, "build")) {
			t.Fatalf("%s: something was made", test.name)
		}
	}
}

// TestMissingTools has no path for programs.
func TestMissingTools(t *testing.T) {
	need(t, "git")
	o := testOptions(checkout(t))
	t.Setenv("PATH", t.TempDir())
	o.signKey = "key"
	err := run(t.Context(), o)
	for _, want := range []string{"install the package git", "install the package golang-go", "install the package make", "ssh-keygen is not installed: install the package openssh-client"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want %s", err, want)
		}
	}
}

// TestMissingPackageTools has a script whose programs are missing.
func TestMissingPackageTools(t *testing.T) {
	t.Parallel()
	need(t, "git", "make")
	root := checkout(t)
	write(t, filepath.Join(root, "contrib", "package", "deb.tools"), "echo rpmbuild, from the Debian package rpm >&2; exit 1\n", 0o644)
	commit(t, root)
	o := testOptions(root)
	o.packages = "deb"
	if err := run(t.Context(), o); err == nil || !strings.Contains(err.Error(), "rpmbuild, from the Debian package rpm") || exists(filepath.Join(root, "build")) {
		t.Errorf("%v, or something was made", err)
	}
}

// TestOtherSource makes a release of a source without git, of which only the environment knows the
// date.
func TestOtherSource(t *testing.T) {
	t.Parallel()
	need(t, "make")
	root := t.TempDir()
	writeTree(t, root)
	o := testOptions(root)
	o.revision = "1a2b3c4d"
	o.getenv = func(name string) string {
		if name == "SOURCE_DATE_EPOCH" {
			return testEpoch
		}
		return os.Getenv(name)
	}
	r := &release{options: o, work: t.TempDir()}
	if err := r.check(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := r.makeTree(t.Context()); err != nil {
		t.Fatal(err)
	}
	const want = "# What the source was made from. The Makefile includes this file.\nVERSION = 1.2.3\nREVISION = 1a2b3c4d\nSOURCE_DATE_EPOCH ?= " + testEpoch + "\n"
	if got := read(t, filepath.Join(r.tree, sourceFile)); got != want {
		t.Errorf("%s:\n%s", sourceFile, got)
	}
	o.root = r.tree
	o.getenv = getenv
	s, err := readSource(t.Context(), o)
	if err != nil || s.revision != "1a2b3c4d" || fmt.Sprint(s.epoch) != testEpoch {
		t.Errorf("%s, %d, %v", s.revision, s.epoch, err)
	}
}

// TestWithoutKey makes checksums without a signature, and says so.
func TestWithoutKey(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var log strings.Builder
	r := &release{options: testOptions(dir), files: dir}
	r.log = &log
	write(t, filepath.Join(dir, "a"), "a", 0o644)
	if err := r.writeSums(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := sorted(files(t, dir)); !slices.Equal(got, []string{"SHA256SUMS", "a"}) || !strings.Contains(log.String(), "not signed: SIGN_KEY names no key") {
		t.Errorf("files %q, log %s", got, log.String())
	}
}

// realLicenses returns the licences of the program.
func realLicenses(t *testing.T) []buildinfo.License {
	t.Helper()
	all := buildinfo.ParseLicenses(read(t, "../../cmd/locator/LICENSES"))
	if len(all) < 10 {
		t.Fatalf("only %d licences", len(all))
	}
	return all
}

func sumOfText(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}
