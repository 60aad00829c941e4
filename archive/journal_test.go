package archive

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"locator/internal/peers"
	"locator/scheme/message"
)

// A message after which thousands of numbers turn out to be gaps makes several lines: one would be
// longer than a line may be.
//
// Covers: A10
func TestJournalManyGaps(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "x"+JournalSuffix)
	j, err := OpenJournal(file)
	if err != nil {
		t.Fatal(err)
	}
	const base, last = 1_000_000_000, 1_000_010_000
	for n := int64(base); n < last; n += 2 {
		if err := j.Add(message.Position{List: "h/g", First: n, Number: n}, "", ""); err != nil {
			t.Fatal(err)
		}
	}
	for n := range int64(50_000) { // so that the file is not written anew for what is added later
		if err := j.Add(message.Position{List: "h/other", First: 2 * n, Number: 2 * n}, fmt.Sprint(n, "@h"), ""); err != nil {
			t.Fatal(err)
		}
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	if j, err = OpenJournal(file); err != nil {
		t.Fatal(err)
	}
	if err := j.Add(message.Position{List: "h/g", First: base, Number: last}, "", ""); err != nil {
		t.Fatal(err)
	}
	if err := j.Flush(); err != nil {
		t.Fatal(err)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	if j, err = OpenJournal(file); err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	if have := j.Have(); len(have) != 2 || len(have[0].Spans) != 1 || have[0].Spans[0] != (message.Span{First: base, Last: last}) {
		t.Errorf("read again: %+v", have)
	}
	if gaps := j.seen.lists["h/g"].gaps; len(gaps) != (last-base)/2 {
		t.Errorf("%d gaps were read again, want %d", len(gaps), (last-base)/2)
	}
}

// A journal says after each change, and each time that it was read or written anew, what it was
// told.
//
// Covers: A9
func TestJournalModel(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "box.state")
	random := rand.New(rand.NewPCG(1, 2))
	read, ids, high := make(map[int64]bool), make(map[string]bool), int64(0) // numbers: true is a message, false a gap
	j, err := OpenJournal(name)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 3000 {
		switch random.IntN(100) {
		case 0:
			if err := j.Close(); err != nil {
				t.Fatal(err)
			}
			if j, err = OpenJournal(name); err != nil {
				t.Fatal(err)
			}
		case 1:
			if err := j.compact(); err != nil {
				t.Fatal(err)
			}
		case 2:
			if err := j.begin(7, []byte("head")); err != nil {
				t.Fatal(err)
			}
			if err := j.compact(); err != nil {
				t.Fatal(err)
			}
			if b := j.reread(t).begun; b == nil || b.At != 7 || string(b.Head) != "head" {
				t.Fatalf("%d: begun is %v", i, b)
			}
		default:
			n := high + random.Int64N(4)
			if random.IntN(3) == 0 {
				n = random.Int64N(high + 1)
			}
			if n = max(n, 1); read[n] {
				continue
			}
			id := fmt.Sprint(n, "@b")
			first := max(1, n-random.Int64N(5))
			if err := j.Add(message.Position{List: "h/g", First: first, Number: n}, id, ""); err != nil {
				t.Fatal(err)
			}
			for k := first; k < n; k++ {
				if _, ok := read[k]; !ok {
					read[k] = false // looked for, and not there
				}
			}
			read[n], ids[id], high = true, true, max(high, n)
		}
		if i%100 != 0 {
			continue
		}
		if err := j.Flush(); err != nil {
			t.Fatal(err)
		}
		for _, s := range []seen{j.seen, j.reread(t)} {
			for late, have := range map[bool][]message.Have{false: s.have(false), true: s.have(true)} {
				for n := range high + 2 {
					isMessage, known := read[n]
					if want := isMessage || known && !late; want != slices.ContainsFunc(have, func(h message.Have) bool {
						return slices.ContainsFunc(h.Spans, func(sp message.Span) bool { return sp.First <= n && n <= sp.Last })
					}) {
						t.Fatalf("%d: number %d, late %v: want %v in %.300v", i, n, late, want, have)
					}
				}
			}
			for id := range ids {
				if !s.hasID(id) {
					t.Fatalf("%d: %s is unknown", i, id)
				}
			}
			if len(s.ids) != len(ids) || len(s.lists) > 0 && s.lists["h/g"].id != fmt.Sprint(high, "@b") {
				t.Fatalf("%d: %d ids, want %d", i, len(s.ids), len(ids))
			}
		}
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
}

// A journal stays locked while it is written anew.
//
// Covers: P6
func TestJournalLocked(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		peers.Skip(t, "Windows cannot rename an open file")
	}
	name := filepath.Join(t.TempDir(), "box.state")
	j, err := OpenJournal(name)
	if err != nil {
		t.Fatal(err)
	}
	over, opened := make(chan struct{}), make(chan bool)
	go func() {
		any := false
		for {
			select {
			case <-over:
				opened <- any
				return
			default:
				if other, err := OpenJournal(name); err == nil {
					any = true
					other.Close()
				}
			}
		}
	}()
	for range 300 {
		if err := j.compact(); err != nil {
			t.Fatal(err)
		}
	}
	if close(over); <-opened {
		t.Error("it was opened meanwhile")
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
}

// Only the gaps near the last number are kept.
//
// Covers: P6
func TestJournalOldGaps(t *testing.T) {
	t.Parallel()
	j := &Journal{seen: newSeen()}
	for n := int64(2); n <= recheck+10; n += 2 {
		if j.Add(message.Position{List: "h/g", First: n - 1, Number: n}, "", ""); len(j.wait) > maxJournalLine-200 {
			j.wait = nil
		}
	}
	if have := j.have(true)[0].Spans; have[0] != (message.Span{First: 1, Last: 10}) || have[1] != (message.Span{First: 12, Last: 12}) {
		t.Errorf("%v", have[:3])
	}
}

// A write that fails leaves no torn line between others.
//
// Covers: P6
func TestJournalTorn(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "box.state")
	j, err := OpenJournal(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := j.Add(message.Position{List: "h/g", First: 1, Number: 1}, "1@b", ""); err != nil {
		t.Fatal(err)
	}
	if err := j.Flush(); err != nil {
		t.Fatal(err)
	}
	if _, err := j.h.WriteAt([]byte(`{"list":"h/g","fi`), j.size); err != nil { // what the disk had room for
		t.Fatal(err)
	}
	if err := j.Add(message.Position{List: "h/g", First: 2, Number: 2}, "2@b", ""); err != nil {
		t.Fatal(err)
	}
	if err := j.Flush(); err != nil {
		t.Fatal(err)
	}
	if got := j.reread(t); len(got.ids) != 2 {
		t.Errorf("%d ids", len(got.ids))
	}
	j.Close()
}
