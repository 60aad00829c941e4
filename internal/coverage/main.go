// Coverage prints the tests that cover each row of the tables in docs/internals that have IDs:
// requirements.md, and the attacks, old servers and faults of the other pages, which must all have
// a test:
//
//	go run ./internal/coverage
//
// A test cites the IDs in a comment above or inside its function, a testscript in a line of its
// own:
//
//	// Covers: S7, A2
//	# Covers: S7
//
// It reads every Go file of the module, since the functions of the conformance suite (package
// schemetest) are tests too. An unknown ID, or a comment that belongs to no function, is an error.
package main

import (
	"fmt"
	"os"
	"path/filepath"
)

const requirementsFile = "docs/internals/requirements.md"

// defencePages returns the pages in which every row must have a test.
func defencePages() []string {
	return []string{"docs/internals/threat-model.md", "docs/internals/old-servers.md", "docs/internals/reliability.md"}
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "coverage:", err)
		os.Exit(1)
	}
}

func run() error {
	root, err := moduleRoot()
	if err != nil {
		return err
	}
	page, err := generate(os.DirFS(root))
	if err != nil {
		return err
	}
	_, err = os.Stdout.Write(page)
	return err
}

// moduleRoot returns the nearest folder with the requirements, starting from the working folder and
// going up.
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
