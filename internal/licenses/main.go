// Licenses writes cmd/locator/LICENSES, the licence texts of the program and of everything that is
// linked into it.
//
//	go run ./internal/licenses        prints the file
//	go run ./internal/licenses -w     writes cmd/locator/LICENSES
//
// It asks the go command which modules the program needs on Linux, macOS and Windows, and reads the
// texts from the module cache. A module without such a text is an error. Modules with the same text
// share one section. The name of a module is followed by its version and the sum of go.sum. The licence of xterm.js stands beside its files.
package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"locator/internal/buildinfo"
)

const (
	program      = "./cmd/locator"
	licensesFile = "cmd/locator/LICENSES"
	xtermFolder  = "gateway/assets/xterm" // embedded files of a package of npm
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	write := flag.Bool("w", false, "write "+licensesFile+" instead of printing it")
	flag.Parse()
	if err := run(ctx, *write); err != nil {
		fmt.Fprintln(os.Stderr, "licenses:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, write bool) error {
	root, err := output(ctx, "", nil, "list", "-m", "-f", "{{.Dir}}")
	if err != nil {
		return err
	}
	dir := strings.TrimSpace(string(root))
	text, err := generate(ctx, dir)
	if err != nil {
		return err
	}
	if write {
		return os.WriteFile(filepath.Join(dir, filepath.FromSlash(licensesFile)), text, 0o644)
	}
	_, err = os.Stdout.Write(text)
	return err
}

// module is what the go command reports about a module.
type module struct {
	Path, Version, Sum, Dir string
	Main                    bool
}

func (m module) String() string { return strings.TrimSpace(m.Path + " " + m.Version + " " + m.Sum) }

// generate returns the file for the module in dir.
func generate(ctx context.Context, dir string) ([]byte, error) {
	modules, err := linked(ctx, dir)
	if err != nil {
		return nil, err
	}
	goroot, err := output(ctx, dir, nil, "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	modules = append(modules, module{Path: "xterm.js", Version: "6.0.0", Dir: filepath.Join(dir, filepath.FromSlash(xtermFolder))})
	modules = append(modules, module{Path: "the Go standard library", Dir: strings.TrimSpace(string(goroot))})
	var order []string // of the texts
	names := make(map[string][]string)
	for _, m := range modules {
		text, err := texts(m.Dir)
		if err != nil {
			return nil, fmt.Errorf("%v: %w", m, err)
		}
		if names[text] == nil {
			order = append(order, text)
		}
		names[text] = append(names[text], m.String())
	}
	var b bytes.Buffer
	b.WriteString("The program locator consists of the modules named here. The licence of each follows its name.\n")
	for _, text := range order {
		fmt.Fprintf(&b, "\n%s%s\n%s\n%s", buildinfo.RuleOfLicenses, strings.Join(names[text], "\n"), buildinfo.RuleOfLicenses, text)
	}
	return b.Bytes(), nil
}

// linked returns the modules of the program, the main module first and the others in the order of
// their paths.
func linked(ctx context.Context, dir string) ([]module, error) {
	found := make(map[string]module)
	for _, system := range []string{"linux", "darwin", "windows"} {
		env := []string{"GOOS=" + system, "GOARCH=amd64", "CGO_ENABLED=0"}
		list, err := output(ctx, dir, env, "list", "-mod=readonly", "-deps", "-json=Module", program)
		if err != nil {
			return nil, err
		}
		for d := json.NewDecoder(bytes.NewReader(list)); ; {
			var p struct{ Module *module }
			if err := d.Decode(&p); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				return nil, err
			}
			if p.Module != nil { // nil for a package of the standard library
				found[p.Module.Path] = *p.Module
			}
		}
	}
	var modules []module
	for _, m := range found {
		modules = append(modules, m)
	}
	slices.SortFunc(modules, func(a, b module) int {
		switch {
		case a.Main:
			return -1
		case b.Main:
			return 1
		}
		return cmp.Compare(a.Path, b.Path)
	})
	return modules, nil
}

// licenseName matches the names of files with a licence or with a notice that belongs to it.
var licenseName = regexp.MustCompile(`(?i)^(un)?(licen[cs]e|copying|copyright|notice|patents)(\.(md|txt))?$`)

// texts returns the licence and the notices of a module in a folder.
func texts(dir string) (string, error) {
	files, err := os.ReadDir(dir)
	if err != nil {
		return "", err
	}
	var all []string
	for _, f := range files {
		if f.IsDir() || !licenseName.MatchString(f.Name()) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, f.Name()))
		if err != nil {
			return "", err
		}
		clean := strings.ReplaceAll(string(text), "\r\n", "\n")
		all = append(all, strings.Trim(clean, "\n")+"\n")
	}
	if len(all) == 0 {
		return "", fmt.Errorf("no licence in %s", dir)
	}
	return strings.Join(all, "\n"), nil
}

// output returns what the go command prints in dir, with settings added to its environment.
func output(ctx context.Context, dir string, env []string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), env...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%v: %w", cmd, err)
	}
	return out, nil
}
