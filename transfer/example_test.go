package transfer_test

import (
	"context"
	"fmt"
	"iter"

	"locator"
	"locator/transfer"
)

func ExampleQueue() {
	jobs := func(yield func(transfer.Job) bool) {
		for _, name := range []string{"a", "b"} {
			job := transfer.Job{Host: "host.dom", Do: func(context.Context, iter.Seq[locator.URL]) { fmt.Println(name) }}
			if !yield(job) {
				return
			}
		}
	}
	transfer.Queue{Parallel: 8, PerHost: 1}.Run(context.Background(), jobs)
	// Output:
	// a
	// b
}
