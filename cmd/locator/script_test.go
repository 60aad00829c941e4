package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"locator/internal/leaks"
)

var update = flag.Bool("update", false, "rewrite the expected output in scripts and golden files")

// raceExit makes the program end at once. With the race detector it would sleep for a second
// before, in each of its hundreds of runs.
const raceExit = "atexit_sleep_ms=0"

func TestMain(m *testing.M) {
	if os.Getenv("GORACE") == "" {
		os.Setenv("GORACE", raceExit)
	}
	testscript.Main(withProgram{leaks.Guard{M: m}}, map[string]func(){"locator": func() { os.Exit(Main()) }, "broken": runBroken})
}

// withProgram runs tests with the program in the PATH, before the command of this name, which takes half as long again to start. Tests that
// were compiled before, and run where the source is not, have only the command.
type withProgram struct{ leaks.Guard }

func (p withProgram) Run() int {
	flag.Parse()
	for _, name := range []string{"test.fuzz", "test.list"} {
		if flag.Lookup(name).Value.String() != "" {
			return p.Guard.Run()
		}
	}
	dir, err := os.MkdirTemp("", "locator-program-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	build := exec.Command("go", "build", "-buildvcs=false", "-ldflags=-s -w", "-o", dir, ".") // git does not trust the checkout of another user
	if info, ok := debug.ReadBuildInfo(); ok && slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"}) {
		build.Args = slices.Insert(build.Args, 2, "-race")
	}
	if out, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "%v: %v\n%s", build, err, out)
		return p.Guard.Run()
	}
	os.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
	return p.Guard.Run()
}

// TestScript runs the scripts of testdata/script, which use the program like a user. They talk only
// to in-process servers on loopback, which the command "server" starts.
//
// Covers: T14, T34, T36, T85
func TestScript(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{
		Dir:           "testdata/script",
		UpdateScripts: *update,
		Setup: func(env *testscript.Env) error {
			env.Setenv("XDG_CONFIG_HOME", env.WorkDir+"/.config")
			env.Setenv("XDG_STATE_HOME", env.WorkDir+"/.state")
			env.Setenv("GORACE", os.Getenv("GORACE"))
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"server":     startServer,
			"https":      startSecure,
			"proxies":    startProxies,
			"closedport": closedPort,
			"envsubst":   envSubst,
			"fault":      setFault,
			"status":     wantStatus,
			"schema":     wantSchema,
			"old":        makeOld,
		},
	})
}
