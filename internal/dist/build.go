package main

import (
	"bytes"
	"context"
	"debug/buildinfo"
	"debug/elf"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
)

// program is what was built for one platform.
type program struct {
	platform
	sum  string // SHA-256 of the program
	info *debug.BuildInfo
}

// checkTools requires the programs that will be run.
func (r *release) checkTools() error {
	tools := [][2]string{{r.goCommand, "golang-go, or go from https://go.dev/dl"}, {"make", "make"}}
	if r.signKey != "" {
		tools = append(tools, [2]string{"ssh-keygen", "openssh-client"})
	}
	var missing []string
	for _, tool := range tools {
		if _, err := exec.LookPath(tool[0]); err != nil {
			missing = append(missing, fmt.Sprintf("%s is not installed: install the package %s", tool[0], tool[1]))
		}
	}
	if missing == nil {
		return nil
	}
	return fmt.Errorf("%s", strings.Join(missing, "\n"))
}

// environment returns the environment of all commands. It has nothing that changes the result, such
// as GOFLAGS or the variables of make.
func (r *release) environment(more []string) []string {
	env := []string{
		"LC_ALL=C", "TZ=UTC", "CGO_ENABLED=0", "GOENV=off", "GOWORK=off", "GOFLAGS=-mod=vendor -buildvcs=false",
		fmt.Sprintf("SOURCE_DATE_EPOCH=%d", r.source.epoch),
	}
	for _, name := range []string{
		"PATH", "HOME", "USER", "PACKAGER", "TMPDIR", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR", "SSH_AUTH_SOCK", "GOCACHE", "GOPATH", "GOMODCACHE", "GOROOT", "GOTOOLCHAIN",
		"SYSTEMROOT",
	} {
		if value := r.getenv(name); value != "" {
			env = append(env, name+"="+value)
		}
	}
	return append(env, more...)
}

// command runs a command in the tree. Its output is shown if it fails.
func (r *release) command(ctx context.Context, more []string, name string, args ...string) error {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = r.tree
	cmd.Env = r.environment(more)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, bytes.TrimSpace(out))
	}
	return nil
}

// runMake runs make, which has the flags and the stamps of the program.
func (r *release) runMake(ctx context.Context, more []string, build string, args ...string) error {
	return r.command(ctx, more, "make", append([]string{"BUILD=" + build, "GO=" + r.goCommand}, args...)...)
}

func (r *release) texts() string { return filepath.Join(r.work, "texts") }

// makeTexts makes what is the same on all systems, such as manual pages.
func (r *release) makeTexts(ctx context.Context) error {
	r.say("manual pages")
	return r.runMake(ctx, nil, r.texts(), "texts")
}

// makePrograms makes the program, the archive and the packages for each platform.
func (r *release) makePrograms(ctx context.Context) error {
	for _, p := range r.wanted {
		r.say("%v", p)
		build := filepath.Join(r.work, strings.ReplaceAll(p.String(), "/", "-"))
		if err := r.runMake(ctx, []string{"GOOS=" + p.system, "GOARCH=" + p.arch, p.setting}, build, "program"); err != nil {
			return err
		}
		built, err := inspect(p, filepath.Join(build, "locator"))
		if err != nil {
			return fmt.Errorf("%v: %w", p, err)
		}
		r.linked = append(r.linked, built)
		if err := r.archiveProgram(p, build); err != nil {
			return err
		}
		if err := r.makePackages(ctx, p, build); err != nil {
			return err
		}
		if err := os.RemoveAll(build); err != nil {
			return err
		}
	}
	return nil
}

// inspect reads what a program consists of, and checks that it is linked statically where it has to
// be: macOS and OpenBSD only have a stable interface in their C library.
func inspect(p platform, file string) (program, error) {
	if p.system == "linux" || p.system == "freebsd" {
		f, err := elf.Open(file)
		if err != nil {
			return program{}, err
		}
		defer f.Close()
		for _, segment := range f.Progs {
			if segment.Type == elf.PT_INTERP || segment.Type == elf.PT_DYNAMIC {
				return program{}, fmt.Errorf("the program is not linked statically")
			}
		}
	}
	sum, err := sumOf(file)
	if err != nil {
		return program{}, err
	}
	info, err := buildinfo.ReadFile(file)
	return program{p, sum, info}, err
}
