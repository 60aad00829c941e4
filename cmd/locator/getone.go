package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"locator"
	"locator/client"
	"locator/download"
	"locator/internal/console"
	"locator/internal/present"
	"locator/internal/units"
	"locator/internal/urllist"
	"locator/scheme"
	"locator/scheme/form"
)

// getter gets one URL.
type getter struct {
	app     *app
	at      urllist.Origin
	c       *client.Client
	o       getOptions
	opt     download.Options // opt.Access also holds for an access that is not a download
	answers []form.Answer    // to a form
	show    *console.Progress
	start   time.Time
	event   present.Get
}

// fetch accesses r.URL and writes the result to a place. An object that goes into a file is
// downloaded, and so is a listing, as received.
func (g *getter) fetch(ctx context.Context, r scheme.Request, to place) error {
	switch {
	case g.o.raw:
		g.opt.Access.Raw = scheme.RawAll
	case to.file != nil || to.device != "":
		g.opt.Access.Raw = scheme.RawListing
	default:
		g.opt.Access.Raw = 0
	}
	limited := r
	limited.Limits.Body = g.o.maxBytes
	if to.file == nil {
		res, err := g.c.Access(ctx, limited, &g.opt.Access)
		if err != nil {
			return err
		}
		if n, limit := res.Attr.Size.Or(0), g.o.maxBytes; limit > 0 && n > limit && res.Kind == scheme.KindObject {
			res.Close()
			return &scheme.Error{Op: scheme.OpAccess, URL: r.URL.Redacted(), Code: scheme.CodeBroken,
				Err: fmt.Errorf("the file has %d bytes, more than the limit of %d bytes (--max-size)", n, limit)}
		}
		return advised(g.deliver(ctx, limited, res, to), false, false)
	}
	out, err := g.download(ctx, r, *to.file, to.shown, g.opt)
	if err != nil || out.Resource.Kind == scheme.KindObject {
		return err
	}
	return g.deliver(ctx, limited, out.Resource, to)
}

// download downloads r.URL into f, which messages call shown, and shows the progress. As with
// download.Fetch, a resource that is not an object is the caller's to close.
func (g *getter) download(ctx context.Context, r scheme.Request, f download.File, shown string, o download.Options) (download.Outcome, error) {
	bar := g.show.File(shown)
	o.Events = download.Events{
		Begin: func(res *scheme.Resource, offset int64) { bar.Begin(res.Attr.Size.Or(-1), offset) },
		Note:  func(text string) { g.app.Note("%s: %s", shown, text) },
		Retry: func(err error, attempt int, wait time.Duration) {
			g.app.Note("%v; try %d of %d in %v", err, attempt+1, o.Retries+1, wait)
		},
	}
	if g.show.HasBars() {
		o.Events.Progress = bar.Add
	}
	out, err := download.Fetch(ctx, g.c, r, f, o)
	switch {
	case err != nil:
		bar.Drop()
		if o.SHA256 == "" || out.Resumable { // the error of a wrong digest names the file
			g.noteKept(out, f)
		}
		if errors.Is(err, download.ErrInTheWay) { // Failed adds the flags
			return out, err
		}
		return out, advised(err, g.o.recursive.on, false)
	case out.Resource.Kind != scheme.KindObject:
		bar.Drop()
		return out, nil
	}
	g.describe(r.URL, out.Resource)
	g.event.Bytes, g.event.Resumed, g.event.SHA256 = out.Bytes, out.Resumed, present.OrNull(out.SHA256)
	g.event.File, g.event.Verified = present.OrNull(shown), present.OrNull(out.Verified)
	verified := ""
	if out.Verified != "" {
		verified = "; verified by the server's " + out.Verified
	}
	if out.UpToDate {
		bar.Drop()
		g.show.Current(out.Bytes)
		g.app.Info("%s is up to date%s", shown, verified)
	} else {
		bar.End(out.Bytes, verified)
	}
	return out, nil
}

// noteKept says what a failed download has left.
func (g *getter) noteKept(out download.Outcome, f download.File) {
	how := ""
	if out.Resumable {
		how = "; resume with --continue"
	}
	if out.Resumable || out.Kept > 0 {
		g.app.Note("partial download kept in %s (%s)%s", f.PartPath(), units.Size(out.Kept), how)
	}
}

// describe puts a resource into the event, and says where it was found.
func (g *getter) describe(u locator.URL, res *scheme.Resource) {
	g.app.Notes(res)
	g.event.Describe(res)
	g.app.SayResource(res)
	if res.URL != u && res.URL.Text() != u.Text()+"/" { // of a directory the notes have told
		g.app.Note("%s is at %s", u.Redacted(), res.URL.Redacted())
	}
}

// report reports how the get of one URL ended: as an event with --json, as a message otherwise.
func (g *getter) report(err error) {
	if !g.o.recursive.on {
		err = explainPattern(g.c, string(g.event.URL), err)
	}
	if err != nil {
		g.show.Fail(textOf(g.app.Of(g.at, err)))
	}
	if err == nil && g.event.File == nil { // of a file there is a line anyway
		g.app.SayTime(string(g.event.URL), g.start, ", "+units.Size(g.event.Bytes))
	}
	g.event.MS = time.Since(g.start).Milliseconds()
	if !g.app.flags.JSON {
		if err != nil && client.CodeOf(err) != scheme.CodeInterrupted { // reported once at the end
			g.app.Fail(g.app.Of(g.at, err))
		}
		return
	}
	g.event.Status, g.event.Error = g.app.Outcome(err)
	g.event.Line = g.at.Line
	line, _ := present.Marshal(g.event) // strings, numbers and booleans only
	g.app.Messages.Write(append(line, '\n'))
}
