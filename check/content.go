package check

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"locator"
	"locator/check/anchor"
	"locator/scheme"
)

// MaxContent is how many bytes of a resource are read at most.
const MaxContent = 4 << 20

// readFor is how long a body is read at most. One that comes more slowly is cut.
const readFor = 30 * time.Second

// page is a resource, or the error of asking for it.
type page struct {
	err   error
	found *scheme.Resource // closed
	read  bool             // its body was read
	body  []byte           // may be left out if index is there
	size  int              // of the body
	whole bool             // body is all of it
	index *anchor.Index    // if fragments are asked for
}

// page asks for a resource. What was read for one fragment is used for others: without its body,
// unless that is needed for more than the fragment.
func (c *Checker) page(ctx context.Context, t Task, u locator.URL) *page {
	key := c.pageKey(t, u)
	if key == "" {
		return c.load(ctx, u, c.Content || c.Fragments && fragmentOf(u) != "")
	}
	return c.pages.get(ctx, key, func() (*page, int) {
		p := c.load(ctx, u, true)
		switch {
		case !p.lasts():
			return p, -1
		case p.err != nil:
			return p, pageBytes
		}
		p.index = document(p.found, p.body).Index()
		if !c.Content && t.Depth <= 0 {
			p.body = nil
		}
		return p, pageBytes + len(p.body) + p.index.Size()
	})
}

// pageKey returns the key of a page that is read for several fragments; empty if it is not.
func (c *Checker) pageKey(t Task, u locator.URL) string {
	fragment := fragmentOf(u)
	if !c.Fragments || fragment == "" || strings.Contains(fragment, ":~:") {
		return ""
	}
	return fmt.Sprintf("%d %d %s", c.now().Unix()/60, t.Attempts, u.WithoutFragment().Text())
}

// known returns what comes of a task without a request, since its page was read for another
// fragment; nil if it takes one.
func (c *Checker) known(ctx context.Context, t Task) *attempt {
	if !c.Fragments || c.Content {
		return nil
	}
	u, err := c.parse(t.URL)
	if err != nil {
		return nil
	}
	p, ok := c.pages.peek(c.pageKey(t, u))
	if way, followed := c.ways.peek(wayKey(t, u)); !ok || t.Depth > 0 && (!followed || way == t.URL) {
		return nil
	}
	t.Depth = 0 // it is followed from another fragment
	a := &attempt{result: c.blank(t)}
	c.judgePage(ctx, nil, t, u, p, a, nil)
	return a
}

// pageBytes is about what a page takes without its body.
const pageBytes = 1 << 10

// lasts reports whether another request would say the same: of a page that is there, or that its
// server says is not. Where a redirect leads to may have the fragment in it.
func (p *page) lasts() bool {
	found := p.found
	if e, ok := errors.AsType[*scheme.Error](p.err); ok && (e.Code == scheme.CodeNotFound || e.Code == scheme.CodeGone) {
		found = e.Partial
	} else if p.err != nil {
		return false
	}
	return found == nil || len(found.Via) == 0
}

// load asks for a resource, and reads its body if that is wanted.
func (c *Checker) load(ctx context.Context, u locator.URL, body bool) *page {
	found, err := c.access(ctx, u, body)
	if err != nil {
		return &page{err: err}
	}
	defer found.Close()
	p := &page{found: found}
	if body && found.Body != nil {
		p.read = true
		p.body, p.whole = c.body(found)
		p.size = len(p.body)
	}
	return p
}

// judge judges a resource by its body: its fragments and its digest.
func (c *Checker) judge(ctx context.Context, m *machine, u locator.URL, p *page, t Task, res *Result) {
	found, body, whole := p.found, p.body, p.whole
	if whole && res.Bytes < 0 {
		res.Bytes = int64(p.size)
	}
	doc := document(found, body)
	if c.Content {
		if whole {
			sum := sha256.Sum256(body)
			res.Digest = hex.EncodeToString(sum[:])
		}
		if res.Verdict == OK && changed(res, t.Before) {
			res.Why = WhyChanged
		}
		if whole && c.missing(ctx, m, u, found, doc, res) {
			return
		}
	}
	_, other := found.URL.Fragment() // a redirect may lead to a place of its own
	if fragment := fragmentOf(u); c.Fragments && whole && fragment != "" && (len(found.Via) == 0 || !other || fragmentOf(found.URL) == fragment) {
		find := doc.Find
		if p.index != nil {
			find = p.index.Find
		}
		switch find(fragment) {
		case anchor.Absent:
			res.Verdict, res.Why, res.Note = Unsure, WhyFragment, "the page has no such fragment"
		case anchor.Scripted:
			res.Verdict, res.Why, res.Note = Unsure, WhyFragment, "the page has no such fragment, but a script makes its content"
		}
	}
}

// document returns a resource as what fragments point into.
func document(found *scheme.Resource, body []byte) *anchor.Document {
	d := &anchor.Document{Type: found.Attr.Type, Body: body}
	if names, ok := found.URL.Segments(); ok && len(names) > 0 {
		d.Name = names[len(names)-1]
	}
	return d
}

// body reads the body of a resource. whole is false if it is longer than MaxContent, or was cut.
func (c *Checker) body(found *scheme.Resource) (body []byte, whole bool) {
	r := &hurried{r: io.LimitReader(found.Body, MaxContent+1), now: c.now, left: readFor}
	body, err := io.ReadAll(r)
	if len(body) > MaxContent {
		return body[:MaxContent], false
	}
	return body, err == nil
}

var errSlow = errors.New("the body takes too long")

// hurried is a reader that fails after so much time was spent on reading. A single Read is bounded
// by the limits of the client.
type hurried struct {
	r    io.Reader
	now  func() time.Time
	left time.Duration
}

func (h *hurried) Read(p []byte) (int, error) {
	if h.left <= 0 {
		return 0, errSlow
	}
	begun := h.now()
	n, err := h.r.Read(p)
	h.left -= h.now().Sub(begun)
	return n, err
}

// changed reports whether the content is not what it was: by its digest, else by its size, its date
// or its entity tag.
func changed(r *Result, before *Memory) bool {
	switch {
	case before == nil || before.Worked.IsZero():
		return false
	case r.Digest != "" && before.Digest != "":
		return r.Digest != before.Digest
	case r.Bytes >= 0 && before.Bytes >= 0 && r.Bytes != before.Bytes:
		return true
	case !r.Modified.IsZero() && !before.Modified.IsZero():
		return !r.Modified.Equal(before.Modified)
	}
	return r.ETag != "" && before.ETag != "" && r.ETag != before.ETag
}
