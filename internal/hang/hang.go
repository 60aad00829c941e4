// Package hang ends tests that hang, with a sentence and after seconds: the -timeout of go test takes minutes and prints every
// goroutine. It is for tests only.
package hang

import (
	"fmt"
	"testing"
	"time"
)

// Within ends the whole test binary if the test takes longer than limit: no loop can be ended from outside. It is to be called
// after t.Parallel, so that the time that the test waits for others is not counted.
func Within(t testing.TB, limit time.Duration) {
	timer := time.AfterFunc(limit, func() {
		panic(fmt.Sprintf("%s has not ended after %v: something in it loops or waits forever", t.Name(), limit))
	})
	t.Cleanup(func() { timer.Stop() })
}
