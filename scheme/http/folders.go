package http

import (
	"context"

	"locator"
	"locator/scheme"
)

// maxAsked is how many entries of one index the server is asked about.
const maxAsked = 10_000

// folders is the yield function of an index that does not distinguish folders from files. It holds
// the entries that may be folders until the page has been read, so that its connection is free to
// ask about them.
//
// QUIRK: mini_httpd 1.30 and micro_httpd 20140814 link to a folder as to a file, <a href="sub">,
// and redirect "sub" to "sub/". The size of the row is that of the directory in the server's file
// system: a multiple of the block size, or less than 1,024 bytes. So only such rows are asked about
// (HEAD). That also corrects the row of a link, whose size is that of its text.
type folders struct {
	ask   func(u locator.URL) (*scheme.Resource, error) // Attributes
	yield func(scheme.Entry, error) bool
	held  []scheme.Entry
	ended bool // yield returned false, or has had an error
}

// add passes an entry on or holds it. plain is set if the row is one of mini_httpd. A note that
// something is missing is held, since it comes last.
func (f *folders) add(e scheme.Entry, err error, plain bool) bool {
	size, known := e.Attr.Size.Get()
	if err == nil && e.Unread {
		f.held = append(f.held, e)
		return true
	}
	if err == nil && plain && known && e.Kind == scheme.KindObject && (size%512 == 0 || size < 1024) && len(f.held) < maxAsked {
		f.held = append(f.held, e)
		return true
	}
	ok := f.yield(e, err)
	f.ended = f.ended || !ok || err != nil
	return ok
}

// finish asks about the entries that were held, and passes them on. An entry that the server says
// nothing about has an unknown kind.
func (f *folders) finish(ctx context.Context) {
	for _, e := range f.held {
		if f.ended {
			return
		}
		if e.Unread {
			f.yield(e, nil)
			return
		}
		res, err := f.ask(e.URL)
		switch path, _ := e.URL.Path(); {
		case ctx.Err() != nil:
			f.yield(scheme.Entry{}, ctx.Err())
			return
		case err != nil:
			e.Kind = scheme.KindUnknown
		case res.Kind == scheme.KindReferral && len(res.Next) > 0:
			folder, err := e.URL.WithPath(locator.Some(path + "/"))
			if err == nil && res.Next[0].URL.WithoutFragment() == folder {
				e.URL, e.Kind, e.Attr.Size = folder, scheme.KindListing, scheme.Count{}
			}
		case res.Kind == scheme.KindObject: // the size and time of a row may be those of a link
			if _, known := res.Attr.Size.Get(); known {
				e.Attr.Size = res.Attr.Size
			}
			if !res.Attr.Modified.IsZero() {
				e.Attr.Modified, e.Attr.Precision = res.Attr.Modified, res.Attr.Precision
			}
		}
		if res != nil {
			res.Close()
		}
		f.ended = !f.yield(e, nil)
	}
}
