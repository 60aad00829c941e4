package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"locator/internal/peers"
)

// TestOwnRelease makes a release of this module with make dist, for all platforms and with all
// packages whose tools are installed, and makes it again from its source archive, without git and
// without a network.
func TestOwnRelease(t *testing.T) {
	t.Parallel()
	peers.LongRun(t, "a release for all platforms")
	need(t, "git", "make")
	if !exists("../../.git") {
		peers.Skip(t, "a release is made from a checkout")
	}
	version := releasePattern.FindStringSubmatch(read(t, "../../"+versionFile))[1] + "-dev.1"
	var packages []string
	for _, kind := range [][2]string{{"deb", "dpkg-deb"}, {"rpm", "rpmbuild"}, {"oci", "buildah"}} {
		if _, err := exec.LookPath(kind[1]); err == nil {
			packages = append(packages, kind[0])
		}
	}
	dist := func(root string, env []string, args ...string) map[string]string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), "make", append([]string{"dist", "PACKAGES=" + strings.Join(packages, " ")}, args...)...)
		cmd.Dir = root
		cmd.Env = append(os.Environ(), env...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", cmd, err, out)
		}
		return files(t, filepath.Join(root, "build", "dist"))
	}
	root := filepath.Join(t.TempDir(), "one")
	runIn(t, ".", "git", "clone", "-q", "../..", root)
	want := dist(root, nil, "VERSION="+version)
	for _, p := range platforms() {
		if _, name := p.archive(version); len(want[name]) < 5_000_000 {
			t.Errorf("%s has %d bytes", name, len(want[name]))
		}
	}
	dir := t.TempDir()
	runIn(t, dir, "tar", "xzf", filepath.Join(root, "build", "dist", "locator-"+version+"-source.tar.gz"))
	offline := []string{"GOPROXY=off", "GOFLAGS=-mod=vendor", "GOMODCACHE=" + filepath.Join(dir, "none")}
	equal(t, dist(filepath.Join(dir, "locator-"+version), offline), want)

	if runtime.GOOS != "linux" || !slices.Contains([]string{"amd64", "arm64"}, runtime.GOARCH) {
		return
	}
	folder := "locator-" + version + "-linux-" + runtime.GOARCH
	runIn(t, dir, "tar", "xzf", filepath.Join(root, "build", "dist", folder+".tar.gz"))
	out, err := exec.CommandContext(t.Context(), filepath.Join(dir, folder, "locator"), "version", "--json").Output()
	if err != nil || !regexp.MustCompile(`^{"version":"`+regexp.QuoteMeta(version)+`","revision":"[0-9a-f]{40}",.*"modules":\[{"path":"\S+","version":"v\S+","sum":"h1:\S+=",`).Match(out) {
		t.Errorf("the program says %s, %v", out, err)
	}
}
