package check

import (
	"context"

	"locator"
	"locator/scheme"
)

// MaxContent is how many bytes of a resource are read at most.
const MaxContent = 4 << 20

// read reads the body of a resource for its fragments and its digest.
func (c *Checker) read(ctx context.Context, u locator.URL, found *scheme.Resource, t Task, res *Result) {
}
