package ftp

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"locator/wire"
)

// now is the clock of these tests.
var now = time.Date(2026, 3, 10, 12, 0, 0, 0, time.UTC)

// said returns an item as text: kind, name, size, time, the rest.
func said(it item, v verdict) string {
	switch v {
	case unknown:
		return "unknown"
	case skipped:
		return "skipped"
	}
	s := "?"
	switch {
	case it.dir:
		s = "dir"
	case it.file:
		s = "file"
	}
	s += " [" + wire.Escape(strings.Join(append(it.dirs, it.name), "|")) + "]"
	if it.inside {
		s += " inside"
	}
	if n, ok := it.attr.Size.Get(); ok {
		s += fmt.Sprintf(" %d", n)
	}
	if !it.attr.Modified.IsZero() {
		s += it.attr.Modified.UTC().Format(layouts[it.attr.Precision])
	}
	if it.attr.Type != "" {
		s += " type " + it.attr.Type
	}
	for _, m := range it.attr.More {
		s += " " + m.Name + "=" + wire.Escape(m.Value)
	}
	return s
}

// Covers: A4
func TestFacts(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"type=file;size=12;modify=19941201000000; a b":        "file [a b] 12 1994-12-01T00:00:00",
		"Type=FILE;Size=12;Modify=19941201000000.123; x":      "file [x] 12 1994-12-01T00:00:00",
		"type=dir;size=4096;perm=elcm;UNIX.mode=0755; d;e=f ": "dir [d;e=f ] perm=elcm UNIX.mode=0755",
		"type=cdir; /here":                                         "skipped",
		"type=pdir; ..":                                            "skipped",
		"type=OS.unix=slink:/x y; l":                               "unknown", // facts contain no space
		"type=OS.unix=slink:/x; l":                                 "? [l] target=/x",
		"type=OS.unix=chr-1/3; null":                               "? [null] type=OS.unix=chr-1/3",
		"media-type=text/html;type=file; p":                        "file [p] type text/html",
		" nothing known":                                           "? [nothing known]",
		"size=-1;size=x;modify=yesterday;type=file; z":             "file [z]",
		"type=file;;size=1; x":                                     "unknown",
		"type=file;size=1 x":                                       "file [x] 1", // drafts before number 7
		"type=file;size=1\tx":                                      "file [x] 1",
		"type=file;size=1;\tx":                                     "file [x] 1",
		"type=file;size=1 x; y":                                    "unknown",
		"-rw-r--r--   1 0        0            4096 Dec  1  1994 x": "unknown",
		"": "unknown",
	} {
		if got := said(mlsdParser{}.parse(line)); got != want {
			t.Errorf("%q: %s, want %s", line, got, want)
		}
	}
}

// Covers: A4
func TestNames(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ of, line, want string }{
		{"", "a b", "? [a b]"},
		{"", "./a", "? [a]"},
		{"", "/x/y/a", "? [a]"},
		{"", "sub/a", "? [sub|a]"},
		{"", "d/", "dir [d]"},
		{"", ".", "skipped"},
		{"", "..", "skipped"},
		{"", "", "skipped"},
		{"", "/", "skipped"},
		{"sub", "sub/a", "? [a] inside"},
		{"sub", "sub/.", "skipped"},
		{"sub", "sub/x/a", "? [x|a] inside"},
		{"sub", "a", "? [a] inside"},
		{"sub", "./a", "? [a] inside"},
		{"sub", "/home/sub/a", "? [a] inside"},
		{"sub", "sub", "? [sub]"},
		{"/etc", "/etc/motd", "? [motd] inside"},
		{"a/b", "a/b/c", "? [c] inside"},
		{"*.c", "x.c", "? [x.c]"},
		{"*.c", "d.c/x", "? [d.c|x]"},
	} {
		if got := said(nameParser{of: c.of}.parse(c.line)); got != c.want {
			t.Errorf("NLST %q: %q: %s, want %s", c.of, c.line, got, c.want)
		}
	}
}
