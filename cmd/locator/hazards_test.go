package main

import (
	"bufio"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"locator"
	"locator/internal/peers"
	"locator/internal/readers"
	"locator/vet"
)

// Few ordinary URLs have a finding: of the URLs in the file LOCATOR_URLS, one per line, at most 0.05 % have any warning or danger and
// 0.5 % any info, and no two parsers see a different host, port or user in URLs that Current accepts. It prints the table of docs/internals/hazards-measured.md:
//
//	LOCATOR_URLS=urls.txt go test ./cmd/locator -run TestHazardsOfRealURLs -v
//
// Covers: P3
func TestHazardsOfRealURLs(t *testing.T) {
	t.Parallel()
	name := os.Getenv("LOCATOR_URLS")
	if name == "" {
		peers.Skip(t, "LOCATOR_URLS names no file of URLs")
	}
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	all, refused := 0, 0
	count := make(map[vet.Finding]int) // without messages
	add := func(f vet.Finding) { f.Message = ""; count[f]++ }
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		all++
		u, err := locator.Current.Parse(lines.Text())
		if err != nil {
			refused++
			continue
		}
		var codes []string
		for _, f := range vet.URL(u) {
			if !slices.Contains(codes, f.Code) { // a URL counts once
				codes = append(codes, f.Code)
				add(f)
			}
		}
		if len(readers.Differences(readers.Read(u.Text()))) > 0 {
			add(vet.Finding{Code: "readers-differ", Severity: vet.SeverityDanger})
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	var table []string
	for f, n := range count {
		share := 100 * float64(n) / float64(all)
		table = append(table, fmt.Sprintf("%8.3f %% %7d  %-7s %s", share, n, f.Severity, f.Code))
		if share > 0.5 || share > 0.05 && f.Severity != vet.SeverityInfo || f.Code == "readers-differ" {
			t.Errorf("%.3f %% of the URLs have the %s %s", share, f.Severity, f.Code)
		}
	}
	slices.Sort(table)
	slices.Reverse(table)
	t.Logf("%d URLs, %d refused by Current\n%s", all, refused, strings.Join(table, "\n"))
}
