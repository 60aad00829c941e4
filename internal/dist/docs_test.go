package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// blocks returns the blocks of commands of a section.
func blocks(t *testing.T, page, heading string) (all []string) {
	t.Helper()
	_, section, ok := strings.Cut(page, "\n## "+heading+"\n")
	if !ok {
		t.Fatalf("no section %s", heading)
	}
	section, _, _ = strings.Cut(section, "\n## ")
	for i, part := range strings.Split(section, "```\n") {
		if i%2 == 1 {
			all = append(all, part)
		}
	}
	return all
}

// checkInstallPage runs the commands of docs/install.md in a folder of downloads, with another
// folder for /usr/local. Those that verify run word by word.
func checkInstallPage(t *testing.T, dist, publicKey string) {
	t.Helper()
	page := read(t, "../../docs/install.md")
	dir, local := t.TempDir(), t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(dist)); err != nil {
		t.Fatal(err)
	}
	shell := func(commands string) (string, error) {
		cmd := exec.CommandContext(t.Context(), "sh", "-e", "-c", commands)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOPROXY=off", "GOFLAGS=", "PATH="+filepath.Join(local, "bin")+":"+os.Getenv("PATH"))
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	rooted := strings.NewReplacer("sudo make install", "make install PREFIX="+local, "sudo make uninstall", "make uninstall PREFIX="+local, "sudo ", "", "/usr/local", local)
	run := func(commands string) string {
		t.Helper()
		out, err := shell(rooted.Replace(commands))
		if err != nil {
			t.Errorf("%s: %v\n%s", commands, err, out)
		}
		return out
	}

	verify := blocks(t, page, "Verify a download")
	key := strings.Fields(read(t, publicKey))
	write(t, filepath.Join(dir, "allowed_signers"), strings.NewReplacer("ssh-ed25519", key[0], "KEY", key[1]).Replace(verify[0]), 0o644)
	out, err := shell(verify[1])
	if err != nil || !strings.Contains(out, `Good "file" signature for locator `) || !strings.Contains(out, "\nlocator-1.2.3-linux-amd64.tar.gz: OK\n") {
		t.Errorf("%v\n%s", err, out)
	}
	for _, name := range []string{"locator-1.2.3-linux-amd64.tar.gz", "SHA256SUMS", "SHA256SUMS.sig"} {
		file := filepath.Join(dir, name)
		before := read(t, file)
		write(t, file, strings.Replace(before, before[len(before)/2:len(before)/2+1], "\x00", 1), 0o644)
		if out, err := shell(verify[1]); err == nil {
			t.Errorf("a changed %s passes:\n%s", name, out)
		}
		write(t, file, before, 0o644)
	}

	archives := blocks(t, page, "Archives")
	run(archives[0] + archives[1])
	installed := sortedBelow(t, local)
	const programs = "bin/locator share/bash-completion/completions/locator share/fish/vendor_completions.d/locator.fish share/man/man1/locator.1 share/zsh/site-functions/_locator"
	if strings.Join(installed, " ") != programs {
		t.Errorf("installed: %q", installed)
	}
	if runtime.GOOS == "linux" && runtime.GOARCH == "amd64" {
		if out := run(archives[2]); !strings.HasPrefix(out, "version 1.2.3 1.2.3 ") {
			t.Errorf("the program says %q", out)
		}
	}
	uninstall := blocks(t, page, "Uninstall")
	run(uninstall[1])
	if left := sortedBelow(t, local); left != nil {
		t.Errorf("left: %q", left)
	}

	source := blocks(t, page, "From the source archive")
	run(source[0])
	if installed := strings.Join(sortedBelow(t, local), " "); !strings.HasPrefix(installed, "bin/locator ") || !strings.Contains(installed, "share/doc/locator/LICENSES") {
		t.Errorf("installed from source: %q", installed)
	}
	if out, err := exec.CommandContext(t.Context(), filepath.Join(local, "bin", "locator"), "version").Output(); err != nil || !strings.Contains(string(out), " 1.2.3 ") || !strings.HasSuffix(string(out), " 2027-01-02\n") {
		t.Errorf("the program from the source archive says %q, %v", out, err)
	}
	run("cd locator-1.2.3\n" + uninstall[0])
	if left := sortedBelow(t, local); left != nil {
		t.Errorf("left: %q", left)
	}
}

// sortedBelow returns the paths of all files below a folder.
func sortedBelow(t *testing.T, dir string) (all []string) {
	t.Helper()
	found, err := membersOf(dir, ".")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range found {
		all = append(all, m.name)
	}
	return all
}
