package safename

import (
	"path"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"
)

// Covers: P6, T37
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
		if got := Portable().Make(in); got != want {
			t.Errorf("Make(%q) = %q, want %q", in, got, want)
		}
	}
}

// Legal names stay as they are on the system that they are written on, except those that are
// hidden, look like an option or have control characters.
//
// Covers: P6
func TestNative(t *testing.T) {
	t.Parallel()
	r := Rules{illegal: "/", max: 240, octets: true} // as on Linux
	for in, want := range map[string]string{
		"what?.txt": "what?.txt", `'quote".txt`: `'quote".txt`, "colon:at@": "colon:at@", "caf\xe9": "caf\xe9", `a\b|c<d>*`: `a\b|c<d>*`, "con": "con",
		"end. . ": "end. . ", " begin": " begin", "a/b": "a_b", "..": "index", "": "index", ".hidden": "_hidden", "-rf": "_rf", "~user": "_user",
		"a\x1b[2J\r\n\x00": "a_[2J___", "c1\x9b2J": "c1_2J", "evil\u202etxt.exe": "evil_txt.exe",
		strings.Repeat("x", 300) + ".tar.gz": strings.Repeat("x", 237) + ".gz", strings.Repeat("\u00e9", 130) + ".txt": strings.Repeat("\u00e9", 118) + ".txt",
		strings.Repeat("x", 240): strings.Repeat("x", 240), strings.Repeat("x", 241): strings.Repeat("x", 240),
	} {
		if got := r.Make(in); got != want {
			t.Errorf("Make(%q) = %q, want %q", in, got, want)
		}
	}
	if got := Portable().Make(strings.Repeat("x", 195) + ".part_"); got != strings.Repeat("x", 194)+".part_" {
		t.Errorf("a long name lost its ending: %q", got)
	}
	if native := Native(); (runtime.GOOS == "linux") != (native.Make("a?\xe9") == "a?\xe9") {
		t.Errorf("the rules of %s are %+v", runtime.GOOS, native)
	}
}

func FuzzMake(f *testing.F) {
	f.Add("../x")
	f.Add("CON .txt")
	f.Fuzz(func(t *testing.T, name string) {
		for _, r := range []Rules{Portable(), {illegal: "/", max: 240}, {illegal: "/", max: 240, octets: true}} {
			s := r.Make(name)
			if s == "" || s == "." || s == ".." || s[0] == '.' || len(s) > r.max+1 || path.Base(s) != s ||
				!r.octets && !utf8.ValidString(s) || strings.ContainsAny(s, r.illegal+"\x00\r\n\x1b") || r.windows && (device(s) || !filepath.IsLocal(s)) {
				t.Errorf("%+v: Make(%q) = %q", r, name, s)
			}
			if again := r.Make(s); again != s {
				t.Errorf("%+v: Make(%q) = %q: not stable", r, s, again)
			}
		}
	})
}

// Number returns a different and safe name that keeps the suffix.
//
// Covers: P6, T39
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
		if got := Portable().Number(tt.name, tt.n); got != tt.want {
			t.Errorf("Number(%q, %d) = %q, want %q", tt.name, tt.n, got, tt.want)
		}
	}
	for _, name := range []string{long, strings.Repeat("é", 100), strings.Repeat("x", 100) + "." + strings.Repeat("y", 99)} {
		seen := map[string]bool{name: true}
		for n := 2; n < 3000; n++ {
			got := Portable().Number(name, n)
			if seen[got] || len(got) > Portable().max || Portable().Make(got) != got {
				t.Fatalf("Number(%q, %d) = %q: taken already, or not safe", name, n, got)
			}
			seen[got] = true
		}
	}
}
