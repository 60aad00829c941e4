package nntp

import (
	"iter"
	"slices"
	"strings"

	"locator/scheme/internal/dialogue"
	"locator/scheme/message"
	"locator/wire"
)

// size is how many numbers are in the span.
func (sp span) size() int64 { return max(sp.last-sp.first+1, 0) }

// numbers returns how many numbers are in spans.
func numbers(spans []span) (n int64) {
	for _, sp := range spans {
		n += sp.size()
	}
	return n
}

// each yields the numbers in spans.
func each(spans []span) iter.Seq[int64] {
	return func(yield func(int64) bool) {
		for _, sp := range spans {
			for n := sp.first; n <= sp.last; n++ {
				if !yield(n) {
					return
				}
			}
		}
	}
}

// without returns the parts of a span that are not in have, which is sorted.
func (sp span) without(have []message.Span) (rest []span) {
	for _, h := range have {
		if h.Last < sp.first || h.Last < h.First {
			continue
		}
		if h.First > sp.last {
			break
		}
		if h.First > sp.first {
			rest = append(rest, span{sp.first, h.First - 1})
		}
		sp.first = h.Last + 1
	}
	if sp.size() > 0 {
		rest = append(rest, sp)
	}
	return rest
}

// spansOf returns the spans of sorted numbers.
func spansOf(list []int64) (spans []span) {
	for _, n := range list {
		if last := len(spans) - 1; last >= 0 && n == spans[last].last+1 {
			spans[last].last = n
		} else {
			spans = append(spans, span{n, n})
		}
	}
	return spans
}

// maxSpans bounds how many ranges one write asks for.
const maxSpans = 64

// take removes a part from the begin of spans, or from their end if newest is set: size numbers, in
// maxSpans spans at most. The part is ascending.
func take(spans *[]span, size int64, newest bool) (part []span) {
	for len(*spans) > 0 && len(part) < maxSpans && size > 0 {
		list := *spans
		at := 0
		if newest {
			at = len(list) - 1
		}
		sp := list[at]
		switch n := min(size, sp.size()); {
		case n == sp.size() && newest:
			*spans = list[:at]
		case n == sp.size():
			*spans = list[1:]
		case newest:
			sp.first, list[at].last = sp.last-n+1, sp.last-n
		default:
			sp.last, list[at].first = sp.first+n-1, sp.first+n
		}
		size -= sp.size()
		part = append(part, sp)
	}
	if newest {
		slices.Reverse(part)
	}
	return part
}

// Bounds of one LISTGROUP: how many numbers its range has, at first and at most, and how many
// between two that are wanted. Listing these takes less time than another round trip.
const (
	firstListed = 100_000
	maxListed   = 1_000_000
	maxBetween  = 10_000
)

// near removes the first spans that are near each other: within size numbers.
func near(spans *[]span, size int64) (part []span) {
	list, n := *spans, 1
	end := list[0].first + size - 1
	for n < len(list) && list[n].first <= end && list[n].first-list[n-1].last <= maxBetween {
		n++
	}
	part, *spans = slices.Clone(list[:n]), list[n:]
	if last := &part[n-1]; last.last > end {
		*spans = list[n-1:]
		last.last, list[n-1].first = end, end+1
	}
	return part
}

// contains reports whether a number is in sorted spans.
func contains(spans []span, n int64) bool {
	i, found := slices.BinarySearchFunc(spans, n, func(sp span, n int64) int {
		switch {
		case sp.last < n:
			return -1
		case sp.first > n:
			return 1
		}
		return 0
	})
	return found && i < len(spans)
}

// listName names the numbers of a group at a server (message.Position).
func listName(at server, group string) string {
	return strings.ToLower(at.addr) + "/" + wire.Escape(group)
}

// haveOf returns what the caller has of a list.
func haveOf(list string, have []message.Have) (h message.Have, ok bool) {
	i := slices.IndexFunc(have, func(h message.Have) bool { return h.List == list && len(h.Spans) > 0 })
	if i < 0 {
		return h, false
	}
	return have[i], true
}

// unread returns the numbers in sp that the caller does not have. all is the range of the selected
// group. If the server has given new numbers to the articles, these are all of sp.
func (s *session) unread(all, sp span, have []message.Have, renumbered func(string)) ([]span, error) {
	list := listName(s.server, s.place.group)
	h, ok := haveOf(list, have)
	if !ok {
		if len(have) > 0 && s.place.own.addr == "" {
			s.note("the group was read at another server before, which numbers the articles in its own way; all of them are read")
		}
		return sp.without(nil), nil
	}
	last := h.Spans[len(h.Spans)-1].Last
	anew := all.last < last && all.size() > 0
	if !anew && h.ID != "" && last <= all.last && last >= all.first {
		r, err := s.command("STAT", dialogue.Bare("STAT "+digits(last)))
		if err != nil {
			return nil, err
		}
		words := strings.Fields(r.Text())
		anew = r.Code == 223 && len(words) > 1 && bareID(words[1]) != h.ID
	}
	if !anew {
		return sp.without(h.Spans), nil
	}
	s.note("the server has given new numbers to the articles of the group; all of them are read again")
	if renumbered != nil {
		renumbered(list)
	}
	return sp.without(nil), nil
}
