package main

import (
	"fmt"
	"io/fs"
	"regexp"
	"strings"
	"unicode/utf8"
)

// requirement is one row of a table of a page.
type requirement struct {
	id, clause, text string
}

// section is a heading of a page with the rows below it.
type section struct {
	page, title string
	rows        []requirement
}

var idPattern = regexp.MustCompile(`^[A-Z]+[0-9]+[a-z]?$`)

// readRequirements returns the rows of the tables of all pages that have three columns and an ID in
// the first one.
func readRequirements(fsys fs.FS) (sections []section, err error) {
	seen := make(map[string]bool)
	for _, page := range append([]string{requirementsFile}, defencePages()...) {
		if sections, err = readPage(fsys, page, sections, seen); err != nil {
			return nil, err
		}
	}
	return sections, nil
}

// readPage appends the sections of a page, and adds its IDs to those that were seen.
func readPage(fsys fs.FS, page string, sections []section, seen map[string]bool) ([]section, error) {
	data, err := fs.ReadFile(fsys, page)
	if err != nil {
		return nil, err
	}
	number, before := 0, len(seen)
	for line := range strings.Lines(string(data)) {
		number++
		line = strings.TrimSpace(line)
		if title, ok := strings.CutPrefix(line, "## "); ok {
			sections = append(sections, section{page: page, title: title})
		}
		cells := splitRow(line)
		if len(cells) == 0 || !idPattern.MatchString(cells[0]) {
			continue
		}
		if len(cells) != 3 || len(sections) == 0 {
			return nil, fmt.Errorf("%s:%d: a row needs an ID, two texts, and a heading above it", page, number)
		}
		if seen[cells[0]] {
			return nil, fmt.Errorf("%s:%d: a second %s", page, number, cells[0])
		}
		seen[cells[0]] = true
		s := &sections[len(sections)-1]
		s.rows = append(s.rows, requirement{cells[0], cells[1], cells[2]})
	}
	if len(seen) == before {
		return nil, fmt.Errorf("%s: no row with an ID found", page)
	}
	return sections, nil
}

// splitRow returns the cells of a Markdown table row, and nil for any other line. "\|" does not
// separate cells.
func splitRow(line string) []string {
	if len(line) < 2 || line[0] != '|' || line[len(line)-1] != '|' {
		return nil
	}
	var cells []string
	start := 1
	for i := 1; i < len(line); i++ {
		if line[i] == '|' && line[i-1] != '\\' {
			cells = append(cells, strings.TrimSpace(line[start:i]))
			start = i + 1
		}
	}
	return cells
}

// shortLength is the approximate number of characters of a requirement that the page repeats.
const shortLength = 80

// short truncates a text between two words. It omits a code span that would be cut, since an
// unclosed one breaks the row.
func short(text string) string {
	if utf8.RuneCountInString(text) <= shortLength {
		return text
	}
	cut := ""
	for i, r := range text {
		if utf8.RuneCountInString(text[:i]) > shortLength {
			break
		}
		if r == ' ' && strings.Count(text[:i], "`")%2 == 0 {
			cut = text[:i]
		}
	}
	return strings.TrimRight(cut, " ,;:.(") + " ..."
}
