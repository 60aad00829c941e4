package format

import (
	"runtime"
	"strings"
	"testing"

	"locator/find"
)

// Carriage returns without a line end are no part of a paragraph that goes on: few of them are
// held.
//
// Covers: F5
func TestFlowedHoldsLittle(t *testing.T) {
	t.Parallel()
	v := &value{}
	f := newFlowed(v, false)
	for i := range 64 {
		f.write([]byte(strings.Repeat("\r", 16<<10)), int64(i)<<14, int64(i+1)<<14)
	}
	if cap(f.held.text) > 64<<10 {
		t.Errorf("%d bytes are held", cap(f.held.text))
	}
	if f.close(); len(v.text) != 1<<20 || len(v.spans.list) != 1 {
		t.Errorf("%d bytes in %d spans were passed on", len(v.text), len(v.spans.list))
	}
}

// An attribute in the HTML part of a mail has many short references to a long base. Those that wait
// for the end of the tag are bounded.
//
// Covers: F5
func TestNestedHoldsLittle(t *testing.T) { // the memory of tests that run at the same time would count
	source := "Content-Type: text/html\n\n<base href='http://host/" + strings.Repeat("b", maxBase-20) + "/'><a ping='" + strings.Repeat("x ", maxToken/4) + "'></a> http://host/after"
	var notes []string
	var before, now runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	n, last := 0, ""
	for u, err := range Lookup("mail").Read(t.Context(), strings.NewReader(source), Options{Note: func(err error) { notes = append(notes, err.Error()) }}) {
		if err != nil {
			t.Fatal(err)
		}
		if n, last = n+1, u.URL; n == 100 {
			runtime.GC()
			runtime.ReadMemStats(&now)
		}
	}
	if now.HeapAlloc > before.HeapAlloc+2*maxNested || n < 1000 || last != "http://host/after" || len(notes) != 1 {
		t.Errorf("%d finds in %d MiB, the last %.40q, notes %q", n, (int64(now.HeapAlloc)-int64(before.HeapAlloc))>>20, last, notes)
	}
}

// A header field of a mail without end is read in pieces, and parts within parts are counted.
//
// Covers: F5
func TestMailHoldsLittle(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		source string
		parts  int
	}{
		{"X: " + strings.Repeat("x\n ", 1<<18), 0},
		{"X: " + strings.Repeat("x", 1<<20), 0},
		{strings.Repeat("Content-Type: multipart/mixed; boundary=b\n\n--b\n", 2*maxParts), maxParts},
		{strings.Repeat("Content-Type: message/rfc822\n\n", 2*maxParts), maxParts},
	} {
		in := &source{ctx: t.Context(), r: strings.NewReader(c.source)}
		m := &mailReader{s: &scanner{find: &find.Finder{}, yield: func(Find, error) bool { return true }, source: in, in: in, from: asIs{}}}
		if err := m.read(); err != nil || cap(m.field) > 2*maxField || len(m.open) != c.parts {
			t.Errorf("%.40q: %v, %d bytes of a field, %d parts open, want %d", c.source, err, cap(m.field), len(m.open), c.parts)
		}
	}
}
