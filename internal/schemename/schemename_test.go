package schemename

import (
	"strings"
	"testing"
)

func TestInUse(t *testing.T) {
	t.Parallel()
	for name := range strings.FieldsSeq(inUse) {
		if !InUse(name) || !InUse(strings.ToUpper(name)) || len(name) > longest {
			t.Errorf("%s is not in use", name)
		}
	}
	for _, name := range []string{"", "view-sources", "vie", "sftp2", "sft", "htp"} {
		if InUse(name) {
			t.Errorf("%q is in use", name)
		}
	}
}
