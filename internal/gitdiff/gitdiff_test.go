package gitdiff

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// repository is a git repository in a new folder.
type repository struct {
	t   *testing.T
	dir string
}

func newRepository(t *testing.T) repository {
	t.Helper()
	r := repository{t, t.TempDir()}
	r.git("init", "-q", "-b", "main")
	return r
}

func (r repository) git(args ...string) string {
	r.t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@b.example", "-c", "commit.gpgsign=false"}, args...)...)
	cmd.Dir = r.dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		r.t.Fatalf("git %v: %v: %s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func (r repository) write(name, text string) {
	r.t.Helper()
	path := filepath.Join(r.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		r.t.Fatal(err)
	}
}

func (r repository) commit() {
	r.t.Helper()
	r.git("add", "-A")
	r.git("commit", "-q", "-m", "x")
}

// has returns which of the lines 0 to 5 of a file were added, such as "0.2...".
func has(a *Added, file string) string {
	lines := a.File(file)
	text := ""
	for i := range 6 {
		if lines.Has(i) {
			text += string(rune('0' + i))
		} else {
			text += "."
		}
	}
	return text
}

func TestSince(t *testing.T) {
	t.Parallel()
	r := newRepository(t)
	blank := "docs/a b ä\".md"
	r.write("a.md", "1\n2\n3\n")
	r.write(blank, "1\n")
	r.write("old.md", "1\n2\n3\n4\n5\n6\n7\n8\n")
	r.write(".gitignore", "ignored.md\n")
	r.write("gone.md", "x\n")
	r.commit()
	r.git("tag", "v1")
	r.git("checkout", "-q", "-b", "topic")
	r.write("a.md", "1\nnew\n2\n3\n")
	r.write(blank, "1\n2\n")
	r.git("mv", "old.md", "renamed.md")
	r.git("rm", "-q", "gone.md")
	r.commit()
	// What main removes meanwhile is not what the branch adds.
	r.git("checkout", "-q", "main")
	r.write("a.md", "1\n3\n")
	r.commit()
	r.git("checkout", "-q", "topic")
	r.write("a.md", "1\nnew\n2\n3\nnot committed\n")
	r.write("untracked.md", "1\n2\n")
	r.write("ignored.md", "1\n")
	// Settings of the user that change the output.
	for _, c := range [][2]string{
		{"diff.noprefix", "true"}, {"diff.mnemonicPrefix", "true"}, {"diff.relative", "true"}, {"color.diff", "always"}, {"diff.external", "false"},
		{"diff.interHunkContext", "9"}, {"diff.context", "9"}, {"core.pager", "false"},
	} {
		r.git("config", c[0], c[1])
	}
	for _, commit := range []string{"v1", "main", "HEAD~1"} {
		a, err := Since(t.Context(), r.dir, commit)
		if err != nil {
			t.Fatal(err)
		}
		for file, want := range map[string]string{
			"a.md": "0.2..5", "./docs/../a.md": "0.2..5", filepath.Join(r.dir, "a.md"): "0.2..5", blank: "0.2...", "renamed.md": "......", "untracked.md": "012345",
			"ignored.md": "......", "gone.md": "......", ".gitignore": "......", "no.md": "......",
		} {
			if got := has(a, file); got != want {
				t.Errorf("%s: %s: got %s, want %s", commit, file, got, want)
			}
		}
	}
	// From a folder below.
	a, err := Since(t.Context(), filepath.Join(r.dir, "docs"), "v1")
	if err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]string{"a b ä\".md": "0.2...", "../untracked.md": "012345", "../a.md": "0.2..5"} {
		if got := has(a, file); got != want {
			t.Errorf("%s: got %s, want %s", file, got, want)
		}
	}
}

func TestSinceThroughLink(t *testing.T) {
	t.Parallel()
	r := newRepository(t)
	r.write("a.md", "1\n")
	r.commit()
	r.write("a.md", "1\n2\n")
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(r.dir, link); err != nil {
		t.Fatal(err)
	}
	a, err := Since(t.Context(), link, "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	if got := has(a, filepath.Join(link, "a.md")); got != "0.2..." {
		t.Error(got)
	}
}

// A commit is never an option.
func TestSinceRefuses(t *testing.T) {
	t.Parallel()
	r := newRepository(t)
	r.write("a.md", "1\n")
	r.commit()
	planted := filepath.Join(r.dir, "planted")
	for _, commit := range []string{"", "--output=" + planted, "-p", "no-such", "HEAD..HEAD", "HEAD:a.md", "x\x00y", "HEAD --output=" + planted} {
		if _, err := Since(t.Context(), r.dir, commit); err == nil {
			t.Errorf("%q: no error", commit)
		}
	}
	if _, err := os.Stat(planted); err == nil {
		t.Error("an option was obeyed")
	}
	_, err := Since(t.Context(), r.dir, "no-such")
	if !errors.Is(err, errNoCommit) {
		t.Errorf("error %v", err)
	}
	if _, err := Since(t.Context(), "/", "HEAD"); err == nil || !strings.Contains(err.Error(), "not a git repository") {
		t.Errorf("error %v", err)
	}
}

func TestSinceCanceled(t *testing.T) {
	t.Parallel()
	r := newRepository(t)
	r.write("a.md", "1\n")
	r.commit()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Since(ctx, r.dir, "HEAD"); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// Git is ended when its output is not read to its end.
func TestRunEndsGit(t *testing.T) {
	t.Parallel()
	r := newRepository(t)
	r.write("a.md", strings.Repeat("line\n", 1_000_000))
	r.git("add", "-A")
	stop := errors.New("enough")
	err := git{t.Context(), r.dir}.run(func(io.Reader) error { return stop }, "diff", "--cached")
	if !errors.Is(err, stop) {
		t.Errorf("error %v", err)
	}
}
