package scheme

import (
	"testing"
)

func TestRangeIsZero(t *testing.T) {
	t.Parallel()
	for r, want := range map[Range]bool{{}: true, {Offset: 1}: false, {Length: 1}: false} {
		if r.IsZero() != want {
			t.Errorf("%+v.IsZero() = %v", r, !want)
		}
	}
}
