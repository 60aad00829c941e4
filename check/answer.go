package check

import (
	"container/list"
	"context"
	"crypto/sha256"
	"strings"
	"sync"
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
	digest     [sha256.Size]byte
	empty      bool
	words      map[uint64]struct{} // hashes of the words in a row; nil if it is no text
}

// Bounds of what is compared.
const (
	shingle     = 3    // words in a row
	maxShingles = 2048 // of a page; a longer one is not compared by its words
	maxWord     = 24   // bytes; what is longer is a token
)

// compare records what is compared of a page.
func (a *answer) compare(u locator.URL, doc *anchor.Document) {
	a.digest, a.empty = sha256.Sum256(doc.Body), len(doc.Body) == 0
	text, scripted, ok := anchor.Text(doc)
	a.doubtful = scripted
	if !ok {
		return
	}
	a.words = make(map[uint64]struct{})
	var row [shingle]uint64
	for i, word := range words(string(text), u) {
		copy(row[:], row[1:])
		row[shingle-1] = hash(word)
		if i < shingle-1 { // the first words also count
			a.words[row[shingle-1]] = struct{}{}
			continue
		}
		h := uint64(0)
		for _, x := range row {
			h = h*0x9e3779b97f4a7c15 + x
		}
		if a.words[h] = struct{}{}; len(a.words) > maxShingles {
			a.words = nil
			return
		}
	}
}

// hash is FNV-1a.
func hash(word string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(word) {
		h = (h ^ uint64(word[i])) * 1099511628211
	}
	return h
}

// words returns the words of a page without the name that it was asked for, numbers and tokens.
func words(text string, u locator.URL) []string {
	text = strings.ToLower(text)
	for _, name := range names(u) {
		text = strings.ReplaceAll(text, name, " ")
	}
	var list []string
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r) }) {
		if len(word) <= maxWord && strings.IndexFunc(word, unicode.IsNumber) < 0 {
			list = append(list, word)
		}
	}
	return list
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
// differs. Most pages of one site do not: what they share is not nearly all.
func (a *answer) resembles(b *answer) bool {
	if !a.there || !b.there || a.empty != b.empty {
		return false
	}
	if a.digest == b.digest {
		return true
	}
	if a.words == nil || b.words == nil || len(a.words) == 0 || len(b.words) == 0 {
		return false
	}
	both := shared(a.words, b.words)
	return 10*both >= 9*max(len(a.words), len(b.words))
}

// same reports whether the answer is the same page as two answers for names that cannot exist, of
// which y is for one beside it: it
// has all that these share, and differs from them no more than they differ from each other.
func (a *answer) same(x, y *answer) bool {
	if a.empty {
		return false
	}
	if a.digest == y.digest {
		return true
	}
	if a.words == nil || x.words == nil || y.words == nil {
		return false
	}
	noise := max(len(x.words), len(y.words)) - shared(x.words, y.words)
	if len(a.words) < leastWords || 10*noise > len(x.words) {
		return false
	}
	own := 0
	for w := range a.words {
		_, inX := x.words[w]
		if _, inY := y.words[w]; !inX && !inY {
			own++
		}
	}
	for w := range x.words {
		_, inY := y.words[w]
		if _, ok := a.words[w]; inY && !ok {
			return false
		}
	}
	return own <= noise
}

// leastWords is how much text a page has at least that is compared by its words.
const leastWords = 4

func shared(a, b map[uint64]struct{}) (n int) {
	for w := range a {
		if _, ok := b[w]; ok {
			n++
		}
	}
	return n
}

// maxAnswers is how many answers are kept.
const maxAnswers = 1024

// answers keeps the answers that were asked for last. The zero value is ready to use. It is safe
// for concurrent use.
type answers struct {
	mu    sync.Mutex
	order list.List // of *kept, the last used first
	byKey map[string]*list.Element
}

// kept is an answer that was asked for, or is being asked for.
type kept struct {
	key string
	mu  sync.Mutex
	a   *answer
}

// get returns the answer of that key. It calls ask if the answer is not known.
func (x *answers) get(ctx context.Context, key string, ask func() *answer) *answer {
	k := x.kept(key)
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.a != nil {
		return k.a
	}
	a := ask()
	if ctx.Err() == nil {
		k.a = a
	}
	return a
}

func (x *answers) kept(key string) *kept {
	x.mu.Lock()
	defer x.mu.Unlock()
	if e, ok := x.byKey[key]; ok {
		x.order.MoveToFront(e)
		return e.Value.(*kept)
	}
	if x.byKey == nil {
		x.byKey = make(map[string]*list.Element)
	}
	k := &kept{key: key}
	x.byKey[key] = x.order.PushFront(k)
	if x.order.Len() > maxAnswers {
		last := x.order.Back()
		x.order.Remove(last)
		delete(x.byKey, last.Value.(*kept).key)
	}
	return k
}
