// Package hang ends tests that hang after seconds, with a short message. The -timeout of go test
// takes minutes and prints every goroutine. It is for tests only.
package hang

import (
	"fmt"
	"testing"
	"time"
)

// Within panics, and so ends the whole test binary, if the test runs longer than limit: a loop
// cannot be stopped from outside. Call it after t.Parallel, so that the limit does not include the
// time that the test waits for others.
func Within(t testing.TB, limit time.Duration) {
	timer := time.AfterFunc(limit, func() {
		panic(fmt.Sprintf("%s has not ended after %v: it loops or waits forever", t.Name(), limit))
	})
	t.Cleanup(func() { timer.Stop() })
}
