// Coverage writes docs/internals/coverage.md, the table of the tests that cover each requirement of
// docs/internals/requirements.md.
//
//	go run ./internal/coverage        prints the page
//	go run ./internal/coverage -w     writes docs/internals/coverage.md
//
// A test cites its requirements in a comment above or inside its function, a testscript in a line of its own:
//
//	// Covers: S7, A2
//	# Covers: S7
//
// It reads every Go file of the module, since the functions of the conformance suite (package schemetest) are tests too. An
// unknown ID, or a comment that belongs to no function, is an error.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

const (
	requirementsFile = "docs/internals/requirements.md"
	coverageFile     = "docs/internals/coverage.md"
)

func main() {
	write := flag.Bool("w", false, "write "+coverageFile+" instead of printing it")
	flag.Parse()
	if err := run(*write); err != nil {
		fmt.Fprintln(os.Stderr, "coverage:", err)
		os.Exit(1)
	}
}

func run(write bool) error {
	root, err := moduleRoot()
	if err != nil {
		return err
	}
	page, err := generate(os.DirFS(root))
	if err != nil {
		return err
	}
	if write {
		return os.WriteFile(filepath.Join(root, filepath.FromSlash(coverageFile)), page, 0o644)
	}
	_, err = os.Stdout.Write(page)
	return err
}

// moduleRoot returns the nearest folder with the requirements, starting from the working folder and going up.
func moduleRoot() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for d := dir; ; d = filepath.Dir(d) {
		if _, err := os.Stat(filepath.Join(d, filepath.FromSlash(requirementsFile))); err == nil {
			return d, nil
		}
		if d == filepath.Dir(d) {
			return "", fmt.Errorf("no %s in any folder above %s; run it inside the module", requirementsFile, dir)
		}
	}
}
