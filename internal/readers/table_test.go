package readers

import (
	"flag"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "regenerate testdata/readers.tsv from its first two columns")

const tableFile = "testdata/readers.tsv"

// tableHead is the header of the table; its README.md describes the columns.
const tableHead = "class\turl\tRFC 1738\tcurrent\tnet/url\tWHATWG\tdiffer"

// cell formats a reading for one column. A space, a backslash and bytes that are not printable ASCII are written as \xNN.
func cell(r Reading) string {
	var words []string
	if r.Err != nil {
		words = append(words, "refused")
		if r.Err.Offset >= 0 {
			words = append(words, fmt.Sprint(r.Err.Offset), r.Err.Rule)
		}
	}
	for _, name := range PartNames() {
		if s, ok := r.Parts[name]; ok {
			words = append(words, name+"="+plain(s))
		}
	}
	return strings.Join(words, " ")
}

func plain(s string) string {
	var b strings.Builder
	for i := range len(s) {
		if s[i] > ' ' && s[i] < 0x7F && s[i] != '\\' {
			b.WriteByte(s[i])
		} else {
			fmt.Fprintf(&b, `\x%02x`, s[i])
		}
	}
	return b.String()
}

func row(t *testing.T, class, quoted string) string {
	t.Helper()
	text, err := strconv.Unquote(`"` + quoted + `"`)
	if err != nil {
		t.Fatalf("%s: %v", quoted, err)
	}
	list := Read(text)
	columns := []string{class, quoted}
	for _, r := range list {
		columns = append(columns, cell(r))
	}
	var parts []string
	for _, d := range Differences(list) {
		parts = append(parts, d.Part)
	}
	return strings.Join(append(columns, strings.Join(parts, " ")), "\t")
}

// The table has the results of four parsers for some 260 texts, most of them made to be parsed differently. A change in a
// column of another parser is a change in its new version; one in ours is intended or a bug.
//
// Covers: S21a, S21f, P3
func TestTable(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile(tableFile)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
	if len(lines) < 264 {
		t.Fatalf("the table has only %d lines", len(lines))
	}
	want := append([]string{tableHead}, lines[1:]...)
	for i, line := range lines[1:] {
		columns := strings.Split(line, "\t")
		if len(columns) < 2 {
			t.Fatalf("%s:%d: there is no text to parse", tableFile, i+2)
		}
		want[i+1] = row(t, columns[0], columns[1])
	}
	if *update {
		if err := os.WriteFile(tableFile, []byte(strings.Join(want, "\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	for i := range want {
		if lines[i] != want[i] {
			t.Errorf("%s:%d:\n got %s\nwant %s", tableFile, i+1, want[i], lines[i])
		}
	}
}
