package present

import (
	"iter"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"locator/client"
	"locator/internal/hang"
	"locator/scheme"
)

// endlessMessages yields n messages, each of which replies to the hundred before it.
func endlessMessages(n int, text string) iter.Seq2[scheme.Entry, error] {
	return func(yield func(scheme.Entry, error) bool) {
		var ids []string
		for i := range n {
			e := scheme.Entry{Name: "s", Kind: scheme.KindObject}
			e.Attr.ID, e.Attr.Abstract = strconv.Itoa(i)+"@x", strings.Clone(text)
			e.Attr.References = ids[max(0, len(ids)-100):]
			ids = append(ids, e.Attr.ID)
			if !yield(e, nil) {
				return
			}
		}
	}
}

// A server chooses how many messages there are and what they reply to. Neither memory nor time
// follows it without a bound.
//
// Covers: P6, T98
func TestThreadsOfHostileServer(t *testing.T) {
	hang.Within(t, time.Minute)
	for _, text := range []string{"", strings.Repeat("x", 100_000)} {
		var before, now runtime.MemStats
		runtime.ReadMemStats(&before)
		n := 0
		var last error
		for _, err := range Threads(endlessMessages(1_000_000, text), true, scheme.Fail(scheme.CodeBroken, "full")) {
			if n++; n == 1 {
				runtime.GC()
				runtime.ReadMemStats(&now)
				if grown := int64(now.HeapAlloc) - int64(before.HeapAlloc); grown > 100<<20 {
					t.Errorf("%d MiB are held", grown>>20)
				}
			}
			last = err
		}
		if client.CodeOf(last) != scheme.CodeBroken || n < 400 {
			t.Errorf("%d messages, then: %v", n, last)
		}
	}
}

// References that form a loop, and messages that reply to themselves, lose no message.
func TestThreadsLoop(t *testing.T) {
	t.Parallel()
	messages := []struct {
		id   string
		refs []string
	}{{"a", []string{"c"}}, {"b", []string{"a"}}, {"c", []string{"a", "b"}}, {"d", []string{"d"}}, {"e", []string{"none", "d"}}, {"", []string{"b"}}}
	var got []string
	for e, err := range Threads(func(yield func(scheme.Entry, error) bool) {
		for _, m := range messages {
			e := scheme.Entry{Name: m.id}
			e.Attr.ID, e.Attr.References = m.id, m.refs
			if !yield(e, nil) {
				return
			}
		}
	}, true, nil) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, e.Name)
	}
	if text := strings.Join(got, ","); text != "c,  a,    b,      ,d,  e" {
		t.Errorf("%q", text)
	}
}
