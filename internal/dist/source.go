package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// sourceFile is in the source archive only. The Makefile includes it.
const sourceFile = ".source"

// source is what is known about the source.
type source struct {
	files    []string // by path, with slashes
	revision string   // "" if it is not known
	epoch    int64    // of everything that is made, in seconds
	tags     []string // of the revision
}

func (s source) time() time.Time { return time.Unix(s.epoch, 0).UTC() }

// readSource reads the files and the date of a checkout, of a source archive, or of another copy of
// the source, for which the environment has to say the date.
func readSource(ctx context.Context, o options) (s source, err error) {
	const epochName = "SOURCE_DATE_EPOCH"
	recorded := ""
	text, err := os.ReadFile(filepath.Join(o.root, sourceFile))
	switch {
	case err == nil:
		recorded = recordedValue(text, epochName)
		s.revision = recordedValue(text, "REVISION")
		s.files, err = listFiles(o.root, o.out)
	case !errors.Is(err, fs.ErrNotExist):
	case exists(filepath.Join(o.root, ".git")):
		recorded, err = s.readCheckout(ctx, o.root)
	default:
		s.revision = o.revision
		s.files, err = listFiles(o.root, o.out)
	}
	if err != nil {
		return s, err
	}
	if value := o.getenv(epochName); value != "" {
		recorded = value
	}
	if recorded == "" {
		return s, fmt.Errorf("the source is neither a checkout nor the archive of a release, so its date is not known: set %s, in seconds since 1970, and REVISION if you know it", epochName)
	}
	const year = 365 * 24 * 60 * 60
	s.epoch, err = strconv.ParseInt(recorded, 10, 64)
	if err != nil || s.epoch < 11*year || s.epoch > 136*year { // what zip and the header of gzip can say
		return s, fmt.Errorf("%s=%s is not a date in seconds since 1970 between 1981 and 2105", epochName, recorded)
	}
	return s, nil
}

func exists(name string) bool {
	_, err := os.Lstat(name)
	return err == nil
}

// recordedValue returns the value of a variable of the source file.
func recordedValue(text []byte, name string) string {
	m := regexp.MustCompile(`(?m)^` + name + ` \??= (\S+)$`).FindSubmatch(text)
	if m == nil {
		return ""
	}
	return string(m[1])
}

// record returns the source file.
func (s source) record(version string) string {
	text := "# What the source was made from. The Makefile includes this file.\nVERSION = " + version + "\n"
	if s.revision != "" {
		text += "REVISION = " + s.revision + "\n"
	}
	return text + fmt.Sprintf("SOURCE_DATE_EPOCH ?= %d\n", s.epoch)
}

// readCheckout requires a checkout without changes, and returns the date of its revision.
func (s *source) readCheckout(ctx context.Context, root string) (epoch string, err error) {
	git := func(args ...string) string {
		cmd := exec.CommandContext(ctx, "git", args...)
		cmd.Dir = root
		out, failed := cmd.Output()
		var exit *exec.ExitError
		switch {
		case err != nil || failed == nil:
		case errors.Is(failed, exec.ErrNotFound):
			err = errors.New("git is not installed, and the source is a checkout: install the package git")
		case errors.As(failed, &exit):
			err = fmt.Errorf("git %s: %s", args[0], strings.TrimSpace(string(exit.Stderr)))
		default:
			err = fmt.Errorf("git %s: %w", args[0], failed)
		}
		return string(out)
	}
	changed := fields(git("status", "--porcelain", "-z", "--no-renames"), "\x00")
	s.files = fields(git("ls-files", "-z"), "\x00")
	s.revision, epoch, _ = strings.Cut(strings.TrimSpace(git("log", "-1", "--format=%H %ct")), " ")
	s.tags = strings.Fields(git("tag", "--points-at", "HEAD"))
	if err != nil || len(changed) == 0 {
		return epoch, err
	}
	const shown = 10
	names := changed[:min(len(changed), shown)]
	for i, line := range names {
		names[i] = strconv.QuoteToGraphic(line[min(3, len(line)):]) // after two letters and a space
	}
	more := ""
	if n := len(changed) - shown; n > 0 {
		more = fmt.Sprintf(" and %d more", n)
	}
	return "", fmt.Errorf("the checkout has changes, commit or remove them first: %s%s", strings.Join(names, ", "), more)
}

func fields(text, end string) []string {
	return slices.DeleteFunc(strings.Split(text, end), func(s string) bool { return s == "" })
}

// listFiles returns all files below root, but for what is built there.
func listFiles(root, out string) (files []string, err error) {
	out, err = filepath.Abs(out)
	if err != nil {
		return nil, err
	}
	err = filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		path, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		full, err := filepath.Abs(name)
		switch {
		case err != nil:
			return err
		case d.IsDir() && (path == "build" || full == out || strings.HasPrefix(path, ".dist-")):
			return fs.SkipDir
		case !d.IsDir():
			files = append(files, filepath.ToSlash(path))
		}
		return nil
	})
	return files, err
}

// makeTree copies the source to the folder that everything is built in, and adds the modules that
// it needs, unless it has them.
func (r *release) makeTree(ctx context.Context) error {
	r.tree = filepath.Join(r.work, "locator-"+r.version)
	for _, name := range r.source.files {
		if name == sourceFile {
			continue
		}
		from, to := filepath.Join(r.root, filepath.FromSlash(name)), filepath.Join(r.tree, filepath.FromSlash(name))
		info, err := os.Lstat(from)
		if err != nil {
			return err
		}
		if !info.Mode().IsRegular() {
			return fmt.Errorf("%s is not a regular file", from)
		}
		data, err := os.ReadFile(from)
		if err != nil {
			return err
		}
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(to, data, modeOf(info)); err != nil {
			return err
		}
	}
	if err := os.WriteFile(filepath.Join(r.tree, sourceFile), []byte(r.source.record(r.version)), 0o644); err != nil {
		return err
	}
	if exists(filepath.Join(r.tree, "vendor")) {
		return nil
	}
	r.say("go mod vendor")
	return r.command(ctx, []string{"GOWORK=off"}, r.goCommand, "mod", "vendor")
}

// modeOf returns the mode of a file in all archives.
func modeOf(info fs.FileInfo) fs.FileMode {
	if info.Mode()&0o100 != 0 {
		return 0o755
	}
	return 0o644
}
