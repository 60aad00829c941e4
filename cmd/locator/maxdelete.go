package main

import (
	"fmt"

	"github.com/spf13/pflag"

	"locator/scheme"
	"locator/transfer"
)

// maxDelete is the flag --max-delete of get and put.
type maxDelete int

func (n *maxDelete) register(f *pflag.FlagSet) {
	f.IntVar((*int)(n), "max-delete", 0, "with --delete: remove nothing if more than N would be removed (0: more than half, and more than ten)")
}

// check rejects a negative number, and a number without --delete.
func (n maxDelete) check(deletes bool) error {
	if n < 0 || n > 0 && !deletes {
		return scheme.Fail(scheme.CodeUsage, "--max-delete needs --delete, and a number of at least 1")
	}
	return nil
}

// maxDeleteAdvice says how to allow the removals of an error.
func maxDeleteAdvice(err *transfer.RemovalsError) string {
	return fmt.Sprintf("if that is right, use --max-delete %d", err.Removals)
}
