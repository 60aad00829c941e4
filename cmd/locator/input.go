package main

import (
	"bufio"
)

// output returns a buffer for standard output. It is flushed before each read of standard input, so that a program that
// writes one line at a time gets the answer to each.
func (a *app) output() *bufio.Writer {
	out := bufio.NewWriterSize(a.Out, 64<<10)
	a.beforeInput = func() { out.Flush() } // the next Write returns its error
	return out
}

// finish flushes standard output at the end of a verb, and returns the first error.
func finish(out *bufio.Writer, err error) error {
	if flushed := outputError(out.Flush()); err == nil {
		return flushed
	}
	return err
}
