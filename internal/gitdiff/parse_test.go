package gitdiff

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
)

func TestParseDiff(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ text, want string }{
		"nothing": {"", "map[]"},
		"hunks": {`diff --git a/docs/a.md b/docs/a.md
index 1..2 100644
--- a/docs/a.md
+++ b/docs/a.md
@@ -2,0 +3,2 @@ heading +++ b/no
+one
+two
@@ -9 +11 @@
-old
+new
`, "map[docs/a.md:[{3 4} {11 11}]]"},
		"lines that look like headers": {`diff --git a/a b/a
--- a/a
+++ b/a
@@ -1,2 +1,3 @@
--- a/x
-diff --git a/y b/y
+++ b/z
+@@ -1 +1 @@
+diff --git a/q b/q
`, "map[a:[{1 3}]]"},
		"context, and no newline at the end": {"diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1,3 +1,4 @@\n x\n+y\n z\n-end\n\\ No newline at end of file\n+end2\n\\ No newline at end of file\n", "map[a:[{2 2} {4 4}]]"},
		"removed, renamed, mode, binary": {`diff --git a/gone b/gone
deleted file mode 100644
--- a/gone
+++ /dev/null
@@ -1 +0,0 @@
-x
diff --git a/x b/y
similarity index 100%
rename from x
rename to y
diff --git a/m b/m
old mode 100644
new mode 100755
diff --git a/b b/b
Binary files a/b and b/b differ
`, "map[]"},
		"quoted": {"diff --git \"a/\\303\\244\" \"b/\\303\\244\"\n--- \"a/\\303\\244\"\n+++ \"b/\\303\\244\\t\\\"\\\\\\377\"\n@@ -0,0 +1 @@\n+x\n",
			"map[ä\t\"\\\xff:[{1 1}]]"},
		"blank":       {"diff --git a/a b b/a b\n--- a/a b\t\n+++ b/a b\t\n@@ -0,0 +1 @@\n+x\n", "map[a b:[{1 1}]]"},
		"a long line": {"diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -0,0 +1,2 @@\n+" + strings.Repeat("+x", maxName) + "\n+y\n", "map[a:[{1 2}]]"},
	} {
		files, err := parseDiff(strings.NewReader(test.text))
		if got := fmt.Sprint(files); err != nil || got != test.want {
			t.Errorf("%s: got %q, want %q, error %v", name, got, test.want, err)
		}
	}
}

func TestParseDiffMalformed(t *testing.T) {
	t.Parallel()
	const head = "diff --git a/a b/a\n--- a/a\n"
	for _, text := range []string{
		"+++ a\n", "+++ b/\n", "+++ \"b/a\n", "+++ \"b/\\9\"\n", "+++ b/" + strings.Repeat("x", maxName) + "\n",
		"+++ b/a\n@@ -1 @@\n", "+++ b/a\n@@ -1 +1,x @@\n", "+++ b/a\n@@ -1 +99999999999 @@\n", "+++ b/a\n@@ -1 --1 @@\n", "+++ b/a\n@@ -1,-1 +1 @@\n",
		"+++ b/a\n@@ -0,0 +1,2 @@\n+x\n",
	} {
		if files, err := parseDiff(strings.NewReader(head + text)); err == nil {
			t.Errorf("%.80q: %v", text, files)
		}
	}
}

// endless yields the same bytes without end.
type endless string

func (e endless) Read(p []byte) (int, error) { return copy(p, e), nil }

func TestParseDiffEndless(t *testing.T) {
	t.Parallel()
	hunks := endless(strings.Repeat("@@ -1 +9 @@\n-x\n+y\n", 100))
	if _, err := parseDiff(io.MultiReader(strings.NewReader("+++ b/a\n"), hunks)); !errors.Is(err, errTooLarge) {
		t.Errorf("error %v", err)
	}
}

func FuzzParseDiff(f *testing.F) {
	f.Add("diff --git a/a b/a\n--- a/a\n+++ \"b/a\\303\"\n@@ -1,2 +1,3 @@\n+x\n y\n-z\n+q\n")
	f.Fuzz(func(t *testing.T, text string) {
		files, err := parseDiff(strings.NewReader(text))
		if err != nil {
			return
		}
		for name, ranges := range files {
			if name == "" {
				t.Error("a file without a name")
			}
			for _, r := range ranges {
				if r.first > r.last {
					t.Errorf("%v", r)
				}
			}
		}
	})
}
