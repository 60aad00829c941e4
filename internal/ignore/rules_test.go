package ignore_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"locator/internal/ignore"
)

// cases are work trees of git. files has a file of patterns, its name and a line per pattern,
// joined by commas. kept and left are the other files: those that are not ignored and those that
// are.
var cases = []struct {
	name       string
	files      []string
	kept, left string
}{
	{"names", []string{".gitignore,a,b.txt"}, "c ax b.txtx d/c", "a b.txt d/a d/b.txt e/a/c"},
	{"suffixes", []string{".gitignore,*.log,*~"}, "log x.logs", "x.log .log d/x.log x~ d/.x~"},
	{"anchored", []string{".gitignore,/a,/b/c,d/e,/*.txt"}, "x/a b/d x/b/c x/d/e b/x.txt", "a b/c d/e x.txt"},
	{"folders", []string{".gitignore,out/,/top/"}, "out x/top/a y/out", "b/out/a top/a top/b/c"},
	{"negated", []string{".gitignore,*.txt,!keep.txt,!/d/*.txt"}, "keep.txt d/a.txt", "a.txt e/a.txt"},
	{"negated below a folder that is ignored", []string{".gitignore,out/,!out/keep"}, "keep", "out/keep out/b"},
	{"the folder's content", []string{".gitignore,out/*,!out/keep"}, "out/keep x/out/a", "out/b out/c/d"},
	{"everything but", []string{".gitignore,*,!*/,!*.md"}, "a.md d/b.md d/e/c.md", "a d/b d/e/c .gitignore"},
	{"the last rule wins", []string{".gitignore,!a,a,b,!b"}, "b", "a"},
	{"nested", []string{".gitignore,*.txt", "d/.gitignore,!*.txt,/x", "d/e/.gitignore,b.txt"}, "d/a.txt d/e/a.txt d/e/x", "a.txt d/x d/e/b.txt"},
	{"nested anchored", []string{"d/.gitignore,/a,b/c"}, "a b/c d/e/a d/e/b/c", "d/a d/b/c"},
	{"two stars first", []string{".gitignore,**/a,**/b/c"}, "b/x ab", "a d/a d/e/a b/c x/b/c x/y/b/c"},
	{"two stars last", []string{".gitignore,a/**"}, "b/a x/a/b", "a/b a/c/d"},
	{"two stars between", []string{".gitignore,a/**/b"}, "b x/a/b a/c", "a/b a/x/b a/x/y/b"},
	{"two stars again and again", []string{".gitignore,a/**/b/**/c"}, "a/c a/b/x/y", "a/b/c a/x/b/c a/b/z/c a/x/b/y/c a/b/w/b/c"},
	{"two stars with more", []string{".gitignore,a**b,/c**/d"}, "a/b x/c/d a/x/b", "ab axxb x/ayb c/d cx/d"},
	{"two stars alone", []string{"d/.gitignore,**"}, "a e/b", "d/a d/e/f d/.gitignore"},
	{"star in a path", []string{".gitignore,a/*/c,x*y/z"}, "a/c a/b/d/c x/y/z q/a/b/c", "a/b/c xy/z xaay/z"},
	{"question mark", []string{".gitignore,a?c,d/?"}, "ac abbc d/ab a/c", "abc x/a.c d/e"},
	{"classes", []string{".gitignore,[ab]1,[!a-c]2,[^x]3,[]z]4,[a-]5"}, "c1 a2 x3 a4 b5", "a1 b1 d2 y3 ]4 z4 -5 a5"},
	{"a class of escapes", []string{`.gitignore,[\]x]6,[\!a]7,[+-.]8`}, "y6 b7 a8", "]6 x6 !7 a7 -8 +8"},
	{"named classes", []string{".gitignore,[[:digit:]]a,[[:upper:][:punct:]]b,[![:alnum:]_]c,[[:nonsense:]]d"}, "xa ab 1c _c [d nd", "0a Ab ;b -b ]b -c"},
	{"a class matches no slash", []string{".gitignore,a[!x]b,c[+-9]d"}, "a/b c/d axb", "ayb c0d x/ayb"},
	{"a class without end", []string{".gitignore,[ab,x[1"}, "a [ab x1 [a", ""},
	{"escapes", []string{`.gitignore,\#a,\!b,c\*d,e\\f`}, "cxd", `#a !b c*d e\f`},
	{"a comment", []string{".gitignore,#a,_#b"}, "#a b", "_#b"},
	{"blanks", []string{".gitignore,a  ,b\\ , c"}, "b|c|b  ", "a|b | c"},
	{"a blank before an escape", []string{".gitignore,a\\\\ ,x\t"}, "x|a", "a\\|x\t"},
	{"braces are no alternatives", []string{".gitignore,{a,b},*.{c"}, "a b x.c", "{a x/b} x.{c"},
	{"empty patterns", []string{".gitignore,,/,!,!/"}, "a b/c", ""},
	{"a backslash alone", []string{`.gitignore,a\`}, "a", ""},
	{"line ends and byte order mark", []string{"\ufeff.gitignore,\ufeffa\r,b\r"}, "c", "a b"},
	{"not UTF-8", []string{".gitignore,a\xff,b\xfe*"}, "a\xfe b", "a\xff b\xfex"},
	{"beyond ASCII", []string{".gitignore,é,*ü"}, "e äy", "é aü"},
	{"a pattern that takes long", []string{".gitignore," + strings.Repeat("*a", 40) + "b"}, strings.Repeat("a", 200), strings.Repeat("a", 100) + "b"},
}

func TestRules(t *testing.T) {
	t.Parallel()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			top := workTree(t, c.files, names(c.kept), names(c.left))
			want := names(c.kept)
			slices.Sort(want)
			var files []string // of patterns, which may be ignored themselves
			for _, f := range c.files {
				name, _, _ := strings.Cut(strings.TrimPrefix(f, "\ufeff"), ",")
				files = append(files, name)
			}
			without := func(list []string) []string {
				return slices.DeleteFunc(list, func(name string) bool { return slices.Contains(files, name) || name == "" })
			}
			if got := without(walk(t, top)); !slices.Equal(got, want) {
				t.Errorf("kept are %q, want %q", got, want)
			}
			if git := asGit(t, top, t.TempDir()); git != nil {
				if got := without(git); !slices.Equal(got, want) {
					t.Errorf("git keeps %q, the table %q", got, want)
				}
			}
		})
	}
}

// names are separated by blanks, or by "|" where they have blanks.
func names(list string) []string {
	if strings.Contains(list, "|") {
		return strings.Split(list, "|")
	}
	return strings.Fields(list)
}

// workTree makes a work tree of git with files.
func workTree(t *testing.T, patterns, kept, left []string) (top string) {
	t.Helper()
	top = t.TempDir()
	write := func(name, text string) {
		name = filepath.Join(top, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(".git/HEAD", "ref: refs/heads/main\n")
	write(".git/objects/x", "")
	write(".git/refs/x", "")
	for _, name := range slices.Concat(kept, left) {
		if name != "" {
			write(name, "x")
		}
	}
	for _, p := range patterns {
		name, lines, _ := strings.Cut(strings.TrimPrefix(p, "\ufeff"), ",")
		write(name, strings.ReplaceAll(lines, ",", "\n")+"\n")
	}
	return top
}

// walk returns the files below a work tree that are not ignored.
func walk(t *testing.T, top string) (files []string) {
	t.Helper()
	root, err := ignore.Open(top, func(file string, err error) { t.Error(file, err) })
	if err != nil {
		t.Fatal(err)
	}
	var enter func(r *ignore.Rules, path string)
	enter = func(r *ignore.Rules, path string) {
		entries, err := os.ReadDir(filepath.Join(top, path))
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			switch name := path + e.Name(); {
			case e.Name() == ".git" || r.Ignored(e.Name(), e.IsDir()):
			case e.IsDir():
				inner, err := os.ReadDir(filepath.Join(top, name))
				if err != nil {
					t.Fatal(err)
				}
				enter(r.Enter(e.Name(), inner), name+"/")
			default:
				files = append(files, name)
			}
		}
	}
	enter(root, "")
	slices.Sort(files)
	return files
}

// asGit returns what git says: the files that it would add. It is nil if there is no git.
func asGit(t *testing.T, top, home string) []string {
	t.Helper()
	program, err := exec.LookPath("git")
	if err != nil {
		return nil
	}
	cmd := exec.Command(program, "-C", top, "ls-files", "-z", "--others", "--exclude-standard")
	cmd.Env = []string{"HOME=" + home, "GIT_CONFIG_NOSYSTEM=1", "GIT_CEILING_DIRECTORIES=" + filepath.Dir(top)}
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git: %v: %s", err, out)
	}
	files := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
	slices.Sort(files)
	return files
}
