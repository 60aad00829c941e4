package transfer

import (
	"time"

	"locator/scheme"
)

// CompareTimes compares the times of two attributes as far as the less precise one goes: it returns
// -1 if a was modified before b, 1 if after, and 0 if the times are equal.
func CompareTimes(a, b scheme.Attr) int {
	unit := max(a.Precision, b.Precision, time.Second)
	return a.Modified.Truncate(unit).Compare(b.Modified.Truncate(unit))
}
