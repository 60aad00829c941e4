package archive

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"iter"
	"maps"
	"slices"
	"strings"

	"locator/scheme/message"
)

// seen is what a journal says.
type seen struct {
	lists   map[string]*seenList
	urls    map[string]bool
	ids     map[idKey]struct{}
	scanned int64
	begun   *begun // the last message was begun and is not known to be complete; nil if there is none
}

// seenList is what was read of a numbered list.
type seenList struct {
	spans []message.Span
	gaps  []message.Span // the numbers in spans that had no message, if they are not more than recheck below the last one
	id    string         // the Message-ID of the last one, "" if it is unknown
}

// recheck is how many numbers below the last one may get a message late.
const recheck = 100_000

// idKey identifies a Message-ID. Of 2^40 Message-IDs, two are alike with a probability of 2^-17.
type idKey [12]byte

// hashOf returns the key of a Message-ID.
func hashOf(id string) idKey {
	sum := sha256.Sum256([]byte(id))
	return idKey(sum[:])
}

// maxID bounds a Message-ID, in bytes. RFC 5536 3.1.3 allows 250.
const maxID = 1000

// soundID reports whether a Message-ID without its angle brackets can identify a message: a damaged
// one may be that of several.
func soundID(id string) bool {
	at := strings.IndexByte(id, '@')
	return len(id) <= maxID && at > 0 && at < len(id)-1 && !strings.ContainsFunc(id, func(c rune) bool { return c <= ' ' || c >= 0x7F || c == '<' || c == '>' })
}

func newSeen() seen {
	return seen{lists: make(map[string]*seenList), urls: make(map[string]bool), ids: make(map[idKey]struct{})}
}

// isEmpty reports whether nothing was read.
func (s *seen) isEmpty() bool { return len(s.lists)+len(s.urls)+len(s.ids) == 0 }

// hasID reports whether the message with a Message-ID was read.
func (s *seen) hasID(id string) bool {
	_, ok := s.ids[hashOf(id)]
	return ok && soundID(id)
}

// addID adds the Message-ID of a message.
func (s *seen) addID(id string) {
	if soundID(id) {
		s.ids[hashOf(id)] = struct{}{}
	}
}

// apply changes the state by a line.
func (s *seen) apply(l journalLine) {
	if s.begun = l.Begun; l.Begun != nil {
		if s.scanned > 0 {
			s.scanned = max(l.Begun.At, 1)
		}
		return
	}
	s.scanned = max(s.scanned, l.Scanned)
	for key := range slices.Chunk(l.IDs, len(idKey{})) {
		if len(key) == len(idKey{}) {
			s.ids[idKey(key)] = struct{}{}
		}
	}
	s.addID(l.ID)
	switch {
	case l.Renumbered != "":
		delete(s.lists, l.Renumbered)
	case l.URL != "":
		s.urls[l.URL] = true
	case l.List != "" && l.First <= l.Last && l.Last > 0:
		h := s.lists[l.List]
		if h == nil {
			h = &seenList{}
			s.lists[l.List] = h
		}
		if n := len(h.spans); n == 0 || l.Last >= h.spans[n-1].Last {
			h.id = l.ID
		}
		h.spans = join(h.spans, message.Span{First: l.First, Last: l.Last})
		for _, gap := range l.Gaps {
			if gap.First <= gap.Last {
				h.gaps = join(h.gaps, message.Span(gap))
			}
		}
		if len(l.Gaps) == 0 || l.Gaps[len(l.Gaps)-1].Last < l.Last {
			h.gaps = drop(h.gaps, l.Last)
		}
		low := h.spans[len(h.spans)-1].Last - recheck
		for len(h.gaps) > 0 && h.gaps[0].Last < low {
			h.gaps = h.gaps[1:]
		}
	}
}

// newGaps returns the numbers from first to last that were not read before.
func (s *seen) newGaps(list string, first, last int64) (gaps []span) {
	h := s.lists[list]
	if h == nil {
		return []span{{first, last}}
	}
	for _, sp := range without([]message.Span{{First: first, Last: last}}, h.spans) {
		gaps = append(gaps, span(sp))
	}
	return gaps
}

// have returns what was read of the lists, in the order of their names. With late, it leaves out
// gaps in which a message may have come.
func (s *seen) have(late bool) (have []message.Have) {
	for _, list := range slices.Sorted(maps.Keys(s.lists)) {
		h := s.lists[list]
		spans := h.spans
		if late {
			spans = without(spans, h.gaps)
		}
		have = append(have, message.Have{List: list, Spans: spans, ID: h.id})
	}
	return have
}

// Numbers in one line, so that it has less than maxJournalLine bytes.
const (
	gapsInLine = 1000
	idsInLine  = 3000
)

// lines yields the lines of a file that says the same.
func (s *seen) lines() iter.Seq[journalLine] {
	return func(yield func(journalLine) bool) {
		if s.scanned > 0 && !yield(journalLine{Scanned: s.scanned}) {
			return
		}
		for _, list := range slices.Sorted(maps.Keys(s.lists)) {
			h := s.lists[list]
			for i, sp := range h.spans {
				l := journalLine{List: list, First: sp.First, Last: sp.Last}
				if i == len(h.spans)-1 {
					l.ID = h.id
				}
				if !yield(l) {
					return
				}
			}
			for gaps := range slices.Chunk(h.gaps, gapsInLine) {
				l := journalLine{List: list, First: gaps[0].First, Last: gaps[0].Last}
				for _, gap := range gaps {
					l.Gaps = append(l.Gaps, span(gap))
				}
				if !yield(l) {
					return
				}
			}
		}
		for _, u := range slices.Sorted(maps.Keys(s.urls)) {
			if !yield(journalLine{URL: u}) {
				return
			}
		}
		keys := slices.SortedFunc(maps.Keys(s.ids), func(a, b idKey) int { return bytes.Compare(a[:], b[:]) })
		for part := range slices.Chunk(keys, idsInLine) {
			var l journalLine
			for _, key := range part {
				l.IDs = append(l.IDs, key[:]...)
			}
			if !yield(l) {
				return
			}
		}
		if yield(journalLine{Whole: true}) && s.begun != nil {
			yield(journalLine{Begun: s.begun})
		}
	}
}

// span is a message.Span that is written as [first,last].
type span message.Span

// MarshalJSON implements json.Marshaler.
func (s span) MarshalJSON() ([]byte, error) { return json.Marshal([2]int64{s.First, s.Last}) }

// UnmarshalJSON implements json.Unmarshaler.
func (s *span) UnmarshalJSON(b []byte) error {
	var ends [2]int64
	err := json.Unmarshal(b, &ends)
	s.First, s.Last = ends[0], ends[1]
	return err
}

// join adds a span to sorted spans.
func join(spans []message.Span, x message.Span) []message.Span {
	i, _ := slices.BinarySearchFunc(spans, x.First, func(s message.Span, first int64) int { // the first one that is not wholly before x
		if s.Last < first-1 {
			return -1
		}
		return 1
	})
	k := i
	for ; k < len(spans) && spans[k].First <= x.Last+1; k++ {
		x.First, x.Last = min(x.First, spans[k].First), max(x.Last, spans[k].Last)
	}
	return slices.Replace(spans, i, k, x)
}

// drop removes a number from sorted spans.
func drop(spans []message.Span, n int64) []message.Span {
	i, found := slices.BinarySearchFunc(spans, n, func(s message.Span, n int64) int {
		switch {
		case s.Last < n:
			return -1
		case s.First > n:
			return 1
		}
		return 0
	})
	if !found {
		return spans
	}
	return slices.Replace(spans, i, i+1, without(spans[i:i+1], []message.Span{{First: n, Last: n}})...)
}

// without returns the numbers in sorted spans that are not in others, which are sorted, too.
func without(spans, others []message.Span) (rest []message.Span) {
	for _, s := range spans {
		for len(others) > 0 && others[0].Last < s.First {
			others = others[1:]
		}
		for i := 0; i < len(others) && others[i].First <= s.Last; i++ {
			if others[i].First > s.First {
				rest = append(rest, message.Span{First: s.First, Last: others[i].First - 1})
			}
			s.First = others[i].Last + 1
		}
		if s.First <= s.Last {
			rest = append(rest, s)
		}
	}
	return rest
}
