// Dist makes the files of a release: programs for each platform, the source with everything that
// it needs, packages, checksums, a list of what is linked, and a signature. make dist runs it.
//
//	make dist VERSION=1.2.3
//
// It starts from a checkout without changes, or from the source archive that it has made itself,
// and then needs neither git nor a network. The result has the same bytes in both cases, and in
// each folder. docs/internals/releasing.md describes the variables.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
)

// options are the variables of make dist.
type options struct {
	root      string // of the source
	version   string
	revision  string // of a source that does not say it
	out       string // the folder for the files
	platforms string // "linux/amd64 windows/amd64"; "" is all
	packages  string // "deb rpm oci"
	signKey   string // of ssh; "" is no signature
	baseURL   string // of the folder with the files, for the formula and the manifest
	goCommand string
	getenv    func(string) string
	log       io.Writer
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	o := options{root: ".", getenv: os.Getenv, log: os.Stderr}
	flag.StringVar(&o.version, "version", "", "the `version`, such as 1.2.3 or 1.2.3-rc.1")
	flag.StringVar(&o.revision, "revision", "", "the `revision`, of a source that is no checkout")
	flag.StringVar(&o.out, "out", "build/dist", "the `folder` for the files")
	flag.StringVar(&o.platforms, "platforms", "", "the platforms, such as \"linux/amd64 windows/amd64\"; all without it")
	flag.StringVar(&o.packages, "packages", "", "the kinds of packages, such as \"deb rpm oci\"")
	flag.StringVar(&o.signKey, "sign-key", "", "the `file` with an ssh key that signs the checksums")
	flag.StringVar(&o.baseURL, "base-url", "", "the URL of the folder that the files will be in")
	flag.StringVar(&o.goCommand, "go", "go", "the go `command`")
	flag.Parse()
	if err := run(ctx, o); err != nil {
		for line := range strings.Lines(err.Error()) {
			fmt.Fprint(os.Stderr, "dist: ", line)
		}
		fmt.Fprintln(os.Stderr)
		os.Exit(1)
	}
}

// run makes all files in a temporary folder beside the result and renames it at the end, so that
// nothing is half made.
func run(ctx context.Context, o options) error {
	r := &release{options: o}
	if err := r.check(ctx); err != nil {
		return err
	}
	out, err := filepath.Abs(o.out)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(out), 0o755); err != nil {
		return err
	}
	r.work, err = os.MkdirTemp(filepath.Dir(out), ".dist-")
	if err != nil {
		return err
	}
	r.files = filepath.Join(r.work, "files")
	err = r.make(ctx)
	if err == nil {
		err = replaceFolder(r.files, out, filepath.Join(r.work, "before"))
	}
	if e := os.RemoveAll(r.work); err == nil {
		err = e
	}
	if ctx.Err() != nil {
		return cmp.Or(context.Cause(ctx), err)
	}
	if err == nil {
		fmt.Fprintf(o.log, "dist: locator %s is in %s\n", o.version, o.out)
	}
	return err
}

// release is what one run makes.
type release struct {
	options
	source source
	wanted []platform
	kinds  []string // of packages
	work   string   // temporary
	tree   string   // the source that everything is built from
	files  string   // the result
	linked []program
}

// check finds everything that is wrong before anything is made.
func (r *release) check(ctx context.Context) error {
	var err, problem error
	r.source, problem = readSource(ctx, r.options)
	err = errors.Join(problem, checkVersion(os.DirFS(r.root), r.version, r.source.tags))
	r.wanted, problem = parsePlatforms(r.platforms)
	err = errors.Join(err, problem)
	r.kinds, problem = parsePackages(r.packages)
	err = errors.Join(err, problem, r.checkTools(), r.checkPackageTools(ctx), checkKey(ctx, r.signKey), checkBaseURL(r.baseURL), checkOut(r.out))
	return err
}

// make makes the files.
func (r *release) make(ctx context.Context) error {
	if err := os.Mkdir(r.files, 0o755); err != nil {
		return err
	}
	steps := []func(context.Context) error{
		r.makeTree, r.makeSourceArchive, r.makeTexts, r.makePrograms, r.writeBOM, r.writeManifests, r.writeSums,
	}
	for _, step := range steps {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (r *release) say(format string, args ...any) { fmt.Fprintf(r.log, "dist: "+format+"\n", args...) }

// checkOut refuses a folder that holds anything but an earlier result, since it is replaced.
func checkOut(out string) error {
	out, err := filepath.Abs(out) // "" is the folder that this runs in
	if err != nil {
		return err
	}
	entries, err := os.ReadDir(out)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	sums, err := os.ReadFile(filepath.Join(out, sumsName))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	for _, e := range entries {
		if name := e.Name(); name != sumsName && name != signature && !strings.Contains(string(sums), "  "+name+"\n") {
			return fmt.Errorf("%s holds other files than those of a release: name another folder with DIST=", out)
		}
	}
	return nil
}

// replaceFolder renames from to to. What was there goes to before; if it fails, it stays.
func replaceFolder(from, to, before string) error {
	moved := os.Rename(to, before)
	if moved != nil && !errors.Is(moved, os.ErrNotExist) {
		return moved
	}
	err := os.Rename(from, to)
	if err != nil && moved == nil {
		err = errors.Join(err, os.Rename(before, to))
	}
	return err
}
