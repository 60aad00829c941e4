package safename

import (
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

// Covers: P6
func TestMake(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"motd":                   "motd",
		"a b.txt":                "a b.txt",
		"caf\u00e9.txt":          "caf\u00e9.txt",
		"caf\xe9.txt":            "caf_.txt",
		"":                       "index",
		".":                      "index",
		"..":                     "index",
		"../../etc/passwd":       "_._.._etc_passwd",
		"/etc/motd":              "_etc_motd",
		`..\x`:                   "_._x",
		".bashrc":                "_bashrc",
		"-rf":                    "_rf",
		"~root":                  "_root",
		"a\x1b[2Jb\r\n\x00":      "a_[2Jb___",
		"con":                    "_con",
		"NUL.txt":                "_NUL.txt",
		"com1":                   "_com1",
		"LPT9.doc":               "_LPT9.doc",
		"com":                    "com",
		"command":                "command",
		"name. . ":               "name",
		"evil\u202etxt.exe":      "evil_txt.exe",
		"c:\\x":                  "c__x",
		"what?.txt":              "what_.txt",
		"a:stream":               "a_stream",
		strings.Repeat("x", 300): strings.Repeat("x", 200),

		"_" + strings.Repeat(" ", 300) + "x":   "index", // what is left of it once it is cut
		"con" + strings.Repeat(" ", 300) + "x": "_con",
	} {
		if got := Make(in); got != want {
			t.Errorf("Make(%q) = %q, want %q", in, got, want)
		}
	}
}

func FuzzMake(f *testing.F) {
	f.Add("../x")
	f.Add("CON .txt")
	f.Fuzz(func(t *testing.T, name string) {
		s := Make(name)
		if s == "" || s == "." || s == ".." || s[0] == '.' || len(s) > maxName+1 || filepath.Base(s) != s ||
			!utf8.ValidString(s) || strings.ContainsAny(s, "/\\\x00\r\n\x1b:") || device(s) || !filepath.IsLocal(s) {
			t.Errorf("Make(%q) = %q", name, s)
		}
		if again := Make(s); again != s {
			t.Errorf("Make(%q) = %q: not stable", s, again)
		}
	})
}

// Number returns a different and safe name that keeps the suffix.
//
// Covers: P6
func TestNumber(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 196) + ".txt"
	for _, tt := range []struct {
		name string
		n    int
		want string
	}{
		{"a.txt", 2, "a~2.txt"}, {"a", 2, "a~2"}, {"a.tar.gz", 3, "a.tar~3.gz"}, {"_x", 2, "_x~2"}, {"a~2.txt", 2, "a~2~2.txt"}, {"index", 1000, "index~1000"},
	} {
		if got := Number(tt.name, tt.n); got != tt.want {
			t.Errorf("Number(%q, %d) = %q, want %q", tt.name, tt.n, got, tt.want)
		}
	}
	for _, name := range []string{long, strings.Repeat("é", 100), strings.Repeat("x", 100) + "." + strings.Repeat("y", 99)} {
		seen := map[string]bool{name: true}
		for n := 2; n < 3000; n++ {
			got := Number(name, n)
			if seen[got] || len(got) > maxName || Make(got) != got {
				t.Fatalf("Number(%q, %d) = %q: taken already, or not safe", name, n, got)
			}
			seen[got] = true
		}
	}
}
