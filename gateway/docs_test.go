package gateway

import (
	"os"
	"strings"
	"testing"
)

// The page about the gateway has a row for each key of a policy file.
func TestPageKeys(t *testing.T) {
	page, err := os.ReadFile("../docs/gateway.md")
	if err != nil {
		t.Fatal(err)
	}
	var rows strings.Builder
	for line := range strings.Lines(string(page)) {
		if strings.HasPrefix(line, "| `") {
			key, _, _ := strings.Cut(line[2:], "|")
			rows.WriteString(key)
		}
	}
	for key := range policyKeys() {
		if !strings.Contains(rows.String(), "`"+key+"`") {
			t.Errorf("no row has %s", key)
		}
	}
}
