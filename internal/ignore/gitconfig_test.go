package ignore_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"locator/internal/ignore"
)

// configured are configurations of git with the file of patterns that holds: each ignores the file of its own name.
var configured = []struct{ user, xdg, tree, list string }{
	{"", "", "", "default"},
	{"[user]\n\tname = x\n[core]\n\texcludesFile = ~/a\n", "", "", "a"},
	{"", "[core]\nexcludesfile=~/b", "", "b"},
	{"[core]\nexcludesFile = ~/a", "[core]\nexcludesfile=~/b", "", "a"},
	{"[core]\nexcludesFile = ~/a", "", "[core]\n\tbare = false\n\texcludesFile = ~/b # why\n", "b"},
	{"[CORE] ExcludesFile = \"~/a b\" ; why", "", "", "a b"},
	{"[core] excludesFile = ~/a b \t \n", "", "", "a b"},
	{"[core]\r\nexcludesFile=~/a\\\r\n.c\r\n", "", "", "a.c"},
	{"[core]\nexcludesFile = \"~/a#\"\\\"\n", "", "", "a#\""},
	{"[core]\nexcludesFile = ~/a\nexcludesFile = ~/b\n[core \"x\"]\nexcludesFile = ~/c", "", "", "b"},
	{"[corex]\nexcludesFile = ~/a\n[x]\nexcludesFile = ~/b", "", "", "default"},
	{"[core]\nexcludesFilex = ~/a\n;excludesFile = ~/b\n# excludesFile = ~/c\n", "", "", "default"},
	{"[alias \"a]b\"]\nx = \"[core]\\\nexcludesFile = ~/a\"\n", "", "", "default"},
	{"[core]\nexcludesFile = ~/none", "", "", ""},
	{"[core]\nexcludesFile =", "", "", ""},
	{"", "", "[core]\nexcludesFile = ../home/a", "a"},
	{"\ufeff[core]\nexcludesFile = HOME/a", "", "", "a"},
}

func TestExcludesFile(t *testing.T) {
	t.Parallel()
	lists := []string{"default", "a", "b", "c", "a b", "a.c", "a#\""}
	for _, c := range configured {
		t.Run(c.user+c.xdg+c.tree, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			home, top := filepath.Join(dir, "home"), filepath.Join(dir, "tree")
			files := map[string]string{
				"home/.gitconfig": strings.ReplaceAll(c.user, "HOME", home), "home/.config/git/config": c.xdg, "tree/.git/config": c.tree,
				"tree/.git/HEAD": "ref: refs/heads/main\n", "tree/.git/objects/x": "", "tree/.git/refs/x": "",
			}
			var want []string
			for _, list := range lists {
				name := filepath.Join("home", list)
				if list == "default" {
					name = "home/.config/git/ignore"
				}
				files[name] = "/" + list + "\n"
				files[filepath.Join("tree", list)] = "x"
				if list != c.list {
					want = append(want, list)
				}
			}
			for name, text := range files {
				name = filepath.Join(dir, name)
				if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			slices.Sort(want)
			if got := walk(t, top, ignore.User{Home: home, Config: filepath.Join(home, ".config", "git")}); !slices.Equal(got, want) {
				t.Errorf("kept are %q, want %q", got, want)
			}
			if git := asGit(t, top, home); git != nil && !slices.Equal(git, want) {
				t.Errorf("git keeps %q, the table %q", git, want)
			}
		})
	}
}

// A configuration file of any content takes linear time and does no harm.
func TestExcludesFileHostile(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	for _, part := range []string{"[", "[\n", "a=\n", "a=\\\n", "\"", "a=\"\n", "#", "\x00\xff", "[core]", "=", "]\n", "[core]excludesfile=\\"} {
		if err := os.WriteFile(filepath.Join(home, ".gitconfig"), []byte(strings.Repeat(part, 2<<20/len(part))), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := ignore.Open(home, ignore.User{Home: home}, nil); err != nil {
			t.Errorf("%q: %v", part, err)
		}
	}
}
