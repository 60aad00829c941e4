// Command vetshares prints how many of the URLs on standard input, one per line, have each finding
// of package vet. It ends with status 1 if more than 0.05 % have any one warning or danger, or 0.5
// % any one info, or if two parsers see a different host, port or user in any of them: then the
// findings say too much about ordinary URLs. README.md describes it.
package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"slices"

	"locator"
	"locator/internal/readers"
	"locator/vet"
)

func main() {
	ok, err := run(os.Stdin, os.Stdout)
	if err != nil {
		fmt.Fprintln(os.Stderr, "vetshares:", err)
	}
	if err != nil || !ok {
		os.Exit(1)
	}
}

// run reads URLs and prints the table. It reports whether the shares are within the limits.
func run(in io.Reader, out io.Writer) (ok bool, err error) {
	all, refused := 0, 0
	count := make(map[vet.Finding]int) // without messages
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		all++
		u, err := locator.Current.Parse(lines.Text())
		if err != nil {
			refused++
			continue
		}
		seen := make(map[string]bool) // a URL counts once
		for _, f := range vet.URL(u) {
			if !seen[f.Code] {
				seen[f.Code] = true
				f.Message = ""
				count[f]++
			}
		}
		if len(readers.Differences(readers.Read(u.Text()))) > 0 {
			count[vet.Finding{Code: "readers-differ", Severity: vet.SeverityDanger}]++
		}
	}
	if err := lines.Err(); err != nil {
		return false, err
	}
	var table []string
	ok = true
	for f, n := range count {
		share, mark := 100*float64(n)/float64(all), ""
		if share > 0.5 || share > 0.05 && f.Severity != vet.SeverityInfo || f.Code == "readers-differ" {
			mark, ok = "  too many", false
		}
		table = append(table, fmt.Sprintf("%8.3f %% %7d  %-7s %s%s\n", share, n, f.Severity, f.Code, mark))
	}
	slices.Sort(table)
	slices.Reverse(table)
	fmt.Fprintf(out, "%d URLs, %d refused by Current\n", all, refused)
	for _, line := range table {
		io.WriteString(out, line)
	}
	return ok, nil
}
