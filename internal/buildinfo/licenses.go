package buildinfo

import (
	"regexp"
	"strings"
)

// License is the licence of one module, as internal/licenses writes it.
type License struct {
	Module  string // its path, or its name if it is no module of Go
	Version string // "" for the program and the Go standard library
	Sum     string // of its content, as in go.sum; "" if it has none
	Text    string
}

// RuleOfLicenses is the line before and after the names of the modules that have one text.
var RuleOfLicenses = strings.Repeat("=", 80) + "\n"

var versioned = regexp.MustCompile(`^(\S+) (v?\d\S*)(?: (\S+))?$`)

// ParseLicenses returns what a file of internal/licenses lists.
func ParseLicenses(file string) (all []License) {
	parts := strings.Split(file, "\n"+RuleOfLicenses) // a preamble, then names and texts in turn
	for i := 1; i+1 < len(parts); i += 2 {
		for name := range strings.SplitSeq(parts[i], "\n") {
			l := License{Module: name, Text: strings.TrimPrefix(parts[i+1], "\n")}
			if m := versioned.FindStringSubmatch(name); m != nil {
				l.Module, l.Version, l.Sum = m[1], m[2], m[3]
			}
			all = append(all, l)
		}
	}
	return all
}
