package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// packageFolder has an executable for each kind of package. It gets the folder of what make install
// has installed, GOARCH, the version, and the folder for the package.
const packageFolder = "contrib/package"

// parsePackages returns the kinds of packages that a list names.
func parsePackages(list string) ([]string, error) {
	kinds := strings.Fields(list)
	known := []string{"deb", "rpm", "oci"}
	for _, kind := range kinds {
		if !slices.Contains(known, kind) {
			return nil, fmt.Errorf("PACKAGES names %q: known are %s", kind, strings.Join(known, " "))
		}
	}
	return kinds, nil
}

// checkPackageTools asks the scripts whether the programs that they run are installed.
func (r *release) checkPackageTools(ctx context.Context) (err error) {
	if !slices.ContainsFunc(r.wanted, platform.packed) {
		return nil
	}
	for _, kind := range r.kinds {
		out, failed := exec.CommandContext(ctx, filepath.Join(r.root, filepath.FromSlash(packageFolder), kind), "--tools").CombinedOutput()
		if failed != nil {
			err = errors.Join(err, fmt.Errorf("packages of %s: %w\n%s", kind, failed, bytes.TrimSpace(out)))
		}
	}
	return err
}

// makePackages makes the packages of a platform from what is in the folder build.
func (r *release) makePackages(ctx context.Context, p platform, build string) error {
	if !p.packed() || len(r.kinds) == 0 {
		return nil
	}
	stage := filepath.Join(build, "stage")
	if err := os.CopyFS(build, os.DirFS(r.texts())); err != nil {
		return err
	}
	if err := r.runMake(ctx, nil, build, "install", "DESTDIR="+stage, "PREFIX=/usr"); err != nil {
		return err
	}
	for _, kind := range r.kinds {
		script := filepath.Join(r.tree, filepath.FromSlash(packageFolder), kind)
		if err := r.command(ctx, nil, script, stage, p.arch, r.version, r.files); err != nil {
			return err
		}
	}
	return nil
}
