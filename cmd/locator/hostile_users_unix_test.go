//go:build unix

package main

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"locator"
	"locator/client"
	"locator/internal/peers"
	"locator/scheme"
)

// The program follows no link of another user in a folder such as /tmp, whatever it is for, and
// uses no part of another user. New files have the permissions that the umask leaves, and parts are
// readable for nobody else.
//
// Covers: P6, T162
func TestAnotherUser(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		peers.Skip(t, "files of another user: only root can make them")
	}
	const user, attacker = 65534, 65533
	program, err := exec.LookPath("locator")
	if err != nil {
		t.Fatal(err)
	}
	top, err := os.MkdirTemp("", "locator-users") // t.TempDir is closed to other users
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(top)
	os.Chmod(top, 0o755)
	// Another process makes the copy: a file that this one has open for writing, or a child that
	// another test forks meanwhile, cannot be run.
	duplicate := filepath.Join(top, "locator")
	if out, err := exec.CommandContext(t.Context(), "cp", "-L", program, duplicate).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	program = duplicate
	tmp, home := filepath.Join(top, "tmp"), filepath.Join(top, "home")
	for _, d := range []string{tmp, home} {
		if err := os.Mkdir(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	os.Chmod(tmp, 0o777|fs.ModeSticky)
	source := filepath.Join(top, "source")
	for name, content := range map[string]string{source: "new", home + "/file": "old", home + "/password": "secret\n"} {
		if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{home, home + "/file", home + "/password"} {
		os.Chown(name, user, user)
	}
	for name, to := range map[string]string{"link": home + "/file", "folder": home, "password": home + "/password", "device": "/dev/null", "locator.1": home + "/file"} {
		os.Symlink(to, filepath.Join(tmp, name))
		os.Lchown(filepath.Join(tmp, name), attacker, attacker)
	}
	for _, name := range []string{tmp + "/started.part", tmp + "/dir.part"} {
		os.WriteFile(name, []byte("theirs"), 0o666)
		os.Chmod(name, 0o666)
		os.Chown(name, attacker, attacker)
	}
	run := func(id uint32, umask string, args ...string) (status int, errs string) {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), "/bin/sh", append([]string{"-c", "umask " + umask + "; exec \"$0\" \"$@\"", program}, args...)...)
		cmd.Dir, cmd.Env = tmp, []string{"HOME=" + home, "PATH=/usr/bin:/bin"}
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: id, Gid: id}}
		var b bytes.Buffer
		cmd.Stderr = &b
		err := cmd.Run()
		if cmd.ProcessState == nil {
			t.Fatal(err)
		}
		return cmd.ProcessState.ExitCode(), b.String()
	}
	url := "file://" + source
	for _, id := range []uint32{0, user} {
		for _, args := range [][]string{
			{"get", "-o", "link", url},
			{"get", "-o", "folder/file", url},
			{"get", "-o", "device", url},
			{"get", "-O", "--force", "--dir", "folder", url},
			{"get", "-r", "--dir", "folder/new", "file://" + top + "/"},
			{"get", "--user", "u", "--password-file", "password", url},
			{"put", source, "file://" + tmp + "/link"},
			{"put", "link", "file://" + tmp + "/sent"},
			{"man", "--dir", "."},
			{"man", "--dir", "folder/man"},
			{"put", "-r", "folder", "file://" + tmp + "/sent/"},
		} {
			status, errs := run(id, "022", args...)
			if status != 11 || !strings.Contains(errs, "symbolic link of another user") {
				t.Errorf("as %d %q: %d %s", id, args, status, errs)
			}
		}
		status, errs := run(id, "022", "get", "-o", "started", url)
		if status != 11 || !strings.Contains(errs, "started.part exists and belongs to another user; remove it") {
			t.Errorf("as %d: %d %s", id, status, errs)
		}
	}
	if got, err := os.ReadFile(home + "/file"); string(got) != "old" {
		t.Errorf("%q, %v", got, err)
	}
	for umask, want := range map[string]fs.FileMode{"022": 0o644, "077": 0o600, "002": 0o664} {
		name := filepath.Join(tmp, "new-"+umask)
		if status, errs := run(user, umask, "get", "-o", name, url); status != 0 {
			t.Errorf("%d %s", status, errs)
		}
		if in, err := os.Stat(name); err != nil || in.Mode().Perm() != want {
			t.Errorf("umask %s: %v, %v", umask, in.Mode(), err)
		}
	}
	kept := filepath.Join(home, "kept") // of a group that the user is not in
	os.WriteFile(kept, nil, 0o600)
	os.Chown(kept, user, attacker)
	os.Chmod(kept, 0o664)
	if status, errs := run(user, "022", "get", "-o", kept, url); status != 0 {
		t.Errorf("%d %s", status, errs)
	}
	if in, err := os.Stat(kept); err != nil || in.Mode().Perm() != 0o644 {
		t.Errorf("another group: %v, %v", in.Mode(), err)
	}
}

// What --new remembers decides which messages are left out. It is not read where another user can
// write it.
//
// Covers: P6, T161
func TestForeignNew(t *testing.T) {
	t.Parallel()
	const attacker = 65533
	mine := filepath.Join(t.TempDir(), "mine")
	if err := os.Mkdir(mine, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		plant func(state, folder string)
		root  bool // only root can do it
		text  string
	}{
		"none":            {func(string, string) {}, false, ""},
		"own":             {func(_, f string) { os.MkdirAll(f, 0o700) }, false, ""},
		"own link":        {func(s, f string) { os.MkdirAll(s, 0o700); os.Symlink(mine, f) }, false, ""},
		"open to all":     {func(_, f string) { os.MkdirAll(f, 0o700); os.Chmod(f, 0o777) }, false, "chmod 700"},
		"open to a group": {func(_, f string) { os.MkdirAll(f, 0o700); os.Chmod(f, 0o770) }, false, "chmod 700"},
		"another user's":  {func(_, f string) { os.MkdirAll(f, 0o700); os.Chown(f, attacker, attacker) }, true, "belongs to another user"},
		"another user's link": {func(s, f string) {
			os.MkdirAll(s, 0o700)
			os.Chmod(s, 0o777)
			os.Symlink(mine, f)
			os.Lchown(f, attacker, attacker)
		}, true, "symbolic link of another user"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if tt.root && os.Geteuid() != 0 {
				peers.Skip(t, "files of another user: only root can make them")
			}
			dir := t.TempDir()
			state := filepath.Join(dir, "locator")
			tt.plant(state, filepath.Join(state, "new"))
			a := newApp(world{Getenv: func(name string) string { return map[string]string{"XDG_STATE_HOME": dir}[name] }})
			j, err := a.openNew(locator.Current.MustParse("nntp://h/g"))
			if (err == nil) != (tt.text == "") || err != nil && (client.CodeOf(err) != scheme.CodeLocal || !strings.Contains(err.Error(), tt.text)) {
				t.Errorf("%v, want %q", err, tt.text)
			}
			if err == nil {
				j.Close()
			}
		})
	}
}

// A configuration file that another user can have written is refused, unless the user names it. It
// may set commands that are run.
//
// Covers: P6, T159
func TestForeignConfig(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "locator", "config.toml")
	os.Mkdir(filepath.Dir(file), 0o700)
	if err := os.WriteFile(file, []byte("quiet = true\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	parse := func(args ...string) (errs string, status int) {
		var out, e bytes.Buffer
		env := map[string]string{"XDG_CONFIG_HOME": dir}
		status = run(t.Context(), append(args, "parse", "http://h.example/"), world{In: strings.NewReader(""), Out: &out, Err: &e, Getenv: func(name string) string { return env[name] }})
		return e.String(), status
	}
	if errs, status := parse(); status != 0 {
		t.Errorf("the user's own file: status %d, %s", status, errs)
	}
	refused := func(what string) {
		t.Helper()
		if errs, status := parse(); status != 11 || !strings.Contains(errs, "another user") || !strings.Contains(errs, "--config") {
			t.Errorf("%s: status %d, %s", what, status, errs)
		}
		if errs, status := parse("--config", file); status != 0 {
			t.Errorf("%s, named: status %d, %s", what, status, errs)
		}
	}
	os.Chmod(file, 0o646)
	refused("a file that everyone can write to")
	os.Chmod(file, 0o664) // groups of one user are common
	if errs, status := parse(); status != 0 {
		t.Errorf("a file of a group: status %d, %s", status, errs)
	}
	if os.Geteuid() != 0 {
		peers.Skip(t, "a file of another user: only root can make one")
	}
	const other = 65534
	os.Chown(file, other, other)
	refused("a file of another user")
	os.Chown(file, 0, 0)
	os.Chmod(filepath.Dir(file), 0o777|os.ModeSticky)
	os.Rename(file, filepath.Join(dir, "target"))
	os.Symlink(filepath.Join(dir, "target"), file)
	os.Lchown(file, other, other)
	if errs, status := parse(); status != 11 || !strings.Contains(errs, "symbolic link of another user") {
		t.Errorf("a link of another user: status %d, %s", status, errs)
	}
}
