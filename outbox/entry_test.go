package outbox

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"locator/scheme"
)

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

// After a partial refusal, only those recipients get the message that have not got it: by itself those that the server put off, and
// the others when the user says so. That also holds if an attempt is cut.
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

// A message that is put off again and again waits longer each time, and fails at last. The user's word begins anew.
//
// Covers: O1, T49
func TestSchedule(t *testing.T) {
	t.Parallel()
	clock := newClock()
	b := openBox(t, t.TempDir()+"/box", Options{Clock: clock})
	e := addTo(t, b, note(t, 1))
	s := &server{before: scheme.Replied(scheme.CodeUnavailable, "451 busy", "busy")}
	begin, waits := clock.Now(), ""
	send := func() {
		t.Helper()
		if err := b.SendDue(t.Context(), s, SendOptions{}, func(Entry, error) {}); err != nil {
			t.Fatal(err)
		}
	}
	for n := 0; n < 100; n++ {
		send()
		got, err := b.Entry(e.ID)
		if err != nil {
			t.Fatal(err)
		}
		if got.State == Failed {
			break
		}
		if n < 7 {
			waits += got.wait.String() + " "
		}
		clock.add(got.wait / 2)
		send() // not due
		if again, _ := b.Entry(e.ID); again.Attempts != got.Attempts {
			t.Fatalf("sent before it was due: %+v", again)
		}
		clock.add(got.wait - got.wait/2)
	}
	if want := "5m0s 15m0s 30m0s 1h0m0s 2h0m0s 4h0m0s 4h0m0s "; waits != want {
		t.Errorf("waits %s, want %s", waits, want)
	}
	got := wantState(t, b, e.ID, Failed)
	if after := clock.Now().Sub(begin); after < DefaultGiveUp || after > DefaultGiveUp+4*time.Hour || !strings.Contains(got.Error, "given up after") {
		t.Errorf("failed after %v: %s", after, got.Error)
	}
	clock.add(24 * time.Hour)
	b.Send(t.Context(), s, e.ID, SendOptions{Failed: true})
	wantState(t, b, e.ID, Queued)
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

// The recipients of the entry are the ones that the client is told to send to. One that the client says it has not sent to is never called
// sent, and those that the client names are added to an entry without recipients. A nil callback is allowed.
//
// Covers: O1
func TestRecipientsAddressed(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name     string
		to       []string
		accepted []string
		states   map[string]State
		state    State
	}{
		{"as asked", []string{"zoe@example.org"}, []string{"zoe@example.org"}, map[string]State{"zoe@example.org": Sent}, Sent},
		{"another case", []string{"zoe@example.org"}, []string{"zoe@EXAMPLE.org"}, map[string]State{"zoe@example.org": Sent, "zoe@EXAMPLE.org": Sent}, Sent},
		{"in ASCII", []string{"zoe@münchen.example", `"ann"@example.org`}, []string{"zoe@xn--mnchen-3ya.example", "ann@example.org"}, map[string]State{
			"zoe@münchen.example": Sent, "zoe@xn--mnchen-3ya.example": Sent, `"ann"@example.org`: Sent, "ann@example.org": Sent}, Sent},
		{"no word of it", []string{"zoe@example.org"}, nil, map[string]State{"zoe@example.org": Sent}, Sent},
		{"others", []string{"zoe@example.org"}, []string{"ann@example.org", "bob@example.org"},
			map[string]State{"zoe@example.org": Failed, "ann@example.org": Sent, "bob@example.org": Sent}, Failed},
		{"not known before", nil, []string{"ann@example.org"}, map[string]State{"ann@example.org": Sent}, Sent},
	} {
		b := openBox(t, t.TempDir(), Options{})
		m := note(t, 1)
		m.Recipients = tt.to
		id := addTo(t, b, m).ID
		s := &server{receipt: &scheme.Receipt{Accepted: tt.accepted, Reply: "250 OK"}}
		if err := b.SendDue(t.Context(), s, SendOptions{}, nil); err != nil {
			t.Fatal(err)
		}
		e := wantState(t, b, id, tt.state)
		if len(s.to) != 1 || !slices.Equal(s.to[0], tt.to) {
			t.Errorf("%s: the client was asked to send to %q", tt.name, s.to)
		}
		if len(e.Recipients) != len(tt.states) {
			t.Errorf("%s: %d recipients, want %d", tt.name, len(e.Recipients), len(tt.states))
		}
		for _, x := range e.Recipients {
			if x.State != tt.states[x.Address] {
				t.Errorf("%s: %s is %v, want %v", tt.name, x.Address, x.State, tt.states[x.Address])
			}
		}
	}
}

// The entry of an error has no state.
func TestNoState(t *testing.T) {
	t.Parallel()
	e, err := openBox(t, t.TempDir(), Options{}).Add(Message{})
	if err == nil || e.State.String() != "unset" || Queued.String() != "queued" {
		t.Errorf("%v: %v", err, e.State)
	}
	if _, ok := stateOf(e.State.String()); ok {
		t.Error("a record may have no state")
	}
}
