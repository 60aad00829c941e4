package check

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"iter"
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

// maySitemap reports whether a resource may be a sitemap, by its type and its name. A recursive
// check comes by many texts and archives that are none.
func (c *Checker) maySitemap(found *scheme.Resource) bool {
	path, _ := found.URL.Path()
	path = strings.ToLower(path)
	kind, _, _ := strings.Cut(strings.ToLower(found.Attr.Type), ";")
	switch kind = strings.TrimSpace(kind); {
	case found.Kind != scheme.KindObject:
		return false
	case kind == "text/xml", kind == "application/xml", strings.HasSuffix(path, ".xml"), strings.HasSuffix(path, ".xml.gz"):
		return true
	}
	return (c.Scope == nil || strings.Contains(path, "sitemap")) && (kind == "text/plain" || strings.Contains(kind, "gzip") || strings.HasSuffix(path, ".gz"))
}

// sitemap yields what a resource leads to if it is a sitemap or an index of sitemaps.
func (c *Checker) sitemap(ctx context.Context, m *machine, p *page) iter.Seq[target] {
	return func(yield func(target) bool) {
		if len(p.body) > 0 && p.whole {
			readSitemap(bytes.NewReader(p.body), maxSitemap, yield)
			return
		}
		m.pause(ctx, c.clock())
		res, err := c.Client.Access(ctx, c.request(p.found.URL), &scheme.AccessOptions{NoSubmit: true})
		if err != nil {
			return
		}
		defer res.Close()
		if res.Body != nil {
			readSitemap(&hurried{r: res.Body, now: c.now, left: readFor}, maxSitemap, yield)
		}
	}
}

// readSitemap reads at most that many bytes of a sitemap of XML or text, which may be compressed.
// What came before an error counts.
func readSitemap(r io.Reader, most int64, yield func(target) bool) {
	in := bufio.NewReader(io.LimitReader(r, most))
	if head, _ := in.Peek(2); string(head) == "\x1f\x8b" { // RFC 1952 2.3.1
		z, err := gzip.NewReader(in)
		if err != nil {
			return
		}
		in = bufio.NewReader(io.LimitReader(z, most))
	}
	if head, _ := in.Peek(3); string(head) == "\ufeff" {
		in.Discard(len("\ufeff"))
	}
	for line := 1; ; {
		switch b, err := in.ReadByte(); {
		case err != nil:
			return
		case b == '\n':
			line++
		case strings.IndexByte(" \t\r", b) >= 0:
		case b == '<':
			in.UnreadByte()
			xmlSitemap(in, line, yield)
			return
		default:
			in.UnreadByte()
			textSitemap(in, line, yield)
			return
		}
	}
}

// xmlSitemap reads the loc elements of a urlset or sitemapindex. Entities that a document declares
// itself are not known, so none of them expands.
func xmlSitemap(in io.Reader, line int, yield func(target) bool) {
	z := html.NewTokenizer(in)
	z.SetMaxBuf(maxLoc)
	z.AllowCDATA(true)
	root := ""
	var loc *strings.Builder // of the element that is open
	begun := 0
	for {
		kind := z.Next()
		if kind == html.ErrorToken {
			return
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
					return
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
				return
			}
		case html.EndTagToken:
			if name, _ := z.TagName(); loc == nil || string(name) != "loc" {
				continue
			}
			if text := strings.TrimSpace(loc.String()); text != "" && !yield(target{text, begun, root == "sitemapindex"}) {
				return
			}
			loc = nil
		}
	}
}

// textSitemap reads a text that has one URL a line and nothing else, as its beginning shows.
func textSitemap(in *bufio.Reader, line int, yield func(target) bool) {
	head, err := in.Peek(in.Size())
	if err == nil {
		head = head[:bytes.LastIndexByte(head, '\n')+1]
	}
	for text := range bytes.Lines(head) {
		if !isLocation(string(text)) {
			return
		}
	}
	s := bufio.NewScanner(in)
	s.Buffer(nil, maxLoc)
	for ; s.Scan() && isLocation(s.Text()); line++ {
		if text := strings.TrimSpace(s.Text()); text != "" && !yield(target{text: text, line: line}) {
			return
		}
	}
}

// isLocation reports whether a line is a URL with a host, or empty.
func isLocation(line string) bool {
	line = strings.TrimSpace(line)
	u, err := locator.Current.Parse(line)
	return line == "" || err == nil && u.Host() != ""
}
