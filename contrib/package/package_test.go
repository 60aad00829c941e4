package package_test

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"locator/internal/peers"
)

const epoch = "1764000000" // 2025-11-24

// scripts are the programs of this folder, with what they need.
var scripts = map[string]string{"deb": "dpkg-deb", "rpm": "rpmbuild", "oci": "buildah"}

// output runs a command with more variables in its environment, and returns what it writes.
func output(ctx context.Context, env []string, args ...string) (string, error) {
	var b bytes.Buffer
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Env = append(os.Environ(), env...)
	cmd.Stdout, cmd.Stderr = &b, &b
	err := cmd.Run()
	return b.String(), err
}

// must returns the output of a command that has to succeed.
func must(t *testing.T, env []string, args ...string) string {
	t.Helper()
	out, err := output(t.Context(), env, args...)
	if err != nil {
		t.Fatalf("%s: %v\n%s", args, err, out)
	}
	return out
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// licence is a section of LICENSES with a text.
func licence(text string) string {
	rule := strings.Repeat("=", 80) + "\n"
	return rule + "host.dom/module v1.0.0\n" + rule + "\nCopyright (c) 2026 Somebody\n\n" + text + "\n"
}

// fakeStage is a stage whose program is the header of one for amd64.
func fakeStage(t *testing.T) string {
	t.Helper()
	stage := t.TempDir()
	write(t, stage+"/usr/bin/locator", "\x7fELF\x02\x01\x01"+strings.Repeat("\x00", 9)+"\x02\x00\x3e\x00")
	write(t, stage+"/usr/share/man/man1/locator.1", ".TH LOCATOR 1\n")
	write(t, stage+"/usr/share/doc/locator/LICENSES", licence("Permission is hereby granted, free of charge, to anybody."))
	for _, name := range []string{"applications/locator.desktop", "doc/locator/LICENSE", "doc/locator/CHANGELOG.md", "systemd/user/x", "zsh/site-functions/_locator"} {
		write(t, stage+"/usr/share/"+name, "")
	}
	return stage
}

// Bad input is refused with what is wrong with it, and leaves nothing.
func TestBadInput(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		peers.Skip(t, "packages are built on Unix")
	}
	// These programs, and none that builds packages.
	bin := t.TempDir()
	for _, name := range []string{"bash", "dirname", "mkdir", "od", "id"} {
		path, err := exec.LookPath(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(path, filepath.Join(bin, name)); err != nil {
			t.Fatal(err)
		}
	}
	stage, empty := fakeStage(t), t.TempDir()
	for script, tool := range scripts {
		for _, test := range []struct {
			args, date, want string
		}{
			{"--tools", "", "\n  " + tool + ", from the Debian package "},
			{"", epoch, "usage: " + script + " STAGE ARCH VERSION OUT"},
			{stage + " amd64 1.2.3", epoch, "usage: "},
			{stage + " amd64 1.2.3 OUT", "", "SOURCE_DATE_EPOCH must be"},
			{stage + " amd64 1.2.3 OUT", "yesterday", "SOURCE_DATE_EPOCH must be"},
			{stage + " mips 1.2.3 OUT", epoch, "ARCH is 'mips', must be amd64 or arm64"},
			{stage + " arm64 1.2.3 OUT", epoch, "usr/bin/locator is not a program for linux/arm64"},
			{stage + " amd64 v1.2.3 OUT", epoch, "VERSION is 'v1.2.3', must be as 1.2.3 or 1.2.3-rc.1"},
			{stage + " amd64 1.2.3-a-b OUT", epoch, "VERSION is '1.2.3-a-b'"},
			{stage + " amd64 %{lua:os.exit()} OUT", epoch, "VERSION is '%{lua:os.exit()}'"},
			{stage + "/%{x} amd64 1.2.3 OUT", epoch, "STAGE and OUT must consist of"},
			{empty + " amd64 1.2.3 OUT", epoch, "make install DESTDIR=" + empty + " PREFIX=/usr"},
			{stage + " amd64 1.2.3 OUT", epoch, "\n  " + tool + ", from the Debian package "},
		} {
			out := filepath.Join(t.TempDir(), "out")
			args := append([]string{filepath.Join(bin, "bash"), "./" + script}, strings.Fields(strings.ReplaceAll(test.args, "OUT", out))...)
			got, err := output(t.Context(), []string{"PATH=" + bin, "SOURCE_DATE_EPOCH=" + test.date}, args...)
			if err == nil || !strings.Contains(got, script+": ") || !strings.Contains(got, test.want) {
				t.Errorf("%s %s: %v, %q; want %q", script, test.args, err, got, test.want)
			}
			if _, err := os.Stat(out); err == nil {
				t.Errorf("%s %s made %s", script, test.args, out)
			}
		}
	}
}

// A licence that is not known, or a tool that fails, leaves nothing half made.
func TestNothingHalfMade(t *testing.T) {
	t.Parallel()
	peers.Packages(t, "ca-certificates")
	fails := t.TempDir() // tools that fail
	for _, tool := range scripts {
		if err := os.WriteFile(filepath.Join(fails, tool), []byte("#!/bin/sh\necho no space >&2\nexit 1\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	unknown := fakeStage(t)
	write(t, unknown+"/usr/share/doc/locator/LICENSES", licence("Do no evil."))
	for script := range scripts {
		for want, stage := range map[string]string{"unknown licence of host.dom/module": unknown, "no space": fakeStage(t)} {
			if script == "oci" && stage == unknown {
				continue // it has no such file
			}
			out := filepath.Join(t.TempDir(), "out")
			got, err := output(t.Context(), []string{"PATH=" + fails + ":" + os.Getenv("PATH"), "SOURCE_DATE_EPOCH=" + epoch}, "./"+script, stage, "amd64", "1.2.3", out)
			if err == nil || !strings.Contains(got, want) {
				t.Errorf("%s: %v, %q; want %q", script, err, got, want)
			}
			if left, err := os.ReadDir(out); err != nil || len(left) > 0 {
				t.Errorf("%s left %v, %v", script, left, err)
			}
		}
	}
}

// The licences of this program are those that copyright.awk and rpmlint.toml know.
func TestCopyright(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		peers.Skip(t, "packages are built on Unix")
	}
	got := must(t, nil, "awk", "-f", "copyright.awk", "../../cmd/locator/LICENSES")
	for _, want := range []string{
		"\nFiles: *\nCopyright: 2026, The Locator Authors\nLicense: BSD-3-Clause\n", "\nFiles: vendor/github.com/spf13/pflag/*\nCopyright: 2012 Alex Ogier\n 2012 The Go Authors\nLicense: BSD-3-Clause\n",
		" */the-Go-standard-library/*\n", "License: MPL-2.0\n On Debian systems, its text is in /usr/share/common-licenses/MPL-2.0.\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	moved := filepath.Join(t.TempDir(), "LICENSES") // by make home
	write(t, moved, strings.Replace(licence("Permission is hereby granted, free of charge"), "host.dom/module v1.0.0", "host.dom/locator", 1))
	if out := must(t, nil, "awk", "-f", "copyright.awk", moved); !strings.Contains(out, "\nFiles: *\n") {
		t.Errorf("no files of the program in\n%s", out)
	}
	known, err := os.ReadFile("rpmlint.toml")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(got) {
		if name, ok := strings.CutPrefix(line, "License: "); ok {
			name = strings.Replace(strings.TrimSpace(name), "Expat", "MIT", 1)
			if !bytes.Contains(known, []byte(`"`+name+`"`)) {
				t.Errorf("rpmlint.toml lacks the licence %q", name)
			}
		}
	}
}
