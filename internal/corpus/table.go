package corpus

import (
	"fmt"
	"strings"
)

// Table returns the score as text, a row per line: name, labels, found, right.
func (s *Score) Table() string {
	var b strings.Builder
	for _, r := range s.Rows() {
		fmt.Fprintf(&b, "%-14s %4d %4d %4d\n", r.Name, r.Labels, r.Found, r.Right)
	}
	return b.String()
}

// Worse returns a line for each row whose F1 is below that of a recorded table, and for each row
// that has other labels than recorded.
func (s *Score) Worse(recorded string) ([]string, error) {
	old := make(map[string]Tally)
	for line := range strings.Lines(recorded) {
		f := strings.Fields(line)
		n := len(f) - 3
		if n < 1 {
			return nil, fmt.Errorf("corpus: %q is not a row of scores", line)
		}
		var t Tally
		if _, err := fmt.Sscan(strings.Join(f[n:], " "), &t.Labels, &t.Found, &t.Right); err != nil {
			return nil, fmt.Errorf("corpus: %q is not a row of scores: %w", line, err)
		}
		old[strings.Join(f[:n], " ")] = t
	}
	var worse []string
	for _, r := range s.Rows() {
		was, ok := old[r.Name]
		delete(old, r.Name)
		switch {
		case !ok:
			worse = append(worse, r.Name+": not recorded")
		case was.Labels != r.Labels:
			worse = append(worse, fmt.Sprintf("%s: %d labels, recorded are %d", r.Name, r.Labels, was.Labels))
		case r.F1() < was.F1():
			worse = append(worse, fmt.Sprintf("%s: F1 is %.4f, recorded is %.4f", r.Name, r.F1(), was.F1()))
		}
	}
	for name := range old {
		worse = append(worse, name+": recorded, but has no labels")
	}
	return worse, nil
}
