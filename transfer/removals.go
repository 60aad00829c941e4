package transfer

import "fmt"

// fewRemovals are so few files that a run may always remove them.
const fewRemovals = 10

// RemovalsError is the error of a run that would remove too many files. Nothing has been removed.
type RemovalsError struct{ Removals, All int }

// Error implements error.
func (e *RemovalsError) Error() string {
	return fmt.Sprintf("%d of %d files are gone from the source, more than may be removed; nothing was removed", e.Removals, e.All)
}

// CheckRemovals returns a *RemovalsError if a run may not remove n of all files: more than limit,
// or, if limit is 0, more than half of them and more than ten. A source that was moved, emptied, or
// is listed incompletely looks like that.
func CheckRemovals(n, all, limit int) error {
	if limit > 0 && n <= limit || limit == 0 && (n <= fewRemovals || n <= all/2) {
		return nil
	}
	return &RemovalsError{n, all}
}
