package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"locator"
	"locator/outbox"
	"locator/scheme"
	"locator/scheme/nntp/nntptest"
)

// mailbox is an outbox in a test.
type mailbox struct {
	dir string
	t   *testing.T
}

// add adds a message for a URL.
func (m mailbox) add(n int, url string, to ...string) string {
	m.t.Helper()
	b, err := outbox.Open(m.dir, outbox.Options{})
	if err != nil {
		m.t.Fatal(err)
	}
	defer b.Close()
	id := fmt.Sprintf("mail-%d@example.org", n)
	e, err := b.Add(outbox.Message{URL: locator.Current.MustParse(url), ID: id, From: "me@example.org", Subject: fmt.Sprintf("Mail\x1b[2J %d", n), Recipients: to,
		Content: fmt.Appendf(nil, "Newsgroups: g.test\r\nFrom: me@example.org\r\nDate: Thu, 01 Dec 1994 12:00:00 +0000\r\nMessage-ID: <%s>\r\nSubject: Mail %d\r\n\r\n\x1b[2J Text %d\r\n", id, n, n)})
	if err != nil {
		m.t.Fatal(err)
	}
	return e.ID
}

// set gives a message a state, by a server that does so.
func (m mailbox) set(id string, c outbox.Client) {
	m.t.Helper()
	b, err := outbox.Open(m.dir, outbox.Options{})
	if err != nil {
		m.t.Fatal(err)
	}
	defer b.Close()
	b.Send(m.t.Context(), c, id, outbox.SendOptions{})
}

// playServer is an outbox.Client.
type playServer struct {
	commits bool
	err     error
	receipt *scheme.Receipt
}

func (p playServer) Update(_ context.Context, r scheme.Request, b scheme.Body, _ *scheme.WriteOptions) (*scheme.Resource, error) {
	if p.commits {
		if err := b.Pass(); err != nil {
			return nil, err
		}
	}
	return &scheme.Resource{Receipt: p.receipt}, p.err
}

// run runs "locator outbox".
func (m mailbox) run(args ...string) (out, errs string, status int) {
	m.t.Helper()
	return runText(m.t, "", append([]string{"outbox", "--outbox", m.dir}, args...)...)
}

// want runs "locator outbox", and compares status and parts of the output.
func (m mailbox) want(status int, shows string, args ...string) (out string) {
	m.t.Helper()
	out, errs, got := m.run(args...)
	if got != status || !strings.Contains(out+errs, shows) {
		m.t.Errorf("%q: status %d, want %d with %q: %s%s", args, got, status, shows, out, errs)
	}
	return out
}

// A list has each mail with its state and the reason, and show has all of it. Nothing of it reaches
// a terminal unescaped.
//
// Covers: O1, P6, T50
func TestOutboxList(t *testing.T) {
	t.Parallel()
	m := mailbox{filepath.Join(t.TempDir(), "box"), t}
	m.want(0, "is empty", "list")
	m.want(7, "is empty", "show", "abc")
	queued := m.add(1, "nntp://localhost/g.test", "a@example.org", "b@example.org")
	failed := m.add(2, "nntp://localhost/g.test", "a@example.org", "b@example.org")
	doubt := m.add(3, "nntp://localhost/g.test")
	later := m.add(4, "nntp://localhost/g.test")
	m.set(failed, playServer{commits: true, receipt: &scheme.Receipt{Reply: "250 ok", Refused: []scheme.Refusal{{Recipient: "b@example.org", Reply: "550 no \x1b[2Jb"}}}})
	m.set(doubt, playServer{commits: true, err: scheme.Fail(scheme.CodeInDoubt, "no answer")})
	m.set(later, playServer{err: scheme.Replied(scheme.CodeUnavailable, "451 busy", "the server is busy")})
	out := m.want(0, "", "list")
	for _, want := range []string{queued + "  queued    ", "a@example.org +1", `Mail\x1b[2J 1`, failed + "  failed    ", `b@example.org: 550 no \x1b[2Jb`, doubt + "  in doubt  ", "no answer\n",
		later + "  queued    ", "the server is busy (server: 451 busy)"} {
		if !strings.Contains(out, want) {
			t.Errorf("list lacks %q:\n%s", want, out)
		}
	}
	shown := m.want(0, "", "show", failed[:6])
	for _, want := range []string{"state       failed\n", "to          a@example.org  sent\n", `            b@example.org  failed: 550 no \x1b[2Jb`, "history     ", "\n\nNewsgroups: g.test\r\n"} {
		if !strings.Contains(shown, want) {
			t.Errorf("show lacks %q:\n%s", want, shown)
		}
	}
	if head, _, _ := strings.Cut(shown, "\n\n"); strings.Contains(head, "\x1b") {
		t.Errorf("%q", head)
	}
	if raw := m.want(0, "", "show", "--raw", failed); !strings.HasPrefix(raw, "Newsgroups: g.test\r\n") || !strings.HasSuffix(raw, "Text 2\r\n") {
		t.Errorf("%q", raw)
	}
	for _, args := range [][]string{{"list", "--json"}, {"show", "--json", failed, doubt}, {"show", "--json", "none"}} {
		out, errs, _ := m.run(args...)
		if n, err := checkSchema("outbox", out); err != nil || n == 0 {
			t.Errorf("%v: %d lines, %v, %s", args, n, err, errs)
		}
	}
	m.want(7, `there is no message "zzz"`, "show", "zzz")
	m.want(2, "--raw is for", "list", "--raw")
}

// What is damaged is reported with status 11, and the rest is listed.
//
// Covers: O1, T50
func TestOutboxDamaged(t *testing.T) {
	t.Parallel()
	m := mailbox{filepath.Join(t.TempDir(), "box"), t}
	id := m.add(1, "nntp://localhost/g.test")
	os.WriteFile(filepath.Join(m.dir, "aaaaaaaaaa.mail"), []byte("locator-outbox 2\n"), 0o600)
	os.WriteFile(filepath.Join(m.dir, "note\x1b.txt"), nil, 0o600)
	m.want(11, "aaaaaaaaaa.mail was written by a newer version of the program; it is left alone", "list")
	m.want(11, id, "list")
	m.want(11, `note\x1b.txt is not a message`, "list")
}

// send sends what is due and says what is left; retry and drop want the user's word for what is in
// doubt or was not sent.
//
// Covers: O1
func TestOutboxSend(t *testing.T) {
	t.Parallel()
	s, err := nntptest.Start(nil, nntptest.Article("g.test", "From: a@b.example\r\nNewsgroups: g.test\r\nSubject: x\r\nMessage-ID: <x@b.example>\r\nDate: Thu, 01 Dec 1994 12:00:00 +0000\r\nPath: x\r\n\r\nx\r\n"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	url := s.GroupURL("g.test", 0).Text()
	m := mailbox{filepath.Join(t.TempDir(), "box"), t}
	m.want(0, "is empty", "send")
	ids := []string{m.add(0, url), m.add(1, url), m.add(2, url), m.add(3, url)}
	m.set(ids[1], playServer{commits: true, err: scheme.Fail(scheme.CodeInDoubt, "no answer")})
	m.set(ids[2], playServer{err: scheme.Replied(scheme.CodeUnavailable, "451 busy", "busy")})
	m.set(ids[3], playServer{err: scheme.Replied(scheme.CodeRefused, "554 no", "refused")})
	out := m.want(13, "in doubt: "+ids[1]+"; the server may have it", "send")
	if out != ids[0]+" sent\n" {
		t.Errorf("%q", out)
	}
	if n := len(s.Messages()); n != 1 {
		t.Fatalf("%d articles", n)
	}
	m.want(13, "no mail is due: 1 waiting, the next until ", "send")
	m.want(0, ids[2]+" sent", "send", ids[2])
	m.want(2, "was sent at", "send", ids[2])
	m.want(2, "has failed; retry it", "send", ids[3])
	m.want(13, "may have been delivered", "send", ids[1])
	m.want(0, ids[3]+" sent", "retry", ids[3])
	m.want(2, "was sent at", "retry", ids[3])
	m.want(13, "the recipients may get it twice; to send it again, add --yes", "retry", ids[1])
	m.want(13, "may not have been sent; to remove it, add --yes", "drop", ids[1])
	out, errs, status := m.run("retry", "--yes", "--json", ids[1])
	if n, err := checkSchema("outbox", out); n != 1 || err != nil || status != 0 {
		t.Errorf("status %d, %v: %s%s", status, err, out, errs)
	}
	var object struct{ State, Reply string }
	if err := json.Unmarshal([]byte(out), &object); err != nil || object.State != "sent" || !strings.HasPrefix(object.Reply, "240") {
		t.Errorf("%+v, %v", object, err)
	}
	if n := len(s.Messages()); n != 4 {
		t.Errorf("%d articles", n)
	}
	m.want(0, "no mail is queued", "send")
	for _, id := range ids {
		m.want(0, "", "drop", id)
	}
	queued := m.add(9, url)
	m.want(2, "it was not sent; to remove it, add --yes", "drop", queued)
	m.want(0, "", "drop", "--yes", queued)
	m.want(0, "is empty", "list")
	s.Close()
	queued = m.add(10, url)
	m.add(11, url)
	m.want(5, `locator: mail `+queued+` (Mail\x1b[2J 10) is queued: `, "send")
	m.want(5, "not tried, since the server cannot be reached: 1 other mail\n", "send")
	m.want(5, `"state":"queued"`, "send", "--json")
}

// What outbox cannot do is wrong usage, and says what it can.
//
// Covers: A15
func TestOutboxUsage(t *testing.T) {
	t.Parallel()
	m := mailbox{filepath.Join(t.TempDir(), "box"), t}
	m.want(2, `outbox cannot "ls"; it can list, show, send, retry or drop`, "ls")
	m.want(2, "which mail?", "retry")
	m.want(2, "locator outbox show x", "list", "x")
	if _, errs, status := runText(t, "", "outbox"); status != 11 || !strings.Contains(errs, "use --outbox DIR") {
		t.Errorf("status %d, %s", status, errs)
	}
	if _, errs, status := runText(t, "", "get", "--outbox", m.dir, "http://h/"); status != 2 || !strings.Contains(errs, "does not apply to the verb get") {
		t.Errorf("status %d, %s", status, errs)
	}
	if _, err := os.Stat(m.dir); !os.IsNotExist(err) {
		t.Errorf("a folder was made: %v", err)
	}
}
