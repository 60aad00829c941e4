package docs_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestRecipes checks that the commands and paths of the pages for contributors name something that
// exists, and runs the commands that run one test.
func TestRecipes(t *testing.T) {
	t.Parallel()
	for page, least := range map[string]int{"../CONTRIBUTING.md": 10, "internals/add-a-scheme.md": 1} {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		commands := recipes(string(text))
		if len(commands) < least {
			t.Errorf("%s: found only the commands %q", page, commands)
		}
		for _, command := range commands {
			run, err := checkRecipe(command)
			if err == nil && run != nil {
				var out []byte
				run.Dir = ".."
				if out, err = run.CombinedOutput(); err == nil && !strings.Contains(string(out), "--- PASS: ") {
					err = fmt.Errorf("no test has run: %s", out)
				}
			}
			if err != nil {
				t.Errorf("%s: %s: %v", page, command, err)
			}
		}
	}
	text, err := os.ReadFile("../CONTRIBUTING.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile("`(\\w[^` ]*(?:/|\\*|\\.(?:go|md|sh|txt|txtar)))`").FindAllStringSubmatch(prose(string(text)), -1) {
		pattern := filepath.Join("..", regexp.MustCompile(`NAME|VERB|SERVER`).ReplaceAllString(m[1], "*"))
		if found, err := filepath.Glob(pattern); len(found) == 0 {
			t.Errorf("CONTRIBUTING.md: there is no %s, %v", m[1], err)
		}
	}
}

// TestRecipesOfNothing checks that a recipe that names nothing is noticed: go test reports success
// for most of them.
func TestRecipesOfNothing(t *testing.T) {
	t.Parallel()
	for _, command := range []string{
		"go test ./scheme/ftp -run TestListForms", "go test ./scheme/fpt -run TestListings", "go test ./scheme/ftp -run TestListings/",
		"go test -run '^$' -fuzz '^FuzzPars$' .", "go run ./internal/license -w", "./tests.sh", "cd examples/echo && go run ./cmd/xecho",
		"go tool -modfile=internal/go.mod staticcheck ./...", "LOCATOR_PEERS=1 go test ./schemes/...", "go test ./scheme/ftp -run 'Test('",
	} {
		if _, err := checkRecipe(command); err == nil {
			t.Errorf("%s: no error", command)
		}
	}
}

// recipes returns the commands of a page: the lines of its blocks in no language, of which only
// those after "$ " count if there are any, and what stands in code font and begins like a command.
func recipes(page string) (commands []string) {
	for i, part := range strings.Split(page, "```") {
		if block, ok := strings.CutPrefix(part, "\n"); ok && i%2 == 1 {
			prompt := ""
			if strings.Contains("\n"+block, "\n$ ") {
				prompt = "$ "
			}
			for line := range strings.Lines(block) {
				if command, ok := strings.CutPrefix(line, prompt); ok {
					commands = append(commands, strings.TrimSpace(command))
				}
			}
		}
	}
	for _, m := range regexp.MustCompile("`((?:[A-Z_]+=\\S+ )*(?:go |cd |\\./)[^`]*)`").FindAllStringSubmatch(prose(page), -1) {
		commands = append(commands, m[1])
	}
	return commands
}

// checkRecipe checks that the files, packages and tests that a command names exist. If the command
// only runs one test, it returns it.
func checkRecipe(command string) (*exec.Cmd, error) {
	command, _, _ = strings.Cut(command, " #")
	dir := ".."
	if rest, ok := strings.CutPrefix(command, "cd "); ok {
		folder, rest, _ := strings.Cut(rest, " && ")
		dir, command = filepath.Join(dir, folder), rest
	}
	words := strings.Fields(strings.ReplaceAll(command, "'", ""))
	var patterns []string
	tests := ""
	for i, word := range words {
		path := strings.TrimPrefix(word, "-modfile=")
		switch {
		case i > 0 && (words[i-1] == "-run" || words[i-1] == "-fuzz"):
			patterns = append(patterns, word)
		case path != word, word == ".", strings.HasPrefix(word, "./"):
			folder := filepath.Join(dir, strings.TrimSuffix(path, "..."))
			if _, err := os.Stat(folder); err != nil {
				return nil, err
			}
			files, _ := filepath.Glob(filepath.Join(folder, "*_test.go")) // the pattern is valid
			for _, file := range files {
				text, err := os.ReadFile(file)
				if err != nil {
					return nil, err
				}
				tests += string(text)
			}
		}
	}
	names := regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w*)\(`).FindAllStringSubmatch(tests, -1)
	for _, pattern := range patterns {
		first, sub, split := strings.Cut(pattern, "/")
		test, err := regexp.Compile(first)
		if err != nil || split && sub == "" {
			return nil, fmt.Errorf("%s is not a pattern of tests", pattern)
		}
		found := pattern == "^$" // runs no test on purpose
		for _, name := range names {
			found = found || test.MatchString(name[1])
		}
		if !found {
			return nil, fmt.Errorf("there is no test %s", pattern)
		}
	}
	if len(patterns) != 1 || strings.Contains(command, "NAME") || words[len(words)-1] == "-update" {
		return nil, nil
	}
	return exec.Command(words[0], append(words[1:], "-v", "-vet=off")...), nil
}
