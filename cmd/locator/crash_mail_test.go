package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"locator/outbox"
	"locator/scheme/mailto/smtptest"
)

// mailKills is how often the test of mail kills the program.
func mailKills() int {
	if os.Getenv("LOCATOR_LONG") != "" {
		return 200
	}
	return 12
}

// If the program is killed at any moment while it sends mail, no mail that is in the outbox is
// lost, none is sent twice, and each whose result is unknown is in doubt.
//
// Covers: O1
func TestKilledMail(t *testing.T) {
	t.Parallel()
	s, err := smtptest.Start()
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	dir := filepath.Join(t.TempDir(), "box")
	delivered := func(subject string) (n int) {
		for _, m := range s.Mails() {
			if strings.Contains(m.Data, "Subject: "+subject+"\r\n") {
				n++
			}
		}
		return n
	}
	command := func(args ...string) *exec.Cmd {
		return exec.CommandContext(t.Context(), "locator", append(args, "--smtp", s.ServerURL().Text(), "--mail", "me@example.org", "--outbox", dir)...)
	}
	r := rand.New(rand.NewPCG(5321, uint64(time.Now().UnixNano())))
	states := make(map[outbox.State]int)
	usual := 40 * time.Millisecond // how long a run takes
	killed := 0
	for n := 0; killed < mailKills(); n++ {
		subject := fmt.Sprintf("run %d", n)
		put := command("put", "--quiet", "--subject", subject, "mailto:bob@tree.example")
		put.Stdin = strings.NewReader("Hello.\n")
		begin := time.Now()
		if err := put.Start(); err != nil {
			t.Fatal(err)
		}
		if n%4 != 0 { // most of the time goes by before the mail is stored
			for end := begin.Add(usual); time.Now().Before(end); time.Sleep(100 * time.Microsecond) {
				if list, err := filepath.Glob(filepath.Join(dir, "*.mail")); err != nil || len(list) > 0 {
					break
				}
			}
		}
		late := time.AfterFunc(time.Duration(r.Int64N(int64(usual/2))), func() { put.Process.Kill() })
		if err := put.Wait(); err == nil {
			usual = time.Since(begin)
		} else if killed++; put.ProcessState.ExitCode() > 0 {
			t.Fatalf("status %d", put.ProcessState.ExitCode())
		}
		late.Stop()
		send := command("outbox", "send", "--quiet")
		if n%3 == 0 { // this one is killed, too
			if err := send.Start(); err != nil {
				t.Fatal(err)
			}
			p := send.Process
			late := time.AfterFunc(time.Duration(r.Int64N(int64(usual))), func() { p.Kill() })
			send.Wait()
			late.Stop()
			send = command("outbox", "send", "--quiet")
		}
		b, err := outbox.Open(dir, outbox.Options{})
		if err != nil {
			t.Fatal(err)
		}
		before, problems, err := b.Entries()
		if err != nil || len(problems) > 0 {
			t.Fatalf("%v, %v", problems, err)
		}
		out, err := send.CombinedOutput()
		if code := send.ProcessState.ExitCode(); err != nil && code != 13 {
			t.Fatalf("send: %v: %s", err, out)
		}
		for _, was := range before {
			states[was.State]++
			e, err := b.Entry(was.ID)
			if err != nil {
				t.Fatalf("%s is lost: %v", was.ID, err)
			}
			got := delivered(e.Subject)
			switch {
			case got > 1, got == 0 && e.State != outbox.InDoubt, e.State != outbox.Sent && e.State != outbox.InDoubt, was.State == outbox.Sent && e.State != outbox.Sent, was.State == outbox.InDoubt && e.State != outbox.InDoubt:
				t.Errorf("%s was %v, is %v, and was delivered %d times", e.Subject, was.State, e.State, got)
			}
			if err := b.Drop(e.ID); err != nil {
				t.Error(err)
			}
		}
		if got := delivered(subject); len(before) == 0 && got > 0 {
			t.Errorf("%s was delivered, and is not in the outbox", subject)
		}
		b.Close()
	}
	t.Logf("%d kills: %v", killed, states)
}
