package check

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"

	"golang.org/x/net/html"

	"locator"
	"locator/client"
	"locator/scheme"
)

// maxLinks is how many links of one page or listing are followed.
const maxLinks = 50_000

// Scope is the part of a site that a recursive check reads: the URLs that begin with one of the
// roots, each cut after its last slash. The links in them are checked, wherever they lead to.
type Scope []string

// ScopeOf returns the scope of a URL.
func ScopeOf(u locator.URL) string {
	text := u.Canonical().WithoutFragment().String()
	text, _, _ = strings.Cut(text, "?")
	if i := strings.LastIndexByte(text, '/'); i > strings.Index(text, "//")+1 {
		return text[:i+1]
	}
	return text + "/"
}

// has reports whether a URL is in the scope.
func (s Scope) has(u locator.URL) bool {
	text := u.Canonical().String()
	for _, root := range s {
		if strings.HasPrefix(text, root) || text+"/" == root {
			return true
		}
	}
	return false
}

// target is where a page, a listing or a sitemap leads to.
type target struct {
	text    string
	line    int  // that it is in; 0 means unknown
	sitemap bool // it is a sitemap of an index
}

// links returns the links in a page, listing or sitemap that was found, if the task is to be
// followed. Of many, it lets add take those before.
func (c *Checker) links(ctx context.Context, m *machine, t Task, u locator.URL, p *page, add adder) (links []Link) {
	if t.Depth <= 0 || !c.follows(ctx, t, u) {
		return nil
	}
	n := 0
	for to := range c.targets(ctx, m, p) {
		if n == maxLinks {
			break
		}
		l, ok := c.link(to.text, Place{File: u.Redacted(), Line: to.line}, nil)
		if !ok {
			continue
		}
		if l.Done == nil && (to.sitemap || c.inScope(l.URL)) {
			l.Depth = t.Depth - 1
		}
		links, n = append(links, l), n+1
		if len(links) == addBatch && add != nil && add(ctx, links) {
			links = links[:0]
		}
	}
	return links
}

// follows reports whether the links of a page are followed from this URL: of those that differ only
// in the fragment, from the first.
func (c *Checker) follows(ctx context.Context, t Task, u locator.URL) bool {
	return fragmentOf(u) == "" || c.ways.get(ctx, wayKey(t, u), func() (string, int) { return t.URL, len(t.URL) }) == t.URL
}

func wayKey(t Task, u locator.URL) string {
	return fmt.Sprint(t.Depth, " ", u.WithoutFragment().Text())
}

// inScope reports whether a URL is in the scope.
func (c *Checker) inScope(text string) bool {
	if c.Scope == nil {
		return false
	}
	u, err := c.parse(text)
	return err == nil && c.Scope.has(u)
}

// targets yields where a sitemap leads to and, in the scope, a listing or a page. What is broken
// about it, its own check says.
func (c *Checker) targets(ctx context.Context, m *machine, p *page) iter.Seq[target] {
	if !c.maySitemap(p.found) {
		return c.below(ctx, m, p)
	}
	return func(yield func(target) bool) {
		none := true
		for to := range c.sitemap(ctx, m, p) {
			none = false
			if !yield(to) {
				return
			}
		}
		if none { // a page may have the name of a sitemap
			c.below(ctx, m, p)(yield)
		}
	}
}

// below yields where a listing or a page of the scope leads to.
func (c *Checker) below(ctx context.Context, m *machine, p *page) iter.Seq[target] {
	found := p.found
	none := func(func(target) bool) {}
	if !c.Scope.has(found.URL) {
		return none
	}
	if found.Kind == scheme.KindListing {
		return func(yield func(target) bool) {
			m.pause(ctx, c.clock())
			for e, err := range client.Entries(c.Client.List(ctx, c.request(found.URL), nil)) {
				if err != nil || e.Kind != scheme.KindNote && !e.URL.IsZero() && !yield(target{text: e.URL.Text()}) {
					return
				}
			}
		}
	}
	if !strings.HasPrefix(found.Attr.Type, "text/html") {
		return none
	}
	if len(p.body) > 0 {
		return pageLinks(p.body, found.URL)
	}
	m.pause(ctx, c.clock())
	page, err := c.Client.Access(ctx, c.request(found.URL), &scheme.AccessOptions{NoSubmit: true})
	if err != nil {
		return none
	}
	defer page.Close()
	text, err := io.ReadAll(io.LimitReader(page.Body, MaxContent))
	if err != nil {
		return none
	}
	return pageLinks(text, found.URL)
}

// linkAttributes are the attributes of HTML that refer to another resource.
var linkAttributes = []string{"href", "src", "poster", "data", "cite"}

// pageLinks yields the links of a page of HTML.
func pageLinks(page []byte, base locator.URL) iter.Seq[target] {
	return func(yield func(target) bool) {
		z := html.NewTokenizer(bytes.NewReader(page))
		for {
			switch z.Next() {
			case html.ErrorToken:
				return
			case html.StartTagToken, html.SelfClosingTagToken:
				tag := z.Token()
				for _, a := range tag.Attr {
					if !slices.Contains(linkAttributes, a.Key) || strings.TrimSpace(a.Val) == "" {
						continue
					}
					to, err := base.Resolve(strings.TrimSpace(a.Val))
					switch {
					case err != nil:
					case tag.Data == "base" && a.Key == "href":
						base = to
					case !yield(target{text: to.Text()}):
						return
					}
				}
			}
		}
	}
}
