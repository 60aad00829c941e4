package main

import (
	"strings"
	"testing"

	"locator/scheme/nntp/nntptest"
)

// rm shows the article that a number names, and asks before it cancels it. Only "y" and "yes" do.
//
// Covers: A9, T138
func TestConfirmCancel(t *testing.T) {
	t.Parallel()
	for answer, status := range map[string]int{"y": 0, "YES": 0, "n": 2, "": 2, "yesterday": 2} {
		t.Run(answer, func(t *testing.T) {
			t.Parallel()
			s, err := nntptest.Start(nil, nntptest.Article("local.talk", article("mine@b.example", "", "=?utf-8?q?caf=C3=A9=1B[2J?=", "x\r\n")))
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(s.Close)
			asks := `Cancel <mine@b.example> of 1994-12-01 12:00, "café\x1b[2J"? (y or n) [n]: `
			shown, got := atTerminal(t, [][2]string{{asks, answer + "\r"}}, func(string) bool { return false }, "rm", "--mail", "alice@example.com", s.GroupURL("local.talk", 1).Text())
			if got != status || len(s.Messages()) != 1-status/2 {
				t.Errorf("status %d, posted %q: %q", got, s.Messages(), shown)
			}
			if status == 2 && !strings.Contains(shown, "nothing was removed") {
				t.Errorf("%q", shown)
			}
		})
	}
}
