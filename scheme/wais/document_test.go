package wais

import (
	"testing"

	"locator/client"
	"locator/internal/z3950"
	"locator/scheme"
)

// A document that the server loses in the middle is not whole, even if its size is not known.
//
// Covers: P6, T108
func TestLostDocument(t *testing.T) {
	t.Parallel()
	d := &document{size: -1, stop: -1, pos: 10_000}
	if err := d.judge(0, []*z3950.Diagnostic{{Code: outOfRange, Text: "Missing DocID in request"}}); client.CodeOf(err) != scheme.CodeBroken {
		t.Errorf("%v", err)
	}
	if err := d.judge(0, []*z3950.Diagnostic{{Code: outOfRange, Text: "Request out of range"}}); err != nil || !d.last {
		t.Errorf("the end of a document: %v", err)
	}
}
