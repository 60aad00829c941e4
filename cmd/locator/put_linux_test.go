package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"locator/internal/termtest"
	"locator/scheme/http/httptest"
	"locator/schemetest/peer"
)

// On a terminal a long upload has a bar, also if it is sent twice because of a login, and nothing
// is left of the bar at the end. A short one has none.
//
// Covers: A15
func TestPutProgress(t *testing.T) {
	t.Parallel()
	s, err := httptest.Start(peer.Tree())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	dir := t.TempDir()
	write := func(name string, content []byte) string {
		t.Helper()
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, content, 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	password := write("password", []byte(httptest.Password+"\n"))
	long, short := write("long", bytes.Repeat([]byte("x"), 300<<10)), write("short", []byte("short"))
	u := s.URL("digest", "new").Text()
	login := []string{"put", "--user", httptest.User, "--password-file", password}
	shown, status := onTerminal(t, nil, append(login, "--limit-rate", "200K", long, u)...)
	if status != 0 || !strings.Contains(shown, "%  ") || !strings.Contains(shown, "of 300.0 KiB") || !strings.Contains(shown, " left") {
		t.Errorf("status %d, %q", status, shown)
	}
	if rows := termtest.Display(shown); len(rows) != 1 || rows[0] != u {
		t.Errorf("left on the screen: %q", rows)
	}
	if shown, status = onTerminal(t, nil, append(login, short, u)...); status != 0 || shown != u+"\r\n" {
		t.Errorf("status %d, %q", status, shown)
	}
}
