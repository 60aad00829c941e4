package format

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"io"
	"iter"
	"slices"

	"locator"
	"locator/find"
)

// Find is a URL that was found in a source.
type Find struct {
	// Find has the offset, the length, the line and the column in the source as it is stored,
	// before any decoding. The length spans everything between the first and the last byte:
	// escapes, tags, quote marks and page breaks too.
	find.Find
	Position Position
	// Reference is a relative reference as written in HTML that names its base, or with
	// Options.Base; URL is then what it resolves to. It has no fragment, unless it is nothing else.
	// Otherwise it is empty.
	Reference string
	// Page is the page of a PDF file, from 1; otherwise 0.
	Page int
}

// Position says what the offset and the length of a Find mean.
type Position uint8

// The positions.
const (
	// Exact bytes: decoded, they are the URL with its wrapper and nothing else.
	Exact Position = iota
	// Around bytes contain the URL and up to a few bytes more, where the encoding has no border
	// there (base64). After 8 MiB of source without any text, the line and the column are those of
	// a later byte.
	Around
	// Extracted bytes are those of the text that a command printed; the source itself has no such
	// position (PDF).
	Extracted
)

// String returns "exact", "around" or "extracted".
func (p Position) String() string {
	return [...]string{"exact", "around", "extracted"}[min(p, Extracted)]
}

// Options configure how a source is read. The zero value is ready to use.
type Options struct {
	Finder *find.Finder // nil means the zero Finder
	// Base is what relative references in links of HTML and Markdown are resolved against, unless
	// the document names its base. Zero means that these are not found.
	Base locator.URL
	// Note is called with what was not read as its format says: a Markdown file that is too large
	// and is read as plain text, the rest of an attribute that is too long, or URLs of a tag that
	// has too many. It may be nil.
	Note func(error)
	// PDF is the command that prints the text of a PDF file, and its arguments. It reads the file
	// from its standard input and writes UTF-8. Nil means pdftotext of Poppler.
	PDF []string
}

// Read finds the URLs in r, in the order of the source, except that those in a long text may come
// late. It needs constant memory, except for Markdown. The error, if any, is the last thing that it
// yields; the finds before it are good.
func (f *Format) Read(ctx context.Context, r io.Reader, o Options) iter.Seq2[Find, error] {
	return func(yield func(Find, error) bool) {
		in := bufio.NewReaderSize(&stickyReader{r: r}, 4<<10)
		source := &source{ctx: ctx, r: in}
		s := &scanner{o: o, find: o.Finder, yield: yield, source: source, in: source, from: asIs{}}
		if s.find == nil {
			s.find = &find.Finder{}
		}
		source.unkept = s.find.NoLines
		if name := f.charset(in); name != "" {
			d := newDecoded(source, name, maxToken+2*lookBehind(s.find)+f.document)
			s.in, s.from = d, d
		}
		err := f.read(s)
		if s.release(); err == nil {
			err = source.failed()
		}
		if err != nil && !s.stopped {
			yield(Find{}, err)
		}
	}
}

// maxEmpty is how many reads in a row may return neither bytes nor an error.
const maxEmpty = 100

// stickyReader repeats the error of its reader, which Peek of a bufio.Reader forgets. If the reader
// returns neither bytes nor an error maxEmpty times, the error is io.ErrNoProgress.
type stickyReader struct {
	r   io.Reader
	err error
}

// Read implements io.Reader.
func (s *stickyReader) Read(p []byte) (n int, err error) {
	for range maxEmpty {
		if s.err == nil {
			n, s.err = s.r.Read(p)
		}
		if n > 0 || s.err != nil || len(p) == 0 {
			return n, s.err
		}
	}
	s.err = io.ErrNoProgress
	return 0, s.err
}

// scanner is one call of Read.
type scanner struct {
	o        Options
	find     *find.Finder
	source   *source
	in       io.Reader // the source in UTF-8
	from     origin    // of in, in the source
	yield    func(Find, error) bool
	pending  []Find   // what release will sort and pass on
	position Position // of each find, at least
	held     int      // bytes of pending
	nested   bool     // within a feeder: release has to wait
	full     bool     // a note has said that finds were left out
	stopped  bool     // the caller wants no more
}

// Bounds of the finds that wait for those of the text around them.
const (
	maxPending  = 1 << 10
	maxNested   = 32 << 20 // bytes of those that wait for the end of a feeder's chunk; others are left out
	pendingCost = 256      // bytes of a Find beside its text
)

// emit keeps what was found in decoded text for release.
func (s *scanner) emit(f Find, o origin) {
	at, end, exact := o.locate(f.Offset, f.Length)
	at, end, same := s.from.locate(at, end-at)
	var known bool
	if f.Line, f.Column, known = s.source.place(at); !exact || !same || !known {
		f.Position = max(f.Position, Around)
	}
	if f.Position = max(f.Position, s.position); f.Position == Extracted {
		f.Page = s.source.page(at)
	}
	f.Offset, f.Length = at, end-at
	if s.held += pendingCost + len(f.URL); s.nested && s.held > maxNested {
		if !s.full {
			s.full = true
			s.note(errors.New("a tag of HTML has too many URLs; some were left out"))
		}
		return
	}
	if s.pending = append(s.pending, f); len(s.pending) >= maxPending && !s.nested {
		s.release()
	}
}

// release passes on what was found, in the order of the source.
func (s *scanner) release() {
	slices.SortStableFunc(s.pending, func(a, b Find) int { return cmp.Compare(a.Offset, b.Offset) })
	for _, f := range s.pending {
		s.stopped = s.stopped || !s.yield(f, nil)
	}
	clear(s.pending)
	s.pending, s.held = s.pending[:0], 0
}

// note passes on a remark.
func (s *scanner) note(err error) {
	if s.o.Note != nil && !s.stopped {
		s.o.Note(err)
	}
}

// text returns a finder of texts. At the end of each, it releases what was found.
func (s *scanner) text() *finder { return &finder{find: s.find, emit: s.emit, done: s.release} }

// copyTo writes r, which reads s.in, to a sink as it is.
func (s *scanner) copyTo(to sink, r io.Reader) {
	defer to.close()
	at := int64(0)
	for buf := make([]byte, chunkSize); !s.stopped; {
		n, err := r.Read(buf)
		if n > 0 {
			to.write(buf[:n], at, at+int64(n))
			at += int64(n)
		}
		if err != nil {
			return
		}
	}
}

// lookBehind returns how many bytes of text a Finder may still need when it reads on.
func lookBehind(f *find.Finder) int64 {
	return 2*int64(max(f.MaxWrapper, find.DefaultMaxWrapper)) + 256<<10
}

// stoppable returns s.in as a reader that ends when the caller wants no more.
func (s *scanner) stoppable() io.Reader {
	return readFunc(func(p []byte) (int, error) {
		if s.stopped {
			return 0, io.EOF
		}
		return s.in.Read(p)
	})
}
