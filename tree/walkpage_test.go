package tree

import "testing"

// A page that is too long is not kept, until another server is asked.
func TestCopiedPage(t *testing.T) {
	t.Parallel()
	var p copiedPage
	write := func(n int) {
		t.Helper()
		if got, err := p.Write(make([]byte, n)); got != n || err != nil {
			t.Errorf("Write returned %d, %v", got, err)
		}
	}
	check := func(kept int, tooLong bool) {
		t.Helper()
		if p.bytes.Len() != kept || p.tooLong != tooLong {
			t.Errorf("%d bytes kept, too long: %v; want %d, %v", p.bytes.Len(), p.tooLong, kept, tooLong)
		}
	}
	write(maxPage - 1)
	write(1)
	check(maxPage, false)
	write(1)
	check(0, true)
	write(1)
	check(0, true)
	p.Reset()
	write(2)
	check(2, false)
	p.Reset()
	check(0, false)
}
