package scheme

import (
	"context"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"
	"time"

	"locator/scheme/session"

	"locator"
)

// closer counts calls of Close.
type closer struct {
	io.Reader
	io.Writer
	session.Session // only Close is called
	err             error
	n               int
}

func (c *closer) Close() error                { c.n++; return c.err }
func (c *closer) Read(p []byte) (int, error)  { return c.Reader.Read(p) }
func (c *closer) Write(p []byte) (int, error) { return c.Writer.Write(p) }

func TestResourceClose(t *testing.T) {
	t.Parallel()
	if err := (&Resource{}).Close(); err != nil {
		t.Errorf("a resource that holds nothing: %v", err)
	}
	first, second := errors.New("first"), errors.New("second")
	body, session, rest := &closer{}, &closer{err: first}, &closer{err: second}
	r := &Resource{Body: body, Session: session, Closer: rest}
	if err := r.Close(); err != first {
		t.Errorf("Close gives %v, want the first error", err)
	}
	if body.n != 1 || session.n != 1 || rest.n != 1 {
		t.Errorf("closed: body %d, session %d, rest %d; want each once, also after an error", body.n, session.n, rest.n)
	}
	if err := r.Close(); err != first {
		t.Errorf("the second Close gives %v", err)
	}
	only := &Resource{Closer: &closer{err: second}}
	if err := only.Close(); err != second {
		t.Errorf("Close of Closer alone gives %v", err)
	}
}

func TestKindNames(t *testing.T) {
	t.Parallel()
	want := []string{"unknown", "object", "listing", "query", "form", "session", "draft", "referral", "note"}
	for k := KindUnknown; k <= KindNote; k++ {
		if got := k.String(); got != want[k] {
			t.Errorf("Kind(%d) = %q, want %q", k, got, want[k])
		}
	}
	if got := Kind(100).String(); got != "unknown" {
		t.Errorf("Kind(100) = %q", got)
	}
}

func TestCount(t *testing.T) {
	t.Parallel()
	var unknown Count
	if n, known := unknown.Get(); known || n != 0 {
		t.Errorf("the zero Count is %d, %v; want unknown", n, known)
	}
	if unknown == Known(0) {
		t.Error("nought and unknown are the same")
	}
	if got := unknown.Or(-1); got != -1 {
		t.Errorf("unknown.Or(-1) = %d", got)
	}
	if n, known := Known(7).Get(); !known || n != 7 {
		t.Errorf("Known(7) is %d, %v", n, known)
	}
	if got := Known(0).Or(-1); got != 0 {
		t.Errorf("Known(0).Or(-1) = %d", got)
	}
}

func TestRangeIsZero(t *testing.T) {
	t.Parallel()
	for r, want := range map[Range]bool{{}: true, {Offset: 1}: false, {Length: 1}: false} {
		if r.IsZero() != want {
			t.Errorf("%+v.IsZero() = %v", r, !want)
		}
	}
}

// Covers: P6
func TestLimitsWithDefaults(t *testing.T) {
	t.Parallel()
	got := Limits{}.WithDefaults()
	want := Limits{Idle: 30 * time.Second, Line: 8 << 10, Header: 256 << 10, Entries: 1_000_000, Listing: 256 << 20, Hops: 10,
		LineTime: time.Minute, ReplyTime: 10 * time.Minute}
	if got != want {
		t.Errorf("defaults %+v, want %+v", got, want)
	}
	// For a new limit, decide here whether zero means "none" or "the default".
	for i, v := range reflect.VisibleFields(reflect.TypeFor[Limits]()) {
		if v.Name != "Body" && v.Name != "Time" && reflect.ValueOf(got).Field(i).IsZero() {
			t.Errorf("the limit %s has no default, so a peer sets it", v.Name)
		}
	}
	own := Limits{Idle: 1, Line: 2, Header: 3, Entries: 4, Listing: 5, Body: 6, Hops: 7, Time: 8, LineTime: 9, ReplyTime: 10}
	if got := own.WithDefaults(); got != own {
		t.Errorf("limits that were set became %+v", got)
	}
}

func TestBind(t *testing.T) {
	t.Parallel()
	// Cancelling the context unblocks a reader.
	ctx, cancel := context.WithCancel(t.Context())
	r, w := io.Pipe()
	defer w.Close()
	unbind := Bind(ctx, r)
	done := make(chan error, 1)
	go func() { _, err := r.Read(make([]byte, 1)); done <- err }()
	cancel()
	if err := <-done; err == nil {
		t.Error("the read ended without an error")
	}
	if unbind() {
		t.Error("unbind says that it came in time, after the context had ended")
	}
	// After unbind, cancelling the context has no effect.
	ctx, cancel = context.WithCancel(t.Context())
	c := &closer{}
	if unbind := Bind(ctx, c); !unbind() {
		t.Error("unbind says that it came too late")
	}
	cancel()
	if c.n != 0 {
		t.Error("closed after unbind")
	}
}

// Covers: P3
func TestTrace(t *testing.T) {
	t.Parallel()
	// A nil trace and a trace without hooks do nothing.
	for _, tr := range []*Trace{nil, {}} {
		tr.OnConnected(Connection{Remote: "127.0.0.1:21"})
		tr.OnSent("NOOP")
		tr.OnReceived("200 ok")
		tr.OnNote("a note")
		tr.OnWarning("a warning")
	}
	var got []string
	tr := &Trace{
		Connected: func(c Connection) { got = append(got, "connected "+c.Dial.Addr+" "+c.Remote) },
		Sent:      func(line string) { got = append(got, "sent "+line) },
		Received:  func(line string) { got = append(got, "received "+line) },
		Note:      func(text string) { got = append(got, "note "+text) },
	}
	tr.OnConnected(Connection{Dial: Dial{Addr: "host.dom:21"}, Remote: "127.0.0.1:21"})
	tr.OnSent("PASS ****")
	tr.OnReceived("230 in")
	tr.OnNote("no MLSD, so LIST")
	tr.OnWarning("in the clear") // without a hook of its own
	tr = tr.And(&Trace{Warning: func(text string) { got = append(got, "warning "+text) }})
	tr.OnWarning("in the clear again")
	want := "connected host.dom:21 127.0.0.1:21|sent PASS ****|received 230 in|note no MLSD, so LIST|note in the clear|warning in the clear again"
	if text := strings.Join(got, "|"); text != want {
		t.Errorf("traced %q, want %q", text, want)
	}
}

func TestCountString(t *testing.T) {
	t.Parallel()
	for c, want := range map[Count]string{{}: "unknown", Known(0): "0", Known(1 << 40): "1099511627776", Known(-1): "-1"} {
		if got := fmt.Sprint(c); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if got, want := fmt.Sprintf("%+v", Body{Size: Known(6)}), "{Reader:<nil> Size:6 "; !strings.HasPrefix(got, want) {
		t.Errorf("a body prints as %q, want %q", got, want)
	}
}

func TestResourceString(t *testing.T) {
	t.Parallel()
	u := locator.MustParse("ftp://me:secret@h/motd")
	for want, r := range map[string]*Resource{
		"unknown":                      {},
		"object ftp://me:****@h/motd":  {Kind: KindObject, URL: u},
		"listing ftp://me:****@h/motd": {Kind: KindListing, URL: u},
		"object ftp://me:****@h/motd (from byte 8, 29 bytes, text/plain, 1994-12-01T00:00:00Z, status 226)": {Kind: KindObject, URL: u, Status: "226",
			Range: Range{Offset: 8}, Attr: Attr{Size: Known(29), Type: "text/plain", Modified: time.Date(1994, 12, 1, 0, 0, 0, 0, time.UTC)}},
		"object ftp://me:****@h/motd (not modified)":                {Kind: KindObject, URL: u, NotModified: true},
		"referral ftp://me:****@h/motd (to ftp://me:****@h/motd)":   {Kind: KindReferral, URL: u, Next: []Entry{{URL: u}}},
		`object ftp://me:****@h/motd (a\x1b[31m\x0ab, status \x07)`: {Kind: KindObject, URL: u, Attr: Attr{Type: "a\x1b[31m\nb"}, Status: "\a"},
	} {
		if got := fmt.Sprint(r); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
