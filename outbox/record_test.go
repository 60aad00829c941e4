package outbox

import (
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"locator/scheme"
)

// recipients is a Client that counts what each recipient gets, by the content and the address.
type recipients struct {
	got     map[string]int
	before  error
	receipt *scheme.Receipt
}

func (c *recipients) Update(ctx context.Context, r scheme.Request, b scheme.Body, o *scheme.WriteOptions) (*scheme.Resource, error) {
	text, err := io.ReadAll(b.Source(ctx))
	if err != nil {
		return nil, err
	}
	if c.before != nil {
		return nil, c.before
	}
	if err := b.Pass(); err != nil {
		return nil, err
	}
	to := o.Recipients
	if to == nil {
		to = []string{"a@example.org", "b@example.org", "c@example.org"}
	}
	for _, address := range to {
		if c.receipt == nil || address != c.receipt.Refused[0].Recipient {
			c.got[string(text)+address]++
		}
	}
	return &scheme.Resource{URL: r.URL, Receipt: c.receipt}, nil
}

// crashed is the panic of a test that stops the program at a step.
type crashed struct{ at string }

// scenario does what programs do with an outbox: it adds messages, sends them with a server that
// refuses a recipient, sends to that one again, and drops a message. It records what it did, so
// that check knows what to expect when it was cut.
type scenario struct {
	messages []Message
	c        *recipients
	added    map[string]Message // those that Add has returned
	dropped  string             // the one whose removal has begun
	gone     bool               // the removal has ended
	stopped  string             // the step where it was cut
}

func newScenario(t *testing.T) *scenario {
	s := &scenario{c: &recipients{got: make(map[string]int)}, added: make(map[string]Message)}
	for n := range 3 {
		s.messages = append(s.messages, note(t, n))
	}
	return s
}

func (s *scenario) run(t *testing.T, dir string, before func(step) error) {
	t.Helper()
	if err := os.Mkdir(dir, 0o700); err != nil { // Open would write it to disk
		t.Fatal(err)
	}
	b := openBox(t, dir, Options{Clock: newClock()})
	b.step = before
	defer func() {
		switch r := recover().(type) {
		case nil:
		case crashed:
			s.stopped = r.at
		default:
			panic(r)
		}
	}()
	var ids []string
	for _, m := range s.messages {
		e, err := b.Add(m)
		if err != nil {
			continue
		}
		s.added[e.ID] = m
		ids = append(ids, e.ID)
	}
	for i, id := range ids {
		s.c.receipt, s.c.before = nil, nil
		switch i {
		case 1:
			s.c.receipt = &scheme.Receipt{Refused: []scheme.Refusal{{Recipient: "b@example.org", Reply: "550 no"}}}
		case 2:
			s.c.before = scheme.Fail(scheme.CodeUnreachable, "down")
		}
		b.Send(t.Context(), s.c, id, SendOptions{})
	}
	s.c.receipt, s.c.before = nil, nil
	if len(ids) > 1 {
		b.Send(t.Context(), s.c, ids[1], SendOptions{Failed: true})
		s.dropped = ids[0]
		s.gone = b.Drop(s.dropped) == nil
	}
}

// check opens the outbox after the scenario was cut. It sends what is due, and checks that no
// message is lost, that nobody has got one twice, and that each one that somebody may not have got
// is queued, failed with its recipients, or in doubt.
func (s *scenario) check(t *testing.T, what, dir string) {
	t.Helper()
	c := &recipients{got: maps.Clone(s.c.got)}
	b := openBox(t, dir, Options{Clock: newClock()})
	entries, problems, err := b.Entries()
	if err != nil || len(problems) > 0 {
		t.Errorf("%s: problems %v, %v", what, problems, err)
	}
	for _, e := range entries {
		for _, r := range e.Recipients {
			n := c.got[string(s.content(e.ID, t))+r.Address]
			switch {
			case n == 1 && e.State == Queued && r.State != Sent:
				t.Errorf("%s: %s has got %s, which is queued", what, r.Address, e.ID)
			case n == 0 && (e.State == Sent || r.State == Sent):
				t.Errorf("%s: %s has not got %s, which was sent", what, r.Address, e.ID)
			}
		}
	}
	for range 2 {
		if err := b.SendDue(t.Context(), c, SendOptions{}, func(e Entry, err error) {
			if err != nil && e.State != Failed { // the recipient that was refused stays so
				t.Errorf("%s: %s: %v", what, e.ID, err)
			}
		}); err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
	for key, n := range c.got {
		if n > 1 {
			t.Errorf("%s: delivered %d times: %q", what, n, key)
		}
	}
	for id, m := range s.added {
		e, err := b.Entry(id)
		if err != nil {
			if id != s.dropped {
				t.Errorf("%s: %s is lost: %v", what, id, err)
			}
			continue
		}
		if id == s.dropped && s.gone {
			t.Errorf("%s: %s is there again", what, id)
		}
		for _, r := range e.Recipients {
			got := c.got[string(m.Content)+r.Address] == 1
			switch {
			case e.State == Sent && !got, e.State == Failed && got != (r.State == Sent), e.State != Sent && e.State != Failed && e.State != InDoubt:
				t.Errorf("%s: %s is %v, %s is %v and has got it: %v", what, id, e.State, r.Address, r.State, got)
			}
		}
		if content, err := b.Content(id); err != nil {
			t.Errorf("%s: %v", what, err)
		} else {
			if text, _ := io.ReadAll(content); string(text) != string(m.Content) {
				t.Errorf("%s: %s has %q", what, id, text)
			}
			content.Close()
		}
	}
	if _, err := b.Add(note(t, 99)); err != nil { // removes what an Add has left
		t.Errorf("%s: %v", what, err)
	}
	list, err := os.ReadDir(dir)
	for _, f := range list {
		if !strings.HasSuffix(f.Name(), suffix) {
			t.Errorf("%s: %s is left", what, f.Name())
		}
	}
	if err != nil {
		t.Error(err)
	}
}

// content returns the content of an entry, which Add may not have returned.
func (s *scenario) content(id string, t *testing.T) []byte {
	for _, m := range s.messages {
		if newID(m.ID, m.URL) == id {
			return m.Content
		}
	}
	t.Errorf("there is an entry %s", id)
	return nil
}

// allSteps returns the steps of the scenario.
func allSteps(t *testing.T) (all []step) {
	t.Helper()
	s := newScenario(t)
	s.run(t, t.TempDir()+"/box", func(x step) error { all = append(all, x); return noSync(x) })
	if len(all) < 20 {
		t.Fatalf("only %d steps", len(all))
	}
	return all
}

// If any call of the system fails, once or from then on, or writes only a part, nothing is lost and
// nothing is sent twice.
//
// Covers: O1, T47
func TestFailingCalls(t *testing.T) {
	t.Parallel()
	steps := allSteps(t)
	for at := range steps {
		for _, kind := range []string{"once", "on", "part", "part, and the next too", "part and on"} {
			if steps[at].call != "write" && strings.HasPrefix(kind, "part") {
				continue
			}
			s, dir := newScenario(t), t.TempDir()+"/box"
			k, what := 0, ""
			s.run(t, dir, func(x step) error {
				if k++; k-1 < at || k-1 > at && !strings.HasSuffix(kind, "on") && !(strings.HasSuffix(kind, "too") && k-1 == at+1) {
					return noSync(x)
				}
				if k-1 == at {
					what = fmt.Sprintf("step %d fails %s: %s %s", at, kind, x.call, x.name)
				}
				if strings.HasPrefix(kind, "part") && x.call == "write" {
					writePart(t, filepath.Join(dir, x.name), x.data, len(x.data)/2)
				}
				return &os.PathError{Op: x.call, Path: x.name, Err: syscall.ENOSPC}
			})
			s.check(t, what, dir)
		}
	}
}

// What an incomplete line leaves behind a shorter one is removed.
//
// Covers: O1
func TestIncompleteLine(t *testing.T) {
	t.Parallel()
	b := openBox(t, t.TempDir()+"/box", Options{})
	e := addTo(t, b, note(t, 1))
	half := []byte(strings.Repeat("x", 5000))
	writePart(t, filepath.Join(b.Dir(), e.ID+suffix), half, len(half))
	wantState(t, b, e.ID, Queued)
	if _, err := b.Send(t.Context(), &server{}, e.ID, SendOptions{}); err != nil {
		t.Error(err)
	}
	wantState(t, b, e.ID, Sent)
	if text, err := os.ReadFile(filepath.Join(b.Dir(), e.ID+suffix)); err != nil || strings.Contains(string(text), "xx") {
		t.Errorf("%q, %v", text, err)
	}
}

// writePart appends the first n bytes of what the program would append.
func writePart(t *testing.T, name string, data []byte, n int) {
	t.Helper()
	h, err := os.OpenFile(name, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Error(err)
		return
	}
	defer h.Close()
	h.Write(data[:n])
}

// If the program is stopped before any call of the system, or in the middle of a write, nothing is
// lost and nothing is sent twice.
//
// Covers: O1, T46
func TestStoppedAtEachCall(t *testing.T) {
	t.Parallel()
	steps := allSteps(t)
	for at := range steps {
		for _, part := range []int{0, 1, 2} { // of a write: nothing, half, all but the line end
			if steps[at].call != "write" && part > 0 {
				continue
			}
			s, dir := newScenario(t), t.TempDir()+"/box"
			k := 0
			s.run(t, dir, func(x step) error {
				if k++; k-1 < at {
					return noSync(x)
				}
				if k-1 == at && x.call == "write" && part > 0 {
					writePart(t, filepath.Join(dir, x.name), x.data, []int{0, len(x.data) / 2, len(x.data) - 1}[part])
				}
				panic(crashed{fmt.Sprintf("stopped at step %d, part %d: %s %s", at, part, x.call, x.name)})
			})
			if s.stopped == "" {
				t.Fatalf("not stopped at step %d", at)
			}
			s.check(t, s.stopped, dir)
		}
	}
}
