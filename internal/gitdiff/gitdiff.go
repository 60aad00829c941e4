package gitdiff

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"locator/wire"
)

// Added has the lines that were added to files. It is safe for concurrent use.
type Added struct {
	dir   string
	files map[string]*Lines // by the real path
}

// Lines are the added lines of a file. The nil Lines has none.
type Lines struct {
	all    bool // the file is new to git
	ranges []lineRange
}

// Has reports whether the line, from 1, was added. For the line 0, which means that it is not known,
// it reports whether any line was.
func (l *Lines) Has(line int) bool {
	if l == nil || l.all || line <= 0 {
		return l != nil
	}
	i, found := slices.BinarySearchFunc(l.ranges, line, func(r lineRange, line int) int { return r.first - line })
	return found || i > 0 && line <= l.ranges[i-1].last
}

// File returns the lines that were added to a file; nil if there are none. A relative name is that
// of a file in the folder that Since was called with.
func (a *Added) File(name string) *Lines {
	path, err := realPath(a.dir, name)
	if err != nil {
		return nil
	}
	return a.files[path]
}

func realPath(dir, name string) (string, error) {
	if !filepath.IsAbs(name) {
		name = filepath.Join(dir, name)
	}
	path, err := filepath.Abs(name)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(path)
}

// Since returns the lines that were added since a commit to files of the repository that dir is in:
// those of the files as they are now that its last common ancestor with HEAD does not have. All
// lines of a file that git does not know, and is not told to ignore, count as added.
func Since(ctx context.Context, dir, commit string) (*Added, error) {
	if commit == "" || strings.HasPrefix(commit, "-") {
		return nil, fmt.Errorf("%q is not a commit", commit)
	}
	g := git{ctx, dir}
	top, err := g.line("rev-parse", "--show-toplevel")
	if err != nil {
		return nil, err
	}
	id, err := g.line("rev-parse", "--verify", "--quiet", commit+"^{commit}")
	if err != nil || !isID(id) {
		return nil, fmt.Errorf("%q is not a commit of this repository; one that was not cloned has to be fetched first: %w", commit, errNoCommit)
	}
	if base, err := g.line("merge-base", id, "HEAD"); err == nil && isID(base) {
		id = base
	}
	g.dir = top
	a := &Added{dir: dir, files: make(map[string]*Lines)}
	if err := g.run(func(r io.Reader) error { return a.diff(r, top) },
		"diff", "--unified=0", "--inter-hunk-context=0", "--text", "--no-color", "--no-ext-diff", "--no-textconv", "--no-relative", "--find-renames",
		"--ignore-submodules=all", "--src-prefix=a/", "--dst-prefix=b/", id, "--",
	); err != nil {
		return nil, err
	}
	err = g.run(func(r io.Reader) error { return a.untracked(r, top) }, "ls-files", "--others", "--exclude-standard", "--full-name", "-z")
	if err != nil {
		return nil, err
	}
	return a, nil
}

// errNoCommit is the cause of an error of Since for a commit that git does not have.
var errNoCommit = errors.New("no such commit")

func isID(s string) bool { return len(s) >= 40 && strings.Trim(s, "0123456789abcdef") == "" }

func (a *Added) diff(r io.Reader, top string) error {
	files, err := parseDiff(r)
	for name, ranges := range files {
		if path, err := realPath(top, filepath.FromSlash(name)); err == nil {
			a.files[path] = &Lines{ranges: ranges}
		}
	}
	return err
}

func (a *Added) untracked(r io.Reader, top string) error {
	b := bufio.NewReaderSize(r, maxName)
	for {
		name, err := b.ReadSlice(0)
		if err == io.EOF && len(name) == 0 {
			return nil
		}
		if err != nil {
			return err
		}
		if len(a.files) > maxFiles {
			return errTooLarge
		}
		if path, err := realPath(top, filepath.FromSlash(string(name[:len(name)-1]))); err == nil {
			a.files[path] = &Lines{all: true}
		}
	}
}

// git runs git in a folder.
type git struct {
	ctx context.Context
	dir string
}

// line returns the first line of the output.
func (g git) line(args ...string) (line string, err error) {
	err = g.run(func(r io.Reader) error {
		text, err := io.ReadAll(io.LimitReader(r, maxName))
		line, _, _ = strings.Cut(string(text), "\n")
		return err
	}, args...)
	return line, err
}

// run gives the output of git to read. Names are names, never patterns, and git asks nobody.
func (g git) run(read func(io.Reader) error, args ...string) error {
	ctx, cancel := context.WithCancel(g.ctx)
	defer cancel()
	cmd := exec.CommandContext(ctx, "git", append([]string{"--no-pager", "--literal-pathspecs"}, args...)...)
	cmd.Dir = g.dir
	cmd.Env = append(os.Environ(), "LC_ALL=C", "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0")
	cmd.WaitDelay = 5 * time.Second
	var words firstBytes
	cmd.Stderr = &words
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("git cannot be run: %w", err)
	}
	readErr := read(out)
	if readErr != nil {
		cancel()
	}
	err = cmd.Wait()
	switch {
	case g.ctx.Err() != nil:
		return g.ctx.Err()
	case readErr != nil:
		return fmt.Errorf("git %s: %w", args[0], readErr)
	case err != nil:
		return fmt.Errorf("git %s: %s: %w", args[0], wire.TextLine(string(bytes.TrimSpace(words))), err)
	}
	return nil
}

// firstBytes keeps the first KiB of what is written to it.
type firstBytes []byte

func (f *firstBytes) Write(p []byte) (int, error) {
	*f = append(*f, p[:min(len(p), 1024-len(*f))]...)
	return len(p), nil
}
