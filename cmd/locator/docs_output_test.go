package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestPagesShowOutput runs the commands that README.md and docs/*.md show with their output, as in
// "$ locator parse URL", and compares the output. "..." in a page stands for any text. "$ cat FILE"
// shows a file that the commands of the page read. These commands use no network.
func TestPagesShowOutput(t *testing.T) {
	t.Parallel()
	pages, err := filepath.Glob("../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	// The pages name folders that are not there: "site", and that of a server.
	dir := t.TempDir()
	site, www := filepath.Join(dir, "site"), "file://"+filepath.ToSlash(dir)+"/www/"
	err = os.Mkdir(site, 0o777)
	if err == nil {
		err = os.WriteFile(filepath.Join(site, "index.html"), []byte("hello world\n"), 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
	there := strings.NewReplacer(" site ", " "+site+" ", "file:///srv/www/", www, " notes.txt", " "+filepath.Join(dir, "notes.txt"))
	back := strings.NewReplacer(site, "site", www, "file:///srv/www/", dir+string(filepath.Separator), "")
	commands := 0
	for _, page := range append(pages, "../../README.md") {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for i, block := range strings.Split(string(text), "```\n") {
			if file, ok := strings.CutPrefix(block, "$ cat "); ok && i%2 == 1 {
				name, text, _ := strings.Cut(file, "\n")
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			if i%2 == 0 || !strings.HasPrefix(block, "$ locator ") {
				continue
			}
			status := 0
			for _, part := range strings.Split(block, "$ ")[1:] {
				command, want, _ := strings.Cut(part, "\n")
				got := strconv.Itoa(status) + "\n"
				if command != "echo $?" {
					commands++
					var out, errs string
					out, errs, status = runText(t, "", shellWords(there.Replace(command))[1:]...)
					got = back.Replace(out + errs)
				}
				pattern := strings.ReplaceAll(regexp.QuoteMeta(want), `\.\.\.`, `.*`)
				if !regexp.MustCompile(`(?s)^` + pattern + `$`).MatchString(got) {
					t.Errorf("%s shows for %s\n%s\nand it prints\n%s", page, command, want, got)
				}
			}
		}
	}
	if commands < 5 {
		t.Errorf("found only %d commands with their output", commands)
	}
}

// shellWords splits a command line at spaces, and takes what is in single quotes as it is.
func shellWords(s string) []string {
	var words []string
	for i, quoted := range strings.Split(s, "'") {
		if i%2 == 1 {
			words = append(words, quoted)
			continue
		}
		words = append(words, strings.Fields(quoted)...)
	}
	return words
}
