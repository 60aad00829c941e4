package locator

import (
	"math/rand/v2"
	"strings"
	"testing"

	"locator/internal/bnf"
)

// agreeHost compares the two parsers of a host with each other and with the grammar.
func agreeHost(t *testing.T, s string) {
	t.Helper()
	r := reader{s: s, t: strictTable}
	want, offset := bnf.RFC1738().Match("host", s)
	end, ok := r.plainHost(0)
	if (ok && end == len(s)) != want {
		t.Fatalf("plainHost(%q) = %d, %v; the grammar says %v", s, end, ok, want)
	}
	if end, ok = r.scanHost(0); want != (ok && end == len(s)) || !want && end != offset {
		t.Fatalf("scanHost(%q) = %d, %v; the grammar says %v, %d", s, end, ok, want, offset)
	}
}

// hostText returns a random text that may be a host.
func hostText(r *rand.Rand) string {
	const chars = "aZ09--..1_%/:"
	var b strings.Builder
	for range r.IntN(24) {
		b.WriteByte(chars[r.IntN(len(chars)-r.IntN(5))])
	}
	return b.String()
}

// Covers: S4
func TestHost(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1738, 0))
	for range 12_000 {
		agreeHost(t, hostText(r))
		agreeHost(t, bnf.RFC1738().Generate("host", r, 20))
	}
}

func FuzzHost(f *testing.F) {
	r := rand.New(rand.NewPCG(31, 32))
	for range 60 {
		f.Add(hostText(r))
		f.Add(bnf.RFC1738().Generate("host", r, 20))
	}
	f.Fuzz(func(t *testing.T, s string) { agreeHost(t, s) })
}
