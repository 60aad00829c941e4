package outbox

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"locator"
	"locator/internal/diskfile"
	"locator/scheme"
)

// A message is sent through its own server, whose password is not stored. One without a server is
// sent by the client for all, and its file has nothing about servers, as those of earlier versions.
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

// The code of an error and what the server has said decide what becomes of the message.
//
// Covers: O1, T48
func TestOutcome(t *testing.T) {
	t.Parallel()
	reply := func(c scheme.Code, text string) *scheme.Error { return scheme.Replied(c, text, "refused") }
	in := func(e *scheme.Error, r *scheme.Receipt) error {
		e.Partial = &scheme.Resource{Receipt: r}
		return e
	}
	final := reply(scheme.CodeUnavailable, "554 5.7.1 never")
	final.Final = true
	for name, tt := range map[string]struct {
		before, after error
		receipt       *scheme.Receipt
		want          State
		code          scheme.Code
		waits         time.Duration
		recipients    string
		text          string
	}{
		"accepted":        {want: Sent, recipients: "sent sent sent"},
		"not reached":     {before: scheme.Fail(scheme.CodeUnreachable, "no route"), want: Queued, code: scheme.CodeUnreachable, recipients: "queued queued queued"},
		"no login":        {before: reply(scheme.CodeLoginNeeded, "535 no"), want: Queued, code: scheme.CodeLoginNeeded, waits: 5 * time.Minute, recipients: "queued queued queued"},
		"later":           {before: reply(scheme.CodeUnavailable, "451 busy"), want: Queued, code: scheme.CodeUnavailable, waits: 5 * time.Minute, recipients: "queued queued queued"},
		"later, for long": {before: &scheme.Error{Code: scheme.CodeUnavailable, RetryAfter: time.Hour, Reply: "451"}, want: Queued, code: scheme.CodeUnavailable, waits: time.Hour, recipients: "queued queued queued"},
		"never":           {before: final, want: Failed, code: scheme.CodeUnavailable, recipients: "failed failed failed"},
		"too large":       {before: reply(scheme.CodeRefused, "552 too large"), want: Failed, code: scheme.CodeRefused, recipients: "failed failed failed"},
		"policy":          {before: scheme.Fail(scheme.CodeRefused, "port"), want: Queued, code: scheme.CodeRefused, recipients: "queued queued queued"},
		"interrupted":     {before: context.Canceled, want: Queued, code: scheme.CodeInterrupted, recipients: "queued queued queued"},
		"foreign error":   {before: errors.New("?"), want: Failed, code: scheme.CodeProtocol, recipients: "failed failed failed"},

		"no answer":                {after: scheme.Fail(scheme.CodeInDoubt, "gone"), want: InDoubt, code: scheme.CodeInDoubt, recipients: "in doubt in doubt in doubt"},
		"broken after the end":     {after: scheme.Fail(scheme.CodeBroken, "gone"), want: InDoubt, code: scheme.CodeInDoubt, recipients: "in doubt in doubt in doubt"},
		"interrupted at the end":   {after: context.Canceled, want: InDoubt, code: scheme.CodeInDoubt, recipients: "in doubt in doubt in doubt"},
		"refused after the end":    {after: reply(scheme.CodeRefused, "554 spam"), want: Failed, code: scheme.CodeRefused, recipients: "failed failed failed"},
		"later, after the end":     {after: reply(scheme.CodeUnavailable, "452 full"), want: Queued, code: scheme.CodeUnavailable, waits: 5 * time.Minute, recipients: "queued queued queued"},
		"reply in a wrapped error": {after: fmt.Errorf("x: %w", &scheme.Error{Code: scheme.CodeRefused, Err: reply(scheme.CodeRefused, "554 spam")}), want: Failed, code: scheme.CodeRefused, recipients: "failed failed failed"},

		"one refused": {receipt: &scheme.Receipt{Reply: "250 ok", Refused: []scheme.Refusal{{Recipient: "b@example.org", Reply: "550 no such user"}}},
			want: Failed, code: scheme.CodeNotFound, recipients: "sent failed sent"},
		"one not permitted": {receipt: &scheme.Receipt{Reply: "250 ok", Refused: []scheme.Refusal{{Recipient: "b@example.org", Reply: "550 relay", Code: scheme.CodeLoginNeeded}}},
			want: Failed, code: scheme.CodeLoginNeeded, recipients: "sent failed sent"},
		"one mailbox is full": {receipt: &scheme.Receipt{Refused: []scheme.Refusal{{Recipient: "b@example.org", Reply: "552 5.2.2 full", Code: scheme.CodeUnavailable}}},
			want: Queued, code: scheme.CodeUnavailable, waits: 5 * time.Minute, recipients: "sent queued sent"},
		"one later": {receipt: &scheme.Receipt{Refused: []scheme.Refusal{{Recipient: "b@example.org", Reply: "450 greylisted"}}},
			want: Queued, code: scheme.CodeUnavailable, waits: 5 * time.Minute, recipients: "sent queued sent"},
		"one later, one never": {receipt: &scheme.Receipt{Refused: []scheme.Refusal{{Recipient: "b@example.org", Reply: "450 greylisted"}, {Recipient: "c@example.org", Reply: "550 no"}}},
			want: Queued, code: scheme.CodeNotFound, waits: 5 * time.Minute, recipients: "sent queued failed", text: "the server refused c@example.org: 550 no; it asks to try again later for b@example.org: 450 greylisted"},
		"one refused, as an error": {after: in(reply(scheme.CodeNotFound, "550 no"), &scheme.Receipt{Reply: "250 ok", Refused: []scheme.Refusal{{Recipient: "b@example.org", Reply: "550 no such user"}}}),
			want: Failed, code: scheme.CodeNotFound, recipients: "sent failed sent"},
		"one refused, then the message": {after: in(reply(scheme.CodeUnavailable, "452 full"), &scheme.Receipt{Reply: "452 full", Accepted: []string{"a@example.org"}, Refused: []scheme.Refusal{{Recipient: "b@example.org", Reply: "550 no such user"}}}),
			want: Queued, code: scheme.CodeUnavailable, waits: 5 * time.Minute, recipients: "queued failed queued"},
		"one refused, then no answer": {after: in(scheme.Fail(scheme.CodeInDoubt, "gone"), &scheme.Receipt{Refused: []scheme.Refusal{{Recipient: "b@example.org", Reply: "550 no such user"}}}),
			want: InDoubt, code: scheme.CodeInDoubt, recipients: "in doubt failed in doubt"},
		"all refused, one for now": {before: in(reply(scheme.CodeNotFound, "550 no such user"), &scheme.Receipt{Refused: []scheme.Refusal{{Recipient: "a@example.org", Reply: "550 no such user"},
			{Recipient: "b@example.org", Reply: "450 later"}, {Recipient: "c@example.org", Reply: "550 no such user"}}}),
			want: Queued, code: scheme.CodeNotFound, waits: 5 * time.Minute, recipients: "failed queued failed",
			text: "the server refused a@example.org: 550 no such user; c@example.org: 550 no such user; it asks to try again later for b@example.org: 450 later"},
		"two refused, then the message": {after: in(reply(scheme.CodeUnavailable, "452 full"), &scheme.Receipt{Refused: []scheme.Refusal{{Recipient: "a@example.org", Reply: "550 no"}, {Recipient: "b@example.org", Reply: "451 later"}}}),
			want: Queued, code: scheme.CodeUnavailable, waits: 5 * time.Minute, recipients: "failed queued queued"},
		"one more than was known": {receipt: &scheme.Receipt{Refused: []scheme.Refusal{{Recipient: "d@example.org", Reply: "550 no such user"}}},
			want: Failed, code: scheme.CodeNotFound, recipients: "sent sent sent failed"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			clock := newClock()
			b := openBox(t, t.TempDir()+"/box", Options{Clock: clock})
			e := addTo(t, b, note(t, 1))
			s := &server{before: tt.before, after: tt.after, receipt: tt.receipt}
			got, err := b.Send(t.Context(), s, e.ID, SendOptions{})
			wantCode(t, err, tt.code)
			on := wantState(t, b, e.ID, tt.want)
			if got.State != on.State || got.Error != on.Error {
				t.Errorf("Send returns %+v, the file has %+v", got, on)
			}
			var states []string
			for _, r := range on.Recipients {
				states = append(states, r.State.String())
			}
			if s := strings.Join(states, " "); s != tt.recipients {
				t.Errorf("recipients: %s, want %s", s, tt.recipients)
			}
			if tt.text != "" && on.Error != tt.text {
				t.Errorf("error %q, want %q", on.Error, tt.text)
			}
			if err != nil && (on.Error == "" || on.Code != tt.code) {
				t.Errorf("code %v, error %q", on.Code, on.Error)
			}
			if on.wait != tt.waits || tt.want == Queued && !on.Due(clock.Now().Add(tt.waits)) || tt.waits > 0 && on.Due(clock.Now().Add(tt.waits-1)) {
				t.Errorf("waits %v, want %v; next %v", on.wait, tt.waits, on.Next)
			}
			if tt.want == Queued && !on.Due(clock.Now().Add(-24*time.Hour)) && tt.waits > 0 {
				t.Error("a clock that was set back delays the message")
			}
		})
	}
}

// After a partial refusal, only those recipients get the message that have not got it: by itself
// those that the server put off, and the others when the user says so. That also holds if an
// attempt is cut.
//
// Covers: O1
func TestPartlyRefused(t *testing.T) {
	t.Parallel()
	clock := newClock()
	b := openBox(t, t.TempDir()+"/box", Options{Clock: clock})
	e := addTo(t, b, note(t, 1))
	s := &server{receipt: &scheme.Receipt{Refused: []scheme.Refusal{{Recipient: "b@example.org", Reply: "450 later"}, {Recipient: "c@example.org", Reply: "550 no"}}}}
	b.Send(t.Context(), s, e.ID, SendOptions{})
	s.receipt = nil
	clock.add(5 * time.Minute)
	_, err := b.Send(t.Context(), s, e.ID, SendOptions{})
	wantCode(t, err, scheme.CodeNotFound) // c is still refused
	got := wantState(t, b, e.ID, Failed)
	if got.Recipients[2].Reply != "550 no" || !strings.Contains(got.Error, "c@example.org: 550 no") {
		t.Errorf("%+v", got)
	}
	_, err = b.Send(t.Context(), s, e.ID, SendOptions{})
	wantCode(t, err, scheme.CodeUsage)
	s.before = scheme.Fail(scheme.CodeUnreachable, "no route")
	b.Send(t.Context(), s, e.ID, SendOptions{Failed: true})
	wantState(t, b, e.ID, Queued)
	s.before = nil
	if _, err = b.Send(t.Context(), s, e.ID, SendOptions{}); err != nil {
		t.Error(err)
	}
	wantState(t, b, e.ID, Sent)
	if got := fmt.Sprint(s.to); got != "[[a@example.org b@example.org c@example.org] [b@example.org] [c@example.org] [c@example.org]]" {
		t.Errorf("sent to %s", got)
	}
}

// Only the user's word sends a message that is in doubt.
//
// Covers: O1, T48
func TestInDoubt(t *testing.T) {
	t.Parallel()
	b := openBox(t, t.TempDir()+"/box", Options{})
	m := note(t, 1)
	e := addTo(t, b, m)
	s := &server{after: scheme.Fail(scheme.CodeInDoubt, "gone")}
	b.Send(t.Context(), s, e.ID, SendOptions{})
	s.after = nil
	for _, o := range []SendOptions{{}, {Failed: true}} {
		_, err := b.Send(t.Context(), s, e.ID, o)
		wantCode(t, err, scheme.CodeInDoubt)
	}
	b.SendDue(t.Context(), s, SendOptions{InDoubt: true}, func(e Entry, err error) { t.Errorf("%v, %v", e, err) })
	if n := s.delivered[string(m.Content)]; n != 1 {
		t.Errorf("delivered %d times", n)
	}
	if _, err := b.Send(t.Context(), s, e.ID, SendOptions{InDoubt: true}); err != nil {
		t.Error(err)
	}
	wantState(t, b, e.ID, Sent)
}
