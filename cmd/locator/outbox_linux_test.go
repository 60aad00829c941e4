package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"locator/scheme/mailto/smtptest"
)

// A server that ends the connection in place of its answer leaves the mail in doubt. retry and drop
// ask on the terminal, and do nothing without a yes. What the terminal shows is escaped.
//
// Covers: O1, P6
func TestMailInDoubt(t *testing.T) {
	t.Parallel()
	hangs, err := smtptest.Start(smtptest.Hangup("."))
	if err != nil {
		t.Fatal(err)
	}
	defer hangs.Close()
	takes, err := smtptest.Start()
	if err != nil {
		t.Fatal(err)
	}
	defer takes.Close()
	dir := t.TempDir()
	text := filepath.Join(dir, "text")
	os.WriteFile(text, []byte("Subject: Tea\x1b]0;title\x07\n\nHello \x1b[2J.\n"), 0o600)
	m := mailbox{filepath.Join(dir, "box"), t}
	_, errs, status := runText(t, "", "put", "--outbox", m.dir, "--smtp", hangs.ServerURL().Text(), "--mail", "me@example.org", "--subject", "Tea", text, "mailto:bob@tree.example")
	if status != 13 || !strings.Contains(errs, "is in doubt: the server may have it. To send it again, although it may arrive twice: locator outbox retry ") {
		t.Fatalf("status %d: %s", status, errs)
	}
	list := m.want(0, "  in doubt  ", "list")
	id := list[:10]
	plain := func(string) bool { return false }
	const again, remove = "Send it again? [y/N] ", "Remove it? [y/N] "
	outbox := func(answers [][2]string, args ...string) (string, int) {
		return atTerminal(t, answers, plain, append([]string{"outbox", "--outbox", m.dir, "--smtp", takes.ServerURL().Text()}, args...)...)
	}
	for _, no := range []string{"\n", "n\n", "\x04"} {
		if shown, status := outbox([][2]string{{again, no}}, "retry", id); status == 0 || len(takes.Mails()) > 0 || !strings.Contains(shown, "the recipients may get it twice") {
			t.Errorf("%q: status %d, %q", no, status, shown)
		}
	}
	if shown, status := outbox([][2]string{{again, "\x03"}}, "retry", id); status != 130 || len(takes.Mails()) > 0 {
		t.Errorf("status %d, %q", status, shown)
	}
	if shown, status := outbox([][2]string{{remove, "no\n"}}, "drop", id); status != 2 || !strings.Contains(shown, "stays in doubt") {
		t.Errorf("status %d, %q", status, shown)
	}
	m.want(13, "in doubt: "+id, "send")
	shown, status := outbox(nil, "show", id)
	if status != 0 || strings.Contains(shown, "\x1b") || !strings.Contains(shown, `Hello \x1b[2J.`) {
		t.Errorf("status %d, %q", status, shown)
	}
	if shown, status := outbox([][2]string{{again, "y\n"}}, "retry", id[:5]); status != 0 || !strings.Contains(shown, id+" sent") || len(takes.Mails()) != 1 {
		t.Errorf("status %d, %d mails, %q", status, len(takes.Mails()), shown)
	}
}
