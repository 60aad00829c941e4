package present

import (
	"iter"
	"slices"
	"strings"

	"locator/internal/held"
	"locator/scheme"
)

// threadOf returns the message-id that begins the thread of a message; "" if the entry is no
// message.
func threadOf(e scheme.Entry) string {
	if len(e.Attr.References) > 0 {
		return e.Attr.References[0]
	}
	return e.Attr.ID
}

// maxIndent bounds the indent of a reply, in levels.
const maxIndent = 10

// ThreadMemory bounds the memory of the messages that Threads sorts, in bytes.
const ThreadMemory = 48 << 20

// Threads returns the entries with each reply after the message that it replies to, at the place of
// the first message of its thread. With indent, the names of replies are indented. It reads all
// entries before it yields the first. After an error it yields what came before it, and then the
// error. The error is full if the messages need more than ThreadMemory.
func Threads(entries iter.Seq2[scheme.Entry, error], indent bool, full error) iter.Seq2[scheme.Entry, error] {
	return func(yield func(scheme.Entry, error) bool) {
		var list []scheme.Entry
		var failed error
		left := held.Budget(ThreadMemory)
		for e, err := range entries {
			if !left.Take(held.Entry(&e)) && err == nil {
				err = full
			}
			if failed = err; err != nil {
				break
			}
			list = append(list, e)
		}
		for at, depth := range ThreadOrder(list) {
			e := list[at]
			if indent {
				e.Name = strings.Repeat("  ", min(depth, maxIndent)) + e.Name
			}
			if !yield(e, nil) {
				return
			}
		}
		if failed != nil {
			yield(scheme.Entry{}, failed)
		}
	}
}

// ThreadOrder yields the indices of the messages, each reply after the message that it replies to,
// with how deep it is in its thread. The first message of a thread has the depth 0.
func ThreadOrder(list []scheme.Entry) iter.Seq2[int, int] {
	return func(yield func(at, depth int) bool) {
		roots, children := threadTree(list)
		type item struct{ at, depth int }
		var stack []item
		for _, at := range slices.Backward(roots) {
			stack = append(stack, item{at, 0})
		}
		for len(stack) > 0 {
			top := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			if !yield(top.at, top.depth) {
				return
			}
			for _, at := range slices.Backward(children[top.at]) {
				stack = append(stack, item{at, top.depth + 1})
			}
		}
	}
}

// maxAncestors bounds the search for a loop of references, for one message. A message further down
// begins a thread.
const maxAncestors = 1000

// threadTree returns the messages that begin a thread, and the replies to each message, as indices.
// A message replies to the last of its references that is listed. References that form a loop are
// ignored.
func threadTree(list []scheme.Entry) (roots []int, children map[int][]int) {
	at := make(map[string]int)
	for i, e := range list {
		if _, ok := at[e.Attr.ID]; !ok && e.Attr.ID != "" {
			at[e.Attr.ID] = i
		}
	}
	const none = -1
	parents := make([]int, len(list))
	for i := range parents {
		parents[i] = none
	}
	for i, e := range list {
		steps := 0
		for _, id := range slices.Backward(e.Attr.References) {
			parent, ok := at[id]
			if !ok {
				continue
			}
			above := parent
			for ; above != none && above != i && steps < maxAncestors; steps++ {
				above = parents[above]
			}
			if above == none {
				parents[i] = parent
			}
			if above == none || steps == maxAncestors {
				break
			}
		}
	}
	children = make(map[int][]int)
	for i := range list {
		if parent := parents[i]; parent != none {
			children[parent] = append(children[parent], i)
		} else {
			roots = append(roots, i)
		}
	}
	for _, replies := range children {
		slices.SortStableFunc(replies, func(a, b int) int { return list[a].Attr.Modified.Compare(list[b].Attr.Modified) })
	}
	return roots, children
}
