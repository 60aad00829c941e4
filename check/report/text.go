package report

import (
	"bufio"
	"fmt"

	"locator/check"
)

// writeText writes the findings, and the summary at the end, where people see it. A line begins
// with a word of ours, so that no name of a file or word of a server is a command to a program that
// reads the output, as "::" at the begin of a line is on GitHub.
func writeText(w *bufio.Writer, r Report) error {
	l, t := newListing(r, true), newTally(r)
	if err := r.each(func(result *check.Result) error { l.add(result); t.add(result); return nil }); err != nil {
		return err
	}
	list, more := l.findings()
	for _, f := range list {
		fmt.Fprintln(w, f.sentence())
		for _, p := range f.Sources {
			fmt.Fprintln(w, "    in "+placeText(p))
		}
		if text := f.morePlaces(); text != "" {
			fmt.Fprintln(w, "    "+text)
		}
	}
	if text := moreFindings(more); text != "" {
		fmt.Fprintln(w, text)
	}
	if len(list) > 0 {
		fmt.Fprintln(w)
	}
	for _, line := range t.summary() {
		fmt.Fprintln(w, line)
	}
	return nil
}
