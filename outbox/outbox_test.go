package outbox

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"locator"
	"locator/internal/clock"
	"locator/scheme"
)

// testClock is a clock that tests set.
type testClock struct {
	clock.System
	mu  sync.Mutex
	now time.Time
}

func newClock() *testClock { return &testClock{now: time.Date(1994, 12, 1, 12, 0, 0, 0, time.UTC)} }

func (c *testClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *testClock) add(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// server is a Client that plays a server. It delivers a message once Pass has returned, and then
// answers.
type server struct {
	mu        sync.Mutex
	delivered map[string]int // by "content to recipients"
	to        [][]string     // recipients of each update
	before    error          // instead of Pass
	after     error          // instead of the answer
	receipt   *scheme.Receipt
	during    func() // is called between Pass and the answer
}

func (s *server) Update(ctx context.Context, r scheme.Request, b scheme.Body, o *scheme.WriteOptions) (*scheme.Resource, error) {
	text, err := io.ReadAll(b.Source(ctx))
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.to = append(s.to, o.Recipients)
	if s.before != nil {
		return nil, s.before
	}
	if err := b.Pass(); err != nil {
		return nil, err
	}
	if s.delivered == nil {
		s.delivered = make(map[string]int)
	}
	s.delivered[string(text)]++
	if s.during != nil {
		s.during()
	}
	if s.after != nil {
		return nil, s.after
	}
	return &scheme.Resource{URL: r.URL, Receipt: s.receipt}, nil
}

func parse(t testing.TB, text string) locator.URL {
	t.Helper()
	u, err := locator.Current.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func openBox(t testing.TB, dir string, o Options) *Outbox {
	t.Helper()
	b, err := Open(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	b.step = noSync
	return b
}

// noSync is a step that writes nothing to disk: only power loss shows the difference, and
// TestPowerLoss has a model of that.
func noSync(x step) error {
	if x.call == "sync" || x.call == "syncdir" {
		return errDone
	}
	return nil
}

// note returns a message.
func note(t testing.TB, n int) Message {
	u, err := locator.Current.Parse("x-post://host/inbox")
	if err != nil {
		t.Fatal(err)
	}
	return Message{URL: u, ID: fmt.Sprintf("note-%d@example.org", n), Recipients: []string{"a@example.org", "b@example.org", "c@example.org"},
		From: "me@example.org", Subject: fmt.Sprintf("Note %d", n), Content: fmt.Appendf(nil, "Message-ID: <note-%d@example.org>\r\n\r\nNote.\r\n", n)}
}

func addTo(t testing.TB, b *Outbox, m Message) Entry {
	t.Helper()
	e, err := b.Add(m)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func wantState(t testing.TB, b *Outbox, id string, want State) Entry {
	t.Helper()
	e, err := b.Entry(id)
	if err != nil {
		t.Fatal(err)
	}
	if e.State != want {
		t.Errorf("%s is %v (%s), want %v", id, e.State, e.Error, want)
	}
	return e
}

func wantCode(t testing.TB, err error, want scheme.Code) {
	t.Helper()
	if got := code(err); got != want {
		t.Errorf("code %v, want %v: %v", got, want, err)
	}
}

// Covers: O1
func TestSend(t *testing.T) {
	t.Parallel()
	clock := newClock()
	dir := filepath.Join(t.TempDir(), "state", "outbox")
	b := openBox(t, dir, Options{Clock: clock})
	b.step = nil
	m := note(t, 1)
	e := addTo(t, b, m)
	if e.State != Queued || e.Subject != m.Subject || e.MessageID != m.ID || e.Size != int64(len(m.Content)) || len(e.Recipients) != 3 || !e.Due(clock.Now()) {
		t.Errorf("%+v", e)
	}
	r, err := b.Content(e.ID)
	if err != nil {
		t.Fatal(err)
	}
	if text, err := io.ReadAll(r); string(text) != string(m.Content) || err != nil {
		t.Errorf("%q, %v", text, err)
	}
	r.Close()
	if _, err := b.Add(m); !errors.Is(err, fs.ErrExist) {
		t.Errorf("the same message is added twice: %v", err)
	}
	s := &server{receipt: &scheme.Receipt{ID: "1", Reply: "250 queued as 7"}}
	s.during = func() { wantState(t, b, e.ID, Sending) }
	clock.add(time.Minute)
	sent, err := b.Send(t.Context(), s, e.ID, SendOptions{})
	if err != nil || sent.State != Sent || sent.Receipt.Reply != "250 queued as 7" || sent.Attempts != 1 || len(sent.History) != 3 {
		t.Errorf("%+v, %v", sent, err)
	}
	for _, r := range wantState(t, b, e.ID, Sent).Recipients {
		if r.State != Sent {
			t.Errorf("%+v", r)
		}
	}
	if _, err := b.Send(t.Context(), s, e.ID, SendOptions{Failed: true, InDoubt: true}); err != nil || s.delivered[string(m.Content)] != 1 {
		t.Errorf("a message that was sent: %v, delivered %v", err, s.delivered)
	}
	if runtime.GOOS != "windows" {
		for name, want := range map[string]fs.FileMode{dir: 0o700, filepath.Dir(dir): 0o700, filepath.Join(dir, e.ID+suffix): 0o600} {
			if in, err := os.Stat(name); err != nil || in.Mode().Perm() != want {
				t.Errorf("%s: %v, %v", name, in.Mode(), err)
			}
		}
	}
}

// A message is sent by one sender at a time, and can be dropped by nobody meanwhile. A late Commit
// is refused.
//
// Covers: O1
func TestOneSender(t *testing.T) {
	t.Parallel()
	dir := t.TempDir() + "/box"
	b, other := openBox(t, dir, Options{}), openBox(t, dir, Options{})
	e := addTo(t, b, note(t, 1))
	s := &server{}
	s.during = func() {
		if _, err := other.Send(t.Context(), s, e.ID, SendOptions{}); !errors.Is(err, ErrBusy) {
			t.Errorf("sent twice at once: %v", err)
		}
		if err := other.Drop(e.ID); !errors.Is(err, ErrBusy) {
			t.Errorf("dropped while it is sent: %v", err)
		}
		if err := other.SendDue(t.Context(), s, SendOptions{}, func(e Entry, err error) { t.Errorf("%v, %v", e, err) }); err != nil {
			t.Error(err)
		}
	}
	if _, err := b.Send(t.Context(), s, e.ID, SendOptions{}); err != nil {
		t.Error(err)
	}
	s.during = nil
	first, second := addTo(t, b, note(t, 3)), addTo(t, b, note(t, 4))
	if err := b.SendDue(t.Context(), s, SendOptions{}, func(e Entry, err error) {
		if e.ID == second.ID {
			t.Errorf("reported, although another process has sent it: %v, %v", e.State, err)
		} else if _, err := other.Send(t.Context(), &server{}, second.ID, SendOptions{}); err != nil || e.ID != first.ID {
			t.Error(err)
		}
	}); err != nil {
		t.Error(err)
	}
	var late scheme.Body
	e = addTo(t, b, note(t, 2))
	c := clientFunc(func(_ context.Context, _ scheme.Request, body scheme.Body, _ *scheme.WriteOptions) (*scheme.Resource, error) {
		late = body
		return nil, scheme.Fail(scheme.CodeBroken, "cut")
	})
	b.Send(t.Context(), c, e.ID, SendOptions{})
	if err := late.Pass(); err == nil {
		t.Error("a message can pass the point of no return after its attempt has ended")
	}
	wantState(t, b, e.ID, Queued)
}

type clientFunc func(context.Context, scheme.Request, scheme.Body, *scheme.WriteOptions) (*scheme.Resource, error)

func (f clientFunc) Update(ctx context.Context, r scheme.Request, b scheme.Body, o *scheme.WriteOptions) (*scheme.Resource, error) {
	return f(ctx, r, b, o)
}

// After one message could not reach its server, the others for it are not tried.
//
// Covers: O1
func TestUnreachableServer(t *testing.T) {
	t.Parallel()
	b := openBox(t, t.TempDir()+"/box", Options{})
	for n := range 5 {
		addTo(t, b, note(t, n))
	}
	elsewhere := note(t, 6)
	elsewhere.URL = parse(t, "x-post://other/inbox")
	addTo(t, b, elsewhere)
	tried, results, notTried := 0, 0, 0
	c := clientFunc(func(context.Context, scheme.Request, scheme.Body, *scheme.WriteOptions) (*scheme.Resource, error) {
		tried++
		return nil, scheme.Fail(scheme.CodeUnreachable, "no route")
	})
	if err := b.SendDue(t.Context(), c, SendOptions{}, func(e Entry, err error) {
		if results++; errors.Is(err, ErrNotTried) {
			notTried++
		}
		wantCode(t, err, scheme.CodeUnreachable)
	}); err != nil || tried != 2 || results != 6 || notTried != 4 {
		t.Errorf("%d tried, %d results, %v", tried, results, err)
	}
}

// Sent messages are removed after a time, all others only by Drop.
//
// Covers: O1
func TestPruneAndDrop(t *testing.T) {
	t.Parallel()
	clock := newClock()
	b := openBox(t, t.TempDir()+"/box", Options{Clock: clock})
	s := &server{}
	var ids []string
	for n, o := range []error{nil, scheme.Fail(scheme.CodeUnsupported, "no"), scheme.Fail(scheme.CodeInDoubt, "?"), scheme.Fail(scheme.CodeUnreachable, "down")} {
		e := addTo(t, b, note(t, n))
		s.before = o
		b.Send(t.Context(), s, e.ID, SendOptions{})
		ids = append(ids, e.ID)
	}
	clock.add(-365 * 24 * time.Hour)
	for _, wait := range []time.Duration{0, 365 * 24 * time.Hour, DefaultKeep - time.Second} {
		clock.add(wait)
		if err := b.Prune(); err != nil {
			t.Fatal(err)
		}
		wantState(t, b, ids[0], Sent)
	}
	clock.add(time.Second)
	keeps := openBox(t, b.Dir(), Options{Clock: clock, Keep: -1})
	if err := keeps.Prune(); err != nil {
		t.Fatal(err)
	}
	wantState(t, b, ids[0], Sent)
	if err := b.Prune(); err != nil {
		t.Fatal(err)
	}
	_, err := b.Entry(ids[0])
	wantCode(t, err, scheme.CodeNotFound)
	clock.add(365 * 24 * time.Hour)
	if err := b.Prune(); err != nil {
		t.Fatal(err)
	}
	for i, want := range []State{Failed, InDoubt, Queued} {
		wantState(t, b, ids[i+1], want)
		if err := b.Drop(ids[i+1]); err != nil {
			t.Error(err)
		}
		wantCode(t, b.Drop(ids[i+1]), scheme.CodeNotFound)
	}
	if list, err := os.ReadDir(b.Dir()); err != nil || len(list) != 0 {
		t.Errorf("%d files are left, %v", len(list), err)
	}
}

// Find accepts the beginning of an ID.
func TestFind(t *testing.T) {
	t.Parallel()
	b := openBox(t, t.TempDir()+"/box", Options{})
	var ids []string
	for n := range 40 { // more than there are letters
		ids = append(ids, addTo(t, b, note(t, n)).ID)
	}
	if e, err := b.Find(ids[7]); err != nil || e.ID != ids[7] {
		t.Errorf("%v, %v", e, err)
	}
	if e, err := b.Find(ids[7][:9]); err != nil || e.ID != ids[7] {
		t.Errorf("%v, %v", e, err)
	}
	ambiguous := 0
	for _, c := range idLetters {
		if _, err := b.Find(string(c)); code(err) == scheme.CodeUsage {
			ambiguous++
		}
	}
	if ambiguous == 0 {
		t.Error("no letter is ambiguous")
	}
	for _, prefix := range []string{"", "0", "../", ids[7] + "x", strings.ToUpper(ids[7])} {
		_, err := b.Find(prefix)
		wantCode(t, err, scheme.CodeNotFound)
	}
}

// What cannot be stored is refused, and the password of a URL is not stored.
//
// Covers: O1, P3, T51
func TestAddRefused(t *testing.T) {
	t.Parallel()
	b := openBox(t, t.TempDir()+"/box", Options{MaxSize: 100, MaxEntries: 2})
	content := []byte("Message-ID: <4@example.org>\n\n")
	for name, m := range map[string]Message{
		"no URL":       {Content: content},
		"no mail":      {URL: parse(t, "http://me:s3cret@host/"), Content: content},
		"too large":    {URL: parse(t, "x-post://host/"), Content: append(content, make([]byte, 100)...)},
		"many":         {URL: parse(t, "x-post://host/"), Content: content, Recipients: make([]string, maxRecipients+1)},
		"long":         {URL: parse(t, "x-post://host/"), Content: content, Recipients: []string{strings.Repeat("x", maxLine)}},
		"inner secret": {URL: parse(t, "x-post://host/?u=http://me:s3cret@other/"), Content: content},

		"no Message-ID":      {URL: parse(t, "x-post://host/"), Content: []byte("Subject: x\n\nMessage-ID: <4@example.org>\n")},
		"only ID":            {URL: parse(t, "x-post://host/"), ID: "4@example.org", Content: []byte("Subject: x\n\n")},
		"another Message-ID": {URL: parse(t, "x-post://host/"), ID: "5@example.org", Content: content},
		"with brackets":      {URL: parse(t, "x-post://host/"), ID: "<4@example.org>", Content: content},
		"no brackets":        {URL: parse(t, "x-post://host/"), Content: []byte("Message-ID: 4@example.org\n\n")},
		"a space in it":      {URL: parse(t, "x-post://host/"), Content: []byte("Message-ID: <4 @example.org>\n\n")},
		"no @":               {URL: parse(t, "x-post://host/"), Content: []byte("Message-ID: <4>\n\n")},
	} {
		if _, err := b.Add(m); err == nil || code(err) != scheme.CodeUsage && code(err) != scheme.CodeMalformed || strings.Contains(err.Error(), "s3cret") {
			t.Errorf("%s: %v", name, err)
		}
	}
	for text, want := range map[string]bool{
		"mailto:a@b": true, "news:a.b": true, "snews://h/a.b": true, "nntp://h/a.b": true, "x-post://h/": true, "http://h/": false, "ftps://h/a": false, "file:///a": false,
	} {
		if got := takesMail(parse(t, text)); got != want {
			t.Errorf("messages can be sent to %s: %v", text, got)
		}
	}
	e := addTo(t, b, Message{URL: parse(t, "x-post://me:s3cret@host/"), Content: content})
	if e.MessageID != "4@example.org" {
		t.Errorf("the Message-ID is %q", e.MessageID)
	}
	if e.URL.Text() != "x-post://me@host/" {
		t.Errorf("the URL is %s", e.URL.Text())
	}
	if text, err := os.ReadFile(filepath.Join(b.Dir(), e.ID+suffix)); err != nil || strings.Contains(string(text), "s3cret") {
		t.Errorf("%q, %v", text, err)
	}
	addTo(t, b, Message{URL: parse(t, "x-post://host/"), Content: []byte("Subject: x\r\nMESSAGE-ID:\r\n <5@example.org>\r\n\r\n")})
	_, err := b.Add(Message{URL: parse(t, "x-post://host/"), Content: []byte("Message-Id: <6@example.org>\n")})
	wantCode(t, err, scheme.CodeLocal)
	if list, _, err := b.Entries(); err != nil || len(list) != 2 {
		t.Errorf("%d entries, %v", len(list), err)
	}
}

// The longest result of an attempt fits in a record.
func TestLongResult(t *testing.T) {
	t.Parallel()
	b := openBox(t, t.TempDir()+"/box", Options{})
	m := note(t, 1)
	m.Recipients = nil
	refused := []scheme.Refusal{}
	for n := range maxRecipients {
		to := fmt.Sprintf("%0320d@example.org", n)
		m.Recipients = append(m.Recipients, to)
		refused = append(refused, scheme.Refusal{Recipient: to, Reply: "550 " + strings.Repeat(`\"<>&`, 300)})
	}
	e := addTo(t, b, m)
	_, err := b.Send(t.Context(), &server{receipt: &scheme.Receipt{Refused: refused}}, e.ID, SendOptions{})
	wantCode(t, err, scheme.CodeNotFound)
	wantState(t, b, e.ID, Failed)
}
