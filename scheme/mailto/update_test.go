package mailto_test

import (
	"context"
	"errors"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"locator"
	"locator/client"
	"locator/internal/clock"
	"locator/scheme"
	"locator/scheme/mailto"
	"locator/scheme/mailto/smtptest"
)

// A server may take longer to accept a mail than to answer a command. A client that gave up would
// not know whether it has the mail.
//
// Covers: A8
func TestSlowAcceptance(t *testing.T) {
	t.Parallel()
	idle := func(o *client.Options) { o.Limits.Idle = 300 * time.Millisecond }
	got := send(t, start(t, smtptest.Delay(".", time.Second)), "mailto:bob@to.example", letter, scheme.WriteOptions{}, idle)
	wantCode(t, got.err, scheme.CodeOK)
}

// After a submission, nothing waits for the end of the context: a program may send many mails in
// one.
//
// Covers: A8
func TestNothingWaits(t *testing.T) {
	t.Parallel()
	s := start(t)
	ctx := &watchedContext{Context: t.Context()}
	if err := update(ctx, s, nil); err != nil {
		t.Fatal(err)
	}
	if ctx.begun.Load() == 0 || ctx.waiting.Load() != 0 {
		t.Errorf("%d functions wait, of %d", ctx.waiting.Load(), ctx.begun.Load())
	}
}

// A context that ends while the mail is passed prevents it, also if the connection is not closed
// yet.
//
// Covers: A8
func TestCancelledInPass(t *testing.T) {
	t.Parallel()
	s := start(t)
	ctx := &watchedContext{Context: t.Context()}
	err := update(ctx, s, func() error { ctx.ended.Store(true); return nil })
	if !errors.Is(err, context.Canceled) || len(s.Mails()) > 0 {
		t.Errorf("%v, %d mails", err, len(s.Mails()))
	}
}

// update sends the letter to a server without a client.
func update(ctx context.Context, s *smtptest.Server, commit func() error) error {
	env := &scheme.Env{
		Dial: func(ctx context.Context, d scheme.Dial) (net.Conn, error) {
			return new(net.Dialer).DialContext(context.WithoutCancel(ctx), "tcp", d.Addr)
		},
		Login:   func(context.Context, scheme.LoginRequest) (string, string, bool, error) { return "", "", false, nil },
		Limits:  scheme.Limits{Idle: 5 * time.Second, Header: 64 << 10},
		Servers: []locator.URL{s.ServerURL()}, Clock: clock.System{}, TLSMode: scheme.TLSOff,
	}
	u, err := locator.Current.Parse("mailto:bob@to.example")
	if err != nil {
		return err
	}
	_, err = mailto.New().Update(ctx, env, scheme.Request{URL: u}, scheme.Body{Reader: strings.NewReader(letter), Commit: commit}, scheme.WriteOptions{})
	return err
}

// watchedContext counts the functions that wait for its end, and calls none. Package context calls
// its AfterFunc.
type watchedContext struct {
	context.Context
	begun, waiting atomic.Int64
	ended          atomic.Bool
}

func (c *watchedContext) Err() error {
	if c.ended.Load() {
		return context.Canceled
	}
	return c.Context.Err()
}

func (c *watchedContext) Value(any) any { return nil } // so that package context does not look behind it

func (c *watchedContext) AfterFunc(func()) func() bool {
	c.begun.Add(1)
	c.waiting.Add(1)
	return func() bool { c.waiting.Add(-1); return true }
}

// A whole mail is sent as it is: nothing of the URL is added or required.
func TestWhole(t *testing.T) {
	t.Parallel()
	const mail = "From: a@b.example\r\nTo: other@to.example\r\n\r\n"
	for _, whole := range []bool{true, false} {
		s := start(t)
		got := send(t, s, "mailto:bob@to.example?subject=s&cc=c@to.example&body=text", mail, scheme.WriteOptions{Whole: whole})
		if list := s.Mails(); whole && (got.err != nil || len(list) != 1 || strings.Join(list[0].To, " ") != "other@to.example" || strings.Contains(list[0].Data, "text") || strings.Contains(list[0].Data, "Subject")) {
			t.Errorf("%v, %+v", got.err, list)
		} else if !whole && got.err == nil {
			t.Errorf("%+v", list)
		}
	}
}
