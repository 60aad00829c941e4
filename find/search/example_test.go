package search_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"locator/find/search"
)

func ExampleSearch_All() {
	dir, err := os.MkdirTemp("", "search-")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	for name, text := range map[string]string{
		".ignore":     "*.log\n",
		"a.log":       "http://host.dom/ignored\n",
		"b.txt":       "see <URL:ftp://host.dom/\npub/>, and\n",
		"index.html":  "<p>\n<a href='http://host.dom/?a&amp;b'>x</a>",
		"sub/none.md": "No URL.\n",
	} {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o777), os.WriteFile(name, []byte(text), 0o666)); err != nil {
			fmt.Println(err)
		}
	}
	s := search.Search{Unique: true}
	for m, err := range s.All(context.Background(), dir, filepath.Join(dir, "missing")) {
		if err != nil {
			fmt.Println("missing:", errors.Is(err, os.ErrNotExist))
			continue
		}
		fmt.Printf("%s:%d:%d: %s (%s)\n", filepath.Base(m.Text.Name), m.Line, m.Column, m.URL, m.Text.Format.Name())
	}
	// Output:
	// b.txt:1:5: ftp://host.dom/pub/ (text)
	// index.html:2:10: http://host.dom/?a&b (html)
	// missing: true
}
