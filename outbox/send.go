package outbox

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"sync"
	"time"

	"locator"
	"locator/internal/hint"
	"locator/scheme"
	"locator/wire"
)

// Client sends messages. A [client.Client] is one.
//
// [client.Client]: https://pkg.go.dev/locator/client#Client
type Client interface {
	// Update sends a message, and calls b.Pass before the step after which the server may deliver
	// it.
	Update(ctx context.Context, r scheme.Request, b scheme.Body, o *scheme.WriteOptions) (*scheme.Resource, error)
}

// SendOptions are the options of Send.
type SendOptions struct {
	// Failed sends a message that has failed, to the recipients that have not got it.
	Failed bool
	// InDoubt sends a message that is in doubt. The recipients may get it twice, so the caller must
	// have the user's word.
	InDoubt bool
	// Through returns the client for a message with a Server. Without it, and if it returns nil,
	// the client is the one for all messages.
	Through func(server locator.URL) (Client, error)
	// Request has the parameters of the update other than the URL, such as its Principal and Trace.
	Request scheme.Request
}

// schedule is how long a message waits after each attempt that the server has put off. The last is
// repeated.
var schedule = []time.Duration{5 * time.Minute, 15 * time.Minute, 30 * time.Minute, time.Hour, 2 * time.Hour, 4 * time.Hour}

// Send sends a message that is queued, whether it is due or not, and records the result. It returns
// the entry after that, and nil if the server has accepted the message for all recipients, now or
// earlier.
//
// Otherwise the error is that of the client, or one of the outbox: of code CodeInDoubt if the
// result is unknown, of code CodeUsage if the message has failed or is in doubt and o does not
// allow to send it, of code CodeNotFound if some recipients were refused, one that matches ErrBusy
// if another process is sending the message, and of code CodeLocal if the file of the message is
// damaged or cannot be written. The State of the entry says what comes next: a message that is
// Queued may be sent later.
//
// Each recipient gets the message once: after a partial refusal only those get it that have not got
// it yet.
func (b *Outbox) Send(ctx context.Context, c Client, id string, o SendOptions) (Entry, error) {
	e, _, err := b.send(ctx, c, id, o)
	return e, err
}

// send is Send. It also reports whether the message was queued, or o allowed to send it all the
// same.
func (b *Outbox) send(ctx context.Context, c Client, id string, o SendOptions) (now Entry, tried bool, err error) {
	f, err := b.lock(id)
	if err != nil {
		return Entry{}, false, err
	}
	defer f.unlock()
	e := f.entry
	switch {
	case e.State == Sent:
		return *e, false, nil
	case e.State == Failed && !o.Failed:
		return *e, false, scheme.Fail(scheme.CodeUsage, "message %s has failed; retry it to send it again", id)
	case e.State == InDoubt && !o.InDoubt:
		return *e, false, scheme.Fail(scheme.CodeInDoubt, "message %s is in doubt: %s; it may have been delivered", id, e.Error)
	}
	if err := f.verify(); err != nil {
		return *e, true, err
	}
	if f.last.end > maxLog/2 {
		return *e, true, f.problem(errors.New("has too many events; drop it and queue the message again"))
	}
	start := &record{State: Sending.String()}
	if e.State != Queued {
		e.reset()
		start.Again, start.Recipients = true, records(e.Recipients)
	}
	to, ok := e.pending()
	if !ok {
		return *e, true, f.problem(errDamaged)
	}
	if !e.Server.IsZero() && o.Through != nil {
		own, err := o.Through(e.Server)
		if err != nil {
			return *e, true, err
		}
		if own != nil {
			c = own
		}
	}
	if err := f.append(start); err != nil {
		return *e, true, err
	}
	a := attempt{f: f}
	r := o.Request
	r.URL = e.URL
	res, err := c.Update(ctx, r, scheme.Body{Reader: f.content(), Size: scheme.Known(e.Size), Type: "message/rfc822", Commit: a.commit},
		&scheme.WriteOptions{Recipients: to, Reports: e.reports})
	passed := a.end()
	var got *scheme.Receipt
	if res != nil {
		got = res.Receipt
		res.Close()
	}
	outcome := b.outcome(e, to, got, err, passed)
	if lost := f.append(outcome.record); lost != nil {
		return *e, true, outcome.unrecorded(f, lost)
	}
	return *e, true, outcome.err
}

// attempt is an attempt to send a message.
type attempt struct {
	f *file

	mu     sync.Mutex
	passed bool // the server may act
	over   bool
}

var errOver = errors.New("the attempt has ended")

// commit records that the message may be sent from now on. It fails after end: a scheme may call it
// in another goroutine.
func (a *attempt) commit() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.over {
		return errOver
	}
	if a.passed {
		return nil
	}
	if err := a.f.append(&record{State: committed}); err != nil {
		return err
	}
	a.passed = true
	return nil
}

// end ends the attempt and reports whether the server may have acted.
func (a *attempt) end() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.over = true
	return a.passed
}

// outcome is the result of an attempt.
type outcome struct {
	record *record
	err    error
}

// unrecorded returns the error for an outcome that could not be written to disk.
func (o *outcome) unrecorded(f *file, lost error) error {
	switch {
	case f.last.committed && o.record.State == Sent.String():
		return scheme.Fail(scheme.CodeLocal, "message %s was sent, but that cannot be recorded, so it will be shown as in doubt: %w", f.id, lost)
	case o.err == nil:
		return lost
	}
	return scheme.Fail(scheme.CodeLocal, "%w; this cannot be recorded: %w", o.err, lost)
}

// outcome returns the result of an attempt for the recipients to; nil are all of the message.
// passed says that the server may have acted.
func (b *Outbox) outcome(e *Entry, to []string, got *scheme.Receipt, err error, passed bool) outcome {
	said := replyOf(err)
	if got == nil && said != nil && said.Partial != nil {
		got = said.Partial.Receipt
	}
	r := &record{Code: codeName(err), Error: textOf(err)}
	if said != nil {
		r.Reply = valid(said.Reply)
	}
	list := newResults(e.Recipients, to)
	list.answers(got)
	accepted := err == nil || got != nil && strings.HasPrefix(got.Reply, "2")
	switch {
	case accepted:
		list.unaddressed(got)
		list.rest(Sent)
		r.Receipt = &receipt{At: b.now()}
		if got != nil {
			r.Receipt.ID, r.Receipt.Reply = valid(got.ID), valid(got.Reply)
		}
		if err == nil {
			err = list.err()
			r.Code, r.Error = codeName(err), textOf(err)
		}
		if list.names(Queued) == "" && list.names(Failed) == "" {
			*r = record{State: Sent.String(), Receipt: r.Receipt}
			err = nil
		} else {
			b.settleAttempt(e, r, list.names(Queued) != "", said)
		}
	case code(err) == scheme.CodeInDoubt || passed && !answered(err):
		list.rest(InDoubt)
		r.State, r.Code = InDoubt.String(), scheme.CodeInDoubt.String()
		if code(err) != scheme.CodeInDoubt {
			err = &scheme.Error{Op: scheme.OpUpdate, URL: e.URL.Redacted(), Code: scheme.CodeInDoubt, Hint: hint.Of(err), Err: err}
		}
	default:
		later := temporary(err) || list.isPutOff()
		if !later {
			list.rest(Failed)
		}
		if got != nil && len(got.Refused) > 1 && list.allRefused() {
			err = list.err()
			r.Code, r.Error = codeName(err), textOf(err)
		}
		b.settleAttempt(e, r, later, said)
	}
	r.Recipients = records(list.list)
	return outcome{r, err}
}

// settleAttempt sets the state after an attempt that has failed: queued with the time to wait, or
// failed.
func (b *Outbox) settleAttempt(e *Entry, r *record, later bool, said *scheme.Error) {
	if !later {
		r.State = Failed.String()
		return
	}
	r.State = Queued.String()
	if code := codeOf(r.Code); code != scheme.CodeUnreachable && code != scheme.CodeInterrupted && code != scheme.CodeLocal && code != scheme.CodeRefused &&
		code != scheme.CodeUntrusted {
		r.Wait = schedule[min(max(e.Attempts-1, 0), len(schedule)-1)]
		if said != nil {
			r.Wait = max(r.Wait, min(said.RetryAfter, schedule[len(schedule)-1]))
		}
	}
	if now := b.now(); now.Sub(e.since) >= b.opt.GiveUp {
		r.State, r.Wait = Failed.String(), 0
		r.Error = valid(fmt.Sprintf("given up after %d hours: %s", int(now.Sub(e.since).Hours()), r.Error))
	}
}

// temporary reports whether an error may pass: the server or the network is not available now, or
// something here has to be mended first, such as a login or the configuration.
func temporary(err error) bool {
	var e *scheme.Error
	if errors.As(err, &e) && e.Final {
		return false
	}
	switch code(err) {
	case scheme.CodeUnavailable, scheme.CodeUnreachable, scheme.CodeBroken, scheme.CodeInterrupted, scheme.CodeLoginNeeded, scheme.CodeLocal:
		return true
	case scheme.CodeRefused, scheme.CodeUntrusted: // by the policy or the certificates here
		return !answered(err)
	}
	return false
}

// code returns the code of an error of a client.
func code(err error) scheme.Code {
	var e *scheme.Error
	switch {
	case err == nil:
		return scheme.CodeOK
	case errors.As(err, &e):
		return cmp.Or(e.Code, scheme.CodeProtocol)
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return scheme.CodeInterrupted
	case errors.Is(err, fs.ErrNotExist):
		return scheme.CodeNotFound
	}
	return scheme.CodeProtocol
}

func codeName(err error) string {
	if err == nil {
		return ""
	}
	return code(err).String()
}

// textOf returns the text of an error for a record. The URL is not repeated.
func textOf(err error) string {
	if err == nil {
		return ""
	}
	text := err.Error()
	if e, ok := err.(*scheme.Error); ok && e.Err != nil {
		text = e.Err.Error()
	}
	return valid(wire.TextLine(text))
}

// replyOf returns the error in err that has the server's reply, else the first of a client, else
// nil.
func replyOf(err error) *scheme.Error {
	var first *scheme.Error
	for err != nil {
		e, ok := err.(*scheme.Error)
		if ok && e.Reply != "" {
			return e
		}
		if ok && first == nil {
			first = e
		}
		err = errors.Unwrap(err)
	}
	return first
}

// answered reports whether an error is the server's response.
func answered(err error) bool {
	e := replyOf(err)
	return e != nil && e.Reply != ""
}
