package transfer

import (
	"errors"
	"fmt"
)

// ErrTooMany is the cause of the errors of [CheckRemovals].
var ErrTooMany = errors.New("nothing was removed")

// CheckRemovals returns an error if the mirror of a tree must not remove n of the total files and folders that it has on the other side.
// most is how many it may remove; if it is negative, more than ten may be removed only if that is no more than half. A server that lists
// too little, or an empty folder, would otherwise cost the other side everything.
func CheckRemovals(n, total, most int) error {
	const few = 10
	switch {
	case most >= 0 && n > most:
		return fmt.Errorf("%d files and folders would be removed, and at most %d may be; %w", n, most, ErrTooMany)
	case most < 0 && n > few && n > total-n:
		return fmt.Errorf("%d of %d files and folders would be removed, which is more than half; %w", n, total, ErrTooMany)
	}
	return nil
}
