package check

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"locator"
	"locator/find/search"
	"locator/internal/urllist"
)

// Input adds the URLs of texts and lists to a run. It is for one goroutine.
type Input struct {
	Run     Run
	Checker *Checker       // of the run
	Search  *search.Search // of the texts; nil means the zero Search
	// Target returns the URL to check instead of one that was found in a file of that name; ok is
	// false if there is none. reference is that of a format.Find. Both are empty for a URL that was
	// named itself, or is one of a list. Nil means the URL itself.
	Target func(u locator.URL, reference, name string) (to locator.URL, ok bool)
	// Wanted reports whether the links at a place are checked; nil means all.
	Wanted func(at Place) bool
	// Depth is how many pages and listings are followed from a URL that stands nowhere, which the user named.
	// Without a Scope only sitemaps are followed, whatever it is.
	Depth int
	// Failed is called for a text that cannot be read. The others are read all the same. It may be
	// nil.
	Failed func(name string, err error)

	links []Link
	count int64
	known map[linkKey]Link // those of the texts before, without a place; what was excluded has no Key
}

// linkKey is what a link depends on: its URL and, if it is in a file, its reference and its folder.
type linkKey struct{ text, reference, folder string }

// maxKnown is how many links are known at once. Most pages of a site have some in common.
const maxKnown = 16 << 10

// addBatch is how many links are added at once.
const addBatch = 500

// Count returns how many URLs were read.
func (in *Input) Count() int64 { return in.count }

// Add adds a URL.
func (in *Input) Add(ctx context.Context, text string, at Place) error {
	return in.add(ctx, text, at, nil)
}

// add adds a URL that is in a text, where reference is that of a format.Find; nil if it is in none.
func (in *Input) add(ctx context.Context, text string, at Place, reference *string) error {
	if in.Wanted != nil && !in.Wanted(at) {
		return nil
	}
	l, ok := in.link(text, at, reference)
	if !ok {
		return nil
	}
	in.count++
	if at == (Place{}) {
		if l.Depth = in.Depth; in.Checker.Scope == nil {
			l.Depth = max(l.Depth, sitemapDepth)
		}
	}
	in.links = append(in.links, l)
	if len(in.links) < addBatch {
		return nil
	}
	return in.Flush(ctx)
}

// link is Checker.link for a URL of the input.
func (in *Input) link(text string, at Place, reference *string) (Link, bool) {
	key := linkKey{text: text}
	name := "" // of the file that the reference is in
	if reference != nil {
		name = at.File
		key.reference, key.folder = *reference, filepath.Dir(name)
	}
	var target func(locator.URL) (locator.URL, bool)
	if in.Target != nil {
		target = func(u locator.URL) (locator.URL, bool) { return in.Target(u, key.reference, name) }
	}
	l, ok := in.known[key]
	if !ok {
		l, _ = in.Checker.link(text, Place{}, target)
		if in.known == nil {
			in.known = make(map[linkKey]Link)
		}
		if len(in.known) == maxKnown {
			clear(in.known)
		}
		in.known[key] = l
	}
	l.Place = at
	return l, l.Key != ""
}

// Flush adds what was read and is not in the run yet.
func (in *Input) Flush(ctx context.Context) error {
	_, err := in.Run.Add(ctx, in.links)
	in.links = in.links[:0]
	return err
}

// List adds the URLs of a list, one a line.
func (in *Input) List(ctx context.Context, r io.Reader, name string) error {
	_, err := urllist.Source{In: r, Name: name, Marked: true}.Each(ctx, func() {}, func(text string, at urllist.Origin) error {
		return in.Add(ctx, text, Place{File: name, Line: at.Line})
	})
	return err
}

// Named adds URLs, and those in files, folders and, for "-", in standard input. What is the name of
// a file is no URL. A file may be compressed, as sitemaps are.
func (in *Input) Named(ctx context.Context, names ...string) error {
	var texts []string
	for _, name := range names { // URLs first: they are followed, also if a text has them, too
		if _, err := os.Lstat(name); err == nil || name == "-" || !strings.Contains(name, ":") {
			texts = append(texts, name)
		} else if err := in.Add(ctx, name, Place{}); err != nil {
			return err
		}
	}
	for _, name := range texts {
		info, err := os.Stat(name)
		if err := in.texts(ctx, err == nil && info.Mode().IsRegular(), name); err != nil {
			return err
		}
	}
	return nil
}

// Texts adds the URLs in files, in the files of folders and, for "-", in standard input.
func (in *Input) Texts(ctx context.Context, names ...string) error {
	return in.texts(ctx, false, names...)
}

func (in *Input) texts(ctx context.Context, decompress bool, names ...string) error {
	var s search.Search
	if in.Search != nil {
		s = *in.Search
	}
	s.Decompress = s.Decompress || decompress
	for m, err := range s.All(ctx, names...) {
		if text, ok := err.(*search.TextError); ok && in.Failed != nil {
			in.Failed(text.Name, text.Err)
			continue
		}
		if err != nil {
			return err
		}
		if err := in.add(ctx, m.Find.Find.Text(), Place{File: m.Text.Name, Line: m.Line, Column: m.Column}, &m.Reference); err != nil {
			return err
		}
	}
	return nil
}

// Matcher returns a function that reports whether a text matches one of the regular expressions.
func Matcher(expressions []string) (func(text string) bool, error) {
	var all []*regexp.Regexp
	for _, text := range expressions {
		x, err := regexp.Compile(text)
		if err != nil {
			return nil, err
		}
		all = append(all, x)
	}
	return func(text string) bool {
		return slices.ContainsFunc(all, func(x *regexp.Regexp) bool { return x.MatchString(text) })
	}, nil
}
