package main

import (
	"crypto/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"locator/internal/peers"
)

// Postfix and exim get mail by --smtp, by their own sendmail and by msmtp, mailpit by --smtp. A
// line with a dot alone does not end it, the envelope has the author as the sender, and a recipient
// that is refused for good and one that is refused for now are named while the third gets the mail.
//
// Covers: A8, O1
func TestPeersMail(t *testing.T) {
	t.Parallel()
	peers.LongRun(t, "a mail server")
	const text = "before\n.\n..\n.dot\nFrom here\nafter\n"
	for _, name := range []string{"postfix", "exim"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := peers.Start(t, name)
			dir := t.TempDir()
			file, outbox := filepath.Join(dir, "text"), filepath.Join(dir, "outbox")
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			host, port, _ := strings.Cut(e.Addr(t, name), ":")
			put := func(want int, to string, by ...string) string {
				t.Helper()
				subject := rand.Text()
				out, errs, status := runText(t, "", append([]string{"put", "--outbox", outbox, "--mail", "me@from.example", "--subject", subject, file, "mailto:" + to}, by...)...)
				if status != want {
					t.Fatalf("%q: status %d, want %d: %s%s", by, status, want, out, errs)
				}
				wantDelivered(t, filepath.Join(e.Run, name, "mails", "box", "new"), subject, text)
				return errs
			}
			errs := put(7, "bob@to.example,gone@to.example,later@to.example", "--smtp", "smtp://"+e.Addr(t, name))
			for _, want := range []string{"gone@to.example: refused (server: 550 ", "later@to.example: refused (server: 451 "} {
				if !strings.Contains(errs, want) {
					t.Errorf("no %q in %s", want, errs)
				}
			}
			out, errs, _ := runText(t, "", "outbox", "list", "--outbox", outbox)
			for _, want := range []string{"queued", "through smtp://" + e.Addr(t, name), "the server refused gone@to.example: 550 ", "it asks to try again later for later@to.example: 451 "} {
				if !strings.Contains(out, want) {
					t.Errorf("outbox list lacks %q: %s%s", want, out, errs)
				}
			}
			if name == "exim" { // it is later now
				open, box := filepath.Join(e.Run, name, "open"), filepath.Join(e.Run, name, "mails", "box", "new")
				if err := os.WriteFile(open, nil, 0o644); err != nil {
					t.Fatal(err)
				}
				defer os.Remove(open)
				before, _ := filepath.Glob(filepath.Join(box, "*"))
				out, errs, status := runText(t, "", "outbox", "send", "--outbox", outbox, out[:10])
				after, _ := filepath.Glob(filepath.Join(box, "*"))
				for end := time.Now().Add(10 * time.Second); len(after) == len(before) && time.Now().Before(end); after, _ = filepath.Glob(filepath.Join(box, "*")) {
					time.Sleep(50 * time.Millisecond)
				}
				if status != 7 || !strings.Contains(out, " failed") || len(after) != len(before)+1 || strings.Contains(errs, "later@") {
					t.Errorf("status %d, %d mails in place of %d: %s%s", status, len(after), len(before)+1, out, errs)
				}
			}
			put(0, "bob@to.example", "--sendmail", filepath.Join(e.Run, name, "sendmail"))
			put(0, "bob@to.example", "--sendmail", "msmtp --file=/dev/null --host="+host+" --port="+port)
		})
	}
	t.Run("mailpit", func(t *testing.T) { // it has no sendmail that takes -i, and nothing to ask for later
		t.Parallel()
		e := peers.Start(t, "mailpit")
		dir, subject := t.TempDir(), rand.Text()
		file, box := filepath.Join(dir, "text"), filepath.Join(dir, "box")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		out, errs, status := runText(t, "", "put", "--outbox", filepath.Join(dir, "outbox"), "--mail", "me@from.example", "--subject", subject,
			"--smtp", "smtp://"+e.Addr(t, "mailpit"), file, "mailto:bob@to.example,gone@to.example")
		if status != 7 || !strings.Contains(errs, "gone@to.example: refused (server: 550 ") {
			t.Fatalf("status %d: %s%s", status, out, errs)
		}
		raw, errs, _ := runText(t, "", "get", "http://"+e.Addr(t, "mailpitweb")+"/api/v1/message/latest/raw")
		if err := os.MkdirAll(box, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(box, "latest"), []byte(strings.ReplaceAll(raw, "\r\n", "\n")), 0o600); err != nil {
			t.Fatal(err, errs)
		}
		wantDelivered(t, box, subject, text)
	})
}

// wantDelivered waits for the mail with a subject in a folder, and compares its text and the sender
// of its envelope.
func wantDelivered(t *testing.T, dir, subject, text string) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		files, _ := filepath.Glob(filepath.Join(dir, "*"))
		for _, name := range files {
			b, err := os.ReadFile(name)
			if err != nil || !strings.Contains(string(b), "\nSubject: "+subject+"\n") {
				continue
			}
			head, body, _ := strings.Cut(string(b), "\n\n")
			if body != text || !strings.HasPrefix(strings.ToLower(head), "return-path: <me@from.example>\n") ||
				!strings.Contains(head, ": bob@to.example\n") && !strings.Contains(head, "for <bob@to.example>;") { // a field of the server, To has others, too
				t.Errorf("delivered %q", b)
			}
			return
		}
	}
	t.Errorf("the mail %s was not delivered to %s", subject, dir)
}
