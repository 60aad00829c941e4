//go:build !race

package prosperoserver

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// flat has files in one directory, which are not on disk.
type flat []Item

func (f flat) List(p []string, match func(string) bool, _ int) (items []Item, n int, ok bool) {
	for _, item := range f {
		if match(item.Name) {
			items = append(items, item)
		}
	}
	return items, len(f) + len(items), len(p) == 0
}

func (f flat) Stat(p []string) (Item, bool) {
	if len(p) == 0 {
		return Item{Name: Root, Dir: true}, true
	}
	i := slices.IndexFunc(f, func(item Item) bool { return item.Name == p[0] })
	if i < 0 || len(p) > 1 {
		return Item{}, false
	}
	return f[i], true
}

func (flat) Read([]string) (string, bool) { return "", false }

func (flat) Links([]string) ([]string, int) { return nil, 0 }

// A request costs a bounded number of files looked up and names read, however large the folder is:
// one packet of 712 bytes took 9 seconds.
//
// Covers: A13, P6, T100
func TestWorkIsBounded(t *testing.T) {
	t.Parallel()
	const files = 20_000
	var all flat
	for i := range files {
		all = append(all, Item{Name: fmt.Sprintf("%s%05d", strings.Repeat("a", 100), i)})
	}
	s := served(t, nil, nil)
	var stats, lists int
	s.files = counting{all, &stats, &lists}
	list := func(name string) string {
		return "DIRECTORY ASCII AFTP\n" + strings.Repeat("LIST ATTRIBUTES COMPONENTS "+name+"\n", maxCommands-1)
	}
	for name, tt := range map[string]struct {
		request string
		lists   int
		reply   string
	}{
		"exact names":         {list("no"), 0, "NONE-FOUND\n"},
		"paths":               {list("no/no/no"), 0, "NONE-FOUND\n"},
		"everything":          {list(""), maxWork / files, tooMany},
		"wildcards":           {list("*no*"), maxWork / files, tooMany},
		"regular expressions": {list("(" + strings.Repeat("a*", maxPattern/2-2) + "b)"), 1, tooMany},
	} {
		stats, lists = 0, 0
		begun := time.Now()
		got := s.answer([]byte(tt.request))
		took := time.Since(begun)
		if !strings.HasPrefix(string(got), tt.reply) || lists > tt.lists || stats > 4*maxCommands {
			t.Errorf("%s: %d lists, %d files looked up by name, %.100q", name, lists, stats, got)
		}
		if took > 20*time.Second { // 0.3 s on an idle computer
			t.Errorf("%s: took %v", name, took)
		}
		t.Logf("%s: %v", name, took)
	}
	if got := s.answer([]byte("DIRECTORY ASCII AFTP\nLIST '' COMPONENTS\n")); strings.Count(string(got), "LINK ") != files {
		t.Errorf("a folder of %d files: %.100q", files, got)
	}
}
