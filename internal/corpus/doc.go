// Package corpus reads texts in which the places of URLs are marked, and scores what a finder finds
// in them.
//
// The marks and the rules of labelling are described in find/testdata/corpus/README.md.
package corpus
