//go:build linux

// Command gateway loads the gateway of the program locator, and prints a table: many clients on
// slow servers, a large file, the rate of a cached page beside that of a bare handler, and requests
// beside squid. It ends with status 1 if a bound is missed. README.md describes it.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

func main() {
	o := options{}
	flag.IntVar(&o.clients, "clients", 1000, "clients at once on slow servers")
	flag.Int64Var(&o.megabytes, "megabytes", 1024, "size of the large file, in MiB")
	flag.IntVar(&o.requests, "requests", 2000, "requests of the other runs")
	flag.StringVar(&o.squid, "squid", "", "host:port of a squid to compare with, and its process after a comma")
	flag.StringVar(&o.program, "locator", "", "the program to measure; default: built from the folder above, where this one is the current one")
	flag.StringVar(&o.only, "only", "", "only runs whose name contains this")
	bare := flag.Bool("bare", false, "only serve pages of the usual length, and print the host and port")
	flag.Parse()
	if *bare {
		if err := serveBare(); err != nil {
			fmt.Fprintln(os.Stderr, "gateway:", err)
			os.Exit(1)
		}
		return
	}
	if err := run(o); err != nil {
		fmt.Fprintln(os.Stderr, "gateway:", err)
		os.Exit(1)
	}
}

type options struct {
	clients, requests    int
	megabytes            int64
	squid, program, only string
}

// result is a row of the table.
type result struct {
	name, got string
	missed    bool
}

func run(o options) error {
	dir, err := os.MkdirTemp("", "locator-gateway-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if o.program == "" {
		o.program = filepath.Join(dir, "locator")
		build := exec.Command("go", "build", "-o", o.program, "./cmd/locator")
		build.Dir, build.Stderr = "..", os.Stderr
		if err := build.Run(); err != nil {
			return fmt.Errorf("building locator: %w", err)
		}
	}
	s, err := startServers(o.megabytes << 20)
	if err != nil {
		return err
	}
	defer s.close()
	fmt.Printf("%s, %d processors\n\n| run | result |\n|---|---|\n", runtime.Version(), runtime.NumCPU())
	var missed []string
	for _, x := range []struct {
		name string
		run  func(options, string, *servers) (result, error)
	}{
		{"many clients on slow servers", manyClients}, {"a large file", largeFile}, {"a page beside a bare handler", pageRate}, {"beside squid", besideSquid},
	} {
		if !strings.Contains(x.name, o.only) || o.squid == "" && x.name == "beside squid" {
			continue
		}
		r, err := x.run(o, dir, s)
		if err != nil {
			return fmt.Errorf("%s: %w", x.name, err)
		}
		fmt.Printf("| %s | %s |\n", x.name, r.got)
		if r.missed {
			missed = append(missed, x.name)
		}
	}
	if missed != nil {
		return fmt.Errorf("a bound is missed: %s", strings.Join(missed, ", "))
	}
	return nil
}
