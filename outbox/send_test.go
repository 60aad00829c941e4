package outbox

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"locator"
	"locator/internal/diskfile"
	"locator/scheme"
)

// A message is sent through its own server, whose password is not stored. One without a server is sent by the client for all, and its file
// has nothing about servers, as those of earlier versions.
//
// Covers: O1, P3
func TestServer(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	b := openBox(t, dir, Options{})
	m := note(t, 1)
	m.Server = parse(t, "smtp://ann:s3cret-pw@mail.example:587/")
	own := addTo(t, b, m)
	plain := addTo(t, b, note(t, 2))
	for _, e := range []Entry{own, plain} {
		text, err := os.ReadFile(filepath.Join(dir, e.ID+suffix))
		if err != nil || strings.Contains(string(text), "s3cret") || strings.Contains(string(text), `"server"`) != (e.ID == own.ID) {
			t.Errorf("%v: %s", err, text)
		}
	}
	if got := own.Server.Text(); got != "smtp://ann@mail.example:587/" || !plain.Server.IsZero() {
		t.Errorf("servers %s and %s", got, plain.Server)
	}
	var all, through server
	bad := errors.New("no such client")
	var fail error
	o := SendOptions{Through: func(u locator.URL) (Client, error) {
		if u.Text() != own.Server.Text() {
			t.Errorf("through %s", u)
		}
		return &through, fail
	}}
	fail = bad
	if e, err := b.Send(t.Context(), &all, own.ID, o); !errors.Is(err, bad) || e.State != Queued || e.Attempts != 0 {
		t.Errorf("without its client: %v, %+v", err, e)
	}
	fail = nil
	for _, id := range []string{own.ID, plain.ID} {
		if _, err := b.Send(t.Context(), &all, id, o); err != nil {
			t.Error(err)
		}
	}
	if len(all.to) != 1 || len(through.to) != 1 {
		t.Errorf("%d messages by the client for all, %d by that of the server", len(all.to), len(through.to))
	}
	m = note(t, 3)
	m.Server = parse(t, "smtp://mail.example/?u=http://x:s3cret@y/")
	if _, err := b.Add(m); err == nil {
		t.Error("a secret in the URL of the server is stored")
	}
}

// A server that cannot be reached does not hold up the messages of another one.
//
// Covers: O1
func TestServersApart(t *testing.T) {
	t.Parallel()
	b := openBox(t, t.TempDir(), Options{})
	for n, text := range []string{"smtp://down.example/", "smtp://down.example/", "smtp://up.example/"} {
		m := note(t, n)
		m.Server = parse(t, text)
		addTo(t, b, m)
	}
	down, up := server{before: scheme.Fail(scheme.CodeUnreachable, "down")}, server{}
	o := SendOptions{Through: func(u locator.URL) (Client, error) {
		return map[string]Client{"down.example": &down, "up.example": &up}[u.Host()], nil
	}}
	if err := b.SendDue(t.Context(), &server{}, o, func(Entry, error) {}); err != nil || len(down.to) != 1 || len(up.to) != 1 {
		t.Errorf("%v: %d tries at the server that is down, %d at the other", err, len(down.to), len(up.to))
	}
}

// After the context has ended, SendDue tries no other message.
//
// Covers: O1
func TestSendDueCancelled(t *testing.T) {
	t.Parallel()
	b := openBox(t, t.TempDir(), Options{})
	addTo(t, b, note(t, 1))
	addTo(t, b, note(t, 2))
	ctx, cancel := context.WithCancel(t.Context())
	calls := 0
	if err := b.SendDue(ctx, &server{}, SendOptions{}, func(Entry, error) { calls++; cancel() }); err != nil || calls != 1 {
		t.Errorf("%v, %d results", err, calls)
	}
	entries, _, _ := b.Entries()
	attempts := 0
	for _, e := range entries {
		attempts += e.Attempts
	}
	if attempts != 1 {
		t.Errorf("%d attempts", attempts)
	}
}

// A message that another process drops while Send waits for its lock is not sent.
//
// Covers: O1
func TestDroppedWhileWaiting(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	b := openBox(t, dir, Options{})
	for n := range 20 { // the wait may end before the message is dropped
		e := addTo(t, b, note(t, n))
		name := filepath.Join(dir, e.ID+suffix)
		other, err := os.OpenFile(name, os.O_RDWR, 0)
		if err != nil {
			t.Fatal(err)
		}
		if err := diskfile.Lock(other, false); err != nil {
			t.Fatal(err)
		}
		go func() {
			time.Sleep(lockTries / 2 * lockWait)
			os.Remove(name)
			diskfile.Unlock(other)
			other.Close()
		}()
		s := &server{}
		_, err = b.Send(t.Context(), s, e.ID, SendOptions{})
		if errors.Is(err, ErrBusy) {
			continue
		}
		if len(s.to) > 0 || code(err) != scheme.CodeNotFound {
			t.Errorf("%d attempts, %v", len(s.to), err)
		}
		return
	}
	t.Fatal("the lock was never released in time")
}
