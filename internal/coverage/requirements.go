package main

import (
	"fmt"
	"io/fs"
	"regexp"
	"strings"
	"unicode/utf8"
)

// requirement is one row of a table in docs/internals/requirements.md.
type requirement struct {
	id, clause, text string
}

// section is a heading of docs/internals/requirements.md with the rows below it.
type section struct {
	title string
	rows  []requirement
}

var idPattern = regexp.MustCompile(`^[A-Z]+[0-9]+[a-z]?$`)

// readRequirements reads the tables with three columns whose first one is an ID.
func readRequirements(fsys fs.FS) ([]section, error) {
	data, err := fs.ReadFile(fsys, requirementsFile)
	if err != nil {
		return nil, err
	}
	var sections []section
	seen := make(map[string]bool)
	number := 0
	for line := range strings.Lines(string(data)) {
		number++
		line = strings.TrimSpace(line)
		if title, ok := strings.CutPrefix(line, "## "); ok {
			sections = append(sections, section{title: title})
		}
		cells := splitRow(line)
		if len(cells) == 0 || !idPattern.MatchString(cells[0]) {
			continue
		}
		if len(cells) != 3 || len(sections) == 0 {
			return nil, fmt.Errorf("%s:%d: a row has an ID, a clause and a text, and stands below a heading", requirementsFile, number)
		}
		if seen[cells[0]] {
			return nil, fmt.Errorf("%s:%d: a second %s", requirementsFile, number, cells[0])
		}
		seen[cells[0]] = true
		s := &sections[len(sections)-1]
		s.rows = append(s.rows, requirement{cells[0], cells[1], cells[2]})
	}
	if len(seen) == 0 {
		return nil, fmt.Errorf("%s: no requirement in it", requirementsFile)
	}
	return sections, nil
}

// splitRow gives the cells of a Markdown table row, and nothing for any other line; "\|" is no border.
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

// shortLength is about how many characters of a requirement the page repeats.
const shortLength = 80

// short cuts a text between two words. An open code span is left out with its mark, for half of one spoils the row.
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
