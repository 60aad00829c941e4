package transfer

import "testing"

func TestCheckRemovals(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		n, all, limit int
		ok            bool
	}{
		{0, 0, 0, true}, {10, 10, 0, true}, {11, 11, 0, false}, {11, 21, 0, false}, {11, 22, 0, true}, {12, 22, 0, false}, {500, 1000, 0, true}, {501, 1000, 0, false},
		{501, 1000, 501, true}, {501, 1000, 500, false}, {5, 1000, 4, false}, {1000, 1000, 1000, true},
	} {
		if err := CheckRemovals(test.n, test.all, test.limit); (err == nil) != test.ok {
			t.Errorf("%+v: %v", test, err)
		}
	}
}
