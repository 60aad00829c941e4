package format

import (
	"bytes"
	"io"
	"iter"

	"locator"
	"locator/find"
	"locator/internal/octet"
)

const (
	chunkSize = 32 << 10 // bytes of decoded text that are handed on at once
	maxGap    = 2 << 20  // bytes of the source between one piece of a text and the next; a larger gap ends the text
)

// finder finds the URLs in decoded text. It is a sink of one text after another: close ends a text,
// and no URL spans two of them.
type finder struct {
	find   *find.Finder
	emit   func(f Find, o origin) // o maps f to the source; it is only valid during the call
	done   func()                 // is called at the end of a text; it may be nil
	buf    []byte
	text   spans
	stream *feeder // of a text that is longer than the buffer
	found  []find.Find
	linked bool // the text of a link has just ended
	cells  bool // a text that is a URL is one as a whole
}

// write implements sink.
func (t *finder) write(text []byte, at, end int64) {
	if n := len(t.text.list); n > 0 && at-t.text.list[n-1].end > maxGap {
		t.close()
	}
	if t.linked && len(text) > 0 {
		if t.linked = false; text[0] != '>' { // as in <URL:[link]>
			t.space(at)
		}
	}
	for i := 0; i < len(text); {
		n := min(len(text)-i, chunkSize-len(t.buf))
		t.buf = append(t.buf, text[i:i+n]...)
		a, e := part(len(text), at, end, i, i+n)
		t.text.add(n, a, e)
		if i += n; len(t.buf) == chunkSize {
			t.flush()
		}
	}
}

// linkBegins says that the text of a link begins. No URL of the text begins before it, except for
// the "<" or the prefix.
func (t *finder) linkBegins(at int64) {
	if n := len(t.buf); n > 0 && (octet.IsAlphanumeric(t.buf[n-1]) || t.linked) {
		t.linked = false
		t.space(at)
	}
}

// space writes a blank that the source does not have.
func (t *finder) space(at int64) { t.write([]byte{' '}, at, at) }

// flush passes the buffer on to a finder of streams.
func (t *finder) flush() {
	if t.stream == nil {
		t.stream = newFeeder(func(r io.Reader) {
			for f, err := range t.find.Read(r) {
				if err != nil {
					return
				}
				t.found = append(t.found, f)
			}
		})
	}
	t.stream.write(t.buf)
	t.buf = t.buf[:0]
	t.drain()
	t.text.forget(t.text.end - lookBehind(t.find))
}

// drain passes on what the finder of streams has found.
func (t *finder) drain() {
	for _, f := range t.found {
		t.emit(Find{Find: f}, &t.text)
	}
	clear(t.found)
	t.found = t.found[:0]
	if t.done != nil {
		t.done()
	}
}

// close ends the text.
func (t *finder) close() {
	switch {
	case t.stream != nil:
		t.stream.write(t.buf)
		t.stream.close()
		t.drain()
		t.stream = nil
	default:
		t.all(t.buf, &t.text)
	}
	t.buf, t.linked = t.buf[:0], false
	t.text.reset()
	if t.done != nil {
		t.done()
	}
}

// all finds in a text of its own. A text that is being written goes on after it.
func (t *finder) all(text []byte, o origin) {
	if !hasScheme(text) && !t.find.Web && !t.find.Mail {
		return
	}
	for f := range t.find.Bytes(text) {
		if t.cells {
			wholeCell(&f, text)
		}
		t.emit(Find{Find: f}, o)
	}
}

// hasScheme reports whether a text has a colon after a letter or digit, as every URL has. Most
// cells and strings have none.
func hasScheme(text []byte) bool {
	for {
		i := bytes.IndexByte(text, ':')
		if i < 0 || i > 0 && octet.IsAlphanumeric(text[i-1]) {
			return i >= 0
		}
		text = text[i+1:]
	}
}

// wholeCell makes a find that begins a cell and ends before the punctuation at its end that of the
// whole cell, if that is a URL: nobody wrote a sentence around it.
func wholeCell(f *find.Find, text []byte) {
	behind := bytes.TrimRight(text[f.Offset+f.Length:], " ")
	if f.Form != find.Bare || f.Repaired || len(behind) == 0 || len(bytes.Trim(behind, ".,:;!?'*&-")) > 0 || len(bytes.TrimLeft(text[:f.Offset], " ")) > 0 {
		return
	}
	u, err := locator.Current.Parse(f.Text() + string(behind))
	if err != nil {
		return
	}
	f.URL, f.Length = u.WithoutFragment().Text(), f.Length+int64(len(behind))
	if fragment, ok := u.Fragment(); ok {
		f.Fragment = locator.Some(fragment)
	}
}

// feeder runs a reader of a stream beside the function that writes the stream.
type feeder struct {
	next  func() (struct{}, bool)
	stop  func()
	chunk []byte
	eof   bool
}

// newFeeder returns a feeder of consume, which reads to the end of its reader.
func newFeeder(consume func(io.Reader)) *feeder {
	f := &feeder{}
	f.next, f.stop = iter.Pull(func(yield func(struct{}) bool) {
		consume(readFunc(func(p []byte) (int, error) {
			for len(f.chunk) == 0 {
				if f.eof {
					return 0, io.EOF
				}
				if !yield(struct{}{}) {
					return 0, io.ErrUnexpectedEOF
				}
			}
			n := copy(p, f.chunk)
			f.chunk = f.chunk[n:]
			return n, nil
		}))
	})
	return f
}

// write returns when the reader has read p.
func (f *feeder) write(p []byte) {
	f.chunk = p
	f.next()
	f.chunk = nil
}

// close returns when the reader has returned.
func (f *feeder) close() {
	f.eof = true
	f.next()
	f.stop()
}

// readFunc is a function as an io.Reader.
type readFunc func([]byte) (int, error)

// Read implements io.Reader.
func (f readFunc) Read(p []byte) (int, error) { return f(p) }
