package search

import (
	"context"
	"html"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"locator"
	"locator/find"
	"locator/find/format"
	"locator/internal/octet"
	"locator/vet"
)

// WriteHTML writes the texts as one HTML page, with the URLs that are safe to follow as links.
// Format, Unique and Lines are ignored. With headings, the name of each text is written before it.
func (s *Search) WriteHTML(ctx context.Context, out io.Writer, headings bool, names ...string) error {
	r := newRun(s)
	r.Unique, r.asHTML, r.headings = false, true, headings
	return r.write(ctx, out, names)
}

// begin writes what comes before all texts.
func (r *run) begin() {
	if r.asHTML {
		r.out.WriteString("<!DOCTYPE html>\n<html>\n<head>\n<meta charset=\"utf-8\">\n" +
			"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'\">\n<title>Text with links</title>\n</head>\n<body>\n")
	}
}

// end writes what comes after all texts.
func (r *run) end() {
	if r.asHTML {
		r.out.WriteString("</body>\n</html>\n")
	}
}

// writeHTML prints a text as HTML while it is read.
func (w *worker) writeHTML(ctx context.Context, t *textFile, r *blocks) error {
	b := &w.out.bytes
	if w.headings {
		*b = append(appendEscaped(append(*b, "<h2>"...), t.name), "</h2>\n"...)
	}
	*b = append(*b, "<pre>\n"...)
	// The window is what Finder.Read may keep.
	k := &keptText{in: r, window: 2*w.Finder.MaxWrapper + 128<<10, plain: func(text []byte) error {
		*b = appendEscaped(*b, string(text))
		return w.flushFull(ctx, t)
	}}
	for u, err := range w.Finder.Read(k) {
		if err == nil {
			err = k.until(u.Offset)
		}
		if err != nil {
			return err
		}
		*b = w.appendURL(*b, u, string(k.take(int(u.Length))))
		if err := w.flushFull(ctx, t); err != nil {
			return err
		}
	}
	if err := k.until(k.at + int64(len(k.text))); err != nil {
		return err
	}
	*b = append(*b, "</pre>\n"...)
	return nil
}

// flushFull passes on a chunk that is long enough.
func (w *worker) flushFull(ctx context.Context, t *textFile) error {
	if len(w.out.bytes) < chunkSize {
		return nil
	}
	return w.flush(ctx, t)
}

// keptText keeps what a finder has read until it is known where the next URL begins, at least the
// bytes in which it may still find one.
type keptText struct {
	in     io.Reader
	window int                // bytes in which the finder may still find a URL
	plain  func([]byte) error // is called for the text between URLs, in pieces
	text   []byte             // read, and not yet passed on
	at     int64              // its offset
}

// Read implements io.Reader.
func (k *keptText) Read(b []byte) (int, error) {
	n, err := k.in.Read(b)
	k.text = append(k.text, b[:n]...)
	if over := len(k.text) - k.window; over >= chunkSize {
		if failed := k.until(k.at + int64(wholeText(k.text[:over]))); failed != nil {
			return 0, failed
		}
	}
	return n, err
}

// until passes on the text before an offset.
func (k *keptText) until(offset int64) error {
	for k.at < offset {
		n := int(min(offset-k.at, chunkSize))
		if k.at+int64(n) < offset {
			n = wholeText(k.text[:n])
		}
		if err := k.plain(k.take(n)); err != nil {
			return err
		}
	}
	return nil
}

// take removes n bytes from the text and returns them. They are valid until the next Read.
func (k *keptText) take(n int) []byte {
	b := k.text[:n]
	k.text, k.at = k.text[n:], k.at+int64(n)
	return b
}

// wholeText returns the length of b without a line end or a character that may go on behind it.
func wholeText(b []byte) int {
	n := len(b)
	for i := 1; i < utf8.UTFMax && i < n; i++ {
		if c := b[n-i]; utf8.RuneStart(c) {
			if !utf8.FullRune(b[n-i:]) || c == '\r' {
				return n - i
			}
			break
		}
	}
	return n
}

// appendURL appends the text of a URL. It is a link if the search selects it and it is safe to
// follow.
func (w *worker) appendURL(b []byte, u find.Find, text string) []byte {
	href, ok := "", false
	if !u.TooLong && (len(w.Schemes) == 0 || w.hasScheme(u.URL)) {
		href, ok = w.link(u)
	}
	if !ok {
		return appendEscaped(b, text)
	}
	b = append(append(b, `<a href="`...), html.EscapeString(href)...)
	b = append(b, `" rel="nofollow noopener noreferrer ugc">`...)
	return append(appendEscaped(b, text), "</a>"...)
}

// link returns the target of the link for a URL, in ASCII. It returns false if there must be none.
func (w *worker) link(u find.Find) (href string, ok bool) {
	m := Match{Find: format.Find{Find: u}, parser: w.Parser}
	if _, bad := m.Parse(); bad != nil {
		return "", false
	}
	url, err := locator.Current.Parse(u.Text())
	if err != nil || !vet.SafeLink(url) {
		return "", false
	}
	href = url.Canonical().Text()
	if fragment, ok := url.Fragment(); ok {
		href = string(octet.AppendASCII([]byte(href+"#"), fragment))
	}
	return href, true
}

// appendEscaped appends text for HTML. Bytes that are not a character, control
// characters, and those that change the direction of the text around them become U+FFFD.
func appendEscaped(b []byte, s string) []byte {
	s = strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) && r >= '\u202A') {
			return unicode.ReplacementChar
		}
		return r
	}, strings.ReplaceAll(s, "\r\n", "\n"))
	return append(b, html.EscapeString(s)...)
}
