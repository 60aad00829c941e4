package units_test

import (
	"slices"
	"testing"

	"locator/internal/units"
)

func TestSizes(t *testing.T) {
	t.Parallel()
	var got []string
	for _, n := range []int64{0, 1, 1023, 1024, 1 << 20, 5<<30 + 1<<29} {
		got = append(got, units.Size(n))
	}
	if want := []string{"0 bytes", "1 byte", "1023 bytes", "1.0 KiB", "1.0 MiB", "5.5 GiB"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
