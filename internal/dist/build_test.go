package main

import (
	"os"
	"runtime"
	"strings"
	"testing"

	"locator/internal/peers"
)

// TestInspect refuses a program that needs a loader.
func TestInspect(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		peers.Skip(t, "the programs of Linux are needed")
	}
	p := platforms()[0]
	if _, err := inspect(p, "/bin/ls"); err == nil || !strings.Contains(err.Error(), "the program is not linked statically") {
		t.Errorf("ls: %v", err)
	}
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	built, err := inspect(platform{system: "windows"}, own) // the test may be linked with C
	if err != nil || built.info.Main.Path == "" || len(built.sum) != 64 {
		t.Errorf("the test: %+v, %v", built, err)
	}
	if _, err := inspect(p, "build_test.go"); err == nil {
		t.Error("a text passes")
	}
}
