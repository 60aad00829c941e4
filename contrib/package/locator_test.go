package package_test

import (
	"context"
	"io/fs"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"locator/internal/peers"
)

// The versions of the packages: the one before, and this one.
const older, newer = "0.0.1", "0.0.2-rc.1"

// machines has the architecture of this machine first.
func machines() []string {
	all := []string{"amd64", "arm64"}
	if runtime.GOARCH == all[1] {
		slices.Reverse(all)
	}
	return all
}

// install builds the program for an architecture with a version, and installs it.
func install(t *testing.T, arch, version, destination, prefix string) {
	t.Helper()
	build := t.TempDir()
	for _, args := range [][]string{{"BUILDFLAGS=", "VERSION=" + version}, {"install", "PREFIX=" + prefix, "DESTDIR=" + destination}} {
		must(t, []string{"GOOS=linux", "GOARCH=" + arch, "GOFLAGS=" + os.Getenv("GOFLAGS") + " -buildvcs=false", "SOURCE_DATE_EPOCH=" + epoch},
			append([]string{"make", "-C", "../..", "BUILD=" + build}, args...)...)
	}
}

// made is what the scripts have made for this machine.
type made struct{ stage, older, newer string }

// TestPackages builds the packages for both architectures, and installs, upgrades and removes those of this machine.
func TestPackages(t *testing.T) {
	t.Parallel()
	peers.LongRun(t, "packages of deb and rpm, and the image for containers")
	peers.Packages(t, "make", "lintian", "rpm", "rpmlint", "buildah", "podman", "mmdebstrap", "ca-certificates", "iproute2")
	dir := t.TempDir()
	native, foreign := machines()[0], machines()[1]
	stages := map[string]string{older: dir + "/older", newer: dir + "/newer", foreign: dir + "/foreign"}
	install(t, native, older, stages[older], "/usr")
	install(t, native, newer, stages[newer], "/usr")
	install(t, foreign, newer, stages[foreign], "/usr")
	// The same again, with other dates and modes.
	again := dir + "/again"
	must(t, nil, "sh", "-c", `umask 077; cp -R "$0" "$1"`, stages[newer], again)

	script := func(t *testing.T, name, stage, arch, version string, env ...string) string {
		out := must(t, append(env, "SOURCE_DATE_EPOCH="+epoch), "nice", "./"+name, stage, arch, version, t.TempDir())
		lines := strings.Split(strings.TrimSpace(out), "\n")
		return lines[len(lines)-1]
	}
	for name, try := range map[string]func(*testing.T, made){"deb": tryDeb, "rpm": tryRPM, "oci": tryImage} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			const fast = "DPKG_DEB_COMPRESSOR_LEVEL=0" // where nobody looks at the bytes
			m := made{stage: stages[newer], older: script(t, name, stages[older], native, older, fast), newer: script(t, name, stages[newer], native, newer)}
			second := script(t, name, again, native, newer, "TZ=Asia/Tokyo", "LC_ALL=C.UTF-8")
			if filepath.Base(second) != filepath.Base(m.newer) {
				t.Errorf("two names: %s and %s", m.newer, second)
			}
			must(t, nil, "cmp", m.newer, second)
			lint(t, name, m.newer)
			lint(t, name, script(t, name, stages[foreign], foreign, newer, fast))
			try(t, m)
		})
	}
}

// lint checks a package with the program of its distribution.
func lint(t *testing.T, kind, file string) {
	t.Helper()
	var args []string
	switch kind {
	case "deb":
		args = []string{"lintian", "--allow-root", "--fail-on", "error,warning", file}
	case "rpm":
		args = []string{"rpmlint", "--strict", "--config", "rpmlint.toml", file}
	default:
		return
	}
	if out, err := output(t.Context(), nil, args...); err != nil {
		t.Errorf("%s: %v\n%s", args, err, out)
	}
}

// system returns a new folder with a small Debian, in which a package can be installed.
func system(t *testing.T) string {
	t.Helper()
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	archive := filepath.Join(cache, "locator-packages", "debian12-"+runtime.GOARCH+".tar")
	if _, err := os.Stat(archive); err != nil {
		if err := os.MkdirAll(filepath.Dir(archive), 0o755); err != nil {
			t.Fatal(err)
		}
		part := archive + ".part.tar"
		out, err := output(t.Context(), nil, "nice", "mmdebstrap", "--variant=minbase", "--include=bash-completion,zsh,fish,man-db", "bookworm", part)
		if regexp.MustCompile(`Could not resolve|Temporary failure resolving|[Cc]onnection (timed out|refused)|Network is unreachable|Could not connect`).MatchString(out) {
			peers.Skip(t, "packages in a new Debian: the package registry cannot be reached")
		}
		if err == nil {
			err = os.Rename(part, archive)
		}
		if err != nil {
			t.Fatalf("mmdebstrap: %v\n%s", err, out)
		}
	}
	root := filepath.Join(t.TempDir(), "root")
	must(t, nil, "sh", "-c", `mkdir "$0" && tar -C "$0" -xf "$1"`, root, archive)
	return root
}

// in runs a shell script in a root, with devices and processes.
func in(t *testing.T, root, shell, script string) (string, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	return output(ctx, nil, "unshare", "--mount", "sh", "-c", `mount --rbind /dev "$0/dev" && mount -t proc proc "$0/proc" &&
		exec chroot "$0" /usr/bin/env -i HOME=/root TERM=xterm LC_ALL=C.UTF-8 PATH=/usr/sbin:/usr/bin:/sbin:/bin "$1" -c "$2"`, root, shell, script)
}

// names returns the names of all files and folders of a root with one of its words, or all.
func names(t *testing.T, root, word string) (all []string) {
	t.Helper()
	if err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if name = strings.TrimPrefix(name, root); strings.Contains(name, word) {
			all = append(all, name)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return all
}

// expect runs a script in a root, and reports an error unless its output matches a regular expression.
func expect(t *testing.T, root, shell, script, want string) {
	t.Helper()
	if got, err := in(t, root, shell, script); err != nil || !regexp.MustCompile(want).MatchString(got) {
		t.Errorf("%s: %v\n%s\nwant %s", script, err, got, want)
	}
}

// Each shell is asked for completions of "locator ch".
const (
	askBash = `. /usr/share/bash-completion/bash_completion && _completion_loader locator
COMP_WORDS=(locator ch) COMP_CWORD=1 COMP_LINE='locator ch' COMP_POINT=10
__start_locator locator ch locator; printf '%s\n' "${COMPREPLY[@]}"`
	askFish = `complete -C 'locator ch'`
	askZsh  = `zmodload zsh/zpty && zpty z 'zsh -f -i'
zpty -w z "autoload -U compinit; compinit -u -D; print rea''dy"
zpty -r -m z out '*ready*'
zpty -w -n z $'locator ch\t' && zpty -r -m z out '*locator check*' && print -r -- $out; zpty -d z`
)

func tryDeb(t *testing.T, m made) {
	root := system(t)
	usr, etc := names(t, root+"/usr", ""), names(t, root+"/etc", "")
	for i, file := range []string{m.older, m.newer} {
		must(t, nil, "cp", file, root+"/tmp/new.deb")
		expect(t, root, "sh", "dpkg -i /tmp/new.deb && dpkg -V locator && locator version", "locator "+regexp.QuoteMeta([]string{older, newer}[i]))
	}
	expect(t, root, "sh", `dpkg-query -W -f '${Version} ${Recommends}' locator`, `^0\.0\.2~rc\.1-1 ca-certificates$`)
	expect(t, root, "sh", "dpkg --compare-versions 0.0.2~rc.1-1 lt 0.0.2-1 && echo yes", "yes")
	expect(t, root, "bash", askBash, `(?m)^check\b`)
	expect(t, root, "fish", askFish, `(?m)^check\t`)
	expect(t, root, "zsh", askZsh, `locator check`)
	expect(t, root, "sh", "man -w locator && man locator && man locator-check", `^/usr/share/man/man1/locator\.1\.gz\n(.|\n)*NAME\n(.|\n)*locator-check`)
	expect(t, root, "sh", "zcat /usr/share/doc/locator/changelog.gz && zcat /usr/share/doc/locator/changelog.Debian.gz", `(?s)^# Changes.*locator \(0\.0\.2~rc\.1-1\)`)
	for _, name := range names(t, root, "locator-") {
		if strings.Contains(name, ".wants/") {
			t.Errorf("%s is enabled", name)
		}
	}
	expect(t, root, "sh", "rm /tmp/new.deb; dpkg -r locator && dpkg -P locator", "Removing locator")
	for _, left := range names(t, root, "locator") {
		if !strings.HasPrefix(left, "/var/cache/man/") { // pages that were read
			t.Errorf("the package left %s", left)
		}
	}
	if !slices.Equal(names(t, root+"/usr", ""), usr) || !slices.Equal(names(t, root+"/etc", ""), etc) {
		t.Error("the package left other files in /usr or /etc")
	}
}

func tryRPM(t *testing.T, m made) {
	root := t.TempDir()
	rpm := func(args ...string) string {
		return must(t, nil, append([]string{"rpm", "--root", root, "--dbpath", "/var/lib/rpm"}, args...)...)
	}
	rpm("--initdb")
	for i, file := range []string{m.older, m.newer} {
		rpm("--upgrade", file)
		rpm("--verify", "locator")
		version := []string{older, newer}[i]
		if got := must(t, nil, "chroot", root, "/usr/bin/locator", "version"); !strings.HasPrefix(got, "locator "+version) {
			t.Errorf("%q is not version %s", got, version)
		}
	}
	got := rpm("--query", "--queryformat", "%{version} %{arch} %{buildhost} %{buildtime} [%{recommends}]", "locator")
	want := "0.0.2~rc.1 " + map[string]string{"amd64": "x86_64", "arm64": "aarch64"}[runtime.GOARCH] + " reproducible " + epoch + " ca-certificates"
	if got != want {
		t.Errorf("%q, want %q", got, want)
	}
	rpm("--erase", "locator")
	if left := names(t, root, "locator"); left != nil {
		t.Errorf("the package left %q", left)
	}
}

// tryImage runs the image with podman: as a user without rights, with a root that nobody can write to.
func tryImage(t *testing.T, m made) {
	dir := t.TempDir()
	// crun, which podman calls, cannot do with controllers in a second hierarchy of cgroups.
	podman := func(space string, args ...string) (string, error) {
		all := []string{"unshare", "--mount", "sh", "-c", `! mountpoint -q /sys/fs/cgroup/unified || umount /sys/fs/cgroup/unified; ` + space, dir}
		return output(t.Context(), []string{"MINE=podman --root " + dir + "/store --runroot " + dir + "/run --storage-driver vfs --cgroup-manager cgroupfs",
			"RUN=run --rm --read-only --cap-drop all --network host --cgroups disabled --ulimit nofile=1024:1024 --ulimit nproc=1000:1000 localhost/locator:" + newer}, append(all, args...)...)
	}
	if out, err := podman(`$MINE load -i "$1"`, m.newer); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if out, err := podman(`$MINE $RUN version`); err != nil || !strings.HasPrefix(out, "locator "+newer) {
		t.Errorf("%v\n%s", err, out)
	}
	// With the roots of the image, a certificate of nobody is the error.
	server := httptest.NewTLSServer(nil)
	defer server.Close()
	out, err := podman(`$MINE $RUN get "$1"`, server.URL)
	if err == nil || !strings.Contains(out, "certificate") || strings.Contains(out, "no root certificates") {
		t.Errorf("%v\n%s", err, out)
	}
	if out, err := podman(`$MINE $RUN get -o /etc/new file:///etc/passwd`); err == nil || !strings.Contains(out, "read-only file system") {
		t.Errorf("%v\n%s", err, out)
	}
	// The command of the image listens on all addresses: those of a network of its own.
	out, err = podman(`exec unshare --net sh -c 'ip link set lo up
$MINE $RUN 2>"$0/log" & for i in $(seq 100); do "$1" get http://127.0.0.1:1738/-/health && break; sleep 0.2; done
grep -h ^Uid: $(grep -l 0.0.0.0:1738 /proc/[0-9]*/cmdline | sed "s/cmdline$/status/")
"$1" get http://127.0.0.1:1738/; status=$?
$MINE stop --all --time 10; wait; cat "$0/log"; exit $status' "$0" "$1"`, m.stage+"/usr/bin/locator")
	if err != nil || !strings.Contains(out, "<title>Locator</title>") || !strings.Contains(out, "Uid:\t65532\t65532") {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestUnits starts the units with a systemd of a user without rights.
func TestUnits(t *testing.T) {
	t.Parallel()
	peers.LongRun(t, "the units of systemd")
	peers.Packages(t, "make", "systemd", "iproute2")
	home, err := os.MkdirTemp("", "locator-units-") // which that user may enter
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(home)
	install(t, runtime.GOARCH, newer, "", home+"/.local")
	must(t, nil, "chown", "-R", "nobody", home)
	out, err := output(t.Context(), []string{"HOME=" + home}, "unshare", "--mount", "--net", "--pid", "--fork", "--mount-proc", "bash", "testdata/units.sh")
	for _, want := range []string{
		"unit: inactive inactive", // not enabled
		"gateway: active", "<title>Locator</title>", "NoNewPrivs:\t1", "Seccomp:\t2", "outbox: success", "timer: active",
		"unit       " + home + "/.local/share/systemd/user/locator-gateway.service\n", // of locator handler status
		"stopped: inactive",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q", want)
		}
	}
	if err != nil || t.Failed() {
		t.Errorf("%v\n%s", err, out)
	}
}
