package main

import (
	"bufio"
	"context"
	"errors"
	"html"
	"io"
	"strings"
	"unicode"

	"locator"
	"locator/find"
	"locator/internal/octet"
	"locator/vet"
)

// maxLinkified is the size of the largest text for --linkify, in bytes.
const maxLinkified = 64 << 20

// errTooLong is the error of a text that is longer than maxLinkified.
var errTooLong = errors.New("it is longer than 64 MiB, which is the most that --linkify reads")

// begin prints what comes before all texts.
func (s *search) begin(out *bufio.Writer) {
	if s.o.linkify {
		out.WriteString("<!DOCTYPE html>\n<html>\n<head>\n<meta charset=\"utf-8\">\n" +
			"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'\">\n<title>Text with links</title>\n</head>\n<body>\n")
	}
}

// end prints what comes after all texts.
func (s *search) end(out *bufio.Writer) {
	if s.o.linkify {
		out.WriteString("</body>\n</html>\n")
	}
}

// writeHTML prints a text as HTML.
func (w *worker) writeHTML(ctx context.Context, t *textFile, r *blocks) error {
	var text strings.Builder
	switch n, err := io.Copy(&text, io.LimitReader(r, maxLinkified+1)); {
	case err != nil:
		return err
	case n > maxLinkified:
		return errTooLong
	}
	b := &w.out.bytes
	if w.places {
		*b = append(appendEscaped(append(*b, "<h2>"...), t.name), "</h2>\n"...)
	}
	*b = append(*b, "<pre>\n"...)
	for p := range w.o.finder.Split(text.String()) {
		*b = w.appendPiece(*b, p)
		if len(*b) < chunkSize {
			continue
		}
		if err := w.flush(ctx, t); err != nil {
			return err
		}
	}
	*b = append(*b, "</pre>\n"...)
	return nil
}

// appendPiece appends a piece of a text. A URL is a link if the flags select it and it is safe to follow.
func (w *worker) appendPiece(b []byte, p find.Piece) []byte {
	href, ok := "", false
	if p.IsURL && !p.Find.TooLong && (len(w.o.schemes) == 0 || w.hasScheme(p.Find.URL)) {
		href, ok = w.link(p.Find)
	}
	if !ok {
		return appendEscaped(b, p.Text)
	}
	b = append(append(b, `<a href="`...), html.EscapeString(href)...)
	b = append(b, `" rel="nofollow noopener noreferrer ugc">`...)
	return append(appendEscaped(b, p.Text), "</a>"...)
}

// link returns the target of the link for a URL, in ASCII. It returns false if there must be none.
func (w *worker) link(u find.Find) (href string, ok bool) {
	if _, bad := w.parse(&u); bad != nil {
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

// appendEscaped appends text for HTML. What is no character, control characters, and those that change the direction of the text around them
// become U+FFFD.
func appendEscaped(b []byte, s string) []byte {
	s = strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) && r >= '\u202A') {
			return unicode.ReplacementChar
		}
		return r
	}, strings.ReplaceAll(s, "\r\n", "\n"))
	return append(b, html.EscapeString(s)...)
}
