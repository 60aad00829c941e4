package xecho

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The code in the tutorial is the code of this module: a file here contains each of its Go blocks.
func TestTutorial(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "internals", "add-a-scheme.md"))
	if err != nil {
		t.Fatal(err)
	}
	var code strings.Builder
	for _, pattern := range []string{"*.go", "*/*.go", "*/*/*.go", "go.mod"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("no file %s: %v", pattern, err)
		}
		for _, name := range files {
			if name == "doc_test.go" {
				continue
			}
			b, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			code.Write(b)
		}
	}
	blocks := 0
	for i, part := range strings.Split(string(text), "```") {
		body, ok := strings.CutPrefix(part, "go\n")
		if i%2 == 0 || !ok {
			continue
		}
		blocks++
		if !strings.Contains(code.String(), body) {
			t.Errorf("no file here contains this code of the tutorial:\n%s", body)
		}
	}
	if blocks < 5 {
		t.Errorf("found only %d blocks of Go in the tutorial", blocks)
	}
}
