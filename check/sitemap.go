package check

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"strings"

	"golang.org/x/net/html"

	"locator"
	"locator/scheme"
)

// Bounds of a sitemap, which are those of its protocol (sitemaps.org, version 0.9), and of one of
// its URLs.
const (
	maxSitemap = 50 << 20
	maxLoc     = 64 << 10
)

// sitemapDepth is how far a sitemap is followed that the user named: an index, and the sitemaps in
// it.
const sitemapDepth = 2

// sitemap returns what a resource leads to if it is a sitemap or an index of sitemaps; nil if it is
// none.
func (c *Checker) sitemap(ctx context.Context, m *machine, p *page) []target {
	found := p.found
	path, _ := found.URL.Path()
	path = strings.ToLower(path)
	kind := strings.ToLower(found.Attr.Type)
	if found.Kind != scheme.KindObject || !strings.HasPrefix(kind, "text/plain") && !strings.Contains(kind, "xml") && !strings.Contains(kind, "gzip") &&
		!strings.HasSuffix(path, ".xml") && !strings.HasSuffix(path, ".gz") {
		return nil
	}
	if len(p.body) > 0 && p.whole {
		return readSitemap(bytes.NewReader(p.body), maxSitemap)
	}
	m.pause(ctx, c.clock())
	res, err := c.Client.Access(ctx, c.request(found.URL), &scheme.AccessOptions{NoSubmit: true})
	if err != nil {
		return nil
	}
	defer res.Close()
	if res.Body == nil {
		return nil
	}
	return readSitemap(&hurried{r: res.Body, now: c.now, end: c.now().Add(readFor)}, maxSitemap)
}

// readSitemap reads at most that many bytes of a sitemap of XML or text, which may be compressed.
// What came before an error counts.
func readSitemap(r io.Reader, most int64) []target {
	in := bufio.NewReader(io.LimitReader(r, most))
	if head, _ := in.Peek(2); string(head) == "\x1f\x8b" { // RFC 1952 2.3.1
		z, err := gzip.NewReader(in)
		if err != nil {
			return nil
		}
		in = bufio.NewReader(io.LimitReader(z, most))
	}
	if head, _ := in.Peek(3); string(head) == "\ufeff" {
		in.Discard(len("\ufeff"))
	}
	for {
		b, err := in.ReadByte()
		switch {
		case err != nil:
			return nil
		case strings.IndexByte(" \t\r\n", b) >= 0:
			continue
		}
		in.UnreadByte()
		if b == '<' {
			return xmlSitemap(in)
		}
		return textSitemap(in)
	}
}

// xmlSitemap reads the loc elements of a urlset or sitemapindex. Entities that a document declares
// itself are not known, so none of them expands.
func xmlSitemap(in io.Reader) (list []target) {
	z := html.NewTokenizer(in)
	z.SetMaxBuf(maxLoc)
	z.AllowCDATA(true)
	root, line := "", 1
	var loc *strings.Builder // of the element that is open
	begun := 0
	for len(list) < maxLinks {
		kind := z.Next()
		if kind == html.ErrorToken {
			return list
		}
		raw := z.Raw()
		start := line
		line += bytes.Count(raw, []byte{'\n'})
		switch kind {
		case html.StartTagToken:
			name, _ := z.TagName()
			z.NextIsNotRawText()
			switch {
			case root == "":
				if root = string(name); root != "urlset" && root != "sitemapindex" {
					return nil
				}
			case string(name) == "loc":
				loc, begun = new(strings.Builder), line
			}
		case html.TextToken:
			if loc == nil {
				continue
			}
			text, literal := bytes.CutPrefix(raw, []byte("<![CDATA["))
			if text = bytes.TrimSuffix(text, []byte("]]>")); !literal {
				text = z.Text()
			}
			if loc.Len() == 0 {
				blank := len(text) - len(bytes.TrimLeft(text, " \t\r\n"))
				begun = start + bytes.Count(text[:blank], []byte{'\n'})
				text = text[blank:]
			}
			loc.Write(text)
			if loc.Len() > maxLoc {
				return list
			}
		case html.EndTagToken:
			if name, _ := z.TagName(); loc == nil || string(name) != "loc" {
				continue
			}
			if text := strings.TrimSpace(loc.String()); text != "" {
				list = append(list, target{text, begun, root == "sitemapindex"})
			}
			loc = nil
		}
	}
	return list
}

// textSitemap reads a text that has one URL a line and nothing else.
func textSitemap(in io.Reader) (list []target) {
	s := bufio.NewScanner(in)
	s.Buffer(nil, maxLoc)
	for line := 1; len(list) < maxLinks && s.Scan(); line++ {
		text := strings.TrimSpace(s.Text())
		if text == "" {
			continue
		}
		u, err := locator.Current.Parse(text)
		if err != nil || u.Host() == "" {
			return nil
		}
		list = append(list, target{text: text, line: line})
	}
	return list
}
