package gateway

import "testing"

func TestSentForms(t *testing.T) {
	var s sentForms
	if !s.begin("a") || s.begin("a") {
		t.Error("a form is known before it was sent, or not after")
	}
	s.end("a")
	if !s.begin("a") {
		t.Error("a form that was not sent is known")
	}
	for i := range 2 * maxSent {
		s.begin(string(rune(i)) + "x")
	}
	if len(s.known) > maxSent || len(s.order) > maxSent {
		t.Errorf("%d, %d forms are remembered", len(s.known), len(s.order))
	}
}
