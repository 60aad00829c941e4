package archive

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"golang.org/x/time/rate"

	"locator"
	"locator/client"
	"locator/scheme"
	"locator/scheme/bulk"
	"locator/scheme/message"
	"locator/transfer"
)

// CollectOptions say which messages are collected, and how.
type CollectOptions struct {
	Accept  scheme.Accept
	Filter  message.Filter
	Retries int           // how often it is tried again after a failure, if no message came since the last one
	MaxSize int64         // bytes of a message; larger ones are left out. 0 means no limit.
	Rate    *rate.Limiter // bytes per second; nil means no limit
	Events  CollectEvents
}

// CollectEvents are functions that Collect calls while it runs, from the goroutine of its caller.
// Each may be nil.
type CollectEvents struct {
	Began  func(res *scheme.Resource)                       // the server was asked: URL, Addr, Notes and Count of the listing
	Stored func(res *scheme.Resource, n int64)              // a message was stored in n bytes
	Left   func(u locator.URL, err error)                   // a message is left out; with CodeNotFound it is missing
	Retry  func(err error, attempt int, wait time.Duration) // attempt failed, the next one begins after wait
}

// Collected is the result of a Collect.
type Collected struct {
	Messages int   // stored
	Bytes    int64 // of them in the archive
	Known    int   // not stored, since the archive has their Message-IDs
	Left     int   // left out, since they are too long
	Missing  int   // listed by the server, which cannot send them now; the next Collect asks again
}

// Collect reads the messages at r.URL, a group or a single message, and stores in a those that it
// does not have. If the connection breaks, it goes on with the first one that is missing. After an
// error, a holds the messages before it, and the next Collect goes on behind them. The error is a
// *scheme.Error: those of [client.Client.AccessAll], or CodeLocal for this machine's file system.
func Collect(ctx context.Context, c *client.Client, r scheme.Request, a *Archive, o CollectOptions) (Collected, error) {
	x := &collect{c: c, r: r, a: a, o: o}
	if a.journal != nil && a.journal.HasURL(urlKey(r.URL)) {
		return x.done, nil
	}
	for attempt := 1; ; attempt++ {
		before := x.done
		x.again = false
		err := x.try(ctx)
		if e := a.flush(); e != nil {
			return x.done, e
		}
		if x.done != before && (!x.again || x.done.Messages > before.Messages) { // a server that gives new numbers lists the same ones again
			attempt = 0 // and the next one begins at once
		}
		switch {
		case err == nil:
			return x.done, nil
		case errors.Is(err, errStore):
			return x.done, errors.Unwrap(err)
		case attempt > o.Retries || o.Retries == 0 || !transfer.MayRetry(ctx, err, x.done != Collected{}):
			return x.done, err
		case attempt == 0 && o.Events.Retry != nil:
			o.Events.Retry(err, 1, 0)
		case attempt > 0 && !transfer.BackOff(ctx, err, attempt, o.Events.Retry):
			return x.done, err
		}
	}
}

// urlKey returns the text that identifies a URL in a journal.
func urlKey(u locator.URL) string { return u.Canonical().Redacted() }

// collect is one Collect.
type collect struct {
	c    *client.Client
	r    scheme.Request
	a    *Archive
	o    CollectOptions
	done Collected
	left []message.Have // of this run, besides what the archive has

	again bool // a list has new numbers since the last attempt began
}

// errStore marks an error of the archive, which another attempt does not mend.
var errStore = errors.New("the message could not be stored")

// storeError is an error of the archive.
type storeError struct{ error }

func (e storeError) Unwrap() error        { return e.error }
func (e storeError) Is(target error) bool { return target == errStore }

// try reads messages until the first error.
func (x *collect) try(ctx context.Context) error {
	list, err := x.c.AccessAll(ctx, x.r, &bulk.Options{Accept: x.o.Accept, Filter: x.o.Filter, Have: x.have(), Renumbered: x.renumbered})
	if err != nil {
		return err
	}
	defer list.Close()
	if x.o.Events.Began != nil {
		x.o.Events.Began(list)
	}
	var broken error // the last message could not be read
	for res, err := range list.Members {
		if err != nil {
			return err
		}
		broken = nil
		if x.o.Rate != nil {
			res.Body = limitedBody{transfer.Limit(ctx, res.Body, x.o.Rate), res.Body}
		}
		n, err := x.a.add(res, urlKey(x.r.URL), x.o.MaxSize)
		source, ok := errors.AsType[sourceError](err)
		final, _ := errors.AsType[*scheme.Error](err)
		switch {
		case err == errKnown:
			x.done.Known++
		case err == nil:
			x.done.Messages++
			x.done.Bytes += n
			if x.o.Events.Stored != nil {
				x.o.Events.Stored(res, n)
			}
		case ok && errors.Is(source.error, errTooLong):
			x.done.Left++
			x.leave(res, &scheme.Error{Code: scheme.CodeBroken, Err: fmt.Errorf("it has more than %d bytes, the limit", x.o.MaxSize)})
		case ok && final != nil && final.Code == scheme.CodeNotFound:
			x.done.Missing++
			x.leave(res, final)
		case ok && (final == nil || !final.Final):
			broken = source.error // which is the next error, too
		default:
			return storeError{err}
		}
	}
	return broken
}

// have returns what is not to be read.
func (x *collect) have() []message.Have {
	have := x.a.have(x.o.Filter.IsZero()) // a filter would have to be applied to each gap
	for _, l := range x.left {
		i := indexOf(have, l.List)
		if i < 0 {
			have = append(have, l)
			continue
		}
		spans := slices.Clone(have[i].Spans)
		if n := len(spans); n == 0 || l.Spans[len(l.Spans)-1].Last > spans[n-1].Last {
			have[i].ID = l.ID
		}
		for _, s := range l.Spans {
			spans = join(spans, s)
		}
		have[i].Spans = spans
	}
	return have
}

// indexOf returns the index of a list, -1 if it is not there.
func indexOf(have []message.Have, list string) int {
	return slices.IndexFunc(have, func(h message.Have) bool { return h.List == list })
}

// renumbered forgets what is known of a list.
func (x *collect) renumbered(list string) {
	if x.a.journal != nil {
		x.a.journal.Renumbered(list)
	}
	x.left, x.again = nil, true
}

// leave leaves a message out in this run.
func (x *collect) leave(res *scheme.Resource, err *scheme.Error) {
	if p := res.Position; p.List != "" {
		i := indexOf(x.left, p.List)
		if i < 0 {
			i = len(x.left)
			x.left = append(x.left, message.Have{List: p.List})
		}
		l := &x.left[i]
		if l.Spans = join(l.Spans, message.Span{First: p.Number, Last: p.Number}); l.Spans[len(l.Spans)-1].Last == p.Number {
			l.ID = res.Attr.ID
		}
	}
	if x.o.Events.Left != nil {
		e := *err
		e.Op, e.URL = scheme.OpAccess, res.URL.Redacted()
		x.o.Events.Left(res.URL, &e)
	}
}

// limitedBody is a body with a rate limit.
type limitedBody struct {
	io.Reader
	io.Closer
}
