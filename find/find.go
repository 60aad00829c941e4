package find

import (
	"iter"

	"locator"
)

// Form says how a URL is written in the text.
type Form uint8

// The forms. The first three say where the URL ends; the end of a Bare URL is a heuristic.
const (
	Wrapped  Form = iota + 1 // <URL:ftp://host/path> (RFC 1738 appendix)
	Prefixed                 // URL:ftp://host/path, without brackets
	Angled                   // <ftp://host/path> (RFC 3986 appendix C)
	Bare                     // ftp://host/path
	Attr                     // the value of an attribute or a link of a format; only package find/format returns it
)

// String returns "wrapped", "prefixed", "angled", "bare" or "attr".
func (f Form) String() string {
	return [...]string{"", "wrapped", "prefixed", "angled", "bare", "attr"}[min(f, Attr)]
}

// Find is a URL that was found.
type Find struct {
	// URL is the text as written, unless Repaired is set, without white space, the wrapper and the
	// fragment. It can be malformed only in a wrapper. With the options Web and Mail it also has
	// the "http://" or "mailto:" that the text leaves out.
	URL      string
	Fragment locator.Optional // what follows the first "#", as written
	Form     Form
	Offset   int64 // of the whole form in the source, wrapper included, in bytes
	Length   int64 // of the whole form, in bytes
	Line     int   // of the offset, from 1
	Column   int   // of the offset in its line, in bytes, from 1

	// Alternatives are other readings of a wrapped URL with line breaks after hyphens: there the
	// hyphen may not be part of the URL (RFC 1738 appendix). URL has all hyphens. Each reading is
	// complete, as Text returns it: the hyphen may be in the fragment.
	Alternatives []string

	// Repaired reports that URL or Fragment has escapes such as "%5B" for characters that the text
	// has and that no URL contains: brackets in pairs, as in "http://host.dom/a[1].png" and
	// "/{id}/", and a second "#".
	Repaired bool

	// TooLong reports that the form is longer than MaxWrapper. URL and Length are those of its
	// beginning.
	TooLong bool
}

// Text returns the URL with its fragment.
func (f Find) Text() string {
	if fragment, ok := f.Fragment.Get(); ok {
		return f.URL + "#" + fragment
	}
	return f.URL
}

// Finder finds URLs. The zero value is ready to use. It is safe for concurrent use as long as
// nobody changes it.
type Finder struct {
	IRI  bool // a bare URL may contain characters beyond ASCII (RFC 3987); otherwise the first one ends it
	Web  bool // also find host names that begin with "www.", as http URLs
	Mail bool // also find mail addresses, as mailto URLs

	NoLines bool // leave Line and Column 0, which saves time

	// MaxWrapper is the length of the longest form in bytes, from the "<" to the ">" of a wrapper
	// or from end to end of a bare URL. 0 means DefaultMaxWrapper; less than MinMaxWrapper means
	// MinMaxWrapper.
	MaxWrapper int
}

// DefaultMaxWrapper is the length of the longest form in bytes, unless a Finder has another limit.
const DefaultMaxWrapper = 64 << 10

// MinMaxWrapper is the least MaxWrapper in bytes. The prefix "URL:" with the longest gap, and a
// mail address, are shorter.
const MinMaxWrapper = 512

// All returns the URLs of a text in their order.
func (f *Finder) All(text string) iter.Seq[Find] {
	return func(yield func(Find) bool) {
		s := newScanner(f, text, inString)
		for s.next() {
			if !yield(s.found) {
				return
			}
		}
	}
}

// Bytes is All for a text in bytes. What it returns stays the same if the text changes afterwards.
func (f *Finder) Bytes(text []byte) iter.Seq[Find] {
	return func(yield func(Find) bool) {
		s := newScanner(f, text, inBytes)
		for s.next() {
			if !yield(s.found) {
				return
			}
		}
	}
}

// Piece is a part of a text: a URL, or the text between two.
type Piece struct {
	Text  string // as written in the text, wrapper and white space included
	IsURL bool
	Find  Find // if IsURL is true
}

// Split returns the URLs of a text and the text between them. The pieces put together are the text;
// none is empty.
func (f *Finder) Split(text string) iter.Seq[Piece] {
	return func(yield func(Piece) bool) {
		end := int64(0) // of the pieces so far
		for u := range f.All(text) {
			if end < u.Offset && !yield(Piece{Text: text[end:u.Offset]}) {
				return
			}
			end = u.Offset + u.Length
			if !yield(Piece{Text: text[u.Offset:end], IsURL: true, Find: u}) {
				return
			}
		}
		if end < int64(len(text)) {
			yield(Piece{Text: text[end:]})
		}
	}
}

func (f *Finder) withDefaults() Finder {
	o := *f
	if o.MaxWrapper <= 0 {
		o.MaxWrapper = DefaultMaxWrapper
	}
	o.MaxWrapper = max(o.MaxWrapper, MinMaxWrapper)
	return o
}
