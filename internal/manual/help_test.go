package manual

import "testing"

// Paragraphs are broken anew, and the texts of lists stay in their column.
func TestFill(t *testing.T) {
	t.Parallel()
	const text = "one two\nthree four.\n\n  a b  five six seven\n  list  x\n\neight"
	const want = "one two\nthree four.\n\n  a b  five\n       six\n       seven\n  list  x\n\neight\n"
	if got := fill(text, 11); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
