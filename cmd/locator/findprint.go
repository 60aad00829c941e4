package main

import (
	"bufio"
	"errors"
	"hash/maphash"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"locator"
	"locator/find"
	"locator/find/format"
	"locator/repair"
)

// form is how the URLs of one text are printed.
type form struct {
	name  string
	kind  *format.Format
	begin []byte      // of each object or line: all that is the same for the whole text
	lines io.ReaderAt // the text, for --with-context; nil without it

	decompressed bool
}

// form returns the form for a text.
func (w *worker) form(t *textFile, kind *format.Format, h *os.File, r *blocks) *form {
	f := &form{name: t.name, kind: kind, decompressed: t.content != ""}
	switch {
	case w.app.flags.json:
		f.begin = append(appendText([]byte{'{'}, "source", t.name), `,"offset":`...)
	case w.places && w.shown:
		f.begin = append([]byte(safe(t.name)), ':')
	case w.places:
		f.begin = append([]byte(t.name), ':')
	}
	if w.o.context {
		f.lines = contextOf(h, r, w.o.finder.MaxWrapper)
	}
	return f
}

// append appends a URL to the chunk unless the flags leave it out. more is what a format says about it; nil in plain text.
func (w *worker) append(f *form, u *find.Find, more *format.Find) {
	var url locator.URL
	var bad *locator.SyntaxError
	if w.app.flags.json || w.o.valid || w.o.unique {
		url, bad = w.parse(u)
	}
	if w.o.valid && (bad != nil || u.TooLong) {
		return
	}
	if u.TooLong {
		if w.long == 0 {
			w.longAt = u.Offset
		}
		w.long++
	}
	if bad != nil && w.app.flags.json {
		bad, _ = errors.AsType[*locator.SyntaxError](repair.Suggest(w.parser, w.urlOf(u), bad))
	}
	var context []string
	if f.lines != nil && (more == nil || more.Position != format.Extracted) {
		context = linesAround(f.lines, u)
	}
	if b := &w.out.bytes; w.app.flags.json {
		*b = w.appendObject(append(*b, f.begin...), f, u, more, bad, context)
	} else {
		*b = w.appendLine(append(*b, f.begin...), u, context)
	}
	if w.o.unique {
		text := u.URL
		if bad == nil {
			text = url.Canonical().WithoutFragment().Text()
		}
		w.out.keys = append(w.out.keys, w.seen.key(text, len(w.out.bytes)))
	}
}

// hasScheme reports whether a URL has one of the schemes of --scheme.
func (w *worker) hasScheme(url string) bool {
	name, _, _ := strings.Cut(url, ":")
	return slices.ContainsFunc(w.o.schemes, func(s string) bool { return strings.EqualFold(s, name) })
}

// urlOf returns a URL with its fragment, which is not part of a URL of RFC 1738.
func (w *worker) urlOf(u *find.Find) string {
	if w.parser == locator.Current {
		return u.Text()
	}
	return u.URL
}

func (w *worker) parse(u *find.Find) (locator.URL, *locator.SyntaxError) {
	url, err := w.parser.Parse(w.urlOf(u))
	if err == nil {
		return url, nil
	}
	bad, _ := errors.AsType[*locator.SyntaxError](err)
	return url, bad
}

// appendObject appends the object of a URL after its source.
func (w *worker) appendObject(b []byte, f *form, u *find.Find, more *format.Find, bad *locator.SyntaxError, context []string) []byte {
	b = strconv.AppendInt(b, u.Offset, 10)
	b = strconv.AppendInt(append(b, `,"length":`...), u.Length, 10)
	b = strconv.AppendInt(append(b, `,"line":`...), int64(u.Line), 10)
	b = strconv.AppendInt(append(b, `,"column":`...), int64(u.Column), 10)
	b = append(append(append(b, `,"form":"`...), u.Form.String()...), '"')
	b = appendText(b, "url", u.URL)
	b = appendOptional(b, "fragment", u.Fragment)
	b = appendBool(b, "ok", bad == nil && !u.TooLong)
	b = appendList(b, "alternatives", u.Alternatives)
	b = appendText(b, "format", f.kind.Name())
	if more == nil {
		more = &format.Find{} // exact
	}
	position := more.Position
	if f.decompressed {
		position = format.Extracted
	}
	b = appendText(b, "position", position.String())
	if u.Repaired {
		b = appendBool(b, "repaired", true)
	}
	if more.Reference != "" {
		b = appendText(b, "reference", more.Reference)
	}
	if more.Page > 0 {
		b = strconv.AppendInt(append(b, `,"page":`...), int64(more.Page), 10)
	}
	if w.o.context {
		b = appendList(b, "context", context)
	}
	if u.TooLong {
		bad = &locator.SyntaxError{Offset: len(u.URL), Msg: "it is longer than " + size(int64(w.o.finder.MaxWrapper)) + "; only its beginning is here"}
	}
	if bad != nil {
		b = appendSyntaxError(appendKey(b, "error"), bad)
	}
	return append(b, '}', '\n')
}

// appendLine appends the line of a URL after the name of its file, and the lines around it.
func (w *worker) appendLine(b []byte, u *find.Find, context []string) []byte {
	if w.places {
		b = append(strconv.AppendInt(b, int64(u.Line), 10), ':')
		b = append(strconv.AppendInt(b, int64(u.Column), 10), ':')
	}
	if w.shown {
		b = append(b, safe(u.Text())...)
	} else {
		b = append(b, u.URL...)
		if fragment, ok := u.Fragment.Get(); ok {
			b = append(append(b, '#'), fragment...)
		}
	}
	b = append(b, '\n')
	for _, line := range context {
		if w.shown {
			line = safe(line)
		}
		b = append(append(append(b, "    "...), line...), '\n')
	}
	return b
}

// urlKey is a URL in a chunk, which ends at end.
type urlKey struct {
	end  int
	hash [2]uint64
}

// seenURLs are the URLs that were printed, for --unique. It keeps 16 bytes of each: the chance that two of a billion URLs are taken for the same
// is below 1 to 10^20.
type seenURLs struct {
	seeds [2]maphash.Seed
	all   map[[2]uint64]struct{}
}

// key returns the key of a URL in a chunk.
func (s *seenURLs) key(text string, end int) urlKey {
	return urlKey{end, [2]uint64{maphash.String(s.seeds[0], text), maphash.String(s.seeds[1], text)}}
}

// add reports whether a URL was not there before.
func (s *seenURLs) add(k urlKey) bool {
	if _, again := s.all[k.hash]; again {
		return false
	}
	s.all[k.hash] = struct{}{}
	return true
}

// print prints a chunk, with --unique without the URLs that were printed before.
func (s *search) print(out *bufio.Writer, c chunk) error {
	if !s.o.unique {
		_, err := out.Write(c.bytes)
		return outputError(err)
	}
	begin := 0
	for _, k := range c.keys {
		if s.seen.add(k) {
			if _, err := out.Write(c.bytes[begin:k.end]); err != nil {
				return outputError(err)
			}
		}
		begin = k.end
	}
	return nil
}
