package search

import (
	"context"
	"errors"
	"io"
	"iter"
	"os"
	"strings"

	"locator"
	"locator/find"
	"locator/find/format"
	"locator/repair"
)

// Search says how texts are searched, and which URLs are found. The zero value finds all URLs.
type Search struct {
	Finder find.Finder    // of plain text, and of the texts in other formats
	Format *format.Format // of all texts; nil means that of each text, by name and content
	PDF    []string       // the command that reads a PDF file, and its arguments: see [format.Options]
	// Base returns what relative references in a text are resolved against: see [format.Options].
	// Nil means that these are not found.
	Base       func(name string) locator.URL
	Decompress bool // search the text of files that gzip or bzip2 compressed
	Folders    Folders
	// Stdin opens what the name "-" means. If it is nil, "-" names a file.
	Stdin func() io.Reader
	// Output is the file that the results go to, if it is a file. It is not searched.
	Output os.FileInfo

	Parser  *locator.Parser // parses the URLs that are found; nil means [locator.Current]
	Schemes []string        // only URLs of these schemes, in lower case; nil means all
	Valid   bool            // only URLs that are not malformed
	Unique  bool            // each URL once, also if it is spelt differently
	Lines   bool            // set Match.Lines

	// Parallel is how many files Write and WriteHTML read at once; 0 means one.
	Parallel int
	Events   Events
}

// Folders says which files of a folder are searched. Binary files never are.
type Folders struct {
	Hidden   bool // also those whose names begin with a dot
	NoIgnore bool // also those that .gitignore and .ignore files leave out, and the folder .git
	Follow   bool // symbolic links are followed
	Depth    int  // at most this many folders deep; 0 means no limit
	// Want reports whether a file is searched, and Enter whether a folder is. The path counts from
	// the folder that was named, with slashes. Nil means all.
	Want, Enter func(path string) bool
}

// Events are functions that a search calls. Each may be nil. All but Failed may be called by
// several goroutines at once.
type Events struct {
	// Failed is called for a text that cannot be read, after its URLs have been written. The others
	// are searched all the same.
	Failed func(name string, err error)
	// Skipped is called for what a search of a folder leaves out.
	Skipped func(name, reason string)
	// Searched is called for each text, before it is searched.
	Searched func(name string)
	// Compressed is called for a compressed file that the caller named if Decompress is not set.
	Compressed func(name string)
	// TooLong is called after a text with n URLs that are longer than Finder.MaxWrapper. The first
	// is at offset.
	TooLong func(name string, n int, offset int64)
	// Note is called for what a format says about a text.
	Note func(name string, err error)
	// Whole is called before a text that is read as a whole, such as a long Markdown document.
	Whole func()
}

// The reasons for which Skipped is called, beside those of folders.
const (
	ReasonBinary = "binary file"
	ReasonPDF    = "PDF file" // and there is no command that reads it
	ReasonOutput = "it is the output"
)

// Text is a text that is searched.
type Text struct {
	Name         string         // of the file; "-" is standard input
	Format       *format.Format // how it is read
	Decompressed bool           // it is that of a compressed file, so offsets do not count in the file
}

// Match is a URL in a text.
type Match struct {
	format.Find
	Text  *Text
	Lines []string // that it is in, if Search.Lines is set; nil if they cannot be read any more

	parser *locator.Parser
	url    locator.URL
	err    *locator.SyntaxError
	parsed bool
}

// Parse parses the URL. With [locator.Current] the URL includes its fragment, which is not part of
// a URL of RFC 1738. The error is nil if the URL is valid.
func (m *Match) Parse() (locator.URL, *locator.SyntaxError) {
	if !m.parsed {
		var err error
		m.url, err = m.parser.Parse(m.parsedText())
		m.err, _ = errors.AsType[*locator.SyntaxError](err)
		m.parsed = true
	}
	return m.url, m.err
}

// Suggested returns the error of Parse with the URL that was probably meant in its Hint, as
// [repair.Suggest] does; nil if the URL is valid.
func (m *Match) Suggested() *locator.SyntaxError {
	_, bad := m.Parse()
	if bad == nil {
		return nil
	}
	bad, _ = errors.AsType[*locator.SyntaxError](repair.Suggest(m.parser, m.parsedText(), bad))
	return bad
}

// parsedText returns the URL as Parse parses it.
func (m *Match) parsedText() string {
	if m.parser == locator.Current {
		return m.Find.Text()
	}
	return m.URL
}

// TextError is the error of a text that cannot be read.
type TextError struct {
	Name string
	Err  error
}

// Error implements error.
func (e *TextError) Error() string {
	return e.Name + ": " + strings.TrimPrefix(e.Err.Error(), e.Name+": ")
}

// Unwrap returns the cause.
func (e *TextError) Unwrap() error { return e.Err }

// All returns the URLs in files, in all files of folders and in standard input, in their order. A
// *TextError says what cannot be read, and the search goes on; any other error ends it. A Match is
// valid until the next one.
func (s *Search) All(ctx context.Context, names ...string) iter.Seq2[*Match, error] {
	return func(yield func(*Match, error) bool) {
		r := newRun(s)
		w := &worker{run: r}
		w.found = func(_ context.Context, _ *textFile, m *Match) bool {
			if (!s.Unique || r.seen.add(r.seen.key(m, 0))) && !yield(m, nil) {
				w.failed = errStop
			}
			return w.failed == nil
		}
		r.texts(ctx, names, func(t *textFile) bool {
			if w.failed != nil {
				return false
			}
			if t.err == nil {
				t.err = w.searchText(ctx, t)
			}
			if w.failed != nil || ctx.Err() != nil {
				return false
			}
			if t.err != nil && !yield(nil, &TextError{t.name, t.err}) {
				w.failed = errStop
			}
			return w.failed == nil
		})
		if w.failed == nil && ctx.Err() != nil {
			yield(nil, ctx.Err())
		}
	}
}

// Printer returns the function that appends the URLs of a text to b, as they are written. Printer
// and the functions are called by several goroutines at once; a function for one text is called by
// one.
type Printer func(*Text) (appendMatch func(b []byte, m *Match) []byte)

// Write writes the URLs in files, in all files of folders and in standard input to out, in their
// order. What was found is written before a read that may wait. It returns the error of out or of
// the context.
func (s *Search) Write(ctx context.Context, out io.Writer, p Printer, names ...string) error {
	r := newRun(s)
	r.printer = p
	return r.write(ctx, out, names)
}

// Single reports whether names are one file or standard input, so that places need no name.
func (s *Search) Single(names ...string) bool {
	return len(names) == 1 && (names[0] == "-" && s.Stdin != nil || !isFolder(names[0]))
}
