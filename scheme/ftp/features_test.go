package ftp

import (
	"testing"
)

// Covers: A4
func TestFeatures(t *testing.T) {
	t.Parallel()
	f := parseFeatures(newReply(211, "211-Features:", " MLST Type*;Size;Modify;X*;", "utf8", "  REST STREAM ", "", "211 End"))
	if !f.has("UTF8") || f["REST"] != "STREAM" || !f.machineLists() || len(f) != 3 {
		t.Errorf("%q", f)
	}
	if got := f.missingFacts(); got != "Type;Size;Modify;X;" {
		t.Errorf("missing facts %q", got)
	}
	if got := (features{"MLST": "type*;size*;modify*;UNIX.mode;"}).missingFacts(); got != "" {
		t.Errorf("missing facts %q", got)
	}
	for _, r := range []reply{newReply(500, "500 what?"), newReply(211, "211 none"), newReply(211, "211-a", "211 b")} {
		if f := parseFeatures(r); len(f) != 0 || f.machineLists() || f.missingFacts() != "" {
			t.Errorf("%v: %q", r.Lines, f)
		}
	}
}
