package prosperoserver

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"locator/internal/peers"
)

// served starts a server of a folder with files, each with its name as content, and symbolic links.
func served(t testing.TB, files []string, links map[string]string) *Server {
	t.Helper()
	dir := t.TempDir()
	for _, f := range files {
		name, content, _ := strings.Cut(f, "=")
		at := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(at), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, to := range links {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			peers.Skip(t, "a system without links: %v", err)
		}
	}
	s, err := Start(dir, "127.0.0.1:0", Options{Name: "HERE(1525)", Software: "Locator-9.9"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// links returns the types, targets and names of the links in an answer, and its other lines but
// those of attributes.
func links(answer []byte) string {
	var all []string
	for line := range strings.Lines(string(answer)) {
		if words := strings.Fields(line); words[0] == "LINK" {
			all = append(all, words[1]+" "+words[2]+" "+words[3])
		} else if !strings.HasPrefix(line, "ATTRIBUTE") {
			all = append(all, strings.TrimSpace(line))
		}
	}
	return strings.Join(all, ", ")
}

// The names that the clients of 1994 send: of several components, with wildcards, and regular
// expressions. Links of a folder are sent if the name matches.
//
// Covers: A13
func TestNames(t *testing.T) {
	t.Parallel()
	s := served(t, []string{"hello.txt", "h", "docs/README", "docs/deep/leaf.ps", ".hidden", "docs/.hidden",
		".links=" + "go\tgopher://gopher.example.org/\nhi\tprospero://here:1525/AFTP/docs\naway\tprospero://other.example.org/pub\n",
		"docs/.links=" + "tel\ttelnet://bbs.example.org/\n+\tprospero://other.example.org/more\n"}, nil)
	for name, want := range map[string]string{
		"":                      "L DIRECTORY docs, L FILE h, L FILE hello.txt, L EXTERNAL go, L DIRECTORY+FILE hi, L DIRECTORY+FILE away",
		"hi/deep":               "L DIRECTORY deep, U DIRECTORY '+'",
		"h":                     "L FILE h",
		"h*":                    "L FILE h, L FILE hello.txt, L DIRECTORY+FILE hi",
		"(^h.*)":                "L FILE h, L FILE hello.txt, L DIRECTORY+FILE hi",
		"?":                     "L FILE h",
		"go":                    "L EXTERNAL go",
		"docs":                  "L DIRECTORY docs",
		"docs/deep":             "L DIRECTORY deep, U DIRECTORY '+'",
		"docs deep":             "L DIRECTORY deep, U DIRECTORY '+'",
		"docs/deep/leaf.ps":     "L FILE leaf.ps",
		"docs deep leaf.ps":     "L FILE leaf.ps",
		"docs/deep/":            "L DIRECTORY deep, U DIRECTORY '+'",
		"docs/*":                "L FILE README, L DIRECTORY deep, L EXTERNAL tel, U DIRECTORY '+'",
		"docs/tel":              "L EXTERNAL tel, U DIRECTORY '+'",
		"docs/nosuch":           "U DIRECTORY '+'",
		"hello.txt/x":           "FAILURE NOT-A-DIRECTORY",
		"nosuch":                "NONE-FOUND",
		"nosuch/x":              "NONE-FOUND",
		"''":                    "NONE-FOUND",
		".hidden":               "NONE-FOUND",
		"docs/.hidden":          "U DIRECTORY '+'",
		"..":                    "NONE-FOUND",
		"docs/..":               "U DIRECTORY '+'",
		"docs/../hello.txt":     "U DIRECTORY '+', UNRESOLVED hello.txt",
		".*":                    "NONE-FOUND",
		`([)`:                   "FAILURE BAD-VALUE ([): [ is not closed",
		"away/a/'b c'":          "L DIRECTORY+FILE away, UNRESOLVED a b' c'",
		"docs/away/a":           "U DIRECTORY '+', UNRESOLVED a",
		strings.Repeat("*", 99): "FAILURE BAD-VALUE " + strings.Repeat("*", 99) + ": it has more than 64 bytes",
	} {
		got := links(s.answer([]byte("DIRECTORY ASCII AFTP\nLIST ATTRIBUTES+LEXPAND COMPONENTS " + name + "\n")))
		if got = strings.ReplaceAll(got, "':' ", ": "); strings.HasPrefix(want, "FAILURE BAD") {
			got = strings.NewReplacer("'", "", " ", "").Replace(got)
			want = strings.NewReplacer("'", "", " ", "").Replace(want)
		}
		if got != want {
			t.Errorf("%s: %s\nwant %s", name, got, want)
		}
	}
}

// A symbolic link leads neither to a name that is not served nor out of the folder.
//
// Covers: A13, T102
func TestSymlinks(t *testing.T) {
	t.Parallel()
	s := served(t, []string{"sub/file=yes", ".secret=no", ".private/file=no", "sub/.secret=no", "sub/deep/x=yes"}, map[string]string{
		"inl": ".secret", "dir": ".private", "through": "sub/../.private/file", "chain": "inl", "rel": "sub/./../sub/file", "ok": "sub", "up": "..", "out": "/etc", "sub/top": "../sub/deep",
		"loop": "loop", "a": "b", "b": "a", "climb": "sub/../../x", "hiddensub": "sub/.secret", "abs": "/sub"})
	if got, want := links(s.answer([]byte("DIRECTORY ASCII AFTP\nLIST '' COMPONENTS\n"))), "L DIRECTORY ok, L FILE rel, L DIRECTORY sub"; got != want {
		t.Errorf("listed %s, want %s", got, want)
	}
	for name, want := range map[string]string{"inl": "", "dir/file": "", "through": "", "chain": "", "rel": "yes", "ok/file": "yes", "sub/top/x": "yes", "ok/top/x": "yes", "loop": "", "loop/x": "", "a": "",
		"climb": "", "hiddensub": "", "ok/.secret": "", "out/passwd": "", "sub/file/x": "", ".private/file": ""} {
		got := string(s.answer([]byte("GET-OBJECT-INFO CONTENTS ASCII AFTP/" + name + "\n")))
		if (want == "") != (got == "NONE-FOUND\n") || want != "" && !strings.Contains(got, "DATA yes") {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if got := links(s.answer([]byte("DIRECTORY ASCII AFTP/dir\nLIST '' COMPONENTS\n"))); got != "FAILURE NOT-A-DIRECTORY" {
		t.Errorf("a folder that is not served: %s", got)
	}
}

// What the other commands of the clients of 1994 get.
//
// Covers: A13
func TestClientCommands(t *testing.T) {
	t.Parallel()
	s := served(t, []string{"a=text", "sub/x"}, nil)
	const all = "SIZE NATIVE-OWNER NATIVE-GROUP LAST-MODIFIED UNIX-MODES"
	attributes := regexp.MustCompile(`(?m)^ATTRIBUTE OBJECT INTRINSIC (\S+) SEQUENCE`)
	for request, want := range map[string]string{
		"GET-OBJECT-INFO ACCESS-METHOD ASCII AFTP/a 0":                           "ACCESS-METHOD", // what vget asks
		"GET-OBJECT-INFO ACCESS-METHOD+SIZE ASCII AFTP/a 0":                      "SIZE ACCESS-METHOD",
		"GET-OBJECT-INFO #ALL ASCII AFTP/a 0":                                    all + " ACCESS-METHOD",
		"GET-OBJECT-INFO UNIX-MODES+ACCESS-METHOD ASCII AFTP/sub":                "UNIX-MODES",
		"DIRECTORY ASCII AFTP\nLIST ATTRIBUTES COMPONENTS sub":                   all,
		"DIRECTORY ASCII AFTP\nLIST ATTRIBUTES+LEXPAND COMPONENTS a":             all + " ACCESS-METHOD",
		"DIRECTORY ASCII AFTP\nLIST LEXPAND+ATTRIBUTES(SIZE+TITLE) COMPONENTS a": all + " ACCESS-METHOD",
		"DIRECTORY ASCII AFTP\nLIST EXPAND+VERIFY COMPONENTS":                    "",
		"DIRECTORY ASCII AFTP\nLIST LEXPAND COMPONENTS a":                        "",
	} {
		var names []string
		for _, m := range attributes.FindAllStringSubmatch(string(s.answer([]byte(request+"\n"))), -1) {
			names = append(names, m[1])
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%q: %s, want %s", request, got, want)
		}
	}
	for request, want := range map[string]string{
		"VERSION": "VERSION 5 Locator-9.9\n", "STATUS": `Prospero server \(Locator-9.9\) HERE\(1525\)\nRequests since startup \d+\nStarted: .*\n`,
		"DIRECTORY ASCII AFTP/sub\nLIST VERIFY COMPONENTS": "NONE-FOUND\n", "DIRECTORY ASCII AFTP/nosuch\nLIST VERIFY COMPONENTS": "FAILURE NOT-A-DIRECTORY\n",
		"GET-OBJECT-INFO TITLE ASCII AFTP/a": "NONE-FOUND\n", "GET-OBJECT-INFO CONTENTS ASCII AFTP/nosuch": "NONE-FOUND\n", "GET-OBJECT-INFO x": "ERROR wrong number of arguments\n",
	} {
		if got := string(s.answer([]byte(request + "\n"))); !regexp.MustCompile(`\A` + want + `\z`).MatchString(got) {
			t.Errorf("%q: %q, want %s", request, got, want)
		}
	}
	if got := options("A+B(C+D(E))+F+"); !slices.Equal(got, []string{"A", "B", "F", ""}) {
		t.Errorf("options %q", fmt.Sprint(got))
	}
}

// A path of names that leads through a link of the folder to itself, again and again, costs a
// bounded number of readings of the LinksFile.
//
// Covers: A13, P6, T100
func TestLinkLoop(t *testing.T) {
	t.Parallel()
	s := served(t, []string{".links=me\tprospero://here:1525/AFTP\n" + strings.Repeat("# a comment\n", 10_000)}, nil)
	var stats, lists int
	s.files = counting{s.files, &stats, &lists}
	got := s.answer([]byte("DIRECTORY ASCII AFTP\nLIST '' COMPONENTS " + strings.Repeat("me/", 10_000) + "me\n"))
	if string(got) != tooMany || stats > 200 {
		t.Errorf("%d looks at files, %.100q", stats, got)
	}
}
