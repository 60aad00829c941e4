package outbox

import (
	"slices"
	"strings"
	"testing"
	"time"

	"locator/scheme"
)

// A message that is put off again and again waits longer each time, and fails at last. The user's
// word begins anew.
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

// The recipients of the entry are the ones that the client is told to send to. One that the client
// says it has not sent to is never called sent, and those that the client names are added to an
// entry without recipients. A nil callback is allowed.
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
