package waistest

import (
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
	words map[string]map[int]int
	size  int64 // estimate of its memory, in bytes
}

// Estimates of memory, in bytes.
const (
	wordSize = 256 // of a word beside its text
	docSize  = 32  // of a document that has a word
)

func newIndex() index { return index{words: make(map[string]map[int]int)} }

func (x *index) add(word string, doc int) {
	docs := x.words[word]
	if docs == nil {
		docs = make(map[int]int)
		x.words[strings.Clone(word)] = docs // which is a part of the text
		x.size += wordSize + int64(len(word))
	}
	if docs[doc]++; docs[doc] == 1 {
		x.size += docSize
	}
}

// maxWord bounds the bytes of a word that are indexed.
const maxWord = 64

// tokens yields the words of a text in lower case: runs of letters and digits. The text is UTF-8 or else Windows-1252.
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

// scores are the documents that a query finds.
type scores map[int]float64

// find returns the documents with a word, or with a word that begins with it. Rare words count more, and so do frequent ones in a
// short document.
func (db *Database) find(word string, prefix bool) scores {
	found := make(scores)
	add := func(docs map[int]int) {
		rarity := math.Log(1 + float64(len(db.docs))/float64(len(docs)))
		for d, n := range docs {
			found[d] += rarity * float64(n) / (float64(n) + 1 + math.Log(1+float64(db.docs[d].words)))
		}
	}
	if !prefix {
		if docs := db.index.words[word]; docs != nil {
			add(docs)
		}
		return found
	}
	for w, docs := range db.index.words {
		if strings.HasPrefix(w, word) {
			add(docs)
		}
	}
	return found
}

// maxSimilar is how many words of a document relevance feedback searches for.
const maxSimilar = 20

// similar returns the documents that have the typical words of a text: those that are rare in the database.
func (db *Database) similar(text string) scores {
	words := make(map[string]float64)
	for w := range tokens(text) {
		if docs := db.index.words[w]; docs != nil {
			words[w] += math.Log(1 + float64(len(db.docs))/float64(len(docs)))
		}
	}
	best := slices.SortedFunc(maps.Keys(words), func(a, b string) int {
		if words[a] != words[b] {
			return compare(words[b], words[a])
		}
		return strings.Compare(a, b)
	})
	found := make(scores)
	for _, w := range best[:min(len(best), maxSimilar)] {
		found.or(db.find(w, false))
	}
	return found
}

func compare(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

func (s scores) or(t scores) {
	for d, x := range t {
		s[d] += x
	}
}

// hit is a document that was found.
type hit struct {
	doc   *document
	score int // the best has 1000 (RFC 1625)
}

// rank returns the documents, best first.
func (db *Database) rank(found scores) []hit {
	best := 0.0
	for _, x := range found {
		best = max(best, x)
	}
	order := slices.SortedFunc(maps.Keys(found), func(a, b int) int {
		if c := compare(found[b], found[a]); c != 0 {
			return c
		}
		return a - b
	})
	var hits []hit
	for _, d := range order {
		hits = append(hits, hit{db.docs[d], max(1, int(1000*found[d]/best))})
	}
	return hits
}
