package transfer

import (
	"errors"
	"testing"
)

// Covers: A15
func TestCheckRemovals(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		n, total, most int
		ok             bool
	}{
		{0, 0, -1, true}, {10, 10, -1, true}, {11, 11, -1, false}, {11, 21, -1, false}, {11, 22, -1, true}, {502, 10500, -1, true},
		{0, 9, 0, true}, {1, 9, 0, false}, {20, 20, 20, true}, {21, 90, 20, false},
	} {
		if err := CheckRemovals(tt.n, tt.total, tt.most); (err == nil) != tt.ok || err != nil && !errors.Is(err, ErrTooMany) {
			t.Errorf("%d of %d, at most %d: %v", tt.n, tt.total, tt.most, err)
		}
	}
}
