package check

import (
	"crypto/sha256"
	"slices"
	"strings"
	"unicode"

	"locator"
	"locator/check/anchor"
)

// answer is what a host says when it is asked for a name.
type answer struct {
	there      bool // it answers with success
	gone       bool // it says that nothing has that name
	redirected bool
	final      locator.URL
	doubtful   bool // the page may show something else to a person
	says       bool // the page says itself that it did not find the name
	digest     [sha256.Size]byte
	empty      bool
	names      []string // how a page may repeat the name
	text       string   // in lower case; empty if there is none, or more than maxText
}

// Bounds of what is compared.
const (
	shingle = 3 // words in a row
	maxText = 32 << 10
	maxWord = 24 // bytes; what is longer is a token
)

// notFound are words by which a page says that there is nothing.
var notFound = []string{"not found", "not find", "t find", "not exist", "t exist", "no such", "no longer", "404"}

// compare records what is compared of a page.
func (a *answer) compare(u locator.URL, doc *anchor.Document) {
	a.digest, a.empty = sha256.Sum256(doc.Body), len(doc.Body) == 0
	a.names = names(u)
	text, scripted, ok := anchor.Text(doc)
	a.doubtful = scripted
	if !ok || len(text) > maxText {
		return
	}
	a.text = strings.ToLower(string(text))
	in := func(part string) bool { return strings.Contains(a.text, part) }
	a.says = slices.ContainsFunc(a.names, in) && slices.ContainsFunc(notFound, in)
}

// words is a set of rows of words, as hashes.
type words map[uint64]struct{}

// words returns the words of a page without names, numbers and tokens.
func (a *answer) words(names ...string) words {
	text := a.text
	for _, name := range names {
		text = strings.ReplaceAll(text, name, " ")
	}
	set := make(words)
	var row [shingle]uint64
	n := 0
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r) }) {
		if len(word) > maxWord || strings.IndexFunc(word, unicode.IsNumber) >= 0 {
			continue
		}
		copy(row[:], row[1:])
		row[shingle-1] = hash(word)
		if n++; n < shingle { // the first words also count
			set[row[shingle-1]] = struct{}{}
			continue
		}
		h := uint64(0)
		for _, x := range row {
			h = h*0x9e3779b97f4a7c15 + x
		}
		set[h] = struct{}{}
	}
	return set
}

// hash is FNV-1a.
func hash(word string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(word) {
		h = (h ^ uint64(word[i])) * 1099511628211
	}
	return h
}

// names returns the ways in which a page may repeat the name that it was asked for, longest first.
func names(u locator.URL) []string {
	path, _ := u.Path()
	name := strings.TrimSuffix(path, "/")
	name = name[strings.LastIndexByte(name, '/')+1:]
	stem := name
	if i := strings.LastIndexByte(name, '.'); i > 0 {
		stem = name[:i]
	}
	var list []string
	for _, text := range [...]string{u.WithoutFragment().Text(), "/" + path, path, name, stem} {
		if len(text) < 3 { // it may be part of any word
			continue
		}
		list = append(list, strings.ToLower(text))
		if decoded := locator.Decode(text); decoded != text {
			list = append(list, strings.ToLower(decoded))
		}
	}
	return list
}

// resembles reports whether two answers may be the same page: at most a tenth of their text
// differs.
func (a *answer) resembles(b *answer) bool {
	if !a.there || !b.there || a.empty != b.empty {
		return false
	}
	if a.digest == b.digest {
		return true
	}
	names := slices.Concat(a.names, b.names)
	x, y := a.words(names...), b.words(names...)
	return len(x) > 0 && 10*shared(x, y) >= 9*max(len(x), len(y))
}

// same reports whether the answer is the same page as two answers for names that cannot exist, of
// which y is for one beside it: it has all that these share, and differs from them no more than
// they differ from each other.
func (a *answer) same(x, y *answer) bool {
	if a.empty {
		return false
	}
	if a.digest == y.digest {
		return true
	}
	names := slices.Concat(x.names, y.names, a.names)
	in, inX, inY := a.words(names...), x.words(names...), y.words(names...)
	noise := max(len(inX), len(inY)) - shared(inX, inY)
	if len(in) < leastWords || 10*noise > len(inX) {
		return false
	}
	own := 0
	for w := range in {
		if !inX.has(w) && !inY.has(w) {
			own++
		}
	}
	for w := range inX {
		if inY.has(w) && !in.has(w) {
			return false
		}
	}
	return own <= noise
}

func (x words) has(w uint64) bool {
	_, ok := x[w]
	return ok
}

func shared(x, y words) (n int) {
	for w := range x {
		if y.has(w) {
			n++
		}
	}
	return n
}

// leastWords is how much text a page has at least that is compared by its words.
const leastWords = 4
