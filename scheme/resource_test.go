package scheme

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"locator"
	"locator/scheme/session"
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
