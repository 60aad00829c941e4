package waisserver

import (
	"cmp"
	"iter"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// index is an inverted index: how often each word is in each document. Words are not stemmed.
type index struct {
	words map[string]*postings
	size  int64 // estimate of its memory, in bytes
}

// postings are the documents that have a word, in order.
type postings []posting

type posting struct{ doc, times int32 }

// Estimates of memory, in bytes.
const (
	wordSize = 80 // of a word beside its text
	docSize  = 10 // of a document that has a word
)

func newIndex() index { return index{words: make(map[string]*postings)} }

// add adds a word of a document. Documents are added one after the other.
func (x *index) add(word string, doc int) {
	docs := x.words[word]
	if docs == nil {
		docs = new(postings)
		x.words[strings.Clone(word)] = docs // which is a part of the text
		x.size += wordSize + int64(len(word))
	}
	if n := len(*docs); n > 0 && (*docs)[n-1].doc == int32(doc) {
		(*docs)[n-1].times++
		return
	}
	*docs = append(*docs, posting{int32(doc), 1})
	x.size += docSize
}

// maxWord bounds the bytes of a word that are indexed.
const maxWord = 64

// tokens yields the words of a text in lower case: runs of letters and digits. The text is UTF-8 or
// else Windows-1252.
func tokens(s string) iter.Seq[string] {
	if !utf8.ValidString(s) {
		s, _ = charmap.Windows1252.NewDecoder().String(s) // decodes every byte
	}
	split := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) }
	return func(yield func(string) bool) {
		for w := range strings.FieldsFuncSeq(s, split) {
			if w = strings.ToLower(w); len(w) <= maxWord && !yield(w) {
				return
			}
		}
	}
}

// scores are the documents that a query finds, by number. A document with the score 0 is not found.
type scores []float32

// find adds the documents with a word, or with a word that begins with it. Rare words count more,
// and so do frequent ones in a short document.
func (s scores) find(db *Database, word string, prefix bool) {
	add := func(docs *postings) {
		rarity := math.Log(1 + float64(len(db.docs))/float64(len(*docs)))
		for _, p := range *docs {
			s[p.doc] += float32(rarity * float64(p.times) / (float64(p.times) + 1 + math.Log(1+float64(db.docs[p.doc].words))))
		}
	}
	if !prefix {
		if docs := db.index.words[word]; docs != nil {
			add(docs)
		}
		return
	}
	for w, docs := range db.index.words {
		if strings.HasPrefix(w, word) {
			add(docs)
		}
	}
}

// maxSimilar is how many words of a document relevance feedback searches for.
const maxSimilar = 20

// similar adds the documents that have the typical words of a text: those that are rare in the
// database.
func (s scores) similar(db *Database, text string) {
	words := make(map[string]float64)
	for w := range tokens(text) {
		if docs := db.index.words[w]; docs != nil {
			words[w] += math.Log(1 + float64(len(db.docs))/float64(len(*docs)))
		}
	}
	best := slices.SortedFunc(maps.Keys(words), func(a, b string) int {
		return cmp.Or(cmp.Compare(words[b], words[a]), strings.Compare(a, b))
	})
	for _, w := range best[:min(len(best), maxSimilar)] {
		s.find(db, w, false)
	}
}

// join adds the documents of t, or leaves those that both have, or those that t does not have: op
// is "and", "not" or any other text.
func (s scores) join(op string, t scores) {
	for d, x := range t {
		switch has := x > 0; {
		case op == "and" && !has, op == "not" && has:
			s[d] = 0
		case op != "and" || s[d] > 0:
			s[d] += x
		}
	}
}

// hit is a document that was found.
type hit struct {
	doc   *document
	score int // the best has 1000 (RFC 1625)
}

// rank returns the documents, best first, but not more than fit into a response.
func (db *Database) rank(found scores) []hit {
	var order []int
	for d, x := range found {
		if x > 0 {
			order = append(order, d)
		}
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Or(cmp.Compare(found[b], found[a]), a-b) })
	hits := make([]hit, min(len(order), MaxAPDU/minRecord))
	for i := range hits {
		d := order[i]
		hits[i] = hit{db.docs[d], max(1, int(1000*found[d]/found[order[0]]))}
	}
	return hits
}
