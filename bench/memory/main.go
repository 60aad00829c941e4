//go:build linux

// Command memory runs the program locator against servers that send too much, and measures its peak
// memory. It prints a table and ends with status 1 if a run takes more than the limit, or longer
// than allowed. README.md describes it.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
)

func main() {
	short := flag.Bool("short", false, "only the runs that end soon")
	limit := flag.Int64("max", 200, "limit of the peak memory, in MiB")
	only := flag.String("only", "", "only servers whose name contains this")
	program := flag.String("locator", "", "the program to measure; default: built from the folder above, where this one is the current one")
	flag.Parse()
	debug.SetGCPercent(20) // a child process counts the memory of its parent at its start as its own
	if err := run(*short, *limit<<20, *only, *program); err != nil {
		fmt.Fprintln(os.Stderr, "memory:", err)
		os.Exit(1)
	}
}

// run measures every verb against every server.
func run(short bool, limit int64, only, program string) error {
	dir, err := os.MkdirTemp("", "locator-memory-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if program == "" {
		program = filepath.Join(dir, "locator")
		build := exec.Command("go", "build", "-o", program, "./cmd/locator")
		build.Dir, build.Stderr = "..", os.Stderr
		if err := build.Run(); err != nil {
			return fmt.Errorf("building locator: %w", err)
		}
	}
	servers, err := startServers()
	if err != nil {
		return err
	}
	defer func() {
		for _, s := range servers {
			s.close()
		}
	}()
	fmt.Println("| server | command | status | seconds | CPU | peak MiB |")
	fmt.Println("|---|---|---|---|---|---|")
	var bad []string
	worst := int64(0)
	for _, s := range servers {
		if !strings.Contains(s.name, only) || short && !s.quick {
			continue
		}
		for _, c := range commands(s, short) {
			r, err := measure(program, dir, c)
			if err != nil {
				return err
			}
			fmt.Printf("| %s | `%s` | %d | %.1f | %.1f | %.0f |\n", s.name, c.shown, r.status, r.wall.Seconds(), r.cpu.Seconds(), float64(r.peak)/(1<<20))
			worst = max(worst, r.peak)
			if r.peak > limit || r.killed {
				bad = append(bad, s.name+": "+c.shown)
			}
		}
	}
	fmt.Fprintf(os.Stderr, "largest peak: %d MiB\n", worst>>20)
	if bad != nil {
		return fmt.Errorf("over the limit:\n%s", strings.Join(bad, "\n"))
	}
	return nil
}
